#pragma once
// Vectors as directions: cosines, their principal axes, and the nearest rows of the embedding table.

#include <cstddef>
#include <vector>

#include "gpt2.hpp"

namespace glassbox {

/// The cosine of each two rows, a·b / (|a|·|b|) → (n, n): symmetric, exactly 1 on the diagonal, within
/// [−1, 1]. Where one of the two rows is zero there is no angle, and the cosine is given as 0. vectors
/// (n, C). Throws Error `bad_argument` for a number that is not finite.
Matrix cosines(const Matrix& vectors);

/// The rows with their mean taken away: (n, C) → (n, C).
Matrix centred(const Matrix& vectors);

/// Rows seen along the directions in which they spread most.
struct Pca {
  Matrix coordinates;  ///< (n, k) of each row, from the mean
  Matrix axes;         ///< (k, C) of length 1; zero where the rows spread in no further direction
  Vector mean;         ///< (C)
  std::vector<double>
      explained;  ///< (k) share of the whole variance along each axis, falling; 0 for equal rows
};

/// Principal component analysis (Pearson 1901): the mean is taken away, and the axes are the eigenvectors of
/// the covariance, found by Jacobi's rotations in double. An axis is turned so that its largest component
/// (the first of equals) is positive. vectors (n, C) with n ≥ 1. Throws Error `bad_argument` for no rows,
/// for no component or more than C, for numbers that are not finite, and where both n and C exceed
/// largest_pca.
Pca pca(const Matrix& vectors, std::size_t components);

/// The time that `pca` needs grows with the cube of the smaller of n and C.
constexpr std::size_t largest_pca = 768;

/// A token of a text.
struct Place {
  std::vector<TokenId> ids;  ///< the text, at most n_positions
  std::size_t position;      ///< of the token, from 0
};

/// The vectors in the residual stream at places, each in its text: L + 1 matrices (n, C), the first with
/// token and position added up, then one after each layer. Throws Error `bad_argument` for no place or a
/// position outside its text, and what Gpt2::forward throws.
std::vector<Matrix> contextual_vectors(const Gpt2& model, const std::vector<Place>& places);

struct Neighbour {
  TokenId id;
  double cosine;
};

/// The `count` tokens whose rows of the embedding table point most nearly as that of `id`, the nearest first,
/// of equals the lower id. The whole vocabulary is asked, single bytes and special tokens included, but not
/// `id` itself. Throws Error `bad_token`.
std::vector<Neighbour> neighbours(const Gpt2& model, TokenId id, std::size_t count);

/// What the position table shows.
struct Positions {
  Matrix vectors;                   ///< (P, C), the rows of wpe
  Matrix cosines;                   ///< (P, P)
  std::vector<double> by_distance;  ///< (P) mean cosine of all pairs so many positions apart; 1 at distance 0
};

Positions positions(const Gpt2& model);

}  // namespace glassbox
