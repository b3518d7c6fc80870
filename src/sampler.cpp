#include "sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops.hpp"

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

}  // namespace

Sampler::Sampler(const SamplerOptions& options) : options_(options), generator_(options.seed) {
  if (!std::isfinite(options.temperature) || options.temperature < 0) {
    throw Error("bad_argument",
                "temperature: expected a number from 0 up, got " + std::to_string(options.temperature));
  }
  if (!(options.top_p > 0 && options.top_p <= 1)) {
    throw Error("bad_argument",
                "top_p: expected more than 0 and at most 1, got " + std::to_string(options.top_p));
  }
}

double Sampler::draw() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }

TokenId Sampler::sample(const Vector& logits) {
  if (options_.temperature == 0) return top_ids(logits, 1).front();

  // The largest is subtracted before dividing, so that a tiny temperature sharpens instead of overflowing.
  const Real largest = *std::max_element(logits.begin(), logits.end());
  Vector tempered = Vector::from_shape({logits.size()});
  for (std::size_t i = 0; i < logits.size(); ++i) {
    tempered(i) = static_cast<Real>((static_cast<double>(logits(i)) - largest) / options_.temperature);
  }
  const Vector p = softmax(tempered);

  Ranking ranking(p);
  std::vector<TokenId> kept;
  double total = 0;
  if (options_.top_k == 0 && options_.top_p >= 1) {
    for (Real share : p) total += share;
  } else {
    const std::size_t most = options_.top_k == 0 ? p.size() : std::min(options_.top_k, p.size());
    while (kept.size() < most && (kept.empty() || total < options_.top_p || options_.top_p >= 1)) {
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

std::vector<TokenId> top_ids(const Vector& values, std::size_t n) {
  Ranking ranking(values);
  std::vector<TokenId> ids(std::min(n, values.size()));
  for (TokenId& id : ids) id = ranking.next();
  return ids;
}

}  // namespace glassbox
