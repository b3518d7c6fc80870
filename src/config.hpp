#pragma once
// The sizes of a GPT-2, named as in Hugging Face's config.json.

#include <cstddef>

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

}  // namespace glassbox
