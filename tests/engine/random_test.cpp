// The generator: its known sequence, its state, and its distributions.
#include <cmath>
#include <vector>

#include "../../src/random.hpp"  // a helper of the tests has the same name
#include "catch.hpp"

using glassbox::Random;

TEST_CASE("splitmix64 gives its published sequence") {
  Random random(1234567);
  // Reference values of Vigna's splitmix64.c for this seed, as Rosetta Code lists them.
  CHECK(random.bits() == 6457827717110365317u);
  CHECK(random.bits() == 3203168211198807973u);
  CHECK(random.bits() == 9817491932198370423u);
  CHECK(random.bits() == 4593380528125082431u);
  CHECK(random.bits() == 16408922859458223821u);
}

TEST_CASE("the state continues the sequence, amid normal numbers too") {
  Random random(7);
  for (int i = 0; i < 5; ++i) random.normal();
  Random later(random.state());
  for (int i = 0; i < 20; ++i) {
    CHECK(random.normal() == later.normal());
    CHECK(random.below(10) == later.below(10));
  }
}

TEST_CASE("numbers are spread as promised") {
  Random random(3);
  constexpr int count = 100000;
  double sum = 0, squares = 0, uniform = 0;
  std::vector<int> hits(7);
  int beyond = 0, outside = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random.normal(), u = random.uniform();
    outside += !std::isfinite(x) || u < 0 || u >= 1;
    sum += x;
    squares += x * x;
    uniform += u;
    beyond += std::abs(x) > 1.959964;
    ++hits[random.below(7)];
  }
  CHECK(outside == 0);
  // Five standard errors each.
  CHECK(sum / count == Approx(0).margin(5 / std::sqrt(count)));
  CHECK(squares / count == Approx(1).margin(5 * std::sqrt(2.0 / count)));
  CHECK(uniform / count == Approx(0.5).margin(5 / std::sqrt(12.0 * count)));
  CHECK(beyond == Approx(0.05 * count).margin(5 * std::sqrt(0.05 * 0.95 * count)));
  for (int hit : hits) CHECK(hit == Approx(count / 7.0).margin(5 * std::sqrt(count / 7.0)));
}
