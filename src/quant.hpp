#pragma once
// Weight matrices in int8 with one scale for each output channel: w ≈ value · scale.

#include <cstdint>
#include <vector>

#include "tensor.hpp"

namespace glassbox {

/// Which way a matrix's output channels lie: rows in an embedding or output head (V, C), columns in a Conv1D
/// weight (in, out).
enum class Channels { rows, columns };

struct QuantizedMatrix {
  std::size_t rows = 0, columns = 0;
  Channels channels = Channels::rows;
  std::vector<std::int8_t> values;  ///< (rows, columns), −127 to 127
  std::vector<float> scales;        ///< (rows) or (columns); 0 where all of a channel is 0
};

/// Symmetric quantization: a channel's scale is its largest magnitude / 127, and a value is the weight
/// divided by that, rounded half to even. The error is at most scale / 2 (and the rounding of w itself, 2^-24
/// |w|). Throws Error `bad_argument` for a weight that is not a finite float.
QuantizedMatrix quantize(const Matrix& weights, Channels channels);

/// The weights again, (rows, columns). Throws Error `bad_shape` when values or scales don't fit the sizes.
Matrix dequantize(const QuantizedMatrix& quantized);

/// Multiplies each channel of `values` (rows, columns) by its scale, in place. Throws Error `bad_shape`.
void apply_scales(Matrix& values, const Vector& scales, Channels channels);

}  // namespace glassbox
