#include "attention.hpp"

#include <algorithm>
#include <cmath>

#include "simd.hpp"

namespace glassbox {

using simd::LANES;

namespace {

/// What scores of width D are divided by.
Real divisor(const AttentionOptions& options, std::size_t D) {
  return options.scale ? std::sqrt(static_cast<Real>(D)) : Real(1);
}

/// How many of S keys the query at `position` sees.
std::size_t keys_seen(const AttentionOptions& options, std::size_t position, std::size_t S) {
  return options.causal ? position + 1 : S;
}

/// One head for R neighbouring queries, the first of which is at position `first` of the sequence. keys (D,
/// S) and values (S, D) hold at least first + R tokens. q, z: R rows; scores: R rows of `row` numbers each.
void attend(const Real* q, std::size_t q_stride, std::size_t R, std::size_t first, Panels keys, Panels values,
            const AttentionOptions& options, Real* scores, std::size_t row, Real* z, std::size_t z_stride) {
  const std::size_t D = keys.K, S = keys.N;
  const Real root = divisor(options, D);
  keys.N = keys_seen(options, first + R - 1, S);
  multiply(q, q_stride, R, keys, nullptr, scores, row);
  for (std::size_t r = 0; r < R; ++r) {
    const std::size_t seen = keys_seen(options, first + r, S);
    Real* weights = scores + r * row;
    for (std::size_t s = 0; s < seen; ++s) weights[s] /= root;
    softmax_row(weights, seen);
  }
  // Queries of a tile see different numbers of keys. The keys that all see go through the tile; the few
  // others are added row by row, so that a later token's value never enters an earlier row, not even
  // multiplied by 0.
  values.K = keys_seen(options, first, S);
  multiply(scores, row, R, values, nullptr, z, z_stride);
  for (std::size_t r = 1; r < R; ++r) {
    for (std::size_t s = values.K; s < keys_seen(options, first + r, S); ++s) {
      const Real weight = scores[r * row + s];
      for (std::size_t d = 0; d < D; ++d) {
        z[r * z_stride + d] += weight * values.data[d / LANES * values.stride + s * LANES + d % LANES];
      }
    }
  }
}

}  // namespace

Matrix attention(const Matrix& qkv, const KvCache& cache, std::size_t layer, std::size_t n_head,
                 AttentionView& view, const AttentionOptions& options) {
  const std::size_t T = qkv.shape(0), C = qkv.shape(1) / 3, D = C / n_head;
  const std::size_t before = cache.size(), S = before + T, row = simd::padded(S);
  constexpr std::size_t R = simd::TILE_ROWS;
  Matrix z = Matrix::from_shape({T, C});
  std::vector<Real> scores(R * row);
  if (view.want_scaled) view.scaled.resize(n_head * T * S);
  if (view.want_weights) view.weights.assign(n_head * T * S, 0);
  for (std::size_t h = 0; h < n_head; ++h) {
    const Real* q = qkv.data() + h * D;
    if (view.want_scaled) {
      Real* scaled = view.scaled.data() + h * T * S;
      multiply(q, 3 * C, T, cache.keys(layer, h, S), nullptr, scaled, S);
      const Real root = divisor(options, D);
      for (std::size_t i = 0; i < T * S; ++i) scaled[i] /= root;
    }
    for (std::size_t t = 0; t < T; t += R) {
      const std::size_t rows = std::min(R, T - t);
      attend(q + t * 3 * C, 3 * C, rows, before + t, cache.keys(layer, h, S), cache.values(layer, h, S),
             options, scores.data(), row, z.data() + t * C + h * D, C);
      for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t seen = keys_seen(options, before + t + r, S);
        view.multiply_adds += 2 * D * seen;
        if (view.want_weights)
          std::copy_n(scores.data() + r * row, seen, view.weights.data() + (h * T + t + r) * S);
      }
    }
  }
  return z;
}

namespace {

/// Packs scale · x (T, D), rows `stride` numbers apart, as the columns of a (T, D) matrix.
Panels pack_columns(const Real* x, std::size_t stride, std::size_t T, std::size_t D, Real scale,
                    std::vector<Real>& buffer) {
  buffer.resize(T * simd::padded(D));
  for (std::size_t d = 0; d < D; d += LANES) {
    const std::size_t count = std::min(LANES, D - d);
    for (std::size_t t = 0; t < T; ++t) {
      simd::store(buffer.data() + d * T + t * LANES,
                  simd::splat(scale) * simd::load_some(x + t * stride + d, count));
    }
  }
  return {buffer.data(), T * LANES, T, D};
}

/// Packs x (T, D), rows `stride` numbers apart, as the columns of its transpose (D, T).
Panels pack_rows(const Real* x, std::size_t stride, std::size_t T, std::size_t D, std::vector<Real>& buffer) {
  buffer.resize(simd::padded(T) * D);
  for (std::size_t t = 0; t < T; t += LANES) {
    transpose(x + t * stride, stride, std::min(LANES, T - t), D, buffer.data() + t * D, LANES);
  }
  return {buffer.data(), D * LANES, D, T};
}

/// out (T, D) = aᵀ · b for a (T, T), which is 0 above the diagonal as far as whole lanes reach, and b (T, D).
void multiply_lower_transposed(const Real* a, std::size_t T, const Panels& b, std::vector<Real>& buffer,
                               Real* out, std::size_t out_stride) {
  const std::size_t row = simd::padded(T);
  buffer.resize(LANES * row);
  for (std::size_t s = 0; s < T; s += LANES) {
    // Columns s… of a: nothing but zeros in the rows before s.
    const std::size_t columns = std::min(LANES, T - s), rows = T - s;
    transpose(a + s * row + s, row, rows, LANES, buffer.data(), row);
    const Panels below = {b.data + s * LANES, b.stride, rows, b.N};
    multiply(buffer.data(), row, columns, below, nullptr, out + s * out_stride, out_stride);
  }
}

}  // namespace

void attention_rows(const Matrix& qkv, std::size_t B, std::size_t n_head, std::vector<Real>& weights,
                    Matrix& z, AttentionBuffers& buffers) {
  const std::size_t T = qkv.shape(0) / B, C = qkv.shape(1) / 3, D = C / n_head, row = simd::padded(T);
  fit(z, B * T, C);
  weights.resize(B * n_head * T * row);
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t h = 0; h < n_head; ++h) {
      const Real* q = qkv.data() + b * T * 3 * C + h * D;
      const Panels keys = pack_rows(q + C, 3 * C, T, D, buffers.panels[0]);
      const Panels values = pack_columns(q + 2 * C, 3 * C, T, D, 1, buffers.panels[1]);
      Real* scores = weights.data() + (b * n_head + h) * T * row;
      for (std::size_t t = 0; t < T; t += simd::TILE_ROWS) {
        attend(q + t * 3 * C, 3 * C, std::min(simd::TILE_ROWS, T - t), t, keys, values, {}, scores + t * row,
               row, z.data() + (b * T + t) * C + h * D, C);
      }
    }
  }
}

void attention_rows_backward(const Matrix& qkv, std::size_t B, std::size_t n_head,
                             const std::vector<Real>& weights, const Matrix& dz, Matrix& dqkv,
                             AttentionBuffers& buffers) {
  constexpr std::size_t R = simd::TILE_ROWS;
  const std::size_t T = qkv.shape(0) / B, C = qkv.shape(1) / 3, D = C / n_head, row = simd::padded(T);
  expect_shape("attention_rows_backward: dz", dz, {B * T, C});
  fit(dqkv, B * T, 3 * C);
  buffers.gradients.resize(T * row);
  const Real scale = 1 / std::sqrt(static_cast<Real>(D));
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t h = 0; h < n_head; ++h) {
      const Real* q = qkv.data() + b * T * 3 * C + h * D;
      const Real* z_gradient = dz.data() + b * T * C + h * D;
      Real* q_gradient = dqkv.data() + b * T * 3 * C + h * D;
      const Real* w = weights.data() + (b * n_head + h) * T * row;
      Real* scores = buffers.gradients.data();
      Panels keys = pack_columns(q + C, 3 * C, T, D, scale, buffers.panels[0]);
      Panels values = pack_rows(q + 2 * C, 3 * C, T, D, buffers.panels[1]);
      const Panels queries = pack_columns(q, 3 * C, T, D, scale, buffers.panels[2]);
      const Panels z_gradients = pack_columns(z_gradient, C, T, D, 1, buffers.panels[3]);
      for (std::size_t t = 0; t < T; t += R) {
        const std::size_t rows = std::min(R, T - t);
        values.N = keys.K = t + rows;
        multiply(z_gradient + t * C, C, rows, values, nullptr, scores + t * row, row);
        for (std::size_t r = t; r < t + rows; ++r) softmax_row_backward(w + r * row, scores + r * row, r + 1);
        multiply(scores + t * row, row, rows, keys, nullptr, q_gradient + t * 3 * C, 3 * C);
      }
      multiply_lower_transposed(scores, T, queries, buffers.transposed, q_gradient + C, 3 * C);
      multiply_lower_transposed(w, T, z_gradients, buffers.transposed, q_gradient + 2 * C, 3 * C);
    }
  }
}

}  // namespace glassbox
