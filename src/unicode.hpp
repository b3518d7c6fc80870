#pragma once
// UTF-8 that may be ill-formed, and the three classes of characters that GPT-2's splitting pattern knows.

#include <cstddef>
#include <string>
#include <string_view>

namespace glassbox {

/// What stands at a place of a text: a code point and its bytes, or an ill-formed sequence.
struct Utf8Unit {
  char32_t code_point;  // U+FFFD where ill-formed
  std::size_t length;   // bytes, at least 1; an ill-formed unit is a maximal subpart (Unicode 3.9, table 3-8)
  bool well_formed;
};

/// The unit that begins at byte `position`, which must lie inside `text`. Any bytes are taken.
Utf8Unit decode_utf8(std::string_view text, std::size_t position);

/// Appends the UTF-8 of a code point that is no surrogate and at most U+10FFFF.
void append_utf8(std::string& text, char32_t code_point);

/// A copy in which every maximal ill-formed subpart is one U+FFFD: the rule of the WHATWG Encoding standard,
/// as in the browser's TextDecoder, except that a leading U+FEFF stays.
std::string to_valid_utf8(std::string_view bytes);

/// `\p{L}`, `\p{N}`, `\s` of GPT-2's pattern, and the rest. White space is the Unicode property White_Space.
enum class CharacterClass { letter, number, white_space, other };

/// The class of a code point; marks (`\p{M}`), U+FEFF and unassigned code points are `other`.
CharacterClass classify(char32_t code_point);

}  // namespace glassbox
