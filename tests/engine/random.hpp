#pragma once
// Seeded random tensors and bytes for tests.

#include <random>
#include <string>

#include "tensor.hpp"

namespace glassbox::test {

/// A (rows, columns) matrix of normal numbers. The same seed gives the same matrix in one build, which is all
/// a law needs.
inline Matrix random_matrix(std::size_t rows, std::size_t columns, unsigned seed, double spread = 1) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0, spread);
  Matrix matrix = Matrix::from_shape({rows, columns});
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<Real>(normal(generator));
  return matrix;
}

inline Vector random_vector(std::size_t n, unsigned seed, double spread = 1) {
  const Matrix row = random_matrix(1, n, seed, spread);
  Vector vector = Vector::from_shape({n});
  for (std::size_t i = 0; i < n; ++i) vector(i) = row(0, i);
  return vector;
}

inline std::string random_bytes(std::mt19937& generator, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(generator() % 256);
  return bytes;
}

}  // namespace glassbox::test
