#include "json.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include "error.hpp"

namespace glassbox {

namespace {

/// Builds a value from the parser's events and refuses what parse_json promises to refuse.
class TreeBuilder {
 public:
  TreeBuilder(const char* what, const char* code) : what_(what), code_(code) {}

  Json take() { return std::move(root_); }

  bool Null() { return add(nullptr); }
  bool Bool(bool value) { return add(value); }
  bool Int(int value) { return add(value); }
  bool Uint(unsigned value) { return add(value); }
  bool Int64(std::int64_t value) { return add(value); }
  bool Uint64(std::uint64_t value) { return add(value); }
  bool Double(double value) { return add(value); }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return false; }  // only when asked for
  bool String(const char* text, rapidjson::SizeType size, bool) { return add(std::string(text, size)); }
  bool StartObject() { return open(Json::object()); }
  bool StartArray() { return open(Json::array()); }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool EndArray(rapidjson::SizeType) { return close(); }

  bool Key(const char* text, rapidjson::SizeType size, bool) {
    const std::string name(text, size);
    const auto [member, added] = open_.back()->get_ref<Json::object_t&>().emplace(name, nullptr);
    if (!added) fail(code_, {what_, ": the key \"", name, "\" stands twice"});
    member_ = &member->second;
    return true;
  }

 private:
  static constexpr std::size_t deepest = 64;

  Json* place(Json&& value) {
    if (open_.empty()) return &(root_ = std::move(value));
    if (open_.back()->is_object()) return &(*member_ = std::move(value));
    auto& list = open_.back()->get_ref<Json::array_t&>();
    list.push_back(std::move(value));
    return &list.back();
  }

  bool add(Json&& value) {
    place(std::move(value));
    return true;
  }

  bool open(Json&& value) {
    if (open_.size() == deepest) fail(code_, {what_, ": nested deeper than 64 levels"});
    open_.push_back(place(std::move(value)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  const char* what_;
  const char* code_;
  Json root_;
  Json* member_ = nullptr;  // where the value after a key goes
  std::vector<Json*>
      open_;  // objects and arrays not yet closed; the last element of an array stays put while it is open
};

}  // namespace

void refuse_json() { fail("bad_argument", {"JSON: a value is not of the kind that was asked for"}); }

Json parse_json(std::string_view text, const char* what, const char* code) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // that editors write before UTF-8
  const std::size_t skipped = text.substr(0, mark.size()) == mark ? mark.size() : 0;
  TreeBuilder builder(what, code);
  rapidjson::MemoryStream stream(text.data() + skipped, text.size() - skipped);
  rapidjson::Reader reader;
  // Without full precision a number of more than 15 digits may be off by some last bits of a double; its path
  // for that in RapidJSON 1.1.0 shifts by too much at 0E70.
  constexpr unsigned flags = rapidjson::kParseValidateEncodingFlag;
  const rapidjson::ParseResult result = reader.Parse<flags>(stream, builder);
  // A zero byte ends the text for the parser.
  if (!result || stream.Tell() != text.size() - skipped) {
    const std::size_t position = skipped + (result ? stream.Tell() : result.Offset());
    fail(code, {what, ": no JSON at byte ", position, ": ",
                result ? "a zero byte" : rapidjson::GetParseError_En(result.Code())});
  }
  return builder.take();
}

std::string quote_json(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20) {
      quoted += "\\u00";
      quoted += digits[byte >> 4];
      quoted += digits[byte & 15];
      continue;
    }
    if (character == '"' || character == '\\') quoted += '\\';
    quoted += character;
  }
  return quoted + "\"";
}

}  // namespace glassbox
