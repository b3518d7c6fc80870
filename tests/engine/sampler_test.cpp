#include "sampler.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "catch.hpp"

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
