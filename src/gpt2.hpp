#pragma once
// GPT-2: the forward pass (Radford et al. 2019), pre-norm, learned positions, tanh GELU.

#include <span>
#include <vector>

#include "config.hpp"
#include "kv_cache.hpp"
#include "ops.hpp"
#include "token.hpp"
#include "trace.hpp"
#include "weights.hpp"

namespace glassbox {

/// For which positions the output head is computed.
enum class Logits { last, all };

class Gpt2 {
 public:
  /// Packs the weights for speed and frees each as soon as it is packed. Throws Error `bad_shape` when a
  /// parameter does not fit the config.
  Gpt2(const Config& config, Weights&& weights);

  const Config& config() const { return config_; }

  /// Reads T tokens after those that the cache holds → logits (1, V) of the last token or (T, V) of all. With
  /// a trace that asks for `logits`, all are computed. Attention in the trace has S = earlier + T keys.
  /// Throws Error `empty_text` for no tokens, `bad_token` for an id outside the vocabulary, `bad_argument`
  /// past n_positions or the cache's capacity.
  Matrix forward(std::span<const TokenId> ids, KvCache& cache, Logits logits = Logits::last,
                 Trace* trace = nullptr, const Knockouts& out = {}) const;

  /// As forward, for the last token only → its logits (V).
  Vector last_logits(std::span<const TokenId> ids, KvCache& cache, const Knockouts& out = {}) const;

  /// Rows of the embedding table: ids (n) → (n, C). Throws Error `bad_token`.
  Matrix token_vectors(std::span<const TokenId> ids) const;

  /// The position table wpe (n_positions, C).
  const Matrix& position_vectors() const { return wpe_; }

  /// The columns of one layer's c_attn that make one head's queries (part 0), keys (1) or values (2): weight
  /// (C, D), bias (D). Throws Error `bad_argument` for a layer, head or part that the model does not have.
  LinearWeights head_projection(std::size_t layer, std::size_t head, std::size_t part) const;

  /// What one head adds to the residual stream: z (T, D) · its D rows of W_O (C, C) → (T, C), without the
  /// bias, which belongs to no head. Throws Error `bad_argument`, `bad_shape`.
  Matrix head_output(std::size_t layer, std::size_t head, const Matrix& z) const;

 private:
  struct Linear {
    PackedMatrix weight;
    Vector bias;
  };
  struct Block {
    LayerNormWeights ln_1;
    Linear c_attn, attn_c_proj;
    LayerNormWeights ln_2;
    Linear c_fc, mlp_c_proj;
  };

  Matrix embed(std::span<const TokenId> ids, std::size_t first, Trace* trace) const;
  Matrix forward_block(std::size_t layer, const Matrix& x, KvCache& cache, Trace* trace,
                       const Knockouts& out) const;
  Matrix forward_attention(std::size_t layer, const Matrix& x, KvCache& cache, Trace* trace,
                           const Knockouts& out) const;
  Matrix forward_mlp(std::size_t layer, const Matrix& x, Trace* trace, const Knockouts& out) const;
  void check_head(std::size_t layer, std::size_t head) const;

  Config config_;
  PackedMatrix wte_;      // rows of wte as columns: looked up by column, and the output head when tied
  Matrix wpe_;            // (n_positions, C)
  std::vector<Block> h_;  // L
  LayerNormWeights ln_f_;
  PackedMatrix lm_head_;  // empty when tied
};

}  // namespace glassbox
