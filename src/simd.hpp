#pragma once
// Eight numbers at a time, over the compilers' vector extensions: one AVX register natively, two v128 in
// wasm, plain scalars where the target has neither. Every build computes the same bits: the order of every
// sum is written out, contraction to fused multiply-add is off, and exp and tanh are our own (those of two C
// libraries differ).

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tensor.hpp"

namespace glassbox::simd {

inline constexpr std::size_t LANES = 8;

#ifdef GLASSBOX_DOUBLE
typedef double Lanes __attribute__((vector_size(64)));
typedef std::int64_t IntLanes __attribute__((vector_size(64)));
#else
typedef float Lanes __attribute__((vector_size(32)));
typedef std::int32_t IntLanes __attribute__((vector_size(32)));
#endif

/// The shape of a matrix product's inner tile: as many accumulators as the registers hold. It changes speed,
/// not results.
#ifdef __AVX__
inline constexpr std::size_t TILE_ROWS = 4, TILE_PANELS = 2;
#else
inline constexpr std::size_t TILE_ROWS = 4, TILE_PANELS = 1;
#endif
/// Panels side by side when there is one row only, to hide the latency of additions.
inline constexpr std::size_t VECTOR_PANELS = 4;

/// n rounded up to whole lanes.
inline constexpr std::size_t padded(std::size_t n) { return (n + LANES - 1) / LANES * LANES; }

inline Lanes splat(Real x) { return Lanes{x, x, x, x, x, x, x, x}; }

/// Reads 8 numbers; the address need not be aligned.
inline Lanes load(const Real* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

/// Reads the first `count` (at most 8) numbers; the others are 0.
inline Lanes load_some(const Real* from, std::size_t count) {
  Lanes lanes = splat(0);
  std::memcpy(&lanes, from, count * sizeof(Real));
  return lanes;
}

inline void store(Real* to, Lanes lanes) { std::memcpy(to, &lanes, sizeof lanes); }

/// Writes the first `count` (at most 8) numbers.
inline void store_some(Real* to, Lanes lanes, std::size_t count) {
  std::memcpy(to, &lanes, count * sizeof(Real));
}

/// The sum of the 8 numbers, in one fixed order.
inline Real sum(Lanes x) { return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7])); }

/// Turns 8 rows of 8 numbers into their 8 columns.
inline void transpose(Lanes (&rows)[LANES]) {
  Lanes pairs[LANES], fours[LANES];
  for (std::size_t i = 0; i < LANES; i += 2) {
    pairs[i] = __builtin_shufflevector(rows[i], rows[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (std::size_t i = 0; i < LANES; i += 4) {
    for (std::size_t k = 0; k < 2; ++k) {
      const Lanes first = pairs[i + k], second = pairs[i + 2 + k];
      fours[i + 2 * k] = __builtin_shufflevector(first, second, 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + 2 * k + 1] = __builtin_shufflevector(first, second, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    rows[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    rows[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

inline Lanes max(Lanes a, Lanes b) { return a > b ? a : b; }

inline Real max(Lanes x) {
  Real largest = x[0];
  for (std::size_t i = 1; i < LANES; ++i) largest = x[i] > largest ? x[i] : largest;
  return largest;
}

#ifdef GLASSBOX_DOUBLE

inline Lanes exp(Lanes x) {
  for (std::size_t i = 0; i < LANES; ++i) x[i] = std::exp(x[i]);
  return x;
}

inline Lanes tanh(Lanes x) {
  for (std::size_t i = 0; i < LANES; ++i) x[i] = std::tanh(x[i]);
  return x;
}

#else

/// e^x to about 1 unit in the last place; 0 below −87.3 (−∞ too), ∞ above 88.7, NaN for NaN.
/// Splits x = n·ln 2 + r and evaluates a polynomial in r; coefficients of the Cephes library (Moshier).
inline Lanes exp(Lanes x) {
  const Lanes highest = splat(88.72283905f), lowest = splat(-87.33654475f);
  const Lanes inside = x > highest ? highest : (x < lowest ? lowest : x);
  // Adding 1.5·2^23 rounds to an integer and leaves it in the low bits of the sum.
  const Lanes round = splat(12582912.0f);
  const Lanes rounded = inside * splat(1.44269504088896341f) + round;
  const Lanes n = rounded - round;
  const Lanes r = (inside - n * splat(0.693359375f)) - n * splat(-2.12194440e-4f);
  Lanes p = splat(1.9875691500e-4f);
  p = p * r + splat(1.3981999507e-3f);
  p = p * r + splat(8.3334519073e-3f);
  p = p * r + splat(4.1665795894e-2f);
  p = p * r + splat(1.6666665459e-1f);
  p = p * r + splat(5.0000001201e-1f);
  p = p * r * r + r + splat(1.0f);
  IntLanes power, bias;
  std::memcpy(&power, &rounded, sizeof power);
  std::memcpy(&bias, &round, sizeof bias);
  power -= bias;
  // 2^128 is no float, so 2^n is applied as two factors.
  const IntLanes half = power >> 1, rest = power - half;
  const IntLanes half_bits = (half + 127) << 23, rest_bits = (rest + 127) << 23;
  Lanes half_scale, rest_scale;
  std::memcpy(&half_scale, &half_bits, sizeof half_scale);
  std::memcpy(&rest_scale, &rest_bits, sizeof rest_scale);
  const Lanes y = p * half_scale * rest_scale;
  const Lanes infinite = splat(std::numeric_limits<float>::infinity());
  return x > highest ? infinite : (x < lowest ? splat(0.0f) : y);
}

/// tanh x to about 2 units in the last place; coefficients of the Cephes library (Moshier).
inline Lanes tanh(Lanes x) {
  const Lanes size = x < splat(0.0f) ? -x : x;
  const Lanes e = exp(size + size);
  const Lanes far = splat(1.0f) - splat(2.0f) / (e + splat(1.0f));
  const Lanes square = x * x;
  Lanes p = splat(-5.70498872745e-3f);
  p = p * square + splat(2.06390887954e-2f);
  p = p * square + splat(-5.37397155531e-2f);
  p = p * square + splat(1.33314422036e-1f);
  p = p * square + splat(-3.33332819422e-1f);
  const Lanes near = p * square * x + x;
  return size < splat(0.625f) ? near : (x < splat(0.0f) ? -far : far);
}

#endif

inline Real exp(Real x) { return exp(splat(x))[0]; }
inline Real tanh(Real x) { return tanh(splat(x))[0]; }

}  // namespace glassbox::simd
