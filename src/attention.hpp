#pragma once
// Scaled dot-product attention: softmax(Q · Kᵀ / √D) · V (Vaswani et al. 2017, equation 1), step by step for
// teaching, and whole for speed.

#include <cstdint>
#include <vector>

#include "kv_cache.hpp"
#include "tensor.hpp"

namespace glassbox {

struct AttentionOptions {
  bool causal = true;  ///< query t sees keys 0…t only
  bool scale = true;   ///< divide scores by √D
};

/// Every intermediate result of one head. For queries (T, D), keys (S, D), values (S, Dv):
struct AttentionSteps {
  Matrix scores;   ///< (T, S) q·k
  Matrix scaled;   ///< (T, S) scores / √D; equal to scores without scaling
  Matrix masked;   ///< (T, S) scaled with −∞ where the mask hides a key; equal to scaled without mask
  Matrix weights;  ///< (T, S) softmax of each row of masked
  Matrix output;   ///< (T, Dv) weights · v
};

/// The teaching path: one head from given queries, keys and values, every step kept. With S > T and a causal
/// mask the queries are the last T positions. Throws Error `bad_shape` when widths or counts differ, when
/// anything is empty or when causal queries outnumber keys, `bad_argument` for numbers that are not finite or
/// whose products overflow.
AttentionSteps attention_steps(const Matrix& q, const Matrix& k, const Matrix& v,
                               const AttentionOptions& options);

/// What the fast path is asked to show besides its result. S = earlier tokens + T.
struct AttentionView {
  bool want_scaled = false, want_weights = false;
  std::vector<Real> scaled;   ///< (H, T, S) before the mask
  std::vector<Real> weights;  ///< (H, T, S)
  /// Added up: the products q·k and weight·value of every query with each key that it sees. Those that a tile
  /// of queries computes beyond a query's last key and throws away do not count.
  std::uint64_t multiply_adds = 0;
};

/// The fast path: attention of all heads for T new tokens whose keys and values the cache already stores
/// (append, not yet advance). qkv (T, 3C) → z (T, C), heads side by side. Fills what the view wants.
Matrix attention(const Matrix& qkv, const KvCache& cache, std::size_t layer, std::size_t n_head,
                 AttentionView& view, const AttentionOptions& options = {});

/// Buffers of one head's attention in training, used again from call to call.
struct AttentionBuffers {
  std::vector<Real> panels[4];   // of q, k, v and the gradient of z
  std::vector<Real> gradients;   // (T, T) of the scores, rows padded to whole lanes
  std::vector<Real> transposed;  // (8, T)
};

/// Causal attention of B rows of T tokens each, for training. qkv (B·T, 3C) → z (B·T, C), made to fit, equal
/// to `attention` to the bit. `weights` becomes (B, H, T, T) for attention_backward, each row padded to whole
/// lanes; above the diagonal its numbers are 0 or unused.
void attention_rows(const Matrix& qkv, std::size_t B, std::size_t n_head, std::vector<Real>& weights,
                    Matrix& z, AttentionBuffers& buffers);

/// The gradient of attention_rows. From dz (B·T, C): dqkv (B·T, 3C), made to fit.
void attention_rows_backward(const Matrix& qkv, std::size_t B, std::size_t n_head,
                             const std::vector<Real>& weights, const Matrix& dz, Matrix& dqkv,
                             AttentionBuffers& buffers);

}  // namespace glassbox
