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

/// Draws tokens. Probabilities are always those of the whole vocabulary after the temperature; top-k and
/// top-p only decide which tokens stay in the draw, and what stays is drawn in proportion (Holtzman et al.
/// 2020).
class Sampler {
 public:
  /// Throws Error `bad_argument` for a temperature that is negative or not finite, or a top_p outside (0, 1].
  explicit Sampler(const SamplerOptions& options);

  /// logits (V) → the next token. Ties go to the lower id.
  TokenId sample(const Vector& logits);

 private:
  /// The next number in [0, 1), a multiple of 2^-53.
  double draw();

  SamplerOptions options_;
  std::mt19937_64 generator_;  // its sequence is fixed by the C++ standard
};

/// Ids of the n largest values, largest first; ties to the lower id. All when n is larger than V.
std::vector<TokenId> top_ids(const Vector& values, std::size_t n);

}  // namespace glassbox
