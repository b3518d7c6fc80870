#pragma once
// Files that the tests read: golden data in git, and models that the build puts together.

#include <cstddef>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace glassbox::test {

/// The bytes of a file below tests/golden/data, or below build/models (`gpt2/vocab.json`,
/// `builtin/model.safetensors`). Throws std::runtime_error when neither has it.
std::string read_data(const std::string& name);

/// A text's bytes, as long as it lives.
inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// Bytes as a text of their own.
inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The numbers of a text that has spaces between them.
template <class Number>
std::vector<Number> read_list(const std::string& text) {
  std::istringstream in(text);
  std::vector<Number> list;
  for (Number x; in >> x;) list.push_back(x);
  return list;
}

}  // namespace glassbox::test
