#pragma once
// Random numbers whose sequence is the same in every build and whose whole state is one number.

#include <cstddef>
#include <cstdint>

namespace glassbox {

/// Splitmix64 (Steele, Lea and Flood 2014): 64 bits of state, every seed is good.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// What continues the sequence: Random(r.state()) draws what r would draw next.
  std::uint64_t state() const { return state_; }

  std::uint64_t bits();

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform();

  /// Uniform in 0 … n − 1; n must be at least 1. The bias is below n / 2^64.
  std::size_t below(std::size_t n);

  /// Normal with mean 0 and deviation 1, by Box and Muller's transform of two uniform numbers; equal in every
  /// build up to the rounding of its log and cos.
  double normal();

 private:
  std::uint64_t state_;
};

}  // namespace glassbox
