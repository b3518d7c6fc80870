#include "sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ops.hpp"
#include "simd.hpp"

namespace glassbox {

namespace {

/// Ids from the largest value to the smallest, each found when asked for: a few of 50,000 cost little more
/// than one pass.
class Ranking {
 public:
  explicit Ranking(const Vector& values) : ranks_below_{values}, ids_(values.size()) {
    std::iota(ids_.begin(), ids_.end(), 0);
    std::make_heap(ids_.begin(), ids_.end(), ranks_below_);
  }
  std::size_t left() const { return ids_.size(); }
  TokenId next() {
    std::pop_heap(ids_.begin(), ids_.end(), ranks_below_);
    const TokenId id = ids_.back();
    ids_.pop_back();
    return id;
  }

 private:
  /// Whether a ranks below b: the standard heap keeps the highest on top.
  struct RanksBelow {
    const Vector& values;
    bool operator()(TokenId a, TokenId b) const {
      const Real x = values(static_cast<std::size_t>(a)), y = values(static_cast<std::size_t>(b));
      return x != y ? x < y : a > b;
    }
  };
  RanksBelow ranks_below_;
  std::vector<TokenId> ids_;
};

double sum_of(const Vector& values) {
  double sum = 0;
  for (Real value : values) sum += value;
  return sum;
}

/// A number for a message. std::to_string would bring printf for long doubles along, 4 KB of the page's
/// engine.
std::string decimal_text(double value) {
  if (std::isnan(value)) return "nan";
  const std::string sign = value < 0 ? "-" : "";
  if (std::abs(value) >= 1e12) return sign + "1e12 or more";
  const auto millionths = static_cast<std::uint64_t>(std::abs(value) * 1e6 + 0.5);
  const std::string decimals = std::to_string(1'000'000 + millionths % 1'000'000).substr(1);
  return sign + std::to_string(millionths / 1'000'000) + "." + decimals;
}

}  // namespace

Sampler::Sampler(const SamplerOptions& options) : options_(options), generator_(options.seed) {
  if (!std::isfinite(options.temperature) || options.temperature < 0) {
    fail("bad_argument",
         {"temperature: expected a number from 0 up, got ", decimal_text(options.temperature)});
  }
  if (!(options.top_p > 0 && options.top_p <= 1)) {
    fail("bad_argument", {"top_p: expected more than 0 and at most 1, got ", decimal_text(options.top_p)});
  }
}

double Sampler::draw() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }

void Sampler::skip(std::uint64_t draws) { generator_.discard(draws); }

Vector Sampler::probabilities(const Vector& logits) const {
  // The largest is subtracted before dividing, so that a tiny temperature sharpens instead of overflowing.
  const Real largest = *std::max_element(logits.begin(), logits.end());
  Vector tempered = Vector::from_shape({logits.size()});
  for (std::size_t i = 0; i < logits.size(); ++i) {
    tempered(i) = static_cast<Real>((static_cast<double>(logits(i)) - largest) / options_.temperature);
  }
  return softmax(tempered);
}

std::size_t Sampler::most(std::size_t V) const {
  return options_.top_k == 0 ? V : std::min(options_.top_k, V);
}

TokenId Sampler::sample(const Vector& logits) {
  if (options_.temperature == 0) return top_ids(logits, 1).front();
  const Vector p = probabilities(logits);

  Ranking ranking(p);
  std::vector<TokenId> kept;
  double total = 0;
  if (keeps_all()) {
    total = sum_of(p);
  } else {
    const std::size_t limit = most(p.size());
    while (kept.size() < limit && wants_more(kept.size(), total)) {
      kept.push_back(ranking.next());
      total += p(static_cast<std::size_t>(kept.back()));
    }
  }

  // The likeliest come first on the line from 0 to total; when all are kept, only those up to the mark are
  // ranked.
  const double mark = draw() * total;
  double sum = 0;
  for (TokenId id : kept) {
    sum += p(static_cast<std::size_t>(id));
    if (mark < sum) return id;
  }
  if (!kept.empty()) return kept.back();  // rounding left the mark at the very end
  TokenId id = ranking.next();
  for (sum = p(static_cast<std::size_t>(id)); sum <= mark && ranking.left() > 0;) {
    id = ranking.next();
    sum += p(static_cast<std::size_t>(id));
  }
  return id;
}

Draw Sampler::explain(const Vector& logits) {
  Draw draw;
  if (options_.temperature == 0) {
    draw.p = softmax(logits);
    draw.ranked = top_ids(logits, logits.size());
    draw.after_top_k = draw.kept = 1;
    draw.total = draw.p(static_cast<std::size_t>(draw.ranked.front()));
    return draw;
  }
  draw.p = probabilities(logits);
  draw.ranked = top_ids(draw.p, draw.p.size());
  draw.after_top_k = most(draw.p.size());
  const auto p = [&](std::size_t place) {
    return static_cast<double>(draw.p(static_cast<std::size_t>(draw.ranked[place])));
  };
  if (keeps_all()) {
    draw.kept = draw.p.size();
    draw.total = sum_of(draw.p);
  } else {
    while (draw.kept < draw.after_top_k && wants_more(draw.kept, draw.total)) draw.total += p(draw.kept++);
  }
  draw.u = this->draw();
  const double mark = draw.u * draw.total;
  for (double sum = p(0); sum <= mark && draw.chosen + 1 < draw.kept;) sum += p(++draw.chosen);
  return draw;
}

SoftmaxSteps softmax_steps(const Vector& x, double temperature) {
  if (!(temperature > 0) || !std::isfinite(temperature)) {
    fail("bad_argument", {"temperature: expected a number above 0, got ", decimal_text(temperature)});
  }
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  SoftmaxSteps steps;
  steps.divided = steps.exp = steps.shifted_exp = Vector::from_shape({x.size()});
  steps.largest = -infinity;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x(i) < infinity)) {
      fail("bad_argument", {"score ", i, ": expected a number below infinity, got ", decimal_text(x(i))});
    }
    steps.divided(i) = static_cast<Real>(static_cast<double>(x(i)) / temperature);
    steps.largest = std::max(steps.largest, steps.divided(i));
  }
  if (steps.largest == -infinity) fail("bad_argument", {"expected at least one score above minus infinity"});
  if (steps.largest == infinity) fail("bad_argument", {"a score divided by the temperature is too large"});
  for (std::size_t i = 0; i < x.size(); ++i) {
    steps.exp(i) = simd::exp(steps.divided(i));
    steps.shifted_exp(i) = simd::exp(steps.divided(i) - steps.largest);
    steps.sum += steps.exp(i);
    steps.shifted_sum += steps.shifted_exp(i);
  }
  steps.shares = softmax(steps.divided);
  return steps;
}

std::vector<TokenId> top_ids(const Vector& values, std::size_t n) {
  Ranking ranking(values);
  std::vector<TokenId> ids(std::min(n, values.size()));
  for (TokenId& id : ids) id = ranking.next();
  return ids;
}

}  // namespace glassbox
