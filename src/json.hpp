#pragma once
// Reading JSON from files that may be damaged or hostile. Values are nlohmann/json's (MIT), the parser is
// RapidJSON's (MIT), which is a third of the other's size in wasm; this is the only place that calls it, so
// that every file gets the same checks.

#include <string>
#include <string_view>

#ifndef JSON_NO_IO
#define JSON_NO_IO  // streams would add a third to the size of the wasm engine
#endif
namespace glassbox {
/// Throws Error `bad_argument`: a value was asked for what it is not. Readers ask what a value is before.
[[noreturn]] void refuse_json();
}  // namespace glassbox
// The library's own exceptions come with a text for each misuse.
#define JSON_THROW_USER(exception) ::glassbox::refuse_json()
#include <nlohmann/json.hpp>

namespace glassbox {

using Json = nlohmann::json;

/// Parses one JSON text (UTF-8). Throws Error with the given code, the message beginning with `what`, when
/// the text is no JSON, when an object names a key twice, or when it is nested deeper than 64 levels. A
/// number of more than 15 digits with a fraction or an exponent may be off by its last bits.
Json parse_json(std::string_view text, const char* what, const char* code);

/// A text of well-formed UTF-8 as a JSON string, quotes included.
std::string quote_json(std::string_view text);

}  // namespace glassbox
