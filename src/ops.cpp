#include "ops.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "simd.hpp"

namespace glassbox {

using simd::Lanes;
using simd::LANES;

namespace {

/// One tile: R rows of x by P panels, the sums held in registers. `start` is what the sums begin with: rows
/// `start_stride` numbers apart (0: one row for all), or null for zero.
template <std::size_t R, std::size_t P>
void multiply_tile(const Real* x, std::size_t x_stride, const Real* panel, std::size_t stride, std::size_t K,
                   const Real* start, std::size_t start_stride, Real* out, std::size_t out_stride,
                   std::size_t columns) {
  Lanes sums[R][P];
  const bool whole = columns >= P * LANES;
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t p = 0; p < P; ++p) {
      if (start == nullptr) {
        sums[r][p] = simd::splat(0);
      } else if (whole) {
        sums[r][p] = simd::load(start + r * start_stride + p * LANES);
      } else {
        const std::size_t left = columns - std::min(columns, p * LANES);
        sums[r][p] = simd::load_some(start + r * start_stride + p * LANES, std::min(left, LANES));
      }
    }
  }
  for (std::size_t k = 0; k < K; ++k) {
    Lanes w[P];
    for (std::size_t p = 0; p < P; ++p) w[p] = simd::load(panel + p * stride + k * LANES);
    for (std::size_t r = 0; r < R; ++r) {
      const Lanes value = simd::splat(x[r * x_stride + k]);
      for (std::size_t p = 0; p < P; ++p) sums[r][p] += value * w[p];
    }
  }
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t p = 0; p < P; ++p) {
      Real* to = out + r * out_stride + p * LANES;
      if (whole) {
        simd::store(to, sums[r][p]);
      } else {
        simd::store_some(to, sums[r][p], std::min(LANES, columns - std::min(columns, p * LANES)));
      }
    }
  }
}

/// All panels in groups of P for `groups` tiles of R rows each; panels that fill no group go one by one.
template <std::size_t R, std::size_t P>
void multiply_rows(const Real* x, std::size_t x_stride, std::size_t groups, const Panels& w,
                   const Real* start, std::size_t start_stride, Real* out, std::size_t out_stride) {
  const std::size_t panels = (w.N + LANES - 1) / LANES;
  for (std::size_t j = 0; j < panels;) {
    const std::size_t width = j + P <= panels ? P : 1;
    const Real* panel = w.data + j * w.stride;
    for (std::size_t group = 0; group < groups; ++group) {
      const Real* from = x + group * R * x_stride;
      const Real* begin = start == nullptr ? nullptr : start + group * R * start_stride + j * LANES;
      Real* to = out + group * R * out_stride + j * LANES;
      if (width == P) {
        multiply_tile<R, P>(from, x_stride, panel, w.stride, w.K, begin, start_stride, to, out_stride,
                            w.N - j * LANES);
      } else {
        multiply_tile<R, 1>(from, x_stride, panel, w.stride, w.K, begin, start_stride, to, out_stride,
                            w.N - j * LANES);
      }
    }
    j += width;
  }
}

/// As multiply, the sums beginning with the rows of `start`.
void multiply_from(const Real* start, std::size_t start_stride, const Real* x, std::size_t x_stride,
                   std::size_t T, const Panels& w, Real* out, std::size_t out_stride) {
  constexpr std::size_t block = 64;  // rows that stay in the cache while all panels pass by
  constexpr std::size_t R = simd::TILE_ROWS;
  const auto from_row = [&](std::size_t t) { return start == nullptr ? nullptr : start + t * start_stride; };
  for (std::size_t t = 0; t < T; t += block) {
    const std::size_t tiles = std::min(block, T - t) / R, rest = std::min(block, T - t) % R;
    multiply_rows<R, simd::TILE_PANELS>(x + t * x_stride, x_stride, tiles, w, from_row(t), start_stride,
                                        out + t * out_stride, out_stride);
    const std::size_t first = t + tiles * R;
    multiply_rows<1, simd::VECTOR_PANELS>(x + first * x_stride, x_stride, rest, w, from_row(first),
                                          start_stride, out + first * out_stride, out_stride);
  }
}

/// Packs w (K, N), rows `stride` numbers apart, into panels K · 8 numbers apart.
void pack_panels(const Real* w, std::size_t stride, std::size_t K, std::size_t N, Real* panels) {
  for (std::size_t n = 0; n < N; n += LANES) {
    const Real* from = w + n;
    Real* to = panels + n * K;
    if (N - n >= LANES) {
      for (std::size_t k = 0; k < K; ++k) simd::store(to + k * LANES, simd::load(from + k * stride));
    } else {
      for (std::size_t k = 0; k < K; ++k) std::copy_n(from + k * stride, N - n, to + k * LANES);
    }
  }
}

}  // namespace

void multiply(const Real* x, std::size_t x_stride, std::size_t T, const Panels& w, const Real* bias,
              Real* out, std::size_t out_stride) {
  multiply_from(bias, 0, x, x_stride, T, w, out, out_stride);
}

void multiply_add(const Real* x, std::size_t x_stride, std::size_t T, const Panels& w, Real* out,
                  std::size_t out_stride) {
  multiply_from(out, out_stride, x, x_stride, T, w, out, out_stride);
}

void transpose(const Real* from, std::size_t from_stride, std::size_t rows, std::size_t columns, Real* to,
               std::size_t to_stride) {
  const std::size_t whole_rows = rows / LANES * LANES, whole_columns = columns / LANES * LANES;
  for (std::size_t r = 0; r < whole_rows; r += LANES) {
    for (std::size_t c = 0; c < whole_columns; c += LANES) {
      Lanes block[LANES];
      for (std::size_t i = 0; i < LANES; ++i) block[i] = simd::load(from + (r + i) * from_stride + c);
      simd::transpose(block);
      for (std::size_t i = 0; i < LANES; ++i) simd::store(to + (c + i) * to_stride + r, block[i]);
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = r < whole_rows ? whole_columns : 0; c < columns; ++c) {
      to[c * to_stride + r] = from[r * from_stride + c];
    }
  }
}

PackedMatrix PackedMatrix::from_columns(const Matrix& weight) {
  PackedMatrix packed;
  packed.pack_columns(weight);
  return packed;
}

PackedMatrix PackedMatrix::from_rows(const Matrix& weight) {
  PackedMatrix packed;
  packed.pack_rows(weight);
  return packed;
}

void PackedMatrix::pack_columns(const Matrix& weight) {
  K_ = weight.shape(0);
  N_ = weight.shape(1);
  data_.assign(K_ * simd::padded(N_), 0);
  pack_panels(weight.data(), N_, K_, N_, data_.data());
}

void PackedMatrix::pack_rows(const Matrix& weight) {
  N_ = weight.shape(0);
  K_ = weight.shape(1);
  data_.assign(K_ * simd::padded(N_), 0);
  for (std::size_t n = 0; n < N_; n += LANES) {
    transpose(weight.data() + n * K_, K_, std::min(LANES, N_ - n), K_, data_.data() + n * K_, LANES);
  }
}

void PackedMatrix::copy_column(std::size_t n, Real* out) const {
  const Real* from = data_.data() + n / LANES * K_ * LANES + n % LANES;
  for (std::size_t k = 0; k < K_; ++k) out[k] = from[k * LANES];
}

void fit(Matrix& buffer, std::size_t rows, std::size_t columns) {
  if (buffer.shape(0) != rows || buffer.shape(1) != columns) buffer = Matrix::from_shape({rows, columns});
}

Matrix matmul(const Matrix& x, const PackedMatrix& w, const Vector& bias) {
  Matrix out;
  matmul(x, w, bias, out);
  return out;
}

void matmul(const Matrix& x, const PackedMatrix& w, const Vector& bias, Matrix& out) {
  expect_shape("matmul: x", x, {x.shape(0), w.K()});
  expect_shape("matmul: bias", bias, {w.N()});
  fit(out, x.shape(0), w.N());
  multiply(x.data(), w.K(), x.shape(0), w.panels(), bias.data(), out.data(), w.N());
}

Matrix matmul(const Matrix& x, const PackedMatrix& w) {
  expect_shape("matmul: x", x, {x.shape(0), w.K()});
  Matrix out = Matrix::from_shape({x.shape(0), w.N()});
  multiply(x.data(), w.K(), x.shape(0), w.panels(), nullptr, out.data(), w.N());
  return out;
}

void add_transposed_product(const Real* a, std::size_t a_stride, const Real* b, std::size_t b_stride,
                            std::size_t T, Matrix& out, TransposeBuffers& buffers) {
  const std::size_t A = out.shape(0), B = out.shape(1);
  buffers.transposed.resize(std::max(buffers.transposed.size(), A * T));
  buffers.panels.resize(std::max(buffers.panels.size(), simd::padded(B) * T));
  transpose(a, a_stride, T, A, buffers.transposed.data(), T);
  pack_panels(b, b_stride, T, B, buffers.panels.data());
  multiply_add(buffers.transposed.data(), T, A, {buffers.panels.data(), T * LANES, T, B}, out.data(), B);
}

void matmul_backward(const Matrix& x, const PackedMatrix& w_transposed, const Matrix& dy, Matrix& dx,
                     Matrix& dw, Vector& dbias, TransposeBuffers& buffers) {
  const std::size_t T = x.shape(0), K = w_transposed.N(), N = w_transposed.K();
  expect_shape("matmul_backward: x", x, {T, K});
  expect_shape("matmul_backward: dy", dy, {T, N});
  expect_shape("matmul_backward: dw", dw, {K, N});
  expect_shape("matmul_backward: dbias", dbias, {N});
  fit(dx, T, K);
  multiply(dy.data(), N, T, w_transposed.panels(), nullptr, dx.data(), K);
  add_transposed_product(x.data(), K, dy.data(), N, T, dw, buffers);
  for (std::size_t t = 0; t < T; ++t) {
    const Real* row = dy.data() + t * N;
    for (std::size_t n = 0; n < N; ++n) dbias(n) += row[n];
  }
}

namespace {

struct RowStatistics {
  Real mean, deviation;
};

/// The mean of C numbers and √(variance + epsilon).
RowStatistics row_statistics(const Real* row, std::size_t C, Real epsilon) {
  Lanes sums = simd::splat(0);
  std::size_t c = 0;
  for (; c + LANES <= C; c += LANES) sums += simd::load(row + c);
  Real total = simd::sum(sums);
  for (; c < C; ++c) total += row[c];
  const Real mean = total / static_cast<Real>(C);

  Lanes squares = simd::splat(0);
  for (c = 0; c + LANES <= C; c += LANES) {
    const Lanes centred = simd::load(row + c) - simd::splat(mean);
    squares += centred * centred;
  }
  Real spread = simd::sum(squares);
  for (; c < C; ++c) spread += (row[c] - mean) * (row[c] - mean);
  return {mean, std::sqrt(spread / static_cast<Real>(C) + epsilon)};
}

}  // namespace

Matrix layer_norm(const Matrix& x, const Vector& weight, const Vector& bias, Real epsilon) {
  Matrix out;
  layer_norm(x, weight, bias, epsilon, out);
  return out;
}

void layer_norm(const Matrix& x, const Vector& weight, const Vector& bias, Real epsilon, Matrix& out) {
  const std::size_t T = x.shape(0), C = x.shape(1);
  expect_shape("layer_norm: weight", weight, {C});
  expect_shape("layer_norm: bias", bias, {C});
  fit(out, T, C);
  for (std::size_t t = 0; t < T; ++t) {
    const Real* row = x.data() + t * C;
    Real* to = out.data() + t * C;
    const auto [mean, deviation] = row_statistics(row, C, epsilon);
    for (std::size_t c = 0; c < C; ++c) to[c] = (row[c] - mean) / deviation * weight(c) + bias(c);
  }
}

void layer_norm_backward(const Matrix& x, const Vector& weight, Real epsilon, const Matrix& dy, Matrix& dx,
                         Vector& dweight, Vector& dbias) {
  const std::size_t T = x.shape(0), C = x.shape(1);
  expect_shape("layer_norm_backward: weight", weight, {C});
  expect_shape("layer_norm_backward: dy", dy, {T, C});
  expect_shape("layer_norm_backward: dx", dx, {T, C});
  expect_shape("layer_norm_backward: dweight", dweight, {C});
  expect_shape("layer_norm_backward: dbias", dbias, {C});
  // With n = (x − mean) / deviation and g = dy · weight: dx = (g − mean(g) − n · mean(g · n)) / deviation.
  for (std::size_t t = 0; t < T; ++t) {
    const Real* row = x.data() + t * C;
    const Real* from = dy.data() + t * C;
    Real* to = dx.data() + t * C;
    const auto [mean, deviation] = row_statistics(row, C, epsilon);
    const Lanes mean_lanes = simd::splat(mean), deviation_lanes = simd::splat(deviation);
    Lanes sums = simd::splat(0), products = simd::splat(0);
    std::size_t c = 0;
    for (; c + LANES <= C; c += LANES) {
      const Lanes normed = (simd::load(row + c) - mean_lanes) / deviation_lanes;
      const Lanes gradient = simd::load(from + c);
      simd::store(&dweight(c), simd::load(&dweight(c)) + gradient * normed);
      simd::store(&dbias(c), simd::load(&dbias(c)) + gradient);
      const Lanes weighted = gradient * simd::load(&weight(c));
      sums += weighted;
      products += weighted * normed;
    }
    Real sum = simd::sum(sums), product = simd::sum(products);
    for (; c < C; ++c) {
      const Real normed = (row[c] - mean) / deviation;
      dweight(c) += from[c] * normed;
      dbias(c) += from[c];
      sum += from[c] * weight(c);
      product += from[c] * weight(c) * normed;
    }
    sum /= static_cast<Real>(C);
    product /= static_cast<Real>(C);
    for (c = 0; c < C; ++c) {
      const Real normed = (row[c] - mean) / deviation;
      to[c] += (from[c] * weight(c) - sum - normed * product) / deviation;
    }
  }
}

namespace {

/// √(2/π) · (x + 0.044715 x³), of which GELU takes the tanh.
Lanes gelu_inner(Lanes x) {
  return simd::splat(Real(0.7978845608028654)) * (x + simd::splat(Real(0.044715)) * x * x * x);
}

/// Calls apply(first, count) for every 8 of `size` numbers; the last call may be for fewer.
template <class Apply>
void for_each_lanes(std::size_t size, const Apply& apply) {
  std::size_t i = 0;
  for (; i + LANES <= size; i += LANES) apply(i, LANES);
  if (i < size) apply(i, size - i);
}

}  // namespace

Matrix gelu(const Matrix& x) {
  Matrix out;
  gelu(x, out);
  return out;
}

void gelu(const Matrix& x, Matrix& out) {
  fit(out, x.shape(0), x.shape(1));
  const Real* from = x.data();
  Real* to = out.data();
  for_each_lanes(x.size(), [&](std::size_t i, std::size_t count) {
    const Lanes v = simd::load_some(from + i, count);
    simd::store_some(to + i, simd::splat(Real(0.5)) * v * (simd::splat(1) + simd::tanh(gelu_inner(v))),
                     count);
  });
}

void gelu_backward(const Matrix& x, Matrix& gradient) {
  expect_shape("gelu_backward: gradient", gradient, {x.shape(0), x.shape(1)});
  const Real* from = x.data();
  Real* to = gradient.data();
  for_each_lanes(x.size(), [&](std::size_t i, std::size_t count) {
    const Lanes v = simd::load_some(from + i, count), one = simd::splat(1), half = simd::splat(Real(0.5));
    const Lanes tanh = simd::tanh(gelu_inner(v));
    const Lanes inner_slope =
        simd::splat(Real(0.7978845608028654)) * (one + simd::splat(3 * Real(0.044715)) * v * v);
    const Lanes slope = half * (one + tanh) + half * v * (one - tanh * tanh) * inner_slope;
    simd::store_some(to + i, simd::load_some(to + i, count) * slope, count);
  });
}

namespace {

struct Exponentials {
  Real largest, total;
};

/// Replaces n numbers by exp(x − largest), and those past n up to padded(n) by 0; the total is of all these.
/// Without subtracting the largest, exp would overflow from 89 on; quotients are the same.
Exponentials exponentials(Real* row, std::size_t n) {
  const std::size_t end = simd::padded(n);
  for (std::size_t i = n; i < end; ++i) row[i] = -std::numeric_limits<Real>::infinity();
  Lanes largest = simd::splat(-std::numeric_limits<Real>::infinity());
  for (std::size_t i = 0; i < end; i += LANES) largest = simd::max(largest, simd::load(row + i));
  const Real shift = simd::max(largest);
  Lanes sums = simd::splat(0);
  for (std::size_t i = 0; i < end; i += LANES) {
    const Lanes e = simd::exp(simd::load(row + i) - simd::splat(shift));
    sums += e;
    simd::store(row + i, e);
  }
  return {shift, simd::sum(sums)};
}

}  // namespace

[[gnu::noinline]] void softmax_row(Real* row, std::size_t n) {
  const Lanes total = simd::splat(exponentials(row, n).total);
  const std::size_t end = simd::padded(n);
  for (std::size_t i = 0; i < end; i += LANES) simd::store(row + i, simd::load(row + i) / total);
}

void softmax_row_backward(const Real* weights, Real* gradient, std::size_t n) {
  const std::size_t end = simd::padded(n);
  for (std::size_t i = n; i < end; ++i) gradient[i] = 0;
  Lanes products = simd::splat(0);
  for (std::size_t i = 0; i < end; i += LANES) products += simd::load(weights + i) * simd::load(gradient + i);
  const Lanes mean = simd::splat(simd::sum(products));
  for (std::size_t i = 0; i < end; i += LANES)
    simd::store(gradient + i, simd::load(weights + i) * (simd::load(gradient + i) - mean));
}

Vector softmax(const Vector& x) {
  std::vector<Real> row(simd::padded(x.size()));
  std::copy_n(x.data(), x.size(), row.begin());
  softmax_row(row.data(), x.size());
  Vector out = Vector::from_shape({x.size()});
  std::copy_n(row.begin(), x.size(), out.data());
  return out;
}

double cross_entropy_row(Real* row, std::size_t n, std::size_t target, Real scale) {
  const Real score = row[target];
  const auto [largest, total] = exponentials(row, n);
  const std::size_t end = simd::padded(n);
  const Lanes factor = simd::splat(scale / total);
  for (std::size_t i = 0; i < end; i += LANES) simd::store(row + i, simd::load(row + i) * factor);
  row[target] -= scale;
  return std::log(static_cast<double>(total)) + (static_cast<double>(largest) - static_cast<double>(score));
}

Matrix add(const Matrix& a, const Matrix& b) {
  Matrix out;
  add(a, b, out);
  return out;
}

void add(const Matrix& a, const Matrix& b, Matrix& out) {
  expect_shape("add", b, {a.shape(0), a.shape(1)});
  fit(out, a.shape(0), a.shape(1));
  std::transform(a.data(), a.data() + a.size(), b.data(), out.data(), std::plus<>());
}

Vector row_of(const Matrix& x, std::size_t t) {
  const std::size_t C = x.shape(1);
  Vector row = Vector::from_shape({C});
  std::copy_n(x.data() + t * C, C, row.data());
  return row;
}

Matrix rows(const Matrix& x, std::size_t first, std::size_t last) {
  const std::size_t C = x.shape(1);
  Matrix out = Matrix::from_shape({last - first, C});
  std::copy(x.data() + first * C, x.data() + last * C, out.data());
  return out;
}

}  // namespace glassbox
