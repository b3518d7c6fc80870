#pragma once
// The errors that calls throw, as text to compare.

#include <string>

#include "error.hpp"

namespace glassbox::test {

/// "code: message" of the Error that a call throws, "none" if it throws none.
template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code() + ": " + error.what();
  }
  return "none";
}

/// The code alone, "none" if the call throws none.
template <class Call>
std::string code_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return "none";
}

/// Whether a message says this somewhere.
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace glassbox::test
