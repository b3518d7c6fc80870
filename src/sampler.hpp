#pragma once
// Choosing the next token from its logits.

#include <cstdint>
#include <random>
#include <vector>

#include "tensor.hpp"
#include "token.hpp"

namespace glassbox {

struct SamplerOptions {
  double temperature = 0;  ///< divides the logits; 0 takes the likeliest token
  std::size_t top_k = 0;   ///< keep the k likeliest; 0 keeps all
  double top_p =
      1;  ///< keep the fewest tokens whose probabilities reach top_p (nucleus sampling); 1 keeps all
  std::uint64_t seed = 0;  ///< the same seed draws the same tokens, in every build
};

/// A draw with its stages open. The tokens that stay in it are the first `kept` of `ranked`.
struct Draw {
  Vector p;  ///< (V) after the temperature, over the whole vocabulary; as they are at temperature 0
  std::vector<TokenId> ranked;  ///< (V) all ids, the likeliest first, ties by id
  std::size_t after_top_k = 0;  ///< how many of them top-k keeps
  std::size_t kept = 0;         ///< how many of those top-p keeps
  double total = 0;             ///< the sum of the probabilities that are kept
  double u =
      0;  ///< the number drawn from [0, 1); it falls at u · total on the kept probabilities laid end to end
  std::size_t chosen = 0;  ///< place of the drawn token in `ranked`
};

/// Draws tokens. Probabilities are always those of the whole vocabulary after the temperature; top-k and
/// top-p only decide which tokens stay in the draw, and what stays is drawn in proportion (Holtzman et al.
/// 2020).
class Sampler {
 public:
  /// Throws Error `bad_argument` for a temperature that is negative or not finite, or a top_p outside (0, 1].
  explicit Sampler(const SamplerOptions& options);

  /// logits (V) → the next token. Ties go to the lower id.
  TokenId sample(const Vector& logits);

  /// The same choice to the bit, with everything that led to it. At temperature 0 nothing is drawn.
  Draw explain(const Vector& logits);

  /// Draws `draws` numbers and throws them away: what as many calls of sample would have used.
  void skip(std::uint64_t draws);

 private:
  /// logits (V) → probabilities (V) after the temperature, which is not 0.
  Vector probabilities(const Vector& logits) const;

  /// How many of the likeliest tokens top-k keeps, of V.
  std::size_t most(std::size_t V) const;

  /// Whether every token stays in the draw.
  bool keeps_all() const { return options_.top_k == 0 && options_.top_p >= 1; }

  /// Whether top-p wants one more than `count` tokens that sum to `total`.
  bool wants_more(std::size_t count, double total) const {
    return count == 0 || total < options_.top_p || options_.top_p >= 1;
  }

  /// The next number in [0, 1), a multiple of 2^-53.
  double draw();

  SamplerOptions options_;
  std::mt19937_64 generator_;  // its sequence is fixed by the C++ standard
};

/// Softmax with every step open: as written, where exp may overflow to ∞, and with the largest subtracted
/// first, as it is computed.
struct SoftmaxSteps {
  Vector divided;      ///< (n) x / temperature
  Vector exp;          ///< (n) exp(divided)
  Real sum = 0;        ///< of exp
  Real largest = 0;    ///< of divided
  Vector shifted_exp;  ///< (n) exp(divided − largest)
  Real shifted_sum = 0;
  Vector shares;  ///< (n) shifted_exp / shifted_sum
};

/// x (n); −∞ gets the share 0. Throws Error `bad_argument` for no numbers, for NaN or +∞, when all are −∞,
/// and for a temperature that is not above 0.
SoftmaxSteps softmax_steps(const Vector& x, double temperature = 1);

/// Ids of the n largest values, largest first; ties to the lower id. All when n is larger than V.
std::vector<TokenId> top_ids(const Vector& values, std::size_t n);

}  // namespace glassbox
