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

/// One tile: R rows of x by P panels, the sums held in registers.
template <std::size_t R, std::size_t P>
void multiply_tile(const Real* x, std::size_t x_stride, const Real* panel, std::size_t stride, std::size_t K,
                   const Real* bias, Real* out, std::size_t out_stride, std::size_t columns) {
  Lanes sums[R][P];
  for (std::size_t p = 0; p < P; ++p) {
    Lanes start = simd::splat(0);
    if (bias != nullptr) {
      const std::size_t left = columns > p * LANES ? std::min(LANES, columns - p * LANES) : 0;
      for (std::size_t i = 0; i < left; ++i) start[i] = bias[p * LANES + i];
    }
    for (std::size_t r = 0; r < R; ++r) sums[r][p] = start;
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
      const std::size_t left = columns - std::min(columns, p * LANES);
      Real* to = out + r * out_stride + p * LANES;
      if (left >= LANES) {
        simd::store(to, sums[r][p]);
      } else {
        simd::store_some(to, sums[r][p], left);
      }
    }
  }
}

/// All panels in groups of P for `groups` tiles of R rows each; panels that fill no group go one by one.
template <std::size_t R, std::size_t P>
void multiply_rows(const Real* x, std::size_t x_stride, std::size_t groups, const Panels& w, const Real* bias,
                   Real* out, std::size_t out_stride) {
  const std::size_t panels = (w.N + LANES - 1) / LANES;
  for (std::size_t j = 0; j < panels;) {
    const std::size_t width = j + P <= panels ? P : 1;
    const Real* panel = w.data + j * w.stride;
    const Real* panel_bias = bias == nullptr ? nullptr : bias + j * LANES;
    for (std::size_t group = 0; group < groups; ++group) {
      const Real* from = x + group * R * x_stride;
      Real* to = out + group * R * out_stride + j * LANES;
      if (width == P) {
        multiply_tile<R, P>(from, x_stride, panel, w.stride, w.K, panel_bias, to, out_stride,
                            w.N - j * LANES);
      } else {
        multiply_tile<R, 1>(from, x_stride, panel, w.stride, w.K, panel_bias, to, out_stride,
                            w.N - j * LANES);
      }
    }
    j += width;
  }
}

}  // namespace

void multiply(const Real* x, std::size_t x_stride, std::size_t T, const Panels& w, const Real* bias,
              Real* out, std::size_t out_stride) {
  constexpr std::size_t block = 64;  // rows that stay in the cache while all panels pass by
  constexpr std::size_t R = simd::TILE_ROWS;
  for (std::size_t t = 0; t < T; t += block) {
    const std::size_t tiles = std::min(block, T - t) / R, rest = std::min(block, T - t) % R;
    multiply_rows<R, simd::TILE_PANELS>(x + t * x_stride, x_stride, tiles, w, bias, out + t * out_stride,
                                        out_stride);
    const std::size_t first = t + tiles * R;
    multiply_rows<1, simd::VECTOR_PANELS>(x + first * x_stride, x_stride, rest, w, bias,
                                          out + first * out_stride, out_stride);
  }
}

PackedMatrix PackedMatrix::from_columns(const Matrix& weight) {
  PackedMatrix packed;
  packed.K_ = weight.shape(0);
  packed.N_ = weight.shape(1);
  packed.data_.assign(packed.K_ * simd::padded(packed.N_), 0);
  for (std::size_t k = 0; k < packed.K_; ++k) {
    const Real* row = weight.data() + k * packed.N_;
    for (std::size_t n = 0; n < packed.N_; ++n) {
      packed.data_[(n / LANES * packed.K_ + k) * LANES + n % LANES] = row[n];
    }
  }
  return packed;
}

PackedMatrix PackedMatrix::from_rows(const Matrix& weight) {
  PackedMatrix packed;
  packed.N_ = weight.shape(0);
  packed.K_ = weight.shape(1);
  packed.data_.assign(packed.K_ * simd::padded(packed.N_), 0);
  for (std::size_t n = 0; n < packed.N_; ++n) {
    const Real* row = weight.data() + n * packed.K_;
    for (std::size_t k = 0; k < packed.K_; ++k) {
      packed.data_[(n / LANES * packed.K_ + k) * LANES + n % LANES] = row[k];
    }
  }
  return packed;
}

void PackedMatrix::copy_column(std::size_t n, Real* out) const {
  const Real* from = data_.data() + n / LANES * K_ * LANES + n % LANES;
  for (std::size_t k = 0; k < K_; ++k) out[k] = from[k * LANES];
}

Matrix matmul(const Matrix& x, const PackedMatrix& w, const Vector& bias) {
  expect_shape("matmul: x", x, {x.shape(0), w.K()});
  expect_shape("matmul: bias", bias, {w.N()});
  Matrix out = Matrix::from_shape({x.shape(0), w.N()});
  multiply(x.data(), w.K(), x.shape(0), w.panels(), bias.data(), out.data(), w.N());
  return out;
}

Matrix matmul(const Matrix& x, const PackedMatrix& w) {
  expect_shape("matmul: x", x, {x.shape(0), w.K()});
  Matrix out = Matrix::from_shape({x.shape(0), w.N()});
  multiply(x.data(), w.K(), x.shape(0), w.panels(), nullptr, out.data(), w.N());
  return out;
}

Matrix layer_norm(const Matrix& x, const Vector& weight, const Vector& bias, Real epsilon) {
  const std::size_t T = x.shape(0), C = x.shape(1);
  expect_shape("layer_norm: weight", weight, {C});
  expect_shape("layer_norm: bias", bias, {C});
  Matrix out = Matrix::from_shape({T, C});
  for (std::size_t t = 0; t < T; ++t) {
    const Real* row = x.data() + t * C;
    Real* to = out.data() + t * C;
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
    const Real deviation = std::sqrt(spread / static_cast<Real>(C) + epsilon);

    for (c = 0; c < C; ++c) to[c] = (row[c] - mean) / deviation * weight(c) + bias(c);
  }
  return out;
}

Matrix gelu(const Matrix& x) {
  Matrix out = Matrix::from_shape({x.shape(0), x.shape(1)});
  const Real* from = x.data();
  Real* to = out.data();
  const std::size_t size = x.size();
  const auto apply = [](Lanes v) {
    const Lanes inner = simd::splat(Real(0.7978845608028654)) * (v + simd::splat(Real(0.044715)) * v * v * v);
    return simd::splat(Real(0.5)) * v * (simd::splat(1) + simd::tanh(inner));
  };
  std::size_t i = 0;
  for (; i + LANES <= size; i += LANES) simd::store(to + i, apply(simd::load(from + i)));
  if (i < size) {
    Lanes rest = simd::splat(0);
    for (std::size_t k = i; k < size; ++k) rest[k - i] = from[k];
    simd::store_some(to + i, apply(rest), size - i);
  }
  return out;
}

void softmax_row(Real* row, std::size_t n) {
  const std::size_t end = simd::padded(n);
  for (std::size_t i = n; i < end; ++i) row[i] = -std::numeric_limits<Real>::infinity();
  Lanes largest = simd::splat(-std::numeric_limits<Real>::infinity());
  for (std::size_t i = 0; i < end; i += LANES) largest = simd::max(largest, simd::load(row + i));
  // Without subtracting the largest, exp would overflow from 89 on; the quotient is the same.
  const Lanes shift = simd::splat(simd::max(largest));
  Lanes sums = simd::splat(0);
  for (std::size_t i = 0; i < end; i += LANES) {
    const Lanes e = simd::exp(simd::load(row + i) - shift);
    sums += e;
    simd::store(row + i, e);
  }
  const Lanes total = simd::splat(simd::sum(sums));
  for (std::size_t i = 0; i < end; i += LANES) simd::store(row + i, simd::load(row + i) / total);
}

Vector softmax(const Vector& x) {
  std::vector<Real> row(simd::padded(x.size()));
  std::copy_n(x.data(), x.size(), row.begin());
  softmax_row(row.data(), x.size());
  Vector out = Vector::from_shape({x.size()});
  std::copy_n(row.begin(), x.size(), out.data());
  return out;
}

Matrix add(const Matrix& a, const Matrix& b) {
  expect_shape("add", b, {a.shape(0), a.shape(1)});
  Matrix out = Matrix::from_shape({a.shape(0), a.shape(1)});
  std::transform(a.data(), a.data() + a.size(), b.data(), out.data(), std::plus<>());
  return out;
}

Matrix rows(const Matrix& x, std::size_t first, std::size_t last) {
  const std::size_t C = x.shape(1);
  Matrix out = Matrix::from_shape({last - first, C});
  std::copy(x.data() + first * C, x.data() + last * C, out.data());
  return out;
}

}  // namespace glassbox
