#pragma once
// Texts put together from parts.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace glassbox {

/// A text or a whole number. Refers to the text, which must outlive it.
class TextPart {
 public:
  TextPart(const char* text) : TextPart(std::string_view(text)) {}
  TextPart(const std::string& text) : TextPart(std::string_view(text)) {}
  TextPart(std::string_view text) : kind_(Kind::text), text_(text.data()), value_(text.size()) {}
  template <std::integral Number>
  TextPart(Number number)
      : kind_(number < 0 ? Kind::negative : Kind::whole), value_(static_cast<std::uint64_t>(number)) {}

  void append_to(std::string& text) const;

 private:
  enum class Kind { text, whole, negative } kind_;
  const char* text_ = nullptr;
  std::uint64_t value_;  // of the number, or the text's size
};

/// One after the other. A sum of strings does the same with a temporary for each part, whose destructors
/// made a third of the page's engine.
std::string join(std::initializer_list<TextPart> parts);

}  // namespace glassbox
