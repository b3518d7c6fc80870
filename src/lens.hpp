#pragma once
// Mathematics about a model rather than in it: the guess layer by layer, what its parts do to the guess, and
// why scores are divided by √d.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpt2.hpp"

namespace glassbox {

/// The Kullback–Leibler divergence of q from p, Σ p · ln(p / q), in nats. p, q (V): probabilities. Throws
/// Error `bad_shape`.
double kl_divergence(const Vector& p, const Vector& q);

/// The same from logits p, q (V): finite also where a probability of q is too small for Real. Throws Error
/// `bad_shape`.
double kl_divergence_of_logits(const Vector& p, const Vector& q);

/// The guess of the next token, read off the residual stream after each layer (nostalgebraist 2020,
/// "interpreting GPT: the logit lens").
struct LogitLens {
  std::vector<std::string> names;  ///< (L + 1) of the activations: `h.0.resid_in`, then `h.l.resid_out`
  Matrix logits;                   ///< (L + 1, V)
};

/// Gpt2::read_off applied to the vectors of one position, before the first layer and after each. For the last
/// position the last row is the model's own guess, to the bit. Throws Error `bad_argument` for a position
/// that the text does not have, and what Gpt2::forward throws.
LogitLens logit_lens(const Gpt2& model, std::span<const TokenId> ids, std::size_t position,
                     const Knockouts& out = {});

/// How many values come before that of `id` when sorted from the largest, ties by id: 0 for the largest.
std::size_t rank_of(const Vector& values, TokenId id);

/// What leaving one head out does to the guess of the next token.
struct HeadEffect {
  std::size_t layer, head;
  double kl;     ///< nats, of the guess without the head from the guess with all
  TokenId id;    ///< the likeliest token without the head
  Real p;        ///< its probability
  Real p_first;  ///< the probability that is left to the token that was likeliest with all heads
};

/// Leaves out each head in turn, on top of what `out` already leaves out → L · H effects, the largest
/// divergence first. Throws what Gpt2::forward throws.
std::vector<HeadEffect> knockout_sweep(const Gpt2& model, std::span<const TokenId> ids, const Knockouts& out);

/// What random queries and keys of one width give, with scores divided by √d and without.
struct ScaleExperiment {
  /// One way of scoring.
  struct Side {
    std::vector<Real> scores;  ///< every score, rows · keys of them
    double deviation;          ///< standard deviation of the scores
    double entropy;  ///< of a row's softmax, mean over rows, in nats; ln(keys) when all weights are equal
    double largest_weight;  ///< mean over rows
    double gradient;  ///< Σ over s, u of |∂ weight_s / ∂ score_u|, mean over rows: 0 when the softmax is
                      ///< saturated
  };
  Side raw, scaled;
};

/// Draws `rows` queries and `keys` keys for each, all numbers independent with mean 0 and variance 1 (sums of
/// 12 uniform numbers, which the same seed repeats in every build), and scores them. Throws Error
/// `bad_argument` for d, rows or keys of 0 or a product above 2^24.
ScaleExperiment scale_experiment(std::size_t d, std::size_t rows, std::size_t keys, std::uint64_t seed);

}  // namespace glassbox
