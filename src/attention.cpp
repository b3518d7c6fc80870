#include "attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "simd.hpp"

namespace glassbox {

using simd::LANES;

namespace {

constexpr Real minus_infinity = -std::numeric_limits<Real>::infinity();

void check_finite(const char* name, const Matrix& matrix) {
  if (!xt::all(xt::isfinite(matrix))) {
    throw Error("bad_argument",
                std::string("attention: ") + name + " holds a number that is not finite or too large");
  }
}

/// a (T, D) · b (S, D) transposed → (T, S).
Matrix product_with_transpose(const Matrix& a, const Matrix& b) {
  Matrix out = xt::sum(
      xt::view(a, xt::all(), xt::newaxis(), xt::all()) * xt::view(b, xt::newaxis(), xt::all(), xt::all()),
      {2});
  return out;
}

}  // namespace

AttentionSteps attention_steps(const Matrix& q, const Matrix& k, const Matrix& v,
                               const AttentionOptions& options) {
  const std::size_t T = q.shape(0), D = q.shape(1), S = k.shape(0);
  if (T == 0 || D == 0 || S == 0 || v.shape(1) == 0) {
    throw Error("bad_shape", "attention: q, k and v need at least one row and one column, got " +
                                 shape_text(q.shape()) + ", " + shape_text(k.shape()) + ", " +
                                 shape_text(v.shape()));
  }
  expect_shape("attention: k", k, {S, D});
  expect_shape("attention: v", v, {S, v.shape(1)});
  if (options.causal && T > S) {
    throw Error("bad_shape", "attention: with a causal mask at most " + std::to_string(S) + " queries fit " +
                                 std::to_string(S) + " keys, got " + std::to_string(T));
  }
  check_finite("q", q);
  check_finite("k", k);
  check_finite("v", v);

  AttentionSteps steps;
  steps.scores = product_with_transpose(q, k);
  check_finite("the product of q and k", steps.scores);

  steps.scaled = steps.scores;
  if (options.scale) steps.scaled /= std::sqrt(static_cast<Real>(D));

  steps.masked = steps.scaled;
  if (options.causal) {
    for (std::size_t t = 0; t < T; ++t) {
      xt::view(steps.masked, t, xt::range(S - T + t + 1, S)) = minus_infinity;
    }
  }

  Vector largest = xt::amax(steps.masked, {1});
  steps.weights = steps.masked - xt::view(largest, xt::all(), xt::newaxis());
  for (Real& x : steps.weights) x = simd::exp(x);
  Vector total = xt::sum(steps.weights, {1});
  steps.weights /= xt::view(total, xt::all(), xt::newaxis());

  Matrix columns = xt::transpose(v);
  steps.output = product_with_transpose(steps.weights, columns);
  check_finite("the product of weights and v", steps.output);
  return steps;
}

namespace {

/// One head for R neighbouring queries, the first of which is at position `first` of the sequence.
/// q, z: R rows; scores: R rows of `row` numbers each.
void attend(const Real* q, std::size_t q_stride, std::size_t R, std::size_t first, const KvCache& cache,
            std::size_t layer, std::size_t head, Real* scores, std::size_t row, Real* z,
            std::size_t z_stride) {
  const Panels keys = cache.keys(layer, head, first + R);
  const std::size_t D = keys.K;
  const Real root = std::sqrt(static_cast<Real>(D));
  multiply(q, q_stride, R, keys, nullptr, scores, row);
  for (std::size_t r = 0; r < R; ++r) {
    const std::size_t seen = first + r + 1;
    Real* weights = scores + r * row;
    for (std::size_t s = 0; s < seen; ++s) weights[s] /= root;
    softmax_row(weights, seen);
  }
  // Queries of a tile see different numbers of keys. The keys that all see go through the tile; the few
  // others are added row by row, so that a later token's value never enters an earlier row, not even
  // multiplied by 0.
  const std::size_t common = first + 1;
  multiply(scores, row, R, cache.values(layer, head, common), nullptr, z, z_stride);
  const Panels values = cache.values(layer, head, first + R);
  for (std::size_t r = 1; r < R; ++r) {
    for (std::size_t s = common; s < first + r + 1; ++s) {
      const Real weight = scores[r * row + s];
      for (std::size_t d = 0; d < D; ++d) {
        z[r * z_stride + d] += weight * values.data[d / LANES * values.stride + s * LANES + d % LANES];
      }
    }
  }
}

}  // namespace

Matrix attention(const Matrix& qkv, const KvCache& cache, std::size_t layer, std::size_t n_head,
                 AttentionView& view) {
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
      const Real root = std::sqrt(static_cast<Real>(D));
      for (std::size_t i = 0; i < T * S; ++i) scaled[i] /= root;
    }
    for (std::size_t t = 0; t < T; t += R) {
      const std::size_t rows = std::min(R, T - t);
      attend(q + t * 3 * C, 3 * C, rows, before + t, cache, layer, h, scores.data(), row,
             z.data() + t * C + h * D, C);
      if (view.want_weights) {
        for (std::size_t r = 0; r < rows; ++r) {
          std::copy_n(scores.data() + r * row, before + t + r + 1, view.weights.data() + (h * T + t + r) * S);
        }
      }
    }
  }
  return z;
}

}  // namespace glassbox
