#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "error.hpp"

namespace glassbox {

namespace {

void expect_share(const std::string& name, double share) {
  constexpr double rounding = 1e-9;  // ten shares of 0.1 add up to a little more or less than 1
  if (!(share >= 0 && share <= 1 + rounding)) {
    throw Error("bad_argument", name + ": expected a share from 0 to 1, got " + std::to_string(share));
  }
}

/// The number of the family; throws when there is none of this name.
std::uint32_t find_family(const std::vector<std::string>& families, const std::string& name) {
  const auto it = std::find(families.begin(), families.end(), name);
  if (it != families.end()) return static_cast<std::uint32_t>(it - families.begin());
  std::string known;
  for (const std::string& family : families) known += (known.empty() ? "" : ", ") + family;
  throw Error("bad_argument", "starts: the corpus has no family \"" + name + "\", only " + known);
}

void shuffle(std::vector<std::size_t>& list, Random& random) {
  for (std::size_t left = list.size(); left > 1; --left) std::swap(list[left - 1], list[random.below(left)]);
}

}  // namespace

std::size_t count_held_out(std::size_t documents, double share) {
  if (share <= 0 || documents < 2) return 0;
  return std::clamp<std::size_t>(static_cast<std::size_t>(static_cast<double>(documents) * share), 1,
                                 documents - 1);
}

Rows::Rows(PackedDocuments documents, double held_out, const std::vector<TrainStage>& stages)
    : documents_(std::move(documents)), stages_(stages) {
  expect_share("held_out", held_out);
  const std::size_t count = documents_.starts.size();
  const std::size_t apart = count_held_out(count, held_out);
  starts_ = count - apart;
  end_ = apart > 0 ? documents_.starts[starts_] : documents_.ids.size();

  for (const TrainStage& stage : stages_) {
    expect_share("repeated_rows", stage.repeated_rows);
    expect_share("two_key_rows", stage.two_key_rows);
    expect_share("repeated_rows and two_key_rows together", stage.repeated_rows + stage.two_key_rows);
    if (end_ < stage.row_tokens + 1) {
      throw Error("bad_argument", "corpus: shorter than one row: expected at least " +
                                      std::to_string(stage.row_tokens + 1) + " tokens to learn from, got " +
                                      std::to_string(end_));
    }
    Choice choice;
    const auto collect = [&](const auto& wanted) {
      std::vector<std::size_t> list;
      for (std::size_t d = 0; d < starts_; ++d) {
        if (wanted(documents_.family[d])) list.push_back(documents_.starts[d]);
      }
      return list;
    };
    double total = 0;
    for (const auto& [name, share] : stage.starts) {
      expect_share("starts: " + name, share);
      const std::uint32_t family = find_family(documents_.families, name);
      choice.shares.push_back(share);
      choice.starts.push_back(collect([&](std::uint32_t f) { return f == family; }));
      if (choice.starts.back().empty()) {
        throw Error("bad_argument", "starts: no document of family \"" + name + "\" to learn from");
      }
      total += share;
    }
    expect_share("starts together", total);
    std::vector<bool> excluded(documents_.families.size());
    for (const std::string& name : stage.no_start) excluded[find_family(documents_.families, name)] = true;
    choice.starts.push_back(collect([&](std::uint32_t f) { return !excluded[f]; }));
    if (choice.starts.back().empty()) {
      throw Error("bad_argument", "no_start: no family is left that a row may begin with");
    }
    choices_.push_back(std::move(choice));
  }
}

TokenId Rows::any_token(Random& random) const {
  // Single bytes come first in the vocabulary and are no words; a vocabulary of bytes only has nothing else.
  const std::size_t end = static_cast<std::size_t>(documents_.end), bytes = 256;
  const std::size_t first = end > bytes + 8 ? bytes : 0;
  return static_cast<TokenId>(first + random.below(end - first));
}

std::vector<TokenId> Rows::repeated_row(std::size_t length, Random& random) const {
  const bool as_list = random.below(3) == 0;
  const std::size_t longest = std::max<std::size_t>(as_list ? length / 5 : length / 3, 3);
  const std::size_t words = 2 + random.below(std::min<std::size_t>(longest, as_list ? 20 : 40) - 2);
  const TokenId separator = any_token(random);
  std::vector<TokenId> string;
  for (std::size_t w = 0; w < words; ++w) {
    string.push_back(any_token(random));
    if (as_list) string.push_back(separator);
  }
  std::vector<TokenId> row(length);
  for (std::size_t i = 0; i < length; ++i) row[i] = string[i % string.size()];
  return row;
}

std::vector<TokenId> Rows::two_key_row(std::size_t length, Random& random) const {
  const auto tokens = [&](std::size_t count) {
    std::vector<TokenId> list(count);
    for (TokenId& token : list) token = any_token(random);
    return list;
  };
  // In nearly half of the rows only one of the two keys differs, in the others both do.
  std::vector<TokenId> first, second;
  if (random.uniform() < 0.45) {
    first = tokens(3 + random.below(4));
    second = tokens(1);
  } else {
    first = tokens(2 + random.below(2));
    second = tokens(2 + random.below(2));
  }
  std::vector<std::size_t> pairs(first.size() * second.size());
  std::iota(pairs.begin(), pairs.end(), 0);
  shuffle(pairs, random);
  pairs.resize(std::min(pairs.size(), 2 + random.below(length < 64 ? 3 : 7)));

  // A value may belong to several pairs, so that it can't be told by what has not been said yet.
  const std::vector<TokenId> values = tokens(8), marks = tokens(3);
  const double layout = random.uniform();
  std::vector<std::vector<TokenId>> facts;
  for (std::size_t pair : pairs) {
    const TokenId a = first[pair / second.size()], b = second[pair % second.size()];
    const TokenId value = values[random.below(values.size())];
    if (layout < 0.15) {
      facts.push_back({a, b, value});
    } else if (layout < 0.75) {
      facts.push_back({a, marks[0], b, marks[1], value, marks[2]});
    } else {
      facts.push_back({a, b, marks[0], value, marks[2]});
    }
  }
  std::vector<std::size_t> order(facts.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<TokenId> row;
  while (row.size() < length) {
    shuffle(order, random);
    for (std::size_t f : order) row.insert(row.end(), facts[f].begin(), facts[f].end());
  }
  row.resize(length);
  return row;
}

std::size_t Rows::draw_start(const Choice& choice, std::size_t length, Random& random) const {
  double mark = random.uniform();
  std::size_t list = 0;
  for (; list < choice.shares.size(); ++list) {
    if (mark < choice.shares[list]) break;
    mark -= choice.shares[list];
  }
  const std::vector<std::size_t>& starts = choice.starts[list];
  return std::min(starts[random.below(starts.size())], end_ - length);
}

Batch Rows::draw(std::size_t stage, std::size_t count, Random& random) const {
  const TrainStage& kind = stages_.at(stage);
  const std::size_t T = kind.row_tokens;
  Batch batch{count, T, {}, {}};
  for (std::size_t b = 0; b < count; ++b) {
    const double mark = random.uniform();
    std::vector<TokenId> row;
    if (mark < kind.repeated_rows) {
      row = repeated_row(T + 1, random);
    } else if (mark < kind.repeated_rows + kind.two_key_rows) {
      row = two_key_row(T + 1, random);
    } else {
      const auto begin =
          documents_.ids.begin() + static_cast<std::ptrdiff_t>(draw_start(choices_[stage], T + 1, random));
      row.assign(begin, begin + static_cast<std::ptrdiff_t>(T + 1));
    }
    batch.inputs.insert(batch.inputs.end(), row.begin(), row.end() - 1);
    batch.targets.insert(batch.targets.end(), row.begin() + 1, row.end());
  }
  return batch;
}

Batch Rows::held_out(std::size_t row_tokens, std::size_t tokens) const {
  const std::size_t apart = documents_.starts.size() - starts_, left = documents_.ids.size() - end_;
  if (apart == 0 || left < 2) return {};
  const std::size_t T = std::min(row_tokens, left - 1);
  const std::size_t count = std::min(std::max<std::size_t>(tokens / T, 1), apart);
  Batch batch{count, T, {}, {}};
  for (std::size_t b = 0; b < count; ++b) {
    const std::size_t start = documents_.starts[starts_ + b * apart / count];
    const auto begin =
        documents_.ids.begin() + static_cast<std::ptrdiff_t>(std::min(start, documents_.ids.size() - T - 1));
    batch.inputs.insert(batch.inputs.end(), begin, begin + static_cast<std::ptrdiff_t>(T));
    batch.targets.insert(batch.targets.end(), begin + 1, begin + static_cast<std::ptrdiff_t>(T + 1));
  }
  return batch;
}

}  // namespace glassbox
