#include "unicode.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace glassbox {
namespace {

struct Range {
  char32_t first;
  char32_t last;  // inclusive
};

#include "unicode_tables.inc"

/// The ranges of a table. It holds two numbers for each, how far it begins after the end of the one before
/// and how many follow its first, in bytes of seven bits, the lowest first: a quarter of what the page would
/// download otherwise.
std::vector<Range> unpack(std::span<const unsigned char> table) {
  std::vector<Range> ranges;
  char32_t last = 0;
  auto byte = table.begin();
  const auto next = [&] {
    char32_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      number |= static_cast<char32_t>(*byte & 0x7F) << shift;
      if ((*byte++ & 0x80) == 0) return number;
    }
  };
  while (byte != table.end()) {
    const char32_t first = last + next();
    last = first + next();
    ranges.push_back({first, last});
  }
  return ranges;
}

bool contains(const std::vector<Range>& ranges, char32_t code_point) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code_point,
                                      [](char32_t value, const Range& range) { return value < range.first; });
  return after != ranges.begin() && code_point <= (after - 1)->last;
}

}  // namespace

Utf8Unit decode_utf8(std::string_view text, std::size_t position) {
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte_at(position);
  if (lead < 0x80) return {static_cast<char32_t>(lead), 1, true};

  std::size_t length = 0;
  char32_t code_point = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
    code_point = lead & 0x1F;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    code_point = lead & 0x0F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    code_point = lead & 0x07;
  } else {
    return {0xFFFD, 1, false};
  }
  // The second byte alone decides against overlong forms, surrogates and what lies above U+10FFFF.
  unsigned lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t i = 1; i < length; ++i) {
    if (position + i >= text.size()) return {0xFFFD, i, false};
    const unsigned next = byte_at(position + i);
    if (next < lowest || next > highest) return {0xFFFD, i, false};
    code_point = (code_point << 6) | (next & 0x3F);
    lowest = 0x80;
    highest = 0xBF;
  }
  return {code_point, length, true};
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto append = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    append(code_point);
  } else if (code_point < 0x800) {
    append(0xC0 | (code_point >> 6));
    append(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    append(0xE0 | (code_point >> 12));
    append(0x80 | ((code_point >> 6) & 0x3F));
    append(0x80 | (code_point & 0x3F));
  } else {
    append(0xF0 | (code_point >> 18));
    append(0x80 | ((code_point >> 12) & 0x3F));
    append(0x80 | ((code_point >> 6) & 0x3F));
    append(0x80 | (code_point & 0x3F));
  }
}

std::string to_valid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t position = 0; position < bytes.size();) {
    const Utf8Unit unit = decode_utf8(bytes, position);
    if (unit.well_formed) {
      text.append(bytes.substr(position, unit.length));
    } else {
      append_utf8(text, unit.code_point);
    }
    position += unit.length;
  }
  return text;
}

CharacterClass classify(char32_t code_point) {
  if (code_point < 0x80) {
    const char32_t lower = code_point | 0x20;
    if (lower >= 'a' && lower <= 'z') return CharacterClass::letter;
    if (code_point >= '0' && code_point <= '9') return CharacterClass::number;
    if (code_point == ' ' || (code_point >= '\t' && code_point <= '\r')) return CharacterClass::white_space;
    return CharacterClass::other;
  }
  static const std::vector<Range> letter_ranges = unpack(letters), number_ranges = unpack(numbers),
                                  white_space_ranges = unpack(white_space);
  if (contains(letter_ranges, code_point)) return CharacterClass::letter;
  if (contains(number_ranges, code_point)) return CharacterClass::number;
  if (contains(white_space_ranges, code_point)) return CharacterClass::white_space;
  return CharacterClass::other;
}

}  // namespace glassbox
