// Our own exp and tanh against the C library's in double precision, and their edges.
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "simd.hpp"

using glassbox::Real;
namespace simd = glassbox::simd;

namespace {

constexpr double epsilon = std::numeric_limits<Real>::epsilon();

}  // namespace

TEST_CASE("exp agrees with the exact value to about one unit in the last place") {
  double worst = 0;
  for (double x = -87; x < 88; x += 0.0137) {
    const Real argument = static_cast<Real>(x);
    const double exact = std::exp(static_cast<double>(argument));
    worst = std::max(worst, std::abs(simd::exp(argument) - exact) / exact);
  }
  CHECK(worst < 1.5 * epsilon);
}

TEST_CASE("exp at its edges") {
  const Real infinity = std::numeric_limits<Real>::infinity();
  CHECK(simd::exp(Real(0)) == 1);
  CHECK(simd::exp(-infinity) == 0);
  CHECK(simd::exp(infinity) == infinity);
  CHECK(simd::exp(Real(-800)) == 0);
  CHECK(simd::exp(Real(800)) == infinity);
  CHECK(std::isfinite(simd::exp(Real(88.7))));
  CHECK(std::isnan(simd::exp(std::numeric_limits<Real>::quiet_NaN())));
}

TEST_CASE("tanh agrees with the exact value, is odd, and saturates") {
  double worst = 0;
  for (double x = 1e-6; x < 12; x *= 1.003) {
    const Real argument = static_cast<Real>(x);
    const double exact = std::tanh(static_cast<double>(argument));
    worst = std::max(worst, std::abs(simd::tanh(argument) - exact) / exact);
    CHECK(simd::tanh(-argument) == -simd::tanh(argument));
  }
  CHECK(worst < 3 * epsilon);
  CHECK(simd::tanh(Real(0)) == 0);
  CHECK(simd::tanh(Real(100)) == 1);
  CHECK(simd::tanh(Real(-100)) == -1);
  CHECK(std::isnan(simd::tanh(std::numeric_limits<Real>::quiet_NaN())));
}

TEST_CASE("sums and maxima take all lanes") {
  const simd::Lanes lanes = {1, 2, 4, 8, 16, 32, 64, 128};
  CHECK(simd::sum(lanes) == 255);
  CHECK(simd::max(lanes) == 128);
  Real out[9] = {0, 0, 0, 0, 0, 0, 0, 0, 7};
  simd::store_some(out, lanes, 3);
  CHECK(out[2] == 4);
  CHECK(out[3] == 0);
  CHECK(simd::padded(0) == 0);
  CHECK(simd::padded(8) == 8);
  CHECK(simd::padded(9) == 16);
}
