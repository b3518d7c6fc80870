#include "lens.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <tuple>
#include <utility>

#include "ops.hpp"
#include "sampler.hpp"
#include "simd.hpp"

namespace glassbox {

namespace {

/// Probabilities of the next token (V).
Vector guess(const Gpt2& model, std::span<const TokenId> ids, const Knockouts& out) {
  KvCache cache(model.config(), ids.size());
  return softmax(model.last_logits(ids, cache, out));
}

/// Numbers of mean 0 and variance 1, nearly normal: a sum of 12 uniform numbers less 6. It needs no
/// logarithm, of which every C library has its own, so that all builds draw the same.
class NearlyNormal {
 public:
  explicit NearlyNormal(std::uint64_t seed) : generator_(seed) {}
  Real operator()() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(generator_() >> 11) * 0x1p-53;
    return static_cast<Real>(sum);
  }

 private:
  std::mt19937_64 generator_;
};

/// Measures scores in rows of `keys`.
ScaleExperiment::Side measure(std::vector<Real> scores, std::size_t keys) {
  ScaleExperiment::Side side{};
  double sum = 0, squares = 0;
  for (Real score : scores) sum += score;
  const double mean = sum / static_cast<double>(scores.size());
  for (Real score : scores) squares += (score - mean) * (score - mean);
  side.deviation = std::sqrt(squares / static_cast<double>(scores.size()));
  const std::size_t rows = scores.size() / keys;
  for (std::size_t r = 0; r < rows; ++r) {
    Vector row = Vector::from_shape({keys});
    std::copy_n(scores.data() + r * keys, keys, row.data());
    const Vector weights = softmax(row);
    double entropy = 0, gradient = 0;
    for (Real weight : weights) {
      if (weight > 0) entropy -= weight * std::log(static_cast<double>(weight));
      // |∂w_s/∂x_u| is w_s(1 − w_s) on the diagonal and w_s·w_u beside it, and these add up to 2·w_s(1 − w_s)
      // for each s.
      gradient += 2.0 * weight * (1.0 - weight);
    }
    side.entropy += entropy / static_cast<double>(rows);
    side.gradient += gradient / static_cast<double>(rows);
    side.largest_weight += *std::max_element(weights.begin(), weights.end()) / static_cast<double>(rows);
  }
  side.scores = std::move(scores);
  return side;
}

}  // namespace

double kl_divergence(const Vector& p, const Vector& q) {
  expect_shape("kl_divergence: q", q, {p.size()});
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p(i) > 0)
      sum += static_cast<double>(p(i)) *
             (std::log(static_cast<double>(p(i))) - std::log(static_cast<double>(q(i))));
  }
  return sum;
}

double kl_divergence_of_logits(const Vector& p, const Vector& q) {
  expect_shape("kl_divergence_of_logits: q", q, {p.size()});
  const auto log_total = [](const Vector& x) {
    const Real largest = *std::max_element(x.begin(), x.end());
    double sum = 0;
    for (Real logit : x) sum += simd::exp(logit - largest);
    return largest + std::log(sum);
  };
  const double p_total = log_total(p), q_total = log_total(q);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double log_p = p(i) - p_total;
    sum += simd::exp(static_cast<Real>(log_p)) * (log_p - (q(i) - q_total));
  }
  return std::max(sum, 0.0);  // rounding may leave equal guesses a trace below
}

LogitLens logit_lens(const Gpt2& model, std::span<const TokenId> ids, std::size_t position,
                     const Knockouts& out) {
  if (position >= ids.size()) {
    fail("bad_argument", {"position: expected 0 to below ", ids.size(), ", got ", position});
  }
  const Config& config = model.config();
  const std::size_t C = config.n_embd;
  LogitLens lens{{"h.0.resid_in"}, {}};
  for (std::size_t l = 0; l < config.n_layer; ++l) lens.names.push_back(join({"h.", l, ".resid_out"}));
  KvCache cache(config, ids.size());
  Trace trace(config, lens.names);
  model.forward(ids, cache, Logits::last, &trace, out);
  Matrix x = Matrix::from_shape({lens.names.size(), C});
  for (std::size_t i = 0; i < lens.names.size(); ++i)
    std::copy_n(trace.activations().at(lens.names[i]).data.data() + position * C, C, x.data() + i * C);
  lens.logits = model.read_off(x);
  return lens;
}

std::size_t rank_of(const Vector& values, TokenId id) {
  const auto at = static_cast<std::size_t>(id);
  std::size_t before = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    before += values(i) > values(at) || (values(i) == values(at) && i < at);
  return before;
}

std::vector<HeadEffect> knockout_sweep(const Gpt2& model, std::span<const TokenId> ids,
                                       const Knockouts& out) {
  const Vector before = guess(model, ids, out);
  const auto first = static_cast<std::size_t>(top_ids(before, 1).front());
  std::vector<HeadEffect> effects;
  for (std::size_t layer = 0; layer < model.config().n_layer; ++layer) {
    for (std::size_t head = 0; head < model.config().n_head; ++head) {
      Knockouts one_more = out;
      one_more.add_head(layer, head);
      const Vector after = guess(model, ids, one_more);
      const TokenId id = top_ids(after, 1).front();
      effects.push_back(
          {layer, head, kl_divergence(before, after), id, after(static_cast<std::size_t>(id)), after(first)});
      // Each moves up to its place: a sort of the library's is much code for a page to load.
      for (std::size_t i = effects.size() - 1; i > 0 && effects[i].kl > effects[i - 1].kl; --i)
        std::swap(effects[i], effects[i - 1]);
    }
  }
  return effects;
}

ScaleExperiment scale_experiment(std::size_t d, std::size_t rows, std::size_t keys, std::uint64_t seed) {
  constexpr std::size_t most = std::size_t{1} << 24;
  if (d == 0 || rows == 0 || keys == 0 || d > most || rows > most / d || keys > most / (d * rows)) {
    fail("bad_argument", {"scale_experiment: expected at least 1 of each and at most 2^24 in all, got d ", d,
                          ", ", rows, " rows, ", keys, " keys"});
  }
  NearlyNormal draw(seed);
  std::vector<Real> raw, scaled, query(d);
  const Real root = std::sqrt(static_cast<Real>(d));
  for (std::size_t r = 0; r < rows; ++r) {
    for (Real& x : query) x = draw();
    for (std::size_t s = 0; s < keys; ++s) {
      Real score = 0;
      for (Real x : query) score += x * draw();
      raw.push_back(score);
      scaled.push_back(score / root);
    }
  }
  return {measure(std::move(raw), keys), measure(std::move(scaled), keys)};
}

}  // namespace glassbox
