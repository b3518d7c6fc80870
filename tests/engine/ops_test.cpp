// Packed products against the textbook loop in double, for sizes around every tile edge; layer norm, GELU and
// softmax against published or exactly computed values.
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "ops.hpp"
#include "random.hpp"

using namespace glassbox;
using test::random_matrix;
using test::random_vector;

TEST_CASE("packed products equal the textbook loop at every tile edge") {
  for (std::size_t T : {1, 2, 3, 4, 5, 7, 8, 64, 67}) {
    for (std::size_t K : {1, 3, 8, 33}) {
      for (std::size_t N : {1, 7, 8, 9, 16, 31, 40, 65}) {
        const Matrix x = random_matrix(T, K, 1), w = random_matrix(K, N, 2);
        const Vector bias = random_vector(N, 3);
        Matrix transposed = Matrix::from_shape({N, K});
        for (std::size_t k = 0; k < K; ++k) {
          for (std::size_t n = 0; n < N; ++n) transposed(n, k) = w(k, n);
        }
        const Matrix out = matmul(x, PackedMatrix::from_columns(w), bias);
        const Matrix same = matmul(x, PackedMatrix::from_rows(transposed), bias);
        double worst = 0;
        for (std::size_t t = 0; t < T; ++t) {
          for (std::size_t n = 0; n < N; ++n) {
            double exact = bias(n), size = std::abs(exact);
            for (std::size_t k = 0; k < K; ++k) {
              exact += static_cast<double>(x(t, k)) * w(k, n);
              size += std::abs(static_cast<double>(x(t, k)) * w(k, n));
            }
            worst = std::max(worst, std::abs(out(t, n) - exact) / size);
            if (out(t, n) != same(t, n))
              FAIL("rows and columns pack differently at " << T << ", " << K << ", " << N);
          }
        }
        if (!(worst < 1e-6)) FAIL("T " << T << ", K " << K << ", N " << N << ": off by " << worst);
      }
    }
  }
}

TEST_CASE("a row alone gives the bits of the row among others") {
  const Matrix x = random_matrix(9, 50, 4), w = random_matrix(50, 43, 5);
  const PackedMatrix packed = PackedMatrix::from_columns(w);
  const Matrix all = matmul(x, packed);
  for (std::size_t t = 0; t < 9; ++t) {
    const Matrix alone = matmul(rows(x, t, t + 1), packed);
    for (std::size_t n = 0; n < 43; ++n) REQUIRE(alone(0, n) == all(t, n));
  }
}

TEST_CASE("a packed matrix gives its columns back") {
  const Matrix table = random_matrix(11, 6, 6);
  const PackedMatrix packed = PackedMatrix::from_rows(table);
  std::vector<Real> row(6);
  for (std::size_t n = 0; n < 11; ++n) {
    packed.copy_column(n, row.data());
    for (std::size_t k = 0; k < 6; ++k) REQUIRE(row[k] == table(n, k));
  }
}

TEST_CASE("products refuse shapes that don't fit") {
  const PackedMatrix packed = PackedMatrix::from_columns(random_matrix(4, 5, 1));
  CHECK_THROWS_AS(matmul(random_matrix(2, 3, 1), packed), Error);
  CHECK_THROWS_AS(matmul(random_matrix(2, 4, 1), packed, random_vector(4, 1)), Error);
  CHECK_THROWS_AS(add(random_matrix(2, 3, 1), random_matrix(3, 2, 1)), Error);
}

TEST_CASE("layer norm equals its definition in double, also for widths that fill no lanes") {
  for (std::size_t C : {1, 5, 8, 13, 128}) {
    const Matrix x = random_matrix(3, C, 7, 2);
    const Vector weight = random_vector(C, 8), bias = random_vector(C, 9);
    for (double epsilon : {1e-5, 1e-2}) {
      const Matrix out = layer_norm(x, weight, bias, static_cast<Real>(epsilon));
      for (std::size_t t = 0; t < 3; ++t) {
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < C; ++c) mean += x(t, c) / static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c)
          variance += (x(t, c) - mean) * (x(t, c) - mean) / static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c) {
          const double exact = (x(t, c) - mean) / std::sqrt(variance + epsilon) * weight(c) + bias(c);
          REQUIRE(out(t, c) == Approx(exact).margin(2e-6));
        }
      }
    }
  }
}

TEST_CASE("GELU is the tanh form, not the one with erf") {
  // Against the definition in double, with the C library's tanh.
  Matrix x = {{-3, -1, -0.5, 0, 0.5, 1, 2, 3, 10}};
  const Matrix y = gelu(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = x(0, i);
    const double exact =
        0.5 * v * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (v + 0.044715 * v * v * v)));
    CHECK(y(0, i) == Approx(exact).margin(3e-7));
  }
  const double with_erf = 0.5 * 2 * (1 + std::erf(2 / std::sqrt(2.0)));
  CHECK(std::abs(y(0, 6) - with_erf) > 5e-5);
}

TEST_CASE("softmax by hand: the three words of lesson 4") {
  // 「从零开始理解大模型」第四篇: 0.6, 0.2, 0.7 → 0.36, 0.24, 0.40.
  const Vector p = softmax({Real(0.6), Real(0.2), Real(0.7)});
  const double sum = std::exp(0.6) + std::exp(0.2) + std::exp(0.7);
  CHECK(sum == Approx(5.06).margin(0.005));
  CHECK(p(0) == Approx(std::exp(0.6) / sum));
  CHECK(p(1) == Approx(std::exp(0.2) / sum));
  CHECK(p(2) == Approx(std::exp(0.7) / sum));
}

TEST_CASE("softmax sums to 1, does not overflow, and gives exactly 0 to minus infinity") {
  const Real infinity = std::numeric_limits<Real>::infinity();
  const Vector p = softmax({1000, 999, -infinity, -1000});
  CHECK(p(0) + p(1) == Approx(1));
  CHECK(p(2) == 0);
  CHECK(p(3) == 0);
  const Vector many = softmax(random_vector(1003, 5, 4));
  double total = 0;
  for (Real share : many) total += share;
  CHECK(total == Approx(1).margin(1e-5));
}
