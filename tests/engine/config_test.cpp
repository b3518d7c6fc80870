#include "config.hpp"

#include <string>

#include "catch.hpp"
#include "errors.hpp"

using glassbox::Config;
using glassbox::parse_config;
using glassbox::StatedConfig;
using glassbox::test::code_of;
using glassbox::test::error_of;

namespace {

std::string config_error(const std::string& json) {
  return error_of([&] { parse_config(json); });
}

std::string config_error_code(const std::string& json) {
  return code_of([&] { parse_config(json); });
}

}  // namespace

TEST_CASE("config.json of OpenAI's GPT-2 is read") {
  const StatedConfig stated = parse_config(R"({
    "activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"], "attn_pdrop": 0.1,
    "bos_token_id": 50256, "initializer_range": 0.02, "layer_norm_epsilon": 1e-05, "model_type": "gpt2",
    "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024,
    "task_specific_params": {"text-generation": {"do_sample": true, "max_length": 50}}, "vocab_size": 50257})");
  CHECK(stated.vocab_size == 50257u);
  CHECK(stated.n_positions == 1024u);
  CHECK(stated.n_embd == 768u);
  CHECK(stated.n_head == 12u);
  CHECK(stated.n_layer == 12u);
  CHECK_FALSE(stated.n_inner.has_value());
  CHECK(stated.layer_norm_epsilon == 1e-5f);
  CHECK_FALSE(stated.tie_word_embeddings.has_value());
}

TEST_CASE("a silent config.json states nothing") {
  const StatedConfig stated = parse_config("{}");
  CHECK_FALSE(stated.vocab_size.has_value());
  CHECK_FALSE(stated.n_positions.has_value());
  CHECK_FALSE(stated.n_embd.has_value());
  CHECK_FALSE(stated.n_head.has_value());
  CHECK_FALSE(stated.n_layer.has_value());
  CHECK_FALSE(stated.n_inner.has_value());
  CHECK_FALSE(stated.layer_norm_epsilon.has_value());
  CHECK_FALSE(stated.tie_word_embeddings.has_value());
}

TEST_CASE("fields with two spellings or defaults") {
  CHECK(parse_config(R"({"n_ctx": 7})").n_positions == 7u);
  CHECK(parse_config(R"({"n_ctx": 7, "n_positions": 9})").n_positions == 9u);
  CHECK(parse_config(R"({"n_embd": 24, "n_inner": null})").n_inner == 96u);
  CHECK_FALSE(parse_config(R"({"n_inner": null})").n_inner.has_value());
  CHECK(parse_config(R"({"n_embd": 24, "n_inner": 72})").n_inner == 72u);
  CHECK(parse_config(R"({"tie_word_embeddings": false})").tie_word_embeddings == false);
  CHECK(parse_config(R"({"layer_norm_epsilon": 1})").layer_norm_epsilon == 1.0f);
}

TEST_CASE("what is GPT-2's own is accepted when it is stated") {
  CHECK(config_error(R"({"model_type": "gpt2", "activation_function": "gelu_pytorch_tanh"})") == "none");
  CHECK(config_error(R"({"scale_attn_weights": true, "scale_attn_by_inverse_layer_idx": false,
                    "add_cross_attention": false})") == "none");
}

TEST_CASE("other models are refused by name") {
  CHECK(config_error(R"({"model_type": "llama"})") ==
        "unsupported_model: model_type: expected gpt2, got llama");
  CHECK(config_error(R"({"activation_function": "gelu"})") ==
        "unsupported_model: activation_function: expected gelu_new, got gelu");
  CHECK(config_error(R"({"activation_function": "relu"})") ==
        "unsupported_model: activation_function: expected gelu_new, got relu");
  CHECK(config_error(R"({"scale_attn_weights": false})") ==
        "unsupported_model: scale_attn_weights: expected true, got false");
  CHECK(config_error(R"({"scale_attn_by_inverse_layer_idx": true})") ==
        "unsupported_model: scale_attn_by_inverse_layer_idx: expected false, got true");
  CHECK(config_error(R"({"add_cross_attention": true})") ==
        "unsupported_model: add_cross_attention: expected false, got true");
}

TEST_CASE("impossible sizes are refused") {
  for (const char* key : {"vocab_size", "n_positions", "n_ctx", "n_embd", "n_head", "n_layer", "n_inner"}) {
    for (const char* value : {"0", "-1", "1.5", "12.0", "2147483648", "18446744073709551616", "1e3", "\"12\"",
                              "true", "[12]", "{}"}) {
      CAPTURE(key, value);
      const std::string text = config_error(std::string("{\"") + key + "\": " + value + "}");
      CHECK(text ==
            "bad_model: config.json: " + std::string(key) + ": expected a whole number from 1 to 2147483647");
    }
  }
  CHECK(config_error_code(R"({"n_embd": null})") == "bad_model");
}

TEST_CASE("impossible epsilons are refused") {
  for (const char* value : {"0", "-1e-5", "1e-60", "1.5", "1e999", "NaN", "\"1e-5\"", "null", "false"}) {
    CAPTURE(value);
    CHECK(config_error_code(std::string("{\"layer_norm_epsilon\": ") + value + "}") == "bad_model");
  }
}

TEST_CASE("wrong types are refused") {
  for (const char* json :
       {R"({"tie_word_embeddings": 1})", R"({"tie_word_embeddings": null})", R"({"model_type": 2})",
        R"({"activation_function": ["gelu_new"]})", R"({"scale_attn_weights": "true"})", "[]", "12", "null",
        "", "{", "{\"n_embd\": 24,}", R"({"n_embd": 24, "n_embd": 24})", "{\"\xff\": 1}"}) {
    CAPTURE(json);
    CHECK(config_error_code(json) == "bad_model");
  }
}

TEST_CASE("a written config reads back") {
  Config config;
  config.vocab_size = 61;
  config.n_positions = 24;
  config.n_embd = 40;
  config.n_head = 4;
  config.n_layer = 3;
  config.n_inner = 72;
  for (float epsilon : {1e-5f, 1e-3f, 1.0f, 0.1f, 1.17549435e-38f, 0.333333343f}) {
    for (bool tied : {true, false}) {
      config.layer_norm_epsilon = epsilon;
      config.tie_word_embeddings = tied;
      const std::string text = glassbox::write_config(config);
      CAPTURE(text);
      const StatedConfig stated = parse_config(text);
      CHECK(stated.vocab_size == 61u);
      CHECK(stated.n_positions == 24u);
      CHECK(stated.n_embd == 40u);
      CHECK(stated.n_head == 4u);
      CHECK(stated.n_layer == 3u);
      CHECK(stated.n_inner == 72u);
      CHECK(stated.layer_norm_epsilon == epsilon);
      CHECK(stated.tie_word_embeddings == tied);
    }
  }
  config.layer_norm_epsilon = 1e-5f;
  CHECK(glassbox::write_config(config).find("\"layer_norm_epsilon\": 1e-05,") != std::string::npos);
}

TEST_CASE("sizes that no model can have are refused") {
  const auto refused = [](Config config) {
    CHECK_THROWS_AS(glassbox::check_config(config), glassbox::Error);
  };
  Config config;
  glassbox::check_config(config);
  refused([&] {
    auto c = config;
    c.n_head = 5;
    return c;
  }());
  refused([&] {
    auto c = config;
    c.n_head = 0;
    return c;
  }());
  refused([&] {
    auto c = config;
    c.vocab_size = 0;
    return c;
  }());
  refused([&] {
    auto c = config;
    c.n_layer = 0;
    return c;
  }());
}
