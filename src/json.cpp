#include "json.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"

namespace glassbox {

namespace {

/// Builds a value from the parser's events and refuses what parse_json promises to refuse. Compared with the
/// library's own tree builder plus a callback, this keeps a second copy of the parser out of the wasm engine.
class TreeBuilder : public nlohmann::json_sax<Json> {
 public:
  TreeBuilder(const char* what, const char* code) : what_(what), code_(code) {}

  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // no JSON text holds binary values
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const auto [member, added] = open_.back()->get_ref<Json::object_t&>().emplace(name, nullptr);
    if (!added) throw Error(code_, std::string(what_) + ": the key \"" + name + "\" stands twice");
    member_ = &member->second;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) override {
    throw Error(code_,
                std::string(what_) + ": no JSON at byte " + std::to_string(position) + ": " + error.what());
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
    if (open_.size() == deepest) throw Error(code_, std::string(what_) + ": nested deeper than 64 levels");
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

Json parse_json(std::string_view text, const char* what, const char* code) {
  TreeBuilder builder(what, code);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace glassbox
