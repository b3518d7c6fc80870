// The steps of attention one by one, as the formula has them.

#include <algorithm>
#include <cmath>
#include <limits>

#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include "attention.hpp"
#include "simd.hpp"

namespace glassbox {

namespace {

constexpr Real minus_infinity = -std::numeric_limits<Real>::infinity();

void check_finite(const char* name, const Matrix& matrix) {
  if (!std::all_of(matrix.begin(), matrix.end(), [](Real x) { return std::isfinite(x); })) {
    fail("bad_argument", {"attention: ", name, " holds a number that is not finite or too large"});
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
    fail("bad_shape", {"attention: q, k and v need at least one row and one column, got ",
                       shape_text(q.shape()), ", ", shape_text(k.shape()), ", ", shape_text(v.shape())});
  }
  expect_shape("attention: k", k, {S, D});
  expect_shape("attention: v", v, {S, v.shape(1)});
  if (options.causal && T > S) {
    fail("bad_shape", {"attention: with a causal mask at most ", S, " queries fit ", S, " keys, got ", T});
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

}  // namespace glassbox
