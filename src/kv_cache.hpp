#pragma once
// Keys and values of the tokens that a model has read, so that the next token needs only its own row.

#include <cstddef>
#include <vector>

#include "config.hpp"
#include "ops.hpp"

namespace glassbox {

/// Stored as panels that `multiply` reads directly: keys as columns of a (D, S) matrix, values as the columns
/// of an (S, D) matrix, for each layer and head.
class KvCache {
 public:
  /// Room for `capacity` tokens (S at most). Throws Error `bad_argument` when capacity is 0.
  KvCache(const Config& config, std::size_t capacity);

  std::size_t size() const { return size_; }          ///< S: tokens held
  std::size_t capacity() const { return capacity_; }  ///< S at most
  /// Bytes of keys and values that one token takes: 2 · L · C numbers.
  std::size_t bytes_per_token() const;

  /// Stores keys and values of T new tokens of one layer, after the tokens held. qkv (T, 3C).
  /// Throws Error `bad_argument` when there is no room.
  void append(std::size_t layer, const Matrix& qkv);
  /// Counts T tokens as held, once every layer has stored them.
  void advance(std::size_t T) { size_ += T; }
  void clear() { size_ = 0; }

  /// The first S keys of one head as a (D, S) matrix.
  Panels keys(std::size_t layer, std::size_t head, std::size_t S) const;
  /// The first S values of one head as an (S, D) matrix.
  Panels values(std::size_t layer, std::size_t head, std::size_t S) const;

 private:
  std::size_t key_offset(std::size_t layer, std::size_t head) const;
  std::size_t value_offset(std::size_t layer, std::size_t head) const;

  std::size_t L_, H_, D_, capacity_, size_ = 0;
  std::vector<Real> keys_;    // (L, H) times panels (capacity/8, D, 8)
  std::vector<Real> values_;  // (L, H) times panels (D/8, capacity, 8)
};

}  // namespace glassbox
