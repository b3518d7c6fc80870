// The hand calculations of lesson 4, and the laws of attention.
#include <cmath>
#include <limits>

#include "attention.hpp"
#include "catch.hpp"
#include "errors.hpp"
#include "random.hpp"

using namespace glassbox;
using test::code_of;
using test::random_matrix;

namespace {

const Matrix hand_qk = {{1, 0}, {0, 1}, {1, 1}};
const Matrix hand_v = {{1, 0}, {0, 1}, {Real(0.5), Real(0.5)}};

void check_row(const Matrix& matrix, std::size_t row, std::vector<double> expected, double margin = 5e-5) {
  REQUIRE(matrix.shape(1) == expected.size());
  for (std::size_t c = 0; c < expected.size(); ++c)
    CHECK(matrix(row, c) == Approx(expected[c]).margin(margin));
}

}  // namespace

TEST_CASE("three words in two dimensions, every word sees every word") {
  const AttentionSteps steps = attention_steps(hand_qk, hand_qk, hand_v, {.causal = false, .scale = true});
  check_row(steps.scores, 0, {1, 0, 1}, 0);
  check_row(steps.scaled, 0, {1 / std::sqrt(2), 0, 1 / std::sqrt(2)}, 1e-6);
  const double e = std::exp(1 / std::sqrt(2)), sum = e + 1 + e;
  CHECK(e == Approx(2.03).margin(0.005));
  CHECK(sum == Approx(5.06).margin(0.005));
  check_row(steps.weights, 0, {e / sum, 1 / sum, e / sum}, 1e-6);
  check_row(steps.weights, 0, {0.4011, 0.1978, 0.4011});
  check_row(steps.weights, 1, {0.1978, 0.4011, 0.4011});
  check_row(steps.weights, 2, {0.2483, 0.2483, 0.5035});
  check_row(steps.output, 0, {0.6017, 0.3983});
  check_row(steps.output, 1, {0.3983, 0.6017});
  check_row(steps.output, 2, {0.5, 0.5});
}

TEST_CASE("the same with the causal mask: a lower triangle, exactly 0 above it") {
  const AttentionSteps steps = attention_steps(hand_qk, hand_qk, hand_v, {.causal = true, .scale = true});
  CHECK(steps.masked(1, 2) == -std::numeric_limits<Real>::infinity());
  check_row(steps.weights, 0, {1, 0, 0}, 0);
  check_row(steps.weights, 1, {0.3302, 0.6698, 0});
  check_row(steps.weights, 2, {0.2483, 0.2483, 0.5035});
  for (std::size_t t = 0; t < 3; ++t) {
    for (std::size_t s = t + 1; s < 3; ++s) CHECK(steps.weights(t, s) == 0);
  }
}

TEST_CASE("without scaling the scaled step is the scores") {
  const AttentionSteps steps = attention_steps(hand_qk, hand_qk, hand_v, {.causal = false, .scale = false});
  CHECK(steps.scaled == steps.scores);
  check_row(
      steps.weights, 0,
      {std::exp(1) / (2 * std::exp(1) + 1), 1 / (2 * std::exp(1) + 1), std::exp(1) / (2 * std::exp(1) + 1)},
      1e-6);
}

TEST_CASE("the score table of \"Thank you very\", already divided by the root of d") {
  // Scores as q · k with k the identity. The source article prints other numbers for its first two rows;
  // these follow from the formula: exp of each score over the sum of its row.
  const Matrix scores = {{Real(0.8), Real(0.2), Real(0.3)},
                         {Real(0.3), Real(0.5), Real(0.4)},
                         {Real(0.6), Real(0.2), Real(0.7)}};
  const Matrix identity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const AttentionSteps steps = attention_steps(scores, identity, identity, {.causal = false, .scale = false});
  check_row(steps.weights, 0, {0.464, 0.255, 0.281}, 5e-4);
  check_row(steps.weights, 1, {0.301, 0.367, 0.332}, 5e-4);
  check_row(steps.weights, 2, {0.36, 0.24, 0.40}, 5e-3);
  CHECK(steps.output == steps.weights);
}

TEST_CASE("fewer queries than keys under a causal mask are the last positions") {
  const Matrix k = random_matrix(5, 3, 1), v = random_matrix(5, 2, 2), q = random_matrix(2, 3, 3);
  const AttentionSteps steps = attention_steps(q, k, v, {.causal = true, .scale = true});
  CHECK(steps.weights(0, 4) == 0);
  CHECK(steps.weights(0, 3) > 0);
  CHECK(steps.weights(1, 4) > 0);
}

TEST_CASE("attention refuses what it can't compute") {
  const Real infinity = std::numeric_limits<Real>::infinity();
  const auto refusal = [](const Matrix& q, const Matrix& k, const Matrix& v, bool causal = true) {
    return code_of([&] { attention_steps(q, k, v, {.causal = causal, .scale = true}); });
  };
  CHECK(refusal({{1, 2}}, {{1}}, {{1}}) == "bad_shape");
  CHECK(refusal({{1}}, {{1}, {2}}, {{1}}) == "bad_shape");
  CHECK(refusal({{1}, {2}}, {{1}}, {{1}}) == "bad_shape");
  CHECK(refusal({{1}, {2}}, {{1}}, {{1}}, false) == "none");
  CHECK(refusal(Matrix(), Matrix(), Matrix()) == "bad_shape");
  CHECK(refusal({{infinity}}, {{1}}, {{1}}) == "bad_argument");
  const Real huge = std::numeric_limits<Real>::max();
  CHECK(refusal({{huge}}, {{huge}}, {{1}}) == "bad_argument");
}

TEST_CASE("the fast path equals the steps, for head sizes and lengths that fill no lanes") {
  for (std::size_t D : {3, 8, 10}) {
    for (std::size_t T : {1, 2, 4, 5, 9, 17}) {
      Config config;
      config.n_head = 2;
      config.n_embd = 2 * D;
      config.n_layer = 1;
      KvCache cache(config, T + 3);
      const Matrix qkv = random_matrix(T, 6 * D, static_cast<unsigned>(D * 100 + T));
      cache.append(0, qkv);
      AttentionView view;
      view.want_scaled = view.want_weights = true;
      const Matrix z = attention(qkv, cache, 0, 2, view);
      for (std::size_t h = 0; h < 2; ++h) {
        Matrix q = Matrix::from_shape({T, D}), k = q, v = q;
        for (std::size_t t = 0; t < T; ++t) {
          for (std::size_t d = 0; d < D; ++d) {
            q(t, d) = qkv(t, h * D + d);
            k(t, d) = qkv(t, 2 * D + h * D + d);
            v(t, d) = qkv(t, 4 * D + h * D + d);
          }
        }
        const AttentionSteps steps = attention_steps(q, k, v, {});
        for (std::size_t t = 0; t < T; ++t) {
          for (std::size_t s = 0; s < T; ++s) {
            REQUIRE(view.weights[(h * T + t) * T + s] == Approx(steps.weights(t, s)).margin(1e-6));
            REQUIRE(view.scaled[(h * T + t) * T + s] == Approx(steps.scaled(t, s)).margin(1e-5));
          }
          for (std::size_t d = 0; d < D; ++d)
            REQUIRE(z(t, h * D + d) == Approx(steps.output(t, d)).margin(2e-6));
        }
      }
    }
  }
}

TEST_CASE("a later value never reaches an earlier row, not even one that is not finite") {
  Config config;
  config.n_head = 1;
  config.n_embd = 4;
  config.n_layer = 1;
  Matrix qkv = random_matrix(3, 12, 11);
  for (std::size_t d = 8; d < 12; ++d) qkv(2, d) = std::numeric_limits<Real>::infinity();
  KvCache cache(config, 3);
  cache.append(0, qkv);
  AttentionView view;
  const Matrix z = attention(qkv, cache, 0, 1, view);
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t d = 0; d < 4; ++d) CHECK(std::isfinite(z(t, d)));
  }
}
