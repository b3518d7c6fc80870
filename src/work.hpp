#pragma once
// What a forward pass costs, counted while it runs.

#include <cstdint>

namespace glassbox {

/// The work of the matrix products that were run, and the memory that they went through. Norms, GELU and
/// softmax are not counted: they are a small share.
struct Work {
  std::uint64_t multiply_adds = 0;  ///< one product and its addition count as one
  /// Bytes of parameters as they lie in memory: each matrix, bias and norm once a pass, however many tokens
  /// share it, and of the two embedding tables the rows that were looked up.
  std::uint64_t weight_bytes = 0;
  std::uint64_t cache_written = 0;  ///< bytes of the keys and values of the tokens that were read
  std::uint64_t cache_read = 0;     ///< bytes of all keys and values attended to, each once a pass

  Work& operator+=(const Work& other) {
    multiply_adds += other.multiply_adds;
    weight_bytes += other.weight_bytes;
    cache_written += other.cache_written;
    cache_read += other.cache_read;
    return *this;
  }
};

}  // namespace glassbox
