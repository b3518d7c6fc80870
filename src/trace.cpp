#include "trace.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

namespace glassbox {

std::vector<std::string> activation_names(const Config& config) {
  std::vector<std::string> names = {"wte", "wpe"};
  for (std::size_t l = 0; l < config.n_layer; ++l) {
    for (const char* part :
         {"resid_in", "ln_1", "attn.q", "attn.k", "attn.v", "attn.scaled", "attn.weights", "attn.z",
          "attn.out", "resid_mid", "ln_2", "mlp.pre", "mlp.act", "mlp.out", "resid_out"}) {
      names.push_back(join({"h.", l, ".", part}));
    }
  }
  names.push_back("ln_f");
  names.push_back("logits");
  return names;
}

Trace::Trace(const Config& config, const std::vector<std::string>& names) {
  const std::vector<std::string> known = activation_names(config);
  const std::set<std::string> all(known.begin(), known.end());
  for (const std::string& name : names) {
    if (all.count(name) == 0) {
      fail("bad_argument", {"trace: no activation is named \"", name, "\" (this model has ", config.n_layer,
                            " layers, counted from 0)"});
    }
    wanted_.insert(name);
  }
}

void Trace::keep(const std::string& name, std::vector<std::size_t> shape, const Real* data) {
  if (!wants(name)) return;
  const std::size_t count = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  kept_[name] = {std::move(shape), std::vector<Real>(data, data + count)};
}

void Trace::keep(const std::string& name, const Matrix& matrix) {
  keep(name, {matrix.shape(0), matrix.shape(1)}, matrix.data());
}

namespace {

/// Splits at spaces.
std::vector<std::string> split_words_at_spaces(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Reads a number of at most 6 digits at `at`, moving past it; nothing when there is none.
std::optional<std::size_t> read_number(const std::string& word, std::size_t& at) {
  const std::size_t first = at;
  std::size_t number = 0;
  for (; at < word.size() && word[at] >= '0' && word[at] <= '9' && at - first < 6; ++at) {
    number = number * 10 + static_cast<std::size_t>(word[at] - '0');
  }
  return at == first ? std::nullopt : std::optional(number);
}

}  // namespace

Knockouts::Knockouts(const Config& config, const std::string& words) {
  for (const std::string& word : split_words_at_spaces(words)) {
    const auto refuse = [&] {
      fail("bad_argument", {"knockout: expected words such as h.2.1, h.2.attn or mlp.3 with layers 0 to ",
                            config.n_layer - 1, " and heads 0 to ", config.n_head - 1,
                            ", or no-positions, no-mask, no-scale, got \"", word, "\""});
    };
    if (bool* const whole = word == "no-positions" ? &positions_
                            : word == "no-mask"    ? &mask_
                            : word == "no-scale"   ? &scale_
                                                   : nullptr) {
      *whole = true;
      continue;
    }
    const bool of_mlp = word.rfind("mlp.", 0) == 0;
    if (!of_mlp && word.rfind("h.", 0) != 0) refuse();
    std::size_t at = of_mlp ? 4 : 2;
    const auto layer = read_number(word, at);
    if (!layer || *layer >= config.n_layer) refuse();
    if (of_mlp) {
      if (at != word.size()) refuse();
      mlps_.push_back(*layer);
      continue;
    }
    if (at >= word.size() || word[at++] != '.') refuse();
    if (word.compare(at, std::string::npos, "attn") == 0) {
      attentions_.push_back(*layer);
      continue;
    }
    const auto head = read_number(word, at);
    if (!head || *head >= config.n_head || at != word.size()) refuse();
    add_head(*layer, *head);
  }
}

}  // namespace glassbox
