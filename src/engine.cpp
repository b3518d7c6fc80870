#include "engine.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "ops.hpp"

namespace glassbox {

namespace {

/// Makes room in a context that is full.
void drop_older_half(Prompt& context) {
  const std::size_t older = context.ids.size() / 2;
  context.ids.erase(context.ids.begin(), context.ids.begin() + static_cast<std::ptrdiff_t>(older));
  context.dropped += older;
}

}  // namespace

Generation::Generation(const Gpt2& model, std::optional<TokenId> end, Prompt prompt,
                       const GenerateOptions& options)
    : model_(model),
      end_(end),
      max_tokens_(options.max_tokens),
      out_(options.out),
      sampler_(options.sampler),
      cache_(model.config(), prompt.ids.size() + std::min(options.max_tokens,
                                                          model.config().n_positions - prompt.ids.size())),
      context_(std::move(prompt)) {
  read(context_.ids, prefill_ms_);
}

void Generation::read(std::span<const TokenId> ids, double& milliseconds) {
  const auto start = std::chrono::steady_clock::now();
  logits_ = model_.last_logits(ids, cache_, out_);
  milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

std::optional<TokenId> Generation::step() {
  if (ended_ || generated_.size() >= max_tokens_) return std::nullopt;
  if (!generated_.empty()) {
    const TokenId newest = generated_.back();
    context_.ids.push_back(newest);
    if (cache_.size() < cache_.capacity()) {
      read(std::span(&newest, 1), decode_ms_);
    } else {
      drop_older_half(context_);
      cache_.clear();
      read(context_.ids, prefill_ms_);
    }
  }
  const TokenId id = sampler_.sample(logits_);
  if (end_ == id) {
    ended_ = true;
    return std::nullopt;
  }
  generated_.push_back(id);
  return id;
}

void Engine::begin_model(std::uint64_t file_size, std::optional<std::string_view> config_json) {
  reader_ = std::make_unique<CheckpointReader>(file_size, config_json);
}

void Engine::feed_model(std::span<const std::byte> piece) {
  if (!reader_) throw Error("bad_argument", "feed_model: no model is being loaded");
  reader_->feed(piece);
}

void Engine::finish_model() {
  if (!reader_) throw Error("bad_argument", "finish_model: no model is being loaded");
  const auto reader = std::move(reader_);
  auto [config, weights] = reader->take();
  model_ = std::make_unique<Gpt2>(config, std::move(weights));
}

void Engine::load_tokenizer(std::string_view vocab_json, std::string_view merges_txt) {
  tokenizer_ = Bpe::from_vocab_and_merges(vocab_json, merges_txt);
}

void Engine::load_tokenizer_json(std::string_view tokenizer_json) {
  tokenizer_ = Bpe::from_tokenizer_json(tokenizer_json);
}

const Gpt2& Engine::model() const {
  if (!model_) throw Error("no_model", "no model is loaded");
  return *model_;
}

void Engine::load_bigrams(std::span<const std::byte> file) {
  bigrams_ = Bigrams::read(file, tokenizer().size());
}

const Bigrams& Engine::bigrams() const {
  if (!bigrams_) throw Error("no_bigrams", "this model comes without counts of pairs");
  return *bigrams_;
}

const Bpe& Engine::tokenizer() const {
  if (!tokenizer_) throw Error("no_tokenizer", "this model has no tokenizer; give ids instead of text");
  return *tokenizer_;
}

std::optional<std::string> Engine::token_bytes(TokenId id) const {
  if (!tokenizer_) return std::nullopt;
  try {
    return tokenizer_->bytes(id);
  } catch (const Error&) {
    return std::nullopt;  // a vocabulary padded beyond its tokenizer has such ids
  }
}

Prompt Engine::prompt(std::string_view text, bool special) const {
  if (text.empty()) throw Error("empty_text", "the text is empty; give at least one character");
  return prompt(special ? tokenizer().encode_with_special(text) : tokenizer().encode(text));
}

Prompt Engine::prompt(std::vector<TokenId> ids) const {
  if (ids.empty()) throw Error("empty_text", "there are no tokens; give at least one");
  const Config& config = model().config();
  for (TokenId id : ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= config.vocab_size) {
      throw Error("bad_token", "id: expected 0 to " + std::to_string(config.vocab_size - 1) + ", got " +
                                   std::to_string(id));
    }
  }
  Prompt prompt;
  if (ids.size() > config.n_positions) prompt.dropped = ids.size() - config.n_positions;
  prompt.ids.assign(ids.begin() + static_cast<std::ptrdiff_t>(prompt.dropped), ids.end());
  return prompt;
}

Prompt Engine::continued(Prompt prompt, std::span<const TokenId> added) const {
  if (added.empty()) return prompt;
  this->prompt(std::vector<TokenId>(added.begin(), added.end()));  // refuses ids that the model does not have
  for (TokenId id : added) {
    const bool full = prompt.ids.size() == model().config().n_positions;
    prompt.ids.push_back(id);
    if (full) drop_older_half(prompt);
  }
  return prompt;
}

std::map<std::string, Activation> Engine::trace(const Prompt& prompt, const std::vector<std::string>& names,
                                                const Knockouts& out) const {
  KvCache cache(model().config(), prompt.ids.size());
  Trace trace(model().config(), names);
  model().forward(prompt.ids, cache, Logits::last, &trace, out);
  return std::move(trace.activations());
}

std::vector<Candidate> Engine::next(const Prompt& prompt, std::size_t top, const Knockouts& out) const {
  KvCache cache(model().config(), prompt.ids.size());
  const Vector logits = model().last_logits(prompt.ids, cache, out);
  const Vector p = softmax(logits);
  std::vector<Candidate> candidates;
  for (TokenId id : top_ids(logits, top)) {
    const auto i = static_cast<std::size_t>(id);
    candidates.push_back({id, p(i), logits(i)});
  }
  return candidates;
}

std::vector<HeadEffect> Engine::sweep(const Prompt& prompt, const Knockouts& out) const {
  return knockout_sweep(model(), prompt.ids, out);
}

Activation Engine::head_outputs(const Prompt& prompt, std::size_t layer) const {
  const Config& config = model().config();
  const std::string name = "h." + std::to_string(layer) + ".attn.z";
  const Activation z = trace(prompt, {name}).at(name);
  const std::size_t T = prompt.ids.size(), D = config.head_size();
  Activation outputs{{config.n_head, T, config.n_embd}, {}};
  for (std::size_t head = 0; head < config.n_head; ++head) {
    Matrix own = Matrix::from_shape({T, D});
    std::copy_n(z.data.data() + head * T * D, T * D, own.data());
    const Matrix added = model().head_output(layer, head, own);
    outputs.data.insert(outputs.data.end(), added.data(), added.data() + added.size());
  }
  return outputs;
}

std::optional<TokenId> Engine::end() const {
  return tokenizer_ ? tokenizer_->special("<|endoftext|>") : std::nullopt;
}

ExplainedStep Engine::explain(const Prompt& prompt, const SamplerOptions& options, std::uint64_t step) const {
  Sampler sampler(options);
  sampler.skip(step);
  KvCache cache(model().config(), prompt.ids.size());
  ExplainedStep explained;
  explained.logits = model().last_logits(prompt.ids, cache);
  explained.p = softmax(explained.logits);
  explained.draw = sampler.explain(explained.logits);
  return explained;
}

std::vector<RepeatScore> Engine::repeat_scores(const RepeatOptions& options) const {
  std::vector<TokenId> candidates;
  for (std::size_t i = 0; i < model().config().vocab_size; ++i) {
    const auto id = static_cast<TokenId>(i);
    if (tokenizer_) {
      const std::optional<std::string> bytes = token_bytes(id);
      if (!bytes || bytes->size() < 2 || tokenizer_->special(*bytes) == id) continue;
    }
    candidates.push_back(id);
  }
  return score_repeats(model(), std::move(candidates), options);
}

Matrix Engine::embedding(const std::vector<TokenId>& ids) const {
  if (ids.empty()) throw Error("empty_text", "there are no tokens; give at least one");
  return model().token_vectors(ids);
}

std::vector<Matrix> Engine::contextual(const std::vector<Prompt>& prompts,
                                       const std::vector<std::size_t>& positions) const {
  if (prompts.size() != positions.size()) {
    throw Error("bad_argument", "contextual: expected a position for each of " +
                                    std::to_string(prompts.size()) + " texts, got " +
                                    std::to_string(positions.size()));
  }
  std::vector<Place> places;
  for (std::size_t i = 0; i < prompts.size(); ++i) places.push_back({prompts[i].ids, positions[i]});
  return contextual_vectors(model(), places);
}

Generation Engine::generate(const Prompt& prompt, const GenerateOptions& options) const {
  return Generation(model(), end(), prompt, options);
}

}  // namespace glassbox
