#pragma once
// Text for a terminal: columns that line up whatever script they hold, and tokens as labels on one line.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tensor.hpp"
#include "token.hpp"

namespace glassbox {

/// Columns that a text takes in a terminal: East Asian wide characters take 2 (Unicode's UAX 11), others 1.
std::size_t text_width(std::string_view utf8);

/// The text with blanks before it, so that it takes `width` columns at least.
std::string pad_left(const std::string& text, std::size_t width);

/// A number by a printf format for one double.
std::string number_text(const char* format, double value);

/// A token on one line: blanks, breaks and control characters made visible, parts of characters as hex, the
/// id where the bytes are not known.
std::string token_label(const std::optional<std::string>& bytes, TokenId id);

/// `prefix` with 0, 1, 2 … behind it.
std::vector<std::string> counted_names(const char* prefix, std::size_t count);

/// A table of data (T, S) with row and column names, three decimals; −∞ and, with a causal mask, what it
/// hides are `·`.
std::string table_text(const std::vector<std::string>& row_names,
                       const std::vector<std::string>& column_names, const Real* data, bool causal);

}  // namespace glassbox
