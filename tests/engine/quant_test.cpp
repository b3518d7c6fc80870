#include "quant.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "errors.hpp"
#include "random.hpp"

using namespace glassbox;
using test::error_of;

namespace {

Matrix matrix_of(std::size_t rows, std::size_t columns, const std::vector<Real>& values) {
  Matrix matrix = Matrix::from_shape({rows, columns});
  for (std::size_t i = 0; i < values.size(); ++i) matrix.data()[i] = values[i];
  return matrix;
}

std::string quantize_error(const Matrix& weights) {
  return error_of([&] { quantize(weights, Channels::rows); });
}

}  // namespace

TEST_CASE("a matrix quantized by hand", "[quant]") {
  const Matrix weights = matrix_of(2, 3, {254, -127, 1, 0.5, 0, 63.5});
  const QuantizedMatrix rows = quantize(weights, Channels::rows);
  CHECK(rows.rows == 2);
  CHECK(rows.columns == 3);
  CHECK(rows.scales == std::vector<float>{2, 0.5});
  CHECK(rows.values == std::vector<std::int8_t>{127, -64, 0, 1, 0, 127});  // −63.5 and 0.5 go to even numbers
  const QuantizedMatrix columns = quantize(weights, Channels::columns);
  CHECK(columns.scales == std::vector<float>{2, 1, 0.5});
  CHECK(columns.values == std::vector<std::int8_t>{127, -127, 2, 0, 0, 127});
  CHECK((dequantize(rows) == matrix_of(2, 3, {254, -128, 0, 0.5, 0, 63.5})));
  CHECK((dequantize(columns) == matrix_of(2, 3, {254, -127, 1, 0, 0, 63.5})));
}

TEST_CASE("halves are rounded to the even number", "[quant]") {
  const Matrix weights = matrix_of(1, 7, {127, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5});
  CHECK(quantize(weights, Channels::rows).values == std::vector<std::int8_t>{127, 0, 2, 2, 0, -2, -2});
}

TEST_CASE("the error is at most half a scale, whatever the size of the weights", "[quant]") {
  for (const double spread : {1e-44, 1e-40, 1e-37, 1e-9, 0.02, 1.0, 1e30, 1e38}) {
    for (const Channels channels : {Channels::rows, Channels::columns}) {
      CAPTURE(spread);
      Matrix weights = test::random_matrix(9, 14, 5, spread);
      for (std::size_t c = 0; c < 14; ++c) weights(3, c) = 0;
      for (std::size_t r = 0; r < 9; ++r) weights(r, 6) = 0;
      // As floats, which is all that a file holds.
      for (Real& w : weights) w = static_cast<Real>(static_cast<float>(w));
      const QuantizedMatrix quantized = quantize(weights, channels);
      const Matrix again = dequantize(quantized);
      for (std::size_t r = 0; r < 9; ++r) {
        for (std::size_t c = 0; c < 14; ++c) {
          const double scale = static_cast<double>(quantized.scales[channels == Channels::rows ? r : c]);
          const double w = static_cast<double>(weights(r, c));
          REQUIRE(std::abs(w - static_cast<double>(again(r, c))) <= scale / 2 + std::abs(w) * 0x1p-23);
          REQUIRE(std::abs(quantized.values[r * 14 + c]) <= 127);
        }
      }
      CHECK(quantized.scales[channels == Channels::rows ? 3 : 6] == 0);
    }
  }
}

TEST_CASE("the largest weight of a channel is ±127", "[quant]") {
  const Matrix weights = test::random_matrix(20, 31, 6);
  const QuantizedMatrix quantized = quantize(weights, Channels::rows);
  for (std::size_t r = 0; r < 20; ++r) {
    int largest = 0;
    for (std::size_t c = 0; c < 31; ++c)
      largest = std::max(largest, std::abs(int{quantized.values[r * 31 + c]}));
    CHECK(largest == 127);
  }
}

TEST_CASE("weights that are no finite floats are refused", "[quant]") {
  CHECK(quantize_error(matrix_of(1, 2, {1, 2})) == "none");
  const Real infinity = std::numeric_limits<Real>::infinity();
  for (const Real bad : {infinity, -infinity, std::numeric_limits<Real>::quiet_NaN()}) {
    CHECK(quantize_error(matrix_of(2, 2, {1, 2, bad, 3})).substr(0, 47) ==
          "bad_argument: quantize: expected finite weights");
  }
}

TEST_CASE("empty matrices, and parts that don't fit", "[quant]") {
  const QuantizedMatrix none = quantize(Matrix::from_shape({0, 4}), Channels::rows);
  CHECK(none.values.empty());
  CHECK(none.scales.empty());
  CHECK(dequantize(none).size() == 0);
  QuantizedMatrix quantized = quantize(matrix_of(2, 2, {1, 2, 3, 4}), Channels::rows);
  quantized.scales.pop_back();
  CHECK_THROWS_AS(dequantize(quantized), Error);
  quantized.scales.push_back(1);
  quantized.values.pop_back();
  CHECK_THROWS_AS(dequantize(quantized), Error);
}
