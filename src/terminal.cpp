#include "terminal.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <utility>

#include "unicode.hpp"

namespace glassbox {

namespace {

std::size_t character_width(char32_t c) {
  constexpr std::pair<char32_t, char32_t> wide[] = {
      {0x1100, 0x115F}, {0x2E80, 0x303E},   {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},
      {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
      {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  for (const auto& [first, last] : wide) {
    if (c >= first && c <= last) return 2;
  }
  return 1;
}

std::string hex_label(const std::string& bytes) {
  std::string hex = "<";
  std::array<char, 4> digits{};
  for (unsigned char byte : bytes) {
    std::snprintf(digits.data(), digits.size(), "%02X", byte);
    hex += digits.data();
  }
  return hex + ">";
}

}  // namespace

std::size_t text_width(std::string_view utf8) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const Utf8Unit next = decode_utf8(utf8, at);
    width += character_width(next.code_point);
    at += next.length;
  }
  return width;
}

std::string pad_left(const std::string& text, std::size_t width) {
  const std::size_t own = text_width(text);
  return std::string(width > own ? width - own : 0, ' ') + text;
}

std::string number_text(const char* format, double value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

std::string token_label(const std::optional<std::string>& bytes, TokenId id) {
  if (!bytes) return std::to_string(id);
  if (to_valid_utf8(*bytes) != *bytes) return hex_label(*bytes);
  std::string label;
  for (unsigned char c : *bytes) {
    if (c == ' ') {
      label += "␣";
    } else if (c == '\n') {
      label += "⏎";
    } else if (c < 0x20) {
      append_utf8(label, U'\u2400' + c);  // the pictures of control characters
    } else if (c == 0x7F) {
      label += "␡";
    } else {
      label += static_cast<char>(c);
    }
  }
  return label;
}

std::vector<std::string> counted_names(const char* prefix, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

std::string table_text(const std::vector<std::string>& row_names,
                       const std::vector<std::string>& column_names, const Real* data, bool causal) {
  const std::size_t T = row_names.size(), S = column_names.size();
  std::size_t first = 0;
  for (const std::string& name : row_names) first = std::max(first, text_width(name));
  std::string text(first, ' ');
  std::vector<std::vector<std::string>> cells(T, std::vector<std::string>(S));
  std::vector<std::size_t> widths(S);
  for (std::size_t s = 0; s < S; ++s) {
    widths[s] = text_width(column_names[s]);
    for (std::size_t t = 0; t < T; ++t) {
      const Real value = data[t * S + s];
      const bool hidden = (causal && s > t + (S - T)) || value == -std::numeric_limits<Real>::infinity();
      cells[t][s] = hidden ? "·" : number_text("%.3f", value);
      widths[s] = std::max(widths[s], text_width(cells[t][s]));
    }
    text += "  " + pad_left(column_names[s], widths[s]);
  }
  text += "\n";
  for (std::size_t t = 0; t < T; ++t) {
    text += row_names[t] + std::string(first - text_width(row_names[t]), ' ');
    for (std::size_t s = 0; s < S; ++s) text += "  " + pad_left(cells[t][s], widths[s]);
    text += "\n";
  }
  return text;
}

}  // namespace glassbox
