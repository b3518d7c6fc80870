#pragma once
// The sizes of a GPT-2, named as in Hugging Face's config.json.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace glassbox {

/// The defaults are GPT-2's own (124M). Head size D = n_embd / n_head.
struct Config {
  std::size_t vocab_size = 50257;    ///< V
  std::size_t n_positions = 1024;    ///< the longest context, in tokens
  std::size_t n_embd = 768;          ///< C
  std::size_t n_head = 12;           ///< H
  std::size_t n_layer = 12;          ///< L
  std::size_t n_inner = 3072;        ///< F
  float layer_norm_epsilon = 1e-5f;  ///< added to the variance
  bool tie_word_embeddings = true;   ///< the output head is `wte` itself

  std::size_t head_size() const { return n_embd / n_head; }  ///< D
};

/// Throws Error `unsupported_model` unless every size is at least 1 and n_head divides n_embd.
void check_config(const Config& config);

/// What a config.json states; a field is empty where it is silent. `n_positions` is also read from its old
/// name `n_ctx`. `n_inner: null` states four times `n_embd`.
struct StatedConfig {
  std::optional<std::size_t> vocab_size, n_positions, n_embd, n_head, n_layer, n_inner;
  std::optional<float> layer_norm_epsilon;
  std::optional<bool> tie_word_embeddings;
};

/// Reads the text of a Hugging Face config.json. Throws Error `unsupported_model` for a model that computes
/// something else than GPT-2 (another `model_type`, an activation other than GELU by tanh, unscaled or
/// layer-scaled attention, cross attention), and `bad_model` when the text is no JSON object, or a field has
/// a wrong type or an impossible value.
StatedConfig parse_config(std::string_view config_json);

/// The config as the text of a Hugging Face config.json; parse_config gives the same values back.
std::string write_config(const Config& config);

}  // namespace glassbox
