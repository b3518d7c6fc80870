#include "json.hpp"

#include "catch.hpp"
#include "error.hpp"

using namespace glassbox;

namespace {

std::string message_of(const std::string& text) {
  try {
    parse_json(text, "file", "bad_model");
  } catch (const Error& error) {
    CHECK(error.code() == "bad_model");
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("JSON values come through whole") {
  const Json value =
      parse_json(R"({"a": [1, -2, 3.5, true, null, "é😀"], "b": {"c": {}}, "d": []})", "file", "bad_model");
  CHECK(value["a"].size() == 6);
  CHECK(value["a"][1] == -2);
  CHECK(value["a"][2] == 3.5);
  CHECK(value["a"][5] == "é😀");
  CHECK(value["b"]["c"].is_object());
  CHECK(value["d"].is_array());
  CHECK(parse_json("7", "file", "bad_model") == 7);
  CHECK(parse_json("0E70", "file", "bad_model") == 0.0);
  CHECK(parse_json("1e-5", "file", "bad_model") == 1e-5);
  CHECK(parse_json("0.333333343", "file", "bad_model").get<float>() == 1.0f / 3);
}

TEST_CASE("what is no JSON is refused with the file's name") {
  for (const char* text :
       {"", "{", "[1,", "nul", "{\"a\":1,}", "1 2", "\"\xff\"", "[1e999]", "{1:2}", "'a'"}) {
    INFO(text);
    CHECK(message_of(text).rfind("file: ", 0) == 0);
  }
}

TEST_CASE("a key that stands twice is refused, at any depth") {
  CHECK(message_of(R"({"a":1,"a":2})").find("\"a\" stands twice") != std::string::npos);
  CHECK(message_of(R"([{"x":{"b":1,"b":1}}])").find("\"b\" stands twice") != std::string::npos);
  CHECK(message_of(R"([{"a":1},{"a":2}])").empty());
}

TEST_CASE("nesting is allowed to 64 levels and no deeper") {
  CHECK(message_of(std::string(64, '[') + std::string(64, ']')).empty());
  CHECK(message_of(std::string(65, '[') + std::string(65, ']')).find("64 levels") != std::string::npos);
  CHECK(message_of(std::string(1000000, '[')).find("64 levels") != std::string::npos);
}

TEST_CASE("many small objects take time in proportion") {
  std::string text = "[";
  for (int i = 0; i < 200000; ++i) text += "{\"a\":1},";
  text += "0]";
  CHECK(parse_json(text, "file", "bad_model").size() == 200001);
}
