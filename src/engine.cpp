#include "engine.hpp"

#include <algorithm>
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

/// These ids with their logits (V) and probabilities, likeliest first, ties by id.
std::vector<Candidate> candidates(const Vector& logits, const std::vector<TokenId>& ids) {
  const Vector p = softmax(logits);
  std::vector<Candidate> found;
  for (TokenId id : ids) {
    const auto at = static_cast<std::size_t>(id);
    found.push_back({id, p(at), logits(at)});
    // Most come in order; the few others move up to their places.
    const auto before = [](const Candidate& a, const Candidate& b) {
      return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
    };
    for (std::size_t i = found.size() - 1; i > 0 && before(found[i], found[i - 1]); --i)
      std::swap(found[i], found[i - 1]);
  }
  return found;
}

/// Adds the likeliest tokens to those that are there.
void add_likeliest(const Vector& logits, std::size_t top, std::vector<TokenId>& ids) {
  for (TokenId id : top_ids(logits, top)) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
}

}  // namespace

const char* name_of(GenerationStep::Kind kind) {
  constexpr const char* names[] = {"prefill", "decode", "reread"};
  return names[static_cast<std::size_t>(kind)];
}

Generation::Generation(const Gpt2& model, std::optional<TokenId> end, Prompt prompt,
                       const GenerateOptions& options)
    : model_(model),
      end_(end),
      max_tokens_(options.max_tokens),
      out_(options.out),
      keeps_(options.cache),
      sampler_(options.sampler),
      cache_(model.config(), prompt.ids.size() + std::min(options.max_tokens,
                                                          model.config().n_positions - prompt.ids.size())),
      context_(std::move(prompt)),
      reading_{GenerationStep::Kind::prefill, context_.ids.size()} {
  if (out_.mask()) fail("bad_argument", {"generate: a text can't be continued without the mask"});
}

double Generation::elapsed_ms() const { return clock_ms() - start_; }

bool Generation::read_piece() {
  // Long enough to be as fast as the whole: each piece streams all weights once more.
  constexpr std::size_t piece = 256;
  if (ended_ || generated_.size() >= max_tokens_ || cache_.size() == context_.ids.size()) return false;
  const std::size_t left = context_.ids.size() - cache_.size(), count = std::min(piece, left);
  if (steps_.empty() && cache_.size() == 0) start_ = clock_ms();
  const double start = elapsed_ms();
  if (left == reading_.tokens) reading_.start_ms = start;
  logits_ =
      model_.last_logits(std::span(context_.ids).subspan(cache_.size(), count), cache_, out_, &reading_.work);
  reading_.ms += elapsed_ms() - start;
  if (count < left) return true;
  if (keeps_) reading_.cache_bytes = cache_.size() * cache_.bytes_per_token();
  steps_.push_back(reading_);
  return false;
}

/// Adds a token to the context, and decides what is read after it.
void Generation::take(TokenId id) {
  context_.ids.push_back(id);
  const bool full = context_.ids.size() > cache_.capacity();
  if (full) drop_older_half(context_);
  if (full || !keeps_) cache_.clear();
  const std::size_t left = context_.ids.size() - cache_.size();
  reading_ = {cache_.size() > 0 ? GenerationStep::Kind::decode : GenerationStep::Kind::reread, left};
}

std::optional<TokenId> Generation::step() {
  if (ended_ || generated_.size() >= max_tokens_) return std::nullopt;
  while (read_piece()) {
  }
  const TokenId id = sampler_.sample(logits_);
  if (end_ == id) {
    ended_ = true;
    return std::nullopt;
  }
  generated_.push_back(id);
  if (generated_.size() < max_tokens_) take(id);
  return id;
}

double Generation::prefill_ms() const {
  double sum = 0;
  for (const GenerationStep& step : steps_) sum += step.kind == GenerationStep::Kind::decode ? 0 : step.ms;
  return sum;
}

double Generation::decode_ms() const {
  double sum = 0;
  for (const GenerationStep& step : steps_) sum += step.kind == GenerationStep::Kind::decode ? step.ms : 0;
  return sum;
}

void Engine::begin_model(std::uint64_t file_size, std::optional<std::string_view> config_json) {
  reader_ = std::make_unique<CheckpointReader>(file_size, config_json);
}

void Engine::feed_model(std::span<const std::byte> piece) {
  if (!reader_) fail("bad_argument", {"feed_model: no model is being loaded"});
  reader_->feed(piece);
}

void Engine::finish_model() {
  if (!reader_) fail("bad_argument", {"finish_model: no model is being loaded"});
  const auto reader = std::move(reader_);
  auto [config, weights] = reader->take();
  const std::map<std::string, std::string>& metadata = reader->metadata();
  const auto vocab = metadata.find(vocab_metadata), merges = metadata.find(merges_metadata);
  if (vocab != metadata.end() && merges != metadata.end()) load_tokenizer(vocab->second, merges->second);
  model_ = std::make_unique<Gpt2>(config, std::move(weights));
}

void Engine::load_tokenizer(std::string_view vocab_json, std::string_view merges_txt) {
  tokenizer_ = Bpe::from_vocab_and_merges(vocab_json, merges_txt);
}

void Engine::load_tokenizer_json(std::string_view tokenizer_json) {
  tokenizer_ = Bpe::from_tokenizer_json(tokenizer_json);
}

void Engine::load_merges(std::string_view merges_txt) {
  tokenizer_ = Bpe::from_merges(merges_txt, {"<|endoftext|>"});
}

const Gpt2& Engine::model() const {
  if (!model_) fail("no_model", {"no model is loaded"});
  return *model_;
}

void Engine::load_bigrams(std::span<const std::byte> file) {
  bigrams_ = Bigrams::read(file, tokenizer().size());
}

const Bigrams& Engine::bigrams() const {
  if (!bigrams_) fail("no_bigrams", {"this model comes without counts of pairs"});
  return *bigrams_;
}

const Bpe& Engine::tokenizer() const {
  if (!tokenizer_) fail("no_tokenizer", {"this model has no tokenizer; give ids instead of text"});
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
  if (text.empty()) fail("empty_text", {"the text is empty; give at least one character"});
  return prompt(special ? tokenizer().encode_with_special(text) : tokenizer().encode(text));
}

Prompt Engine::prompt(std::vector<TokenId> ids) const {
  if (ids.empty()) fail("empty_text", {"there are no tokens; give at least one"});
  const Config& config = model().config();
  for (TokenId id : ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= config.vocab_size) {
      fail("bad_token", {"id: expected 0 to ", config.vocab_size - 1, ", got ", id});
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

Vector Engine::guess(const Prompt& prompt, const Knockouts& out) const {
  KvCache cache(model().config(), prompt.ids.size());
  return model().last_logits(prompt.ids, cache, out);
}

std::vector<Candidate> Engine::next(const Prompt& prompt, std::size_t top, const Knockouts& out) const {
  const Vector logits = guess(prompt, out);
  return candidates(logits, top_ids(logits, top));
}

LensReading Engine::lens(const Prompt& prompt, std::size_t position, std::size_t top,
                         const Knockouts& out) const {
  const LogitLens lens = logit_lens(model(), prompt.ids, position, out);
  LensReading reading{lens.names, {}, {}, {}, {}};
  const std::size_t layers = lens.names.size();
  for (std::size_t i = 0; i < layers; ++i) {
    const Vector logits = row_of(lens.logits, i);
    const std::vector<Candidate> found = candidates(logits, top_ids(logits, top));
    reading.candidates.insert(reading.candidates.end(), found.begin(), found.end());
    add_likeliest(logits, top, reading.tracked);
  }
  const std::vector<Candidate> ordered = candidates(row_of(lens.logits, layers - 1), reading.tracked);
  for (std::size_t n = 0; n < ordered.size(); ++n) reading.tracked[n] = ordered[n].id;
  for (std::size_t i = 0; i < layers; ++i) {
    const Vector logits = row_of(lens.logits, i), p = softmax(logits);
    for (TokenId id : reading.tracked) {
      reading.p.push_back(p(static_cast<std::size_t>(id)));
      reading.rank.push_back(rank_of(logits, id));
    }
  }
  return reading;
}

SwitchEffect Engine::switch_effect(const Prompt& prompt, std::size_t top, const Knockouts& out) const {
  const Vector before = guess(prompt, {}), after = guess(prompt, out);
  std::vector<TokenId> ids;
  add_likeliest(before, top, ids);
  add_likeliest(after, top, ids);
  return {candidates(before, ids), candidates(after, ids), kl_divergence_of_logits(before, after)};
}

std::vector<HeadEffect> Engine::sweep(const Prompt& prompt, const Knockouts& out) const {
  return knockout_sweep(model(), prompt.ids, out);
}

Activation Engine::head_outputs(const Prompt& prompt, std::size_t layer) const {
  const Config& config = model().config();
  const std::string name = join({"h.", layer, ".attn.z"});
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
  if (ids.empty()) fail("empty_text", {"there are no tokens; give at least one"});
  return model().token_vectors(ids);
}

std::vector<Matrix> Engine::contextual(const std::vector<Prompt>& prompts,
                                       const std::vector<std::size_t>& positions) const {
  if (prompts.size() != positions.size()) {
    fail("bad_argument",
         {"contextual: expected a position for each of ", prompts.size(), " texts, got ", positions.size()});
  }
  std::vector<Place> places;
  for (std::size_t i = 0; i < prompts.size(); ++i) places.push_back({prompts[i].ids, positions[i]});
  return contextual_vectors(model(), places);
}

Generation Engine::generate(const Prompt& prompt, const GenerateOptions& options) const {
  return Generation(model(), end(), prompt, options);
}

}  // namespace glassbox
