#pragma once
// JSON as the native command prints it. Bytes that are no UTF-8 become U+FFFD in texts and stay numbers in
// lists.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine.hpp"
#include "json.hpp"
#include "tensor.hpp"

namespace glassbox {

/// Objects keep their order, and numbers print as the shortest text that reads back as the same float32.
using Output = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t,
                                    std::uint64_t, float>;

/// A token as a string, null where its bytes are not known.
Output token_json(const std::optional<std::string>& bytes);

/// A token as a list of bytes, null where they are not known.
Output bytes_json(const std::optional<std::string>& bytes);

/// The tokens with these ids as strings.
Output tokens_json(const Engine& engine, const std::vector<TokenId>& ids);

/// A row-major matrix as a list of rows.
Output rows_json(const Real* data, std::size_t rows, std::size_t columns);
Output rows_json(const Matrix& matrix);

/// One line on standard output.
void print_json(const Output& json);

}  // namespace glassbox
