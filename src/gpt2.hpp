#pragma once
// GPT-2 (Radford et al. 2019): pre-norm, learned positions, tanh GELU. The forward pass, and the backward
// pass that learning needs.

#include <span>
#include <vector>

#include "attention.hpp"
#include "config.hpp"
#include "kv_cache.hpp"
#include "ops.hpp"
#include "token.hpp"
#include "trace.hpp"
#include "weights.hpp"
#include "work.hpp"

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
  /// a trace that asks for `logits`, all are computed. Attention in the trace has S = earlier + T keys. Adds
  /// what was done to `work`.
  /// Throws Error `empty_text` for no tokens, `bad_token` for an id outside the vocabulary, `bad_argument`
  /// past n_positions or the cache's capacity, or without the mask while the cache holds tokens.
  Matrix forward(std::span<const TokenId> ids, KvCache& cache, Logits logits = Logits::last,
                 Trace* trace = nullptr, const Knockouts& out = {}, Work* work = nullptr) const;

  /// As forward, for the last token only → its logits (V).
  Vector last_logits(std::span<const TokenId> ids, KvCache& cache, const Knockouts& out = {},
                     Work* work = nullptr) const;

  /// The guess that vectors of the residual stream make by themselves: x (n, C) → ln_f and the output head →
  /// logits (n, V). From the last layer's they are those of the model, to the bit. Throws Error `bad_shape`.
  Matrix read_off(const Matrix& x) const;

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

  /// What goes with one forward pass.
  struct Pass {
    KvCache& cache;
    Trace* trace;
    const Knockouts& out;
    Work work;
  };

  Matrix embed(std::span<const TokenId> ids, Pass& pass) const;
  Matrix forward_block(std::size_t layer, const Matrix& x, Pass& pass) const;
  Matrix forward_attention(std::size_t layer, const Matrix& x, Pass& pass) const;
  Matrix forward_mlp(std::size_t layer, const Matrix& x, Pass& pass) const;
  Matrix normalise(const Matrix& x, const LayerNormWeights& norm, Work& work) const;
  static Matrix apply(const Matrix& x, const Linear& linear, Work& work);
  Matrix apply_head(const Matrix& x, Work& work) const;
  void check_head(std::size_t layer, std::size_t head) const;

  Config config_;
  PackedMatrix wte_;      // rows of wte as columns: looked up by column, and the output head when tied
  Matrix wpe_;            // (n_positions, C)
  std::vector<Block> h_;  // L
  LayerNormWeights ln_f_;
  PackedMatrix lm_head_;  // empty when tied
};

/// Rows of tokens to learn from.
struct Batch {
  std::size_t B = 0, T = 0;
  std::vector<TokenId> inputs;   ///< (B, T)
  std::vector<TokenId> targets;  ///< (B, T): the token after each; −1 is not counted
};

/// A model packed for learning: every matrix as the forward pass needs it, and transposed for the backward
/// pass. Its activations are those of Gpt2::forward, to the bit. The const methods may run on several threads
/// at once, each with gradients and Scratch of its own.
class Gpt2Learner {
 public:
  /// Throws Error `unsupported_model` for impossible sizes. The weights are to be set before the first batch.
  explicit Gpt2Learner(const Config& config);

  const Config& config() const { return config_; }

  /// Packs the weights anew. Throws Error `bad_shape` when a parameter does not fit the config.
  void set_weights(const Weights& weights);

  /// The activations of one batch, and buffers. Used again from batch to batch: memory is allocated when a
  /// batch is larger than those before, or of another shape.
  struct Scratch {
    struct Layer {
      Matrix x, ln_1, qkv;        // (N, C), (N, C), (N, 3C) with N = B·T
      std::vector<Real> weights;  // of attention
      Matrix z, middle, ln_2;     // (N, C)
      Matrix pre, act;            // (N, F)
    };
    std::vector<Layer> layers;
    Matrix x, ln_f, out;           // (N, C): the last residual, its norm, what a half block adds
    std::vector<Real> logits;      // some rows at a time
    Matrix dx, dnormed, dz, dqkv;  // gradients of the residual, of a norm's result, of attention
    Matrix dact;                   // (N, F)
    AttentionBuffers attention;
    TransposeBuffers transposes;
  };

  /// Σ −log p(target) over the counted targets, in nats; adds scale × the gradient of that sum to
  /// `gradients`, a tree of the weights' shapes. Throws Error `empty_text`, `bad_token`, `bad_argument` (more
  /// than n_positions tokens in a row, or counts that differ from B·T), `bad_shape`.
  double backward(const Batch& batch, Real scale, Weights& gradients, Scratch& scratch) const;

  /// The same sum without gradients.
  double loss(const Batch& batch, Scratch& scratch) const;

 private:
  struct Linear {
    PackedMatrix weight, transposed;
    Vector bias;
  };
  struct Block {
    LayerNormWeights ln_1;
    Linear c_attn, attn_c_proj;
    LayerNormWeights ln_2;
    Linear c_fc, mlp_c_proj;
  };

  void check_batch(const Batch& batch) const;
  void forward(const Batch& batch, Scratch& scratch) const;
  double head(const Batch& batch, Real scale, Matrix* gradient, Scratch& scratch) const;
  void backward_block(std::size_t layer, std::size_t B, BlockWeights& gradients, Scratch& scratch) const;

  Config config_;
  Matrix wte_, wpe_;      // (V, C), (n_positions, C)
  std::vector<Block> h_;  // L
  LayerNormWeights ln_f_;
  PackedMatrix head_, head_transposed_;  // of the output head: wte, or lm_head when untied
};

}  // namespace glassbox
