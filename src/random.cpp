#include "random.hpp"

#include <cmath>

namespace glassbox {

std::uint64_t Random::bits() {
  state_ += 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio
  std::uint64_t x = state_;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

std::size_t Random::below(std::size_t n) { return static_cast<std::size_t>(bits() % n); }

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));  // 1 − uniform is never 0
  return radius * std::cos(6.283185307179586 * uniform());
}

}  // namespace glassbox
