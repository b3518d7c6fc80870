#include "config.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>

#include "error.hpp"
#include "json.hpp"

namespace glassbox {

namespace {

/// The field, or null where the object has none.
const Json* find(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

[[noreturn]] void refuse_value(const char* key, std::string_view expected) {
  fail("bad_model", {"config.json: ", key, ": expected ", expected});
}

std::optional<std::size_t> read_size(const Json& object, const char* key) {
  constexpr std::uint64_t largest = 0x7fffffff;  // keeps products such as 4C free of overflow in 64 bits
  const Json* value = find(object, key);
  if (value == nullptr) return std::nullopt;
  const std::uint64_t size = value->is_number_unsigned() ? value->get<std::uint64_t>() : 0;
  if (size == 0 || size > largest) refuse_value(key, join({"a whole number from 1 to ", largest}));
  return static_cast<std::size_t>(size);
}

std::optional<bool> read_bool(const Json& object, const char* key) {
  const Json* value = find(object, key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) refuse_value(key, "true or false");
  return value->get<bool>();
}

std::optional<float> read_epsilon(const Json& object, const char* key) {
  const Json* value = find(object, key);
  if (value == nullptr) return std::nullopt;
  // Compared as the float that the engine adds: 1e-60 is a positive number, but not a positive float.
  const double stated = value->is_number() ? value->get<double>() : 0;
  const bool in_range = stated > 0 && stated <= 1 && static_cast<float>(stated) > 0;
  if (!in_range) refuse_value(key, "a positive number up to 1");
  return static_cast<float>(stated);
}

/// Where the field is stated, it must be one of the names; the message shows the first.
void require_name(const Json& object, const char* key, std::initializer_list<const char*> names) {
  const Json* value = find(object, key);
  if (value == nullptr) return;
  if (!value->is_string()) refuse_value(key, "a string");
  const std::string actual = value->get<std::string>();
  for (const char* name : names) {
    if (actual == name) return;
  }
  fail("unsupported_model", {key, ": expected ", *names.begin(), ", got ", actual});
}

void require_bool(const Json& object, const char* key, bool expected) {
  if (read_bool(object, key).value_or(expected) == expected) return;
  const char* const text[] = {"false", "true"};
  fail("unsupported_model", {key, ": expected ", text[expected], ", got ", text[!expected]});
}

/// The shortest decimal number that reads back as the same float.
std::string float_text(float value) {
  char text[32];
  for (int digits = 1; digits <= 9; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
    if (std::strtof(text, nullptr) == value) break;
  }
  return text;
}

}  // namespace

void check_config(const Config& config) {
  const auto at_least_one = [](const char* name, std::size_t value) {
    if (value == 0) fail("unsupported_model", {name, ": expected at least 1, got 0"});
  };
  at_least_one("vocab_size", config.vocab_size);
  at_least_one("n_positions", config.n_positions);
  at_least_one("n_embd", config.n_embd);
  at_least_one("n_head", config.n_head);
  at_least_one("n_layer", config.n_layer);
  at_least_one("n_inner", config.n_inner);
  if (config.n_embd % config.n_head != 0) {
    fail("unsupported_model",
         {"n_head: expected a divisor of n_embd ", config.n_embd, ", got ", config.n_head});
  }
}

StatedConfig parse_config(std::string_view config_json) {
  const Json object = parse_json(config_json, "config.json", "bad_model");
  if (!object.is_object()) fail("bad_model", {"config.json: expected an object"});

  require_name(object, "model_type", {"gpt2"});
  // Two names of one function, GELU by tanh; "gelu" alone is the one by erf, which differs by up to 5e-4.
  require_name(object, "activation_function", {"gelu_new", "gelu_pytorch_tanh"});
  require_bool(object, "scale_attn_weights", true);
  require_bool(object, "scale_attn_by_inverse_layer_idx", false);
  require_bool(object, "add_cross_attention", false);

  StatedConfig stated;
  stated.vocab_size = read_size(object, "vocab_size");
  stated.n_positions = read_size(object, find(object, "n_positions") != nullptr ? "n_positions" : "n_ctx");
  stated.n_embd = read_size(object, "n_embd");
  stated.n_head = read_size(object, "n_head");
  stated.n_layer = read_size(object, "n_layer");
  const Json* inner = find(object, "n_inner");
  if (inner == nullptr || !inner->is_null()) {
    stated.n_inner = read_size(object, "n_inner");
  } else if (stated.n_embd) {
    const std::uint64_t four = std::uint64_t{4} * *stated.n_embd;
    if (four > SIZE_MAX) refuse_value("n_embd", "at most a quarter of the address space");
    stated.n_inner = static_cast<std::size_t>(four);
  }
  stated.layer_norm_epsilon = read_epsilon(object, "layer_norm_epsilon");
  stated.tie_word_embeddings = read_bool(object, "tie_word_embeddings");
  return stated;
}

std::string write_config(const Config& config) {
  std::string text = "{\n  \"model_type\": \"gpt2\",\n  \"activation_function\": \"gelu_new\",\n";
  const auto field = [&](const char* key, const std::string& value) {
    text += std::string("  \"") + key + "\": " + value + ",\n";
  };
  field("vocab_size", std::to_string(config.vocab_size));
  field("n_positions", std::to_string(config.n_positions));
  field("n_embd", std::to_string(config.n_embd));
  field("n_head", std::to_string(config.n_head));
  field("n_layer", std::to_string(config.n_layer));
  field("n_inner", std::to_string(config.n_inner));
  field("layer_norm_epsilon", float_text(config.layer_norm_epsilon));
  text += std::string("  \"tie_word_embeddings\": ") + (config.tie_word_embeddings ? "true" : "false");
  return text + "\n}\n";
}

}  // namespace glassbox
