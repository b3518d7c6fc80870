#include "head_scores.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "random.hpp"

namespace glassbox {

namespace {

/// The weights of one layer, checked.
class Layer {
 public:
  explicit Layer(const Activation& weights) : weights_(weights) {
    const auto& shape = weights.shape;
    if (shape.size() != 3 || shape[1] != shape[2] || shape[1] == 0 ||
        weights.data.size() != shape[0] * shape[1] * shape[2]) {
      fail("bad_shape", {"attention weights: expected (H, T, T), got ", shape_text(shape)});
    }
  }
  std::size_t heads() const { return weights_.shape[0]; }
  std::size_t tokens() const { return weights_.shape[1]; }
  const Real* row(std::size_t head, std::size_t row) const {
    return weights_.data.data() + (head * tokens() + row) * tokens();
  }
  void check_row(std::size_t row) const {
    if (row >= tokens()) {
      fail("bad_argument", {"row: the text has ", tokens(), " tokens, counted from 0, got ", row});
    }
  }

 private:
  const Activation& weights_;
};

/// The mean over cells (row, column) of one weight a head. There is at least one cell.
std::vector<double> mean_at(const Layer& layer, const std::vector<std::pair<std::size_t, std::size_t>>& cells,
                            double count) {
  std::vector<double> scores(layer.heads());
  for (std::size_t h = 0; h < scores.size(); ++h) {
    for (const auto& [row, column] : cells) scores[h] += layer.row(h, row)[column];
    scores[h] /= count;
  }
  return scores;
}

/// Rows whose token stood before, each with the places that came after those. `rows`: how many they are.
std::vector<std::pair<std::size_t, std::size_t>> repeat_cells(std::span<const TokenId> ids,
                                                              std::size_t& rows) {
  std::vector<std::pair<std::size_t, std::size_t>> cells;
  rows = 0;
  for (std::size_t t = 2; t < ids.size(); ++t) {
    const std::size_t before = cells.size();
    for (std::size_t s = 0; s + 1 < t; ++s)
      if (ids[s] == ids[t]) cells.emplace_back(t, s + 1);
    rows += cells.size() > before;
  }
  return cells;
}

void expect_tokens(std::size_t least, std::size_t tokens) {
  if (tokens < least) {
    fail("bad_argument", {"head score: expected at least ", least, " tokens, got ", tokens});
  }
}

std::string weights_name(std::size_t layer) { return join({"h.", layer, ".attn.weights"}); }

/// One forward pass → the attention weights of each layer.
std::vector<Activation> attention_of(const Gpt2& model, std::span<const TokenId> ids, const Knockouts& out) {
  std::vector<std::string> names;
  for (std::size_t l = 0; l < model.config().n_layer; ++l) names.push_back(weights_name(l));
  KvCache cache(model.config(), ids.size());
  Trace trace(model.config(), names);
  model.forward(ids, cache, Logits::last, &trace, out);
  std::vector<Activation> layers;
  for (const std::string& name : names) layers.push_back(std::move(trace.activations().at(name)));
  return layers;
}

}  // namespace

std::vector<double> previous_token_scores(const Activation& weights) {
  const Layer layer(weights);
  expect_tokens(2, layer.tokens());
  std::vector<std::pair<std::size_t, std::size_t>> cells;
  for (std::size_t t = 1; t < layer.tokens(); ++t) cells.emplace_back(t, t - 1);
  return mean_at(layer, cells, static_cast<double>(cells.size()));
}

std::vector<double> first_token_scores(const Activation& weights) {
  const Layer layer(weights);
  expect_tokens(first_token_rows_from + 1, layer.tokens());
  std::vector<std::pair<std::size_t, std::size_t>> cells;
  for (std::size_t t = first_token_rows_from; t < layer.tokens(); ++t) cells.emplace_back(t, 0);
  return mean_at(layer, cells, static_cast<double>(cells.size()));
}

bool has_repeats(std::span<const TokenId> ids) {
  std::size_t rows = 0;
  repeat_cells(ids, rows);
  return rows > 0;
}

std::vector<double> induction_scores(const Activation& weights, std::span<const TokenId> ids) {
  const Layer layer(weights);
  if (ids.size() != layer.tokens()) {
    fail("bad_shape", {"ids: expected ", layer.tokens(), " tokens, got ", ids.size()});
  }
  std::size_t rows = 0;
  const auto cells = repeat_cells(ids, rows);
  if (rows == 0) fail("bad_argument", {"induction: no token of this text comes again"});
  return mean_at(layer, cells, static_cast<double>(rows));
}

std::vector<double> span_scores(const Activation& weights, std::size_t row,
                                std::span<const std::size_t> positions) {
  const Layer layer(weights);
  layer.check_row(row);
  std::vector<std::pair<std::size_t, std::size_t>> cells;
  for (std::size_t position : positions) {
    layer.check_row(position);
    const std::pair<std::size_t, std::size_t> cell(row, position);
    if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(cell);
  }
  return mean_at(layer, cells, 1);
}

std::vector<double> row_entropies(const Activation& weights, std::size_t row) {
  const Layer layer(weights);
  layer.check_row(row);
  std::vector<double> entropies(layer.heads());
  for (std::size_t h = 0; h < entropies.size(); ++h) {
    const Real* from = layer.row(h, row);
    for (std::size_t s = 0; s <= row; ++s)
      if (from[s] > 0) entropies[h] -= from[s] * std::log(static_cast<double>(from[s]));
  }
  return entropies;
}

double relative_entropy(double entropy, std::size_t row) {
  return row == 0 ? 0 : entropy / std::log(static_cast<double>(row + 1));
}

std::vector<HeadScore> score_heads(const Gpt2& model, std::span<const TokenId> ids, const HeadQuery& query,
                                   const Knockouts& out) {
  const std::size_t T = ids.size();
  const bool repeats = has_repeats(ids);
  std::vector<HeadScore> scores;
  const std::vector<Activation> layers = attention_of(model, ids, out);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const Activation& weights = layers[l];
    const std::size_t H = weights.shape[0], first = scores.size();
    const std::vector<double> of_row = row_entropies(weights, query.row);
    for (std::size_t h = 0; h < H; ++h) {
      HeadScore score{};
      score.layer = l;
      score.head = h;
      score.row_entropy = of_row[h];
      score.row_relative_entropy = relative_entropy(of_row[h], query.row);
      scores.push_back(score);
    }
    const auto fill = [&](std::optional<double> HeadScore::*field, const std::vector<double>& values) {
      for (std::size_t h = 0; h < H; ++h) scores[first + h].*field = values[h];
    };
    if (T >= 2) {
      fill(&HeadScore::previous, previous_token_scores(weights));
      std::vector<double> entropy(H), relative(H);
      for (std::size_t t = 1; t < T; ++t) {
        const std::vector<double> row = row_entropies(weights, t);
        for (std::size_t h = 0; h < H; ++h) {
          entropy[h] += row[h] / static_cast<double>(T - 1);
          relative[h] += relative_entropy(row[h], t) / static_cast<double>(T - 1);
        }
      }
      fill(&HeadScore::entropy, entropy);
      fill(&HeadScore::relative_entropy, relative);
    }
    if (T > first_token_rows_from) fill(&HeadScore::first, first_token_scores(weights));
    if (repeats) fill(&HeadScore::induction, induction_scores(weights, ids));
    for (const std::vector<std::size_t>& span : query.spans) {
      const std::vector<double> at = span_scores(weights, query.row, span);
      for (std::size_t h = 0; h < H; ++h) scores[first + h].spans.push_back(at[h]);
    }
  }
  return scores;
}

std::vector<RepeatScore> score_repeats(const Gpt2& model, std::vector<TokenId> candidates,
                                       const RepeatOptions& options) {
  const std::size_t length = options.length, most = model.config().n_positions / 2;
  if (options.rounds == 0 || length < 2 || length > std::min(most, candidates.size())) {
    fail("bad_argument",
         {"repeats: expected at least 1 round and lists of 2 to ", std::min(most, candidates.size()),
          " tokens, got ", options.rounds, " rounds of ", length});
  }
  std::vector<RepeatScore> scores;
  for (std::size_t l = 0; l < model.config().n_layer; ++l)
    for (std::size_t h = 0; h < model.config().n_head; ++h) scores.push_back({l, h, 0, 0});
  Random random(options.seed);
  const auto rounds = static_cast<double>(options.rounds);
  for (std::size_t round = 0; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < length; ++i)
      std::swap(candidates[i], candidates[i + random.below(candidates.size() - i)]);
    std::vector<TokenId> ids(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(length));
    ids.insert(ids.end(), candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(length));
    std::size_t at = 0;
    for (const Activation& weights : attention_of(model, ids, {})) {
      const std::vector<double> previous = previous_token_scores(weights);
      const std::vector<double> induction = induction_scores(weights, ids);
      for (std::size_t h = 0; h < previous.size(); ++h, ++at) {
        scores[at].previous += previous[h] / rounds;
        scores[at].induction += induction[h] / rounds;
      }
    }
  }
  return scores;
}

}  // namespace glassbox
