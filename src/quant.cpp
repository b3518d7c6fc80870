#include "quant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "error.hpp"

namespace glassbox {

namespace {

constexpr float largest_value = 127;

std::size_t channel_count(std::size_t rows, std::size_t columns, Channels channels) {
  return channels == Channels::rows ? rows : columns;
}

}  // namespace

QuantizedMatrix quantize(const Matrix& weights, Channels channels) {
  QuantizedMatrix quantized;
  const std::size_t rows = weights.shape()[0], columns = weights.shape()[1];
  quantized.rows = rows;
  quantized.columns = columns;
  quantized.channels = channels;
  quantized.values.resize(rows * columns);
  quantized.scales.resize(channel_count(rows, columns, channels));
  const auto each = [&](const auto& visit) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) visit(r * columns + c, channels == Channels::rows ? r : c);
    }
  };

  each([&](std::size_t i, std::size_t channel) {
    const float magnitude = std::abs(static_cast<float>(weights.data()[i]));
    if (!std::isfinite(magnitude)) {
      fail("bad_argument", {"quantize: expected finite weights, got ", std::isnan(magnitude) ? "nan" : "inf",
                            " in channel ", channel});
    }
    quantized.scales[channel] = std::max(quantized.scales[channel], magnitude);
  });
  for (float& scale : quantized.scales) {
    // A scale below the normal floats would have too few bits to divide by.
    if (scale > 0) scale = std::max(scale / largest_value, std::numeric_limits<float>::min());
  }
  each([&](std::size_t i, std::size_t channel) {
    const double scale = static_cast<double>(quantized.scales[channel]);
    const double quotient = scale > 0 ? static_cast<double>(weights.data()[i]) / scale : 0;
    quantized.values[i] = static_cast<std::int8_t>(std::nearbyint(quotient));  // half to even
  });
  return quantized;
}

void apply_scales(Matrix& values, const Vector& scales, Channels channels) {
  const std::size_t rows = values.shape()[0], columns = values.shape()[1];
  expect_shape("scales", scales, {channel_count(rows, columns, channels)});
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) values(r, c) *= scales(channels == Channels::rows ? r : c);
  }
}

Matrix dequantize(const QuantizedMatrix& quantized) {
  const std::size_t size = quantized.rows * quantized.columns;
  if (quantized.values.size() != size) {
    fail("bad_shape", {"values: expected ", size, ", got ", quantized.values.size()});
  }
  Matrix weights = Matrix::from_shape({quantized.rows, quantized.columns});
  std::copy(quantized.values.begin(), quantized.values.end(), weights.begin());
  Vector scales = Vector::from_shape({quantized.scales.size()});
  std::copy(quantized.scales.begin(), quantized.scales.end(), scales.begin());
  apply_scales(weights, scales, quantized.channels);
  return weights;
}

}  // namespace glassbox
