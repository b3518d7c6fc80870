#pragma once
// The rows of tokens that training reads: pieces of the corpus, and rows of chance that teach copying.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "documents.hpp"
#include "gpt2.hpp"
#include "random.hpp"

namespace glassbox {

/// A stretch of training with rows of one kind.
struct TrainStage {
  std::size_t steps = 0;
  std::size_t row_tokens = 0;  ///< T, at most n_positions
  double repeated_rows = 0;    ///< share of rows that are random tokens said again and again
  double two_key_rows = 0;     ///< share of rows that ask again for what two keys together stand for
  std::map<std::string, double> starts;  ///< share of the other rows that begin at a document of this family
  std::vector<std::string> no_start;     ///< families at which the rest of the rows does not begin
};

/// How many of so many documents, the last ones, are set apart: a share of them, but one at least and never
/// all; none when the share is 0 or there is only one document.
std::size_t count_held_out(std::size_t documents, double share);

/// Draws the rows of batches. A row begins where a document begins and runs on through the next ones, as they
/// lie in the corpus. The last `held_out` of the documents are set apart for measuring.
class Rows {
 public:
  /// Throws Error `bad_argument` when a stage names a family that the corpus doesn't have or leaves none to
  /// begin with, when its shares are no shares, and when the corpus is shorter than its rows.
  Rows(PackedDocuments documents, double held_out, const std::vector<TrainStage>& stages);

  /// `count` rows for the stage of this number; random is moved on.
  Batch draw(std::size_t stage, std::size_t count, Random& random) const;

  /// Rows of the documents set apart, spread evenly over them, the same every time: at most `tokens` tokens.
  /// Empty (B = 0) when no document is set apart.
  Batch held_out(std::size_t row_tokens, std::size_t tokens) const;

  std::size_t documents() const { return starts_; }  ///< to learn from, without those set apart
  std::size_t tokens() const { return end_; }        ///< to learn from: the first ones
  const PackedDocuments& all() const { return documents_; }

 private:
  /// Where rows of one stage may begin.
  struct Choice {
    std::vector<double> shares;                    // of each list below but the last, which takes the rest
    std::vector<std::vector<std::size_t>> starts;  // indices into ids
  };

  std::vector<TokenId> repeated_row(std::size_t length, Random& random) const;
  std::vector<TokenId> two_key_row(std::size_t length, Random& random) const;
  std::size_t draw_start(const Choice& choice, std::size_t length, Random& random) const;
  TokenId any_token(Random& random) const;

  PackedDocuments documents_;
  std::size_t starts_;  // of documents_.starts, those to learn from
  std::size_t end_;     // of documents_.ids, those to learn from
  std::vector<TrainStage> stages_;
  std::vector<Choice> choices_;  // by stage
};

}  // namespace glassbox
