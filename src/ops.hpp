#pragma once
// The operations that a GPT-2 is made of, on packed weights.

#include <cstddef>
#include <vector>

#include "tensor.hpp"

namespace glassbox {

/// Columns of a matrix W (K, N) in panels of 8: panel j holds columns 8j…8j+7 as K rows of 8 numbers. One
/// layout serves products with one row (decoding) and with many (prefill); both are bound by how fast panels
/// stream in.
struct Panels {
  const Real* data;    ///< first panel
  std::size_t stride;  ///< numbers from one panel to the next, at least 8K
  std::size_t K, N;    ///< rows and columns of W; the last panel's columns past N are read but not used
};

/// out (T, N) = x (T, K) · W (K, N), plus bias (N) unless it is null. Rows of x and out are `x_stride` and
/// `out_stride` numbers apart. Each element of out is summed over k in ascending order, whatever T is, so
/// that a row computed alone equals the same row computed among others to the bit.
void multiply(const Real* x, std::size_t x_stride, std::size_t T, const Panels& w, const Real* bias,
              Real* out, std::size_t out_stride);

/// A weight matrix W (K, N), packed once when the model is loaded.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  /// From a Conv1D weight, stored (in, out) = (K, N).
  static PackedMatrix from_columns(const Matrix& weight);
  /// From an embedding or an output head, stored (out, in) = (N, K).
  static PackedMatrix from_rows(const Matrix& weight);

  std::size_t K() const { return K_; }
  std::size_t N() const { return N_; }
  Panels panels() const { return {data_.data(), K_ * 8, K_, N_}; }
  /// Copies column n of W, which is row n of the matrix given to from_rows, to out (K).
  void copy_column(std::size_t n, Real* out) const;

 private:
  std::size_t K_ = 0, N_ = 0;
  std::vector<Real> data_;
};

/// x (T, K) · W (K, N) + bias (N) → (T, N). Throws Error `bad_shape`.
Matrix matmul(const Matrix& x, const PackedMatrix& w, const Vector& bias);

/// x (T, K) · W (K, N) → (T, N). Throws Error `bad_shape`.
Matrix matmul(const Matrix& x, const PackedMatrix& w);

/// Layer normalisation of each row: (x − mean) / √(variance + epsilon) · weight + bias, the variance divided
/// by C (Ba, Kiros & Hinton 2016). x (T, C) → (T, C). Throws Error `bad_shape`.
Matrix layer_norm(const Matrix& x, const Vector& weight, const Vector& bias, Real epsilon);

/// GELU in the tanh form that GPT-2 uses, element by element: x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))
/// (Hendrycks & Gimpel 2016). x (T, F) → (T, F).
Matrix gelu(const Matrix& x);

/// Replaces n numbers by their softmax: exp(x − max) / sum. −∞ becomes exactly 0. `row` must have room for
/// padded(n) numbers; those past n become 0.
void softmax_row(Real* row, std::size_t n);

/// Softmax of a whole vector (n) → (n).
Vector softmax(const Vector& x);

/// a (T, C) + b (T, C) → (T, C). Throws Error `bad_shape`.
Matrix add(const Matrix& a, const Matrix& b);

/// Copies rows first…last − 1 of x (T, C) → (last − first, C).
Matrix rows(const Matrix& x, std::size_t first, std::size_t last);

}  // namespace glassbox
