#pragma once
// How often each token followed each other in a corpus: the model that only counts. And the small file that
// keeps the most frequent pairs.
//
// The file: eight bytes `bigrams1`, then whole numbers only, each in groups of seven bits, the lowest first,
// with the high bit set on all bytes but its last (LEB128): V, and for each token 0 … V − 1
//   total   how often it was followed by any token
//   kept    how many followers are listed
//   kept times: the follower's id, and how much less often it followed than the one before in the list (the
//           first: than `total`). The most frequent stand first, of equals the lower id.
// So counts and probabilities of those listed are exact, and what is left of `total` is all others together.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "token.hpp"

namespace glassbox {

class Bigrams {
 public:
  struct Follower {
    TokenId id;
    std::uint64_t count;
    friend bool operator==(const Follower&, const Follower&) = default;
  };
  /// What followed one token.
  struct Row {
    std::uint64_t total = 0;          ///< times that anything followed
    std::vector<Follower> followers;  ///< the most frequent first, of equals the lower id
    friend bool operator==(const Row&, const Row&) = default;
  };

  /// Counts every pair of neighbours in one long row of ids. Throws Error `bad_token`.
  static Bigrams count(std::span<const TokenId> ids, std::size_t vocab_size);

  /// Reads a file made for a vocabulary of this size. Throws Error `bad_model` for a damaged file or one of
  /// another size.
  static Bigrams read(std::span<const std::byte> file, std::size_t vocab_size);

  /// The file, with at most `most_followers` listed for each token.
  std::vector<std::byte> write(std::size_t most_followers) const;

  /// The file with as many followers for each token as fit into `most_bytes`. Throws Error `bad_argument`
  /// when it is too big without any.
  std::vector<std::byte> write_within(std::size_t most_bytes) const;

  std::size_t vocab_size() const { return rows_.size(); }

  /// What followed a token. Throws Error `bad_token`.
  const Row& row(TokenId id) const;

 private:
  std::vector<Row> rows_;  // V
};

}  // namespace glassbox
