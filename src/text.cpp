#include "text.hpp"

namespace glassbox {

void TextPart::append_to(std::string& text) const {
  if (kind_ == Kind::text) {
    text.append(text_, static_cast<std::size_t>(value_));
  } else if (kind_ == Kind::negative) {
    text += std::to_string(static_cast<std::int64_t>(value_));
  } else {
    text += std::to_string(value_);
  }
}

std::string join(std::initializer_list<TextPart> parts) {
  std::string text;
  for (const TextPart& part : parts) part.append_to(text);
  return text;
}

}  // namespace glassbox
