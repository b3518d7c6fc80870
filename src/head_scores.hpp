#pragma once
// What heads look at, as numbers: the token before, the first token, the token after an earlier occurrence,
// given places, or everything alike. Each score is a share of attention from 0 to 1 unless it says otherwise.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpt2.hpp"

namespace glassbox {

// All take the attention weights of one layer, (H, T, T), as the trace `h.l.attn.weights` gives them, and
// return one number a head (H). All throw Error `bad_shape` for weights of another form.

/// The weight at the token before, mean over rows 1 … T − 1. Throws Error `bad_argument` for one token.
std::vector<double> previous_token_scores(const Activation& weights);

/// Rows that see fewer tokens than this hardly have a choice but to look at the first.
constexpr std::size_t first_token_rows_from = 3;

/// The weight at the first token, mean over rows 3 … T − 1 (Xiao et al. 2023 call it the attention sink).
/// Throws Error `bad_argument` for fewer than 4 tokens.
std::vector<double> first_token_scores(const Activation& weights);

/// Whether induction can be measured: a token comes again later than right after itself.
bool has_repeats(std::span<const TokenId> ids);

/// The weight at the tokens that followed the row's token where it stood before, mean over the rows whose
/// token did stand before (Olsson et al. 2022, induction heads). A token right before the row is left out,
/// since what followed it is the row itself. ids (T). Throws Error `bad_argument` where nothing repeats.
std::vector<double> induction_scores(const Activation& weights, std::span<const TokenId> ids);

/// The weight of one row at the positions, together. A position that stands twice counts once; one that the
/// row does not see counts 0. Throws Error `bad_argument` for a row or position that there is not.
std::vector<double> span_scores(const Activation& weights, std::size_t row,
                                std::span<const std::size_t> positions);

/// How evenly one row is spread: −Σ w · ln w in nats, from 0 to ln(row + 1). Throws Error `bad_argument`.
std::vector<double> row_entropies(const Activation& weights, std::size_t row);

/// A row's entropy as a share of the largest that it could have, ln(row + 1); 0 for row 0, which has no
/// choice.
double relative_entropy(double entropy, std::size_t row);

/// One head over a text. What the text is too short for is left empty.
struct HeadScore {
  std::size_t layer, head;
  std::optional<double> previous, first, induction;
  std::optional<double> entropy;  ///< nats, mean over rows 1 … T − 1
  std::optional<double> relative_entropy;
  double row_entropy;  ///< of the row asked about, nats
  double row_relative_entropy;
  std::vector<double> spans;  ///< weights of the row asked about
};

/// Which row of the text is asked about, and at which positions its weight is summed up.
struct HeadQuery {
  std::size_t row;
  std::vector<std::vector<std::size_t>> spans;
};

/// Runs the model over a text and scores each head → L · H scores, layer by layer. Throws what Gpt2::forward
/// and span_scores throw.
std::vector<HeadScore> score_heads(const Gpt2& model, std::span<const TokenId> ids, const HeadQuery& query,
                                   const Knockouts& out = {});

/// A head over lists of random tokens said twice.
struct RepeatScore {
  std::size_t layer, head;
  double previous, induction;
};

struct RepeatOptions {
  std::size_t rounds = 8;   ///< lists, of which the scores are the mean
  std::size_t length = 24;  ///< tokens of a list, before it is said again
  std::uint64_t seed = 0;
};

/// Draws lists of different tokens among `candidates`, says each twice, and scores each head → L · H scores,
/// layer by layer. Throws Error `bad_argument` unless there is at least 1 round of at least 2 tokens, the
/// candidates are as many, and twice the list fits the context.
std::vector<RepeatScore> score_repeats(const Gpt2& model, std::vector<TokenId> candidates,
                                       const RepeatOptions& options);

}  // namespace glassbox
