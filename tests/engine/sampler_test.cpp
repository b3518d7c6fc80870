#include "sampler.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "catch.hpp"
#include "ops.hpp"
#include "random.hpp"

using namespace glassbox;

namespace {

/// How often each of 4 tokens is drawn in 20,000 tries.
std::vector<double> frequencies(const SamplerOptions& options, const Vector& logits) {
  Sampler sampler(options);
  std::vector<double> counts(logits.size());
  for (int i = 0; i < 20000; ++i) ++counts[static_cast<std::size_t>(sampler.sample(logits))];
  for (double& count : counts) count /= 20000;
  return counts;
}

const Vector logits = {Real(std::log(0.1)), Real(std::log(0.4)), Real(std::log(0.2)), Real(std::log(0.3))};

}  // namespace

TEST_CASE("temperature 0 takes the likeliest, ties the lower id") {
  Sampler sampler({});
  CHECK(sampler.sample(logits) == 1);
  CHECK(sampler.sample({2, 5, 5, 1}) == 1);
}

TEST_CASE("temperature 1 draws in proportion") {
  const auto p = frequencies({.temperature = 1, .seed = 1}, logits);
  const double expected[] = {0.1, 0.4, 0.2, 0.3};
  // Four standard deviations of a share among 20,000 draws are at most 0.0141.
  for (std::size_t i = 0; i < 4; ++i) CHECK(p[i] == Approx(expected[i]).margin(0.0142));
}

TEST_CASE("temperature sharpens or flattens the shares by its power") {
  const auto p = frequencies({.temperature = 0.5, .seed = 2}, logits);
  const double sum = 0.01 + 0.16 + 0.04 + 0.09;
  CHECK(p[1] == Approx(0.16 / sum).margin(0.0142));
  const auto tiny = frequencies({.temperature = 1e-30, .seed = 2}, logits);
  CHECK(tiny[1] == 1);
}

TEST_CASE("top-k keeps the k likeliest in proportion") {
  const auto p = frequencies({.temperature = 1, .top_k = 2, .seed = 3}, logits);
  CHECK(p[0] == 0);
  CHECK(p[2] == 0);
  CHECK(p[1] == Approx(4 / 7.0).margin(0.0142));
  const auto all = frequencies({.temperature = 1, .top_k = 100, .seed = 3}, logits);
  CHECK(all[0] > 0.08);
}

TEST_CASE("top-p keeps the fewest whose probabilities reach it") {
  const auto p = frequencies({.temperature = 1, .top_p = 0.65, .seed = 4}, logits);  // 0.4 + 0.3 reach 0.65
  CHECK(p[0] == 0);
  CHECK(p[2] == 0);
  CHECK(p[1] == Approx(4 / 7.0).margin(0.0142));
  const auto one = frequencies({.temperature = 1, .top_p = 1e-9, .seed = 4}, logits);
  CHECK(one[1] == 1);
}

TEST_CASE("a seed fixes the draws") {
  Sampler a({.temperature = 1, .seed = 42}), b({.temperature = 1, .seed = 42}),
      c({.temperature = 1, .seed = 43});
  std::vector<TokenId> drawn_a, drawn_b, drawn_c;
  for (int i = 0; i < 50; ++i) {
    drawn_a.push_back(a.sample(logits));
    drawn_b.push_back(b.sample(logits));
    drawn_c.push_back(c.sample(logits));
  }
  CHECK(drawn_a == drawn_b);
  CHECK(drawn_a != drawn_c);
}

TEST_CASE("a draw that is explained is the plain draw to the bit") {
  Vector wide = test::random_vector(500, 7, 4);
  wide(3) = wide(4) = wide(5);  // ties
  for (double temperature : {0.0, 1e-30, 0.7, 1.0, 3.0}) {
    for (std::size_t top_k : {0, 1, 7, 500, 1000}) {
      for (double top_p : {1.0, 0.9, 0.3, 1e-9}) {
        const SamplerOptions options{temperature, top_k, top_p, 11};
        Sampler plain(options), open(options);
        for (int i = 0; i < 40; ++i) {
          const Draw draw = open.explain(wide);
          REQUIRE(draw.ranked[draw.chosen] == plain.sample(wide));
          REQUIRE(draw.chosen < draw.kept);
          REQUIRE(draw.kept <= draw.after_top_k);
        }
      }
    }
  }
}

TEST_CASE("the stages of a draw") {
  Sampler sampler({.temperature = 1, .top_k = 3, .top_p = 0.65, .seed = 5});
  const Draw draw = sampler.explain(logits);
  CHECK(draw.ranked == std::vector<TokenId>{1, 3, 2, 0});
  CHECK(draw.after_top_k == 3);
  CHECK(draw.kept == 2);  // 0.4 + 0.3 reach 0.65
  CHECK(draw.total == Approx(0.7));
  CHECK(draw.p(0) == Approx(0.1));
  const double first = draw.p(1) / draw.total;
  CHECK(draw.chosen == (draw.u < first ? 0 : 1));

  Sampler greedy({.temperature = 0, .seed = 5});
  const Draw likeliest = greedy.explain(logits);
  CHECK(likeliest.kept == 1);
  CHECK(likeliest.ranked[likeliest.chosen] == 1);
  CHECK(likeliest.p(1) == Approx(0.4));
}

TEST_CASE("draws that are skipped are those that came before") {
  const SamplerOptions options{.temperature = 1, .seed = 9};
  Sampler all(options);
  std::vector<TokenId> drawn;
  for (int i = 0; i < 20; ++i) drawn.push_back(all.sample(logits));
  for (std::size_t step = 0; step < drawn.size(); ++step) {
    Sampler one(options);
    one.skip(step);
    CHECK(one.sample(logits) == drawn[step]);
  }
}

TEST_CASE("bad sampling options are refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double temperature : {-1.0, nan, std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(Sampler({.temperature = temperature}), Error);
  }
  for (double top_p : {0.0, -0.1, 1.1, nan})
    CHECK_THROWS_AS(Sampler({.temperature = 1, .top_p = top_p}), Error);
}

TEST_CASE("top ids come largest first, ties by id, all at most") {
  const Vector values = {1, 3, 2, 3};
  CHECK(top_ids(values, 3) == std::vector<TokenId>{1, 3, 2});
  CHECK(top_ids(values, 9).size() == 4);
  CHECK(top_ids(values, 0).empty());
}

TEST_CASE("softmax step by step: as written, with the largest subtracted, and its refusals") {
  const SoftmaxSteps hand = softmax_steps({Real(0.6), Real(0.2), Real(0.7)});
  CHECK(hand.exp(0) == Approx(std::exp(0.6)));
  CHECK(hand.sum == Approx(std::exp(0.6) + std::exp(0.2) + std::exp(0.7)));
  CHECK(hand.largest == Real(0.7));
  CHECK(hand.shifted_exp(2) == 1);
  CHECK(hand.shares == softmax({Real(0.6), Real(0.2), Real(0.7)}));
  for (std::size_t i = 0; i < 3; ++i) CHECK(hand.shifted_exp(i) / hand.shifted_sum == Approx(hand.shares(i)));

  const Real infinity = std::numeric_limits<Real>::infinity(), nan = std::numeric_limits<Real>::quiet_NaN();
  const SoftmaxSteps large = softmax_steps({1000, 999, -infinity});
  CHECK(large.exp(0) == infinity);
  CHECK(large.sum == infinity);
  CHECK(large.shares(0) + large.shares(1) == Approx(1));
  CHECK(large.shares(2) == 0);
  CHECK(softmax_steps({1, 2}, 0.5).divided(1) == 4);

  CHECK_THROWS_AS(softmax_steps(Vector::from_shape({0})), Error);
  CHECK_THROWS_AS(softmax_steps({1, nan}), Error);
  CHECK_THROWS_AS(softmax_steps({1, infinity}), Error);
  CHECK_THROWS_AS(softmax_steps({-infinity, -infinity}), Error);
  for (double temperature : {0.0, -1.0, static_cast<double>(nan), 1e-320}) {
    CHECK_THROWS_AS(softmax_steps({1, 2}, temperature), Error);
  }
}
