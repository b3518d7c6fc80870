#pragma once
// The façade: what the page and the command ask for. One engine holds one model and its tokenizer.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bigrams.hpp"
#include "bpe.hpp"
#include "checkpoint.hpp"
#include "clock.hpp"
#include "gpt2.hpp"
#include "head_scores.hpp"
#include "lens.hpp"
#include "sampler.hpp"
#include "trace.hpp"
#include "vectors.hpp"

namespace glassbox {

/// Tokens that a model is to read.
struct Prompt {
  std::vector<TokenId> ids;  ///< at most n_positions
  std::size_t dropped = 0;   ///< how many older tokens were left out because the context is full
};

/// A possible next token.
struct Candidate {
  TokenId id;
  Real p;  ///< probability over the whole vocabulary
  Real logit;
};

/// What switching parts of a model off does to its guess.
struct SwitchEffect {
  /// The likeliest tokens with and without the parts: the same tokens in both, each list likeliest first.
  std::vector<Candidate> before, after;
  double kl;  ///< nats, of the guess without the parts from the guess of the whole model
};

/// A logit lens, read.
struct LensReading {
  std::vector<std::string> names;  ///< (L + 1) of the activations that were read: see LogitLens
  /// (L + 1, top) the likeliest of each layer, likeliest first.
  std::vector<Candidate> candidates;
  /// (n) the tokens that are among the likeliest of any layer, the likeliest of the last layer first.
  std::vector<TokenId> tracked;
  std::vector<Real> p;            ///< (L + 1, n) the probabilities of those
  std::vector<std::size_t> rank;  ///< (L + 1, n) 0 for a layer's likeliest
};

/// One step of a generation, taken apart.
struct ExplainedStep {
  Vector logits;  ///< (V)
  Vector p;       ///< (V) their probabilities without a temperature, over the whole vocabulary
  Draw draw;
};

struct GenerateOptions {
  std::size_t max_tokens = 40;
  SamplerOptions sampler;
  Knockouts out;
  bool cache = true;  ///< keep the keys and values of what was read; without it every step reads all anew
};

/// What a generation read before one of its tokens.
struct GenerationStep {
  /// The prompt; the newest token; or the whole context anew, because its older half was dropped or nothing
  /// is kept.
  enum class Kind { prefill, decode, reread } kind;
  std::size_t tokens;           ///< how many were read
  double start_ms = 0;          ///< when, since the first began
  double ms = 0;                ///< how long the reading took
  Work work = {};               ///< summed over its pieces
  std::size_t cache_bytes = 0;  ///< of the keys and values that are kept after it
};

/// `prefill`, `decode` or `reread`.
const char* name_of(GenerationStep::Kind kind);

/// A text being continued, one token a step, so that the caller can show each and stop at any time. Refers to
/// the engine's model, which must outlive it.
class Generation {
 public:
  /// Throws Error `bad_argument` for options out of range, and for parts that a generation can't do without:
  /// the mask.
  Generation(const Gpt2& model, std::optional<TokenId> end, Prompt prompt, const GenerateOptions& options);

  /// Reads some of what is to be read before the next token, so that a caller can stop in between → whether
  /// there is more to read. Pieces change no number.
  bool read_piece();

  /// The next token, after what is left to read; nothing after max_tokens or once the model ends the text.
  /// When the context is full the older half is dropped and the rest is read anew.
  std::optional<TokenId> step();

  const std::vector<TokenId>& ids() const { return generated_; }  ///< the new tokens so far
  /// Tokens that left the context, the prompt's included.
  std::size_t dropped() const { return context_.dropped; }
  const std::vector<GenerationStep>& steps() const { return steps_; }  ///< those that were read to their end
  double prefill_ms() const;  ///< reading the prompt, and reading anew
  double decode_ms() const;   ///< single steps after it

 private:
  void take(TokenId id);
  double elapsed_ms() const;

  double start_ = 0;
  const Gpt2& model_;
  std::optional<TokenId> end_;
  std::size_t max_tokens_;
  Knockouts out_;
  bool keeps_;
  Sampler sampler_;
  KvCache cache_;
  Vector logits_;   // (V) after the last token read
  Prompt context_;  // what is or will be read before the next token
  GenerationStep reading_;
  std::vector<GenerationStep> steps_;
  std::vector<TokenId> generated_;
  bool ended_ = false;
};

class Engine {
 public:
  /// Loads a Hugging Face GPT-2 checkpoint in pieces of any size; the old model stays until finish_model
  /// succeeds. Errors: see CheckpointReader. Throws Error `bad_argument` for a piece without begin_model.
  void begin_model(std::uint64_t file_size, std::optional<std::string_view> config_json);
  void feed_model(std::span<const std::byte> piece);
  void finish_model();

  void load_tokenizer(std::string_view vocab_json, std::string_view merges_txt);
  void load_tokenizer_json(std::string_view tokenizer_json);
  /// GPT-2's tokenizer from its merges.txt alone: see Bpe::from_merges.
  void load_merges(std::string_view merges_txt);
  bool has_tokenizer() const { return tokenizer_.has_value(); }

  /// Counts of pairs that belong to this tokenizer: see Bigrams::read. Throws Error `no_tokenizer` too.
  void load_bigrams(std::span<const std::byte> file);

  const Gpt2& model() const;       ///< throws Error `no_model`
  const Bigrams& bigrams() const;  ///< throws Error `no_bigrams`
  const Bpe& tokenizer() const;    ///< throws Error `no_tokenizer`

  /// The bytes of a token; nothing without a tokenizer, or for an id that it does not know.
  std::optional<std::string> token_bytes(TokenId id) const;

  /// Text or ids → what the model reads: the newest n_positions tokens. No token is ever added. With
  /// `special`, the text of a special token means that token; a text from outside must never be read so.
  /// Throws Error `empty_text`, `no_tokenizer`, `bad_token`.
  Prompt prompt(std::string_view text, bool special = false) const;
  Prompt prompt(std::vector<TokenId> ids) const;

  /// What a Generation from `prompt` reads once it has added these tokens, so that one step of it can be
  /// taken by itself. Throws Error `bad_token`.
  Prompt continued(Prompt prompt, std::span<const TokenId> added) const;

  /// The parts that words such as `h.2.1 mlp.3` leave out of this model. Throws Error `bad_argument`.
  Knockouts knockouts(const std::string& words) const { return Knockouts(model().config(), words); }

  /// The activations named, of one forward pass. Throws Error `bad_argument` for an unknown name.
  std::map<std::string, Activation> trace(const Prompt& prompt, const std::vector<std::string>& names,
                                          const Knockouts& out = {}) const;

  /// The `top` likeliest next tokens, likeliest first; all when top exceeds V.
  std::vector<Candidate> next(const Prompt& prompt, std::size_t top, const Knockouts& out = {}) const;

  /// The guess that follows the token at `position`, before the first layer and after each: see logit_lens.
  LensReading lens(const Prompt& prompt, std::size_t position, std::size_t top,
                   const Knockouts& out = {}) const;

  /// What switching these parts off does to the `top` likeliest next tokens.
  SwitchEffect switch_effect(const Prompt& prompt, std::size_t top, const Knockouts& out) const;

  /// The next token of a Generation that has drawn `step` tokens before, with every stage of the draw. Throws
  /// Error `bad_argument`.
  ExplainedStep explain(const Prompt& prompt, const SamplerOptions& options, std::uint64_t step) const;

  /// The token that ends a text, if the tokenizer has it.
  std::optional<TokenId> end() const;

  /// What leaving out each head does to the guess of the next token, the largest effect first.
  std::vector<HeadEffect> sweep(const Prompt& prompt, const Knockouts& out = {}) const;

  /// What each head of a layer adds to the residual stream → (H, T, C). Throws Error `bad_argument`.
  Activation head_outputs(const Prompt& prompt, std::size_t layer) const;

  /// What each head looks at in a text. Throws Error `bad_argument` for positions outside it.
  std::vector<HeadScore> head_scores(const Prompt& prompt, const HeadQuery& query,
                                     const Knockouts& out = {}) const {
    return score_heads(model(), prompt.ids, query, out);
  }

  /// What each head does with random lists said twice: see score_repeats. The lists are of tokens of two
  /// bytes or more that are not special; of all tokens where there is no tokenizer.
  std::vector<RepeatScore> repeat_scores(const RepeatOptions& options) const;

  /// Rows of the embedding table: ids (n) → (n, C). Throws Error `empty_text`, `bad_token`.
  Matrix embedding(const std::vector<TokenId>& ids) const;

  /// The vectors of one token of each text in the residual stream: see contextual_vectors. Positions count
  /// the tokens of the prompt.
  std::vector<Matrix> contextual(const std::vector<Prompt>& prompts,
                                 const std::vector<std::size_t>& positions) const;

  Generation generate(const Prompt& prompt, const GenerateOptions& options) const;

 private:
  Vector guess(const Prompt& prompt, const Knockouts& out) const;

  std::unique_ptr<CheckpointReader> reader_;
  std::unique_ptr<Gpt2> model_;
  std::optional<Bpe> tokenizer_;
  std::optional<Bigrams> bigrams_;
};

}  // namespace glassbox
