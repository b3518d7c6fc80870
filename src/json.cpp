#include "json.hpp"

#include <set>
#include <string>
#include <vector>

#include "error.hpp"

namespace glassbox {

Json parse_json(std::string_view text, const char* what, const char* code) {
  constexpr int deepest = 64;
  std::vector<std::set<std::string>> keys;  // of each object that is open
  const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
    switch (event) {
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        if (depth >= deepest) throw Error(code, std::string(what) + ": nested deeper than 64 levels");
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        break;
      case Json::parse_event_t::object_end:
        keys.pop_back();
        break;
      case Json::parse_event_t::key:
        if (!keys.back().insert(parsed.get<std::string>()).second) {
          throw Error(code,
                      std::string(what) + ": the key \"" + parsed.get<std::string>() + "\" stands twice");
        }
        break;
      default:
        break;
    }
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), check);
  } catch (const Json::exception& error) {
    throw Error(code, std::string(what) + ": " + error.what());
  }
}

}  // namespace glassbox
