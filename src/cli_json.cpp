#include "cli_json.hpp"

#include <iostream>

#include "unicode.hpp"

namespace glassbox {

Output token_json(const std::optional<std::string>& bytes) {
  return bytes ? Output(to_valid_utf8(*bytes)) : Output(nullptr);
}

Output bytes_json(const std::optional<std::string>& bytes) {
  if (!bytes) return nullptr;
  Output list = Output::array();
  for (char byte : *bytes) list.push_back(static_cast<std::uint64_t>(static_cast<unsigned char>(byte)));
  return list;
}

Output tokens_json(const Engine& engine, const std::vector<TokenId>& ids) {
  Output list = Output::array();
  for (TokenId id : ids) list.push_back(token_json(engine.token_bytes(id)));
  return list;
}

Output rows_json(const Real* data, std::size_t rows, std::size_t columns) {
  Output list = Output::array();
  for (std::size_t r = 0; r < rows; ++r)
    list.push_back(std::vector<Real>(data + r * columns, data + (r + 1) * columns));
  return list;
}

Output rows_json(const Matrix& matrix) { return rows_json(matrix.data(), matrix.shape(0), matrix.shape(1)); }

void print_json(const Output& json) { std::cout << json.dump() << "\n"; }

}  // namespace glassbox
