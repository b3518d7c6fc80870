#pragma once
// What crosses to JavaScript, for the two files that do it, one for each wasm module: every call returns
// {ok: true, value} or {ok: false, code, message}; no exception and no view into wasm memory crosses over.

#include <cmath>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "error.hpp"

namespace glassbox {

using emscripten::val;

/// A JavaScript object being filled. Its members are set out of line, since this file does little else and
/// each call inlined would make the engine's download larger.
class Object : public val {
 public:
  Object() : val(val::object()) {}

  [[gnu::noinline]] void set(const char* name, const val& value) { val::set(name, value); }
  [[gnu::noinline]] void set(const char* name, const std::string& text) { val::set(name, text); }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void set(const char* name, Number value) {
    if constexpr (std::is_same_v<Number, bool>) {
      set_flag(name, value);
    } else {
      set_number(name, static_cast<double>(value));
    }
  }

 private:
  [[gnu::noinline]] void set_number(const char* name, double value) { val::set(name, value); }
  [[gnu::noinline]] void set_flag(const char* name, bool value) { val::set(name, value); }
};

inline Object failure(const char* code, const char* message) {
  Object result;
  result.set("ok", false);
  result.set("code", std::string(code));
  result.set("message", std::string(message));
  return result;
}

/// As guarded, for a call behind a pointer, so that the handlers of errors stand in the engine once.
[[gnu::noinline]] inline val guarded_call(val (*call)(void*), void* context) {
  try {
    Object result;
    result.set("value", call(context));
    result.set("ok", true);
    return result;
  } catch (const Error& error) {
    return failure(error.code().c_str(), error.what());
  } catch (const std::bad_alloc&) {
    return failure("no_memory", "not enough memory");
  } catch (const std::exception& error) {
    return failure("bad_argument", error.what());
  }
}

/// Runs what a call does and wraps its value or its error.
template <class Call>
val guarded(Call&& call) {
  return guarded_call(
      [](void* context) -> val { return (*static_cast<std::remove_reference_t<Call>*>(context))(); }, &call);
}

/// A copy of numbers as a typed array of their kind.
template <class Number>
val typed_array(const Number* data, std::size_t count) {
  return val(emscripten::typed_memory_view(count, data)).template call<val>("slice");
}

/// Out of line as Object's members.
[[gnu::noinline]] inline void put(val& list, std::size_t index, const val& value) { list.set(index, value); }

template <class Item, class Convert>
val array(const std::vector<Item>& items, Convert&& convert) {
  val list = val::array();
  for (std::size_t i = 0; i < items.size(); ++i) put(list, i, convert(items[i]));
  return list;
}

/// Sets numbers by name; not a number becomes null.
inline void set_numbers(val& object, std::initializer_list<std::pair<const char*, double>> numbers) {
  for (const auto& [name, number] : numbers) object.set(name, std::isnan(number) ? val::null() : val(number));
}

}  // namespace glassbox
