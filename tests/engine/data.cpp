#include "data.hpp"

#include <cstdio>
#include <stdexcept>

namespace glassbox::test {

std::string read_data(const std::string& name) {
  for (const char* folder : {GLASSBOX_GOLDEN_DATA, GLASSBOX_BUILT_MODELS}) {
    std::FILE* file = std::fopen((folder + ("/" + name)).c_str(), "rb");
    if (file == nullptr) continue;
    std::string bytes;
    char piece[65536];
    for (std::size_t count; (count = std::fread(piece, 1, sizeof piece, file)) > 0;)
      bytes.append(piece, count);
    std::fclose(file);
    return bytes;
  }
  throw std::runtime_error("no file " + name + " in " GLASSBOX_GOLDEN_DATA " or " GLASSBOX_BUILT_MODELS);
}

}  // namespace glassbox::test
