#include "vectors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "ops.hpp"
#include "sampler.hpp"

namespace glassbox {

namespace {

/// A square matrix in double, row-major.
struct Square {
  explicit Square(std::size_t size) : n(size), data(size * size) {}
  double& operator()(std::size_t i, std::size_t j) { return data[i * n + j]; }
  double operator()(std::size_t i, std::size_t j) const { return data[i * n + j]; }
  std::size_t n;
  std::vector<double> data;
};

double dot(const double* a, const double* b, std::size_t n) { return std::inner_product(a, a + n, b, 0.0); }

/// Turns a pair of equally long columns or rows: (x, y) → (c·x − s·y, s·x + c·y), `step` numbers apart.
void turn(double* x, double* y, std::size_t n, std::size_t step, double c, double s) {
  for (std::size_t i = 0; i < n * step; i += step) {
    const double a = x[i], b = y[i];
    x[i] = c * a - s * b;
    y[i] = s * a + c * b;
  }
}

/// Jacobi's method (1846): turns pairs of directions until nothing is left beside the diagonal of the
/// symmetric matrix a, which then holds the eigenvalues. The rows of the result are the eigenvectors.
Square diagonalise(Square& a) {
  const std::size_t n = a.n;
  Square vectors(n);
  for (std::size_t i = 0; i < n; ++i) vectors(i, i) = 1;
  const double whole = dot(a.data.data(), a.data.data(), a.data.size());
  for (int sweep = 0; sweep < 60; ++sweep) {  // about ten are enough; each squares what is left
    double beside = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) beside += 2 * a(p, q) * a(p, q);
    if (beside <= whole * 1e-30) break;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (a(p, q) == 0) continue;
        // The smaller of the two angles that make a(p, q) zero, by its tangent.
        const double half = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const double tangent = (half < 0 ? -1 : 1) / (std::abs(half) + std::sqrt(half * half + 1));
        const double c = 1 / std::sqrt(tangent * tangent + 1), s = tangent * c;
        turn(&a(p, 0), &a(q, 0), n, 1, c, s);
        turn(&a(0, p), &a(0, q), n, n, c, s);
        a(p, q) = a(q, p) = 0;
        turn(&vectors(p, 0), &vectors(q, 0), n, 1, c, s);
      }
    }
  }
  return vectors;
}

}  // namespace

Matrix cosines(const Matrix& vectors) {
  const std::size_t n = vectors.shape(0), C = vectors.shape(1);
  Matrix unit = Matrix::from_shape({n, C});
  std::vector<bool> zero(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Real* row = vectors.data() + i * C;
    double squares = 0;
    for (std::size_t c = 0; c < C; ++c) squares += static_cast<double>(row[c]) * row[c];
    if (!std::isfinite(squares)) fail("bad_argument", {"cosines: expected finite numbers"});
    zero[i] = squares == 0;
    const double length = zero[i] ? 1 : std::sqrt(squares);
    for (std::size_t c = 0; c < C; ++c) unit(i, c) = static_cast<Real>(row[c] / length);
  }
  Matrix out = matmul(unit, PackedMatrix::from_rows(unit));
  for (Real& value : out) value = std::clamp(value, Real(-1), Real(1));
  for (std::size_t i = 0; i < n; ++i) out(i, i) = zero[i] ? 0 : 1;
  return out;
}

Matrix centred(const Matrix& vectors) {
  const std::size_t n = vectors.shape(0), C = vectors.shape(1);
  Matrix out = Matrix::from_shape({n, C});
  for (std::size_t c = 0; c < C; ++c) {
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += vectors(i, c);
    mean /= static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) out(i, c) = static_cast<Real>(vectors(i, c) - mean);
  }
  return out;
}

Pca pca(const Matrix& vectors, std::size_t components) {
  const std::size_t n = vectors.shape(0), C = vectors.shape(1);
  if (n == 0) fail("bad_argument", {"pca: expected at least 1 row, got 0"});
  if (components == 0 || components > C) {
    fail("bad_argument", {"pca: expected 1 to ", C, " components, got ", components});
  }
  if (std::min(n, C) > largest_pca) {
    fail("bad_argument",
         {"pca: expected at most ", largest_pca, " rows or columns, got ", shape_text(vectors.shape())});
  }

  Pca result{Matrix::from_shape({n, components}), Matrix::from_shape({components, C}),
             Vector::from_shape({C}), std::vector<double>(components)};
  result.coordinates.fill(0);
  result.axes.fill(0);

  // x: the centred rows, y: the same turned on its side.
  std::vector<double> x(n * C), y(n * C);
  for (std::size_t c = 0; c < C; ++c) {
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += vectors(i, c);
    mean /= static_cast<double>(n);
    result.mean(c) = static_cast<Real>(mean);
    for (std::size_t i = 0; i < n; ++i) x[i * C + c] = y[c * n + i] = vectors(i, c) - mean;
  }

  // xᵀx (C, C) and xxᵀ (n, n) have the same eigenvalues other than 0; the smaller is the quicker.
  const bool by_rows = n < C;
  const std::size_t size = by_rows ? n : C, length = by_rows ? C : n;
  const std::vector<double>& from = by_rows ? x : y;
  Square a(size);
  double total = 0, raw = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      a(i, j) = a(j, i) = dot(&from[i * length], &from[j * length], length);
    total += a(i, i);
  }
  for (Real value : vectors) raw += static_cast<double>(value) * value;
  if (!std::isfinite(raw)) fail("bad_argument", {"pca: expected finite numbers"});
  // Of rows that are equal only rounding is left, which has no direction.
  if (total <= raw * 1e-28) return result;

  const Square eigenvectors = diagonalise(a);
  std::vector<double> axis(C);
  for (std::size_t k = 0; k < std::min(components, size); ++k) {
    std::size_t next = 0;  // the largest that is left
    for (std::size_t i = 1; i < size; ++i)
      if (a(i, i) > a(next, next)) next = i;
    const double value = a(next, next);
    if (value <= total * 1e-14) break;
    a(next, next) = 0;
    const double* found = eigenvectors.data.data() + next * size;
    // An eigenvector u of xxᵀ weighs the rows: xᵀu points along the axis.
    for (std::size_t c = 0; c < C; ++c) axis[c] = by_rows ? dot(found, &y[c * n], n) : found[c];
    const auto largest = std::max_element(
        axis.begin(), axis.end(), [](double one, double other) { return std::abs(one) < std::abs(other); });
    const double unit = std::copysign(std::sqrt(dot(axis.data(), axis.data(), C)), *largest);
    for (std::size_t c = 0; c < C; ++c) {
      axis[c] /= unit;
      result.axes(k, c) = static_cast<Real>(axis[c]);
    }
    for (std::size_t i = 0; i < n; ++i)
      result.coordinates(i, k) = static_cast<Real>(dot(axis.data(), &x[i * C], C));
    result.explained[k] = value / total;
  }
  return result;
}

std::vector<Matrix> contextual_vectors(const Gpt2& model, const std::vector<Place>& places) {
  if (places.empty()) fail("bad_argument", {"contextual_vectors: expected at least 1 place, got 0"});
  const std::size_t L = model.config().n_layer, C = model.config().n_embd;
  std::vector<std::string> names = {"h.0.resid_in"};
  for (std::size_t layer = 0; layer < L; ++layer) names.push_back(join({"h.", layer, ".resid_out"}));
  std::vector<Matrix> vectors(L + 1, Matrix::from_shape({places.size(), C}));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [ids, position] = places[i];
    if (position >= ids.size()) {
      fail("bad_argument",
           {"position: the text has ", ids.size(), " tokens, counted from 0, got ", position});
    }
    KvCache cache(model.config(), ids.size());
    Trace trace(model.config(), names);
    model.forward(ids, cache, Logits::last, &trace);
    for (std::size_t layer = 0; layer <= L; ++layer) {
      const Real* from = trace.activations().at(names[layer]).data.data() + position * C;
      std::copy_n(from, C, vectors[layer].data() + i * C);
    }
  }
  return vectors;
}

std::vector<Neighbour> neighbours(const Gpt2& model, TokenId id, std::size_t count) {
  const std::size_t V = model.config().vocab_size, C = model.config().n_embd;
  const Matrix own = model.token_vectors(std::span(&id, 1));
  constexpr std::size_t block = 256;  // rows looked up at a time, so that the table is not held twice
  Vector cosines = Vector::from_shape({V});
  std::vector<TokenId> ids;
  for (std::size_t first = 0; first < V; first += block) {
    ids.resize(std::min(block, V - first));
    std::iota(ids.begin(), ids.end(), static_cast<TokenId>(first));
    const Matrix rows = model.token_vectors(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      double product = 0, squares = 0, own_squares = 0;
      for (std::size_t c = 0; c < C; ++c) {
        const double a = own(0, c), b = rows(i, c);
        product += a * b;
        squares += b * b;
        own_squares += a * a;
      }
      const double lengths = std::sqrt(squares) * std::sqrt(own_squares);
      cosines(first + i) = static_cast<Real>(lengths > 0 ? std::clamp(product / lengths, -1.0, 1.0) : 0);
    }
  }
  cosines(static_cast<std::size_t>(id)) = -2;  // behind all others
  std::vector<Neighbour> nearest;
  for (TokenId other : top_ids(cosines, std::min(count, V - 1)))
    nearest.push_back({other, cosines(static_cast<std::size_t>(other))});
  return nearest;
}

Positions positions(const Gpt2& model) {
  Positions out{model.position_vectors(), cosines(model.position_vectors()), {}};
  const std::size_t P = out.vectors.shape(0);
  for (std::size_t distance = 0; distance < P; ++distance) {
    double sum = 0;
    for (std::size_t p = 0; p + distance < P; ++p) sum += out.cosines(p, p + distance);
    out.by_distance.push_back(sum / static_cast<double>(P - distance));
  }
  return out;
}

}  // namespace glassbox
