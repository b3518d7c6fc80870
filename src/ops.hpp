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

/// out (T, N) += x (T, K) · W (K, N): as multiply, the sums going on from what `out` holds.
void multiply_add(const Real* x, std::size_t x_stride, std::size_t T, const Panels& w, Real* out,
                  std::size_t out_stride);

/// to (columns, rows) = from (rows, columns) transposed; the rows of both are `…_stride` numbers apart.
void transpose(const Real* from, std::size_t from_stride, std::size_t rows, std::size_t columns, Real* to,
               std::size_t to_stride);

/// A weight matrix W (K, N), packed once when the model is loaded, or after every step of training.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  /// From a Conv1D weight, stored (in, out) = (K, N).
  static PackedMatrix from_columns(const Matrix& weight);
  /// From an embedding or an output head, stored (out, in) = (N, K). From a Conv1D weight this packs Wᵀ,
  /// which its backward needs.
  static PackedMatrix from_rows(const Matrix& weight);
  /// As from_columns and from_rows, into the memory that is there.
  void pack_columns(const Matrix& weight);
  void pack_rows(const Matrix& weight);

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

/// The same into `out`, which is made to fit: training uses its buffers again, step after step.
void matmul(const Matrix& x, const PackedMatrix& w, const Vector& bias, Matrix& out);

/// Buffers of products with a transposed matrix, used again from call to call.
struct TransposeBuffers {
  std::vector<Real> transposed, panels;
};

/// out (A, B) += aᵀ · b for a (T, A) and b (T, B), whose rows are `a_stride` and `b_stride` numbers apart;
/// summed over t in ascending order.
void add_transposed_product(const Real* a, std::size_t a_stride, const Real* b, std::size_t b_stride,
                            std::size_t T, Matrix& out, TransposeBuffers& buffers);

/// The gradient of y = x · W + bias. From dy (T, N): dx (T, K) = dy · Wᵀ, made to fit; dw (K, N) += xᵀ · dy;
/// dbias (N) += the sum of dy's rows. w_transposed is Wᵀ (N, K) packed. Throws Error `bad_shape`.
void matmul_backward(const Matrix& x, const PackedMatrix& w_transposed, const Matrix& dy, Matrix& dx,
                     Matrix& dw, Vector& dbias, TransposeBuffers& buffers);

/// Layer normalisation of each row: (x − mean) / √(variance + epsilon) · weight + bias, the variance divided
/// by C (Ba, Kiros & Hinton 2016). x (T, C) → (T, C). Throws Error `bad_shape`.
Matrix layer_norm(const Matrix& x, const Vector& weight, const Vector& bias, Real epsilon);
void layer_norm(const Matrix& x, const Vector& weight, const Vector& bias, Real epsilon, Matrix& out);

/// The gradient of layer_norm. From dy (T, C): dx (T, C) += dy through the normalisation; dweight, dbias (C)
/// += the sums over rows. Throws Error `bad_shape`.
void layer_norm_backward(const Matrix& x, const Vector& weight, Real epsilon, const Matrix& dy, Matrix& dx,
                         Vector& dweight, Vector& dbias);

/// GELU in the tanh form that GPT-2 uses, element by element: x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))
/// (Hendrycks & Gimpel 2016). x (T, F) → (T, F).
Matrix gelu(const Matrix& x);
void gelu(const Matrix& x, Matrix& out);

/// Replaces the gradient of gelu(x) (T, F) by that of x (T, F). Throws Error `bad_shape`.
void gelu_backward(const Matrix& x, Matrix& gradient);

/// Replaces n numbers by their softmax: exp(x − max) / sum. −∞ becomes exactly 0. `row` must have room for
/// padded(n) numbers; those past n become 0.
void softmax_row(Real* row, std::size_t n);

/// Replaces the gradient of n softmax weights by that of what softmax_row was given: w_i · (g_i − Σ w_j g_j).
/// `weights` is what softmax_row left, `gradient` has room for padded(n) numbers; those past n become 0.
void softmax_row_backward(const Real* weights, Real* gradient, std::size_t n);

/// Softmax of a whole vector (n) → (n).
Vector softmax(const Vector& x);

/// Replaces n logits by scale × the gradient of their cross entropy, scale · (softmax − onehot(target)), and
/// gives that cross entropy, −log softmax(target), in nats. `row` must have room for padded(n) numbers; those
/// past n become 0. The loss is equal in every build up to the rounding of libm's log.
double cross_entropy_row(Real* row, std::size_t n, std::size_t target, Real scale);

/// a (T, C) + b (T, C) → (T, C). Throws Error `bad_shape`.
Matrix add(const Matrix& a, const Matrix& b);
void add(const Matrix& a, const Matrix& b, Matrix& out);

/// Gives a buffer the shape (rows, columns) unless it has it; its numbers are then anything.
void fit(Matrix& buffer, std::size_t rows, std::size_t columns);

/// Copies row t of x (T, C) → (C).
Vector row_of(const Matrix& x, std::size_t t);

/// Copies rows first…last − 1 of x (T, C) → (last − first, C).
Matrix rows(const Matrix& x, std::size_t first, std::size_t last);

}  // namespace glassbox
