// The page's engine as JavaScript sees it.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agent.hpp"
#include "attention.hpp"
#include "boundary.hpp"
#include "bpe_learner.hpp"
#include "clock.hpp"
#include "engine.hpp"
#include "unicode.hpp"

namespace glassbox {
namespace {

// ── C++ → JavaScript, always copies
// ─────────────────────────────────────────────────────────────────────────────

val ids_value(const std::vector<TokenId>& ids) {
  return array(ids, [](TokenId id) { return val(id); });
}

val bytes_value(const std::optional<std::string>& bytes) {
  if (!bytes) return val::null();
  return array(std::vector<char>(bytes->begin(), bytes->end()),
               [](char byte) { return val(static_cast<int>(static_cast<unsigned char>(byte))); });
}

val token_value(const std::optional<std::string>& bytes) {
  return bytes ? val(to_valid_utf8(*bytes)) : val::null();
}

val tensor_value(const std::vector<std::size_t>& shape, const Real* data, std::size_t count) {
  Object tensor;
  tensor.set("shape", array(shape, [](std::size_t n) { return val(n); }));
  tensor.set("data", typed_array(data, count));
  return tensor;
}

val matrix_value(const Matrix& matrix) {
  return tensor_value({matrix.shape(0), matrix.shape(1)}, matrix.data(), matrix.size());
}

val text_or_null(std::string_view text) { return text.empty() ? val::null() : val(std::string(text)); }

/// Sets ids, tokens and bytes on an object.
void set_tokens(val& object, const Engine& engine, const std::vector<TokenId>& ids) {
  object.set("ids", ids_value(ids));
  object.set("tokens", array(ids, [&](TokenId id) { return token_value(engine.token_bytes(id)); }));
  object.set("bytes", array(ids, [&](TokenId id) { return bytes_value(engine.token_bytes(id)); }));
}

/// A token as {id, token, bytes}.
val token_item(const Engine& engine, TokenId id) {
  Object item;
  item.set("id", id);
  item.set("token", token_value(engine.token_bytes(id)));
  item.set("bytes", bytes_value(engine.token_bytes(id)));
  return item;
}

/// Candidates as [{id, token, bytes, p, logit}].
val candidate_items(const Engine& engine, const std::vector<Candidate>& candidates) {
  return array(candidates, [&](const Candidate& candidate) {
    val item = token_item(engine, candidate.id);
    set_numbers(item, {{"p", candidate.p}, {"logit", candidate.logit}});
    return item;
  });
}

// ── JavaScript → C++
// ────────────────────────────────────────────────────────────────────────────────────────────

/// A matrix from a flat list of rows × columns numbers.
Matrix read_matrix(const val& numbers, std::size_t rows, std::size_t columns) {
  const std::vector<Real> flat = emscripten::convertJSArrayToNumberVector<Real>(numbers);
  if (flat.size() != rows * columns) {
    fail("bad_shape", {"matrix: expected ", rows * columns, " numbers, got ", flat.size()});
  }
  Matrix matrix = Matrix::from_shape({rows, columns});
  std::copy(flat.begin(), flat.end(), matrix.data());
  return matrix;
}

std::vector<TokenId> read_ids(const val& ids) {
  return emscripten::convertJSArrayToNumberVector<TokenId>(ids);
}

std::optional<std::string_view> optional_text(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

// ── the classes that the worker sees
// ────────────────────────────────────────────────────────────────────────────

/// A running continuation, one token a call. Keep the engine alive as long, and delete both.
class BoundGeneration {
 public:
  BoundGeneration(const Engine& engine, Generation generation)
      : engine_(engine), generation_(std::move(generation)) {}

  /// true while there is more to read before the next token; then that token {id, token, bytes}, or null at
  /// the end.
  val step() {
    return guarded([&]() -> val {
      if (generation_.read_piece()) return val(true);
      const std::optional<TokenId> id = generation_.step();
      return id ? token_item(engine_, *id) : val::null();
    });
  }

  /// What came out: {text, ids, dropped, prefillMs, decodeMs, steps: [{kind, tokens, startMs, ms,
  /// multiplyAdds, weightBytes, cacheWritten, cacheRead, cacheBytes}]}; text is null without a tokenizer.
  val result() const {
    return guarded([&] {
      std::string text;
      for (TokenId id : generation_.ids()) text += engine_.token_bytes(id).value_or("");
      Object out;
      out.set("text", engine_.has_tokenizer() ? val(to_valid_utf8(text)) : val::null());
      out.set("ids", ids_value(generation_.ids()));
      out.set("dropped", generation_.dropped());
      out.set("prefillMs", generation_.prefill_ms());
      out.set("decodeMs", generation_.decode_ms());
      out.set("steps", array(generation_.steps(), [](const GenerationStep& step) {
                Object item;
                item.set("kind", std::string(name_of(step.kind)));
                set_numbers(item, {{"tokens", static_cast<double>(step.tokens)},
                                   {"startMs", step.start_ms},
                                   {"ms", step.ms},
                                   {"multiplyAdds", static_cast<double>(step.work.multiply_adds)},
                                   {"weightBytes", static_cast<double>(step.work.weight_bytes)},
                                   {"cacheWritten", static_cast<double>(step.work.cache_written)},
                                   {"cacheRead", static_cast<double>(step.work.cache_read)},
                                   {"cacheBytes", static_cast<double>(step.cache_bytes)}});
                return item;
              }));
      return out;
    });
  }

 private:
  const Engine& engine_;
  Generation generation_;
};

/// Texts come as UTF-8 bytes (Uint8Array), so that a lone surrogate has become U+FFFD by the standard's rule
/// before.
class BoundEngine {
 public:
  val begin_model(double file_size, const std::string& config_json) {
    return guarded([&] {
      engine_.begin_model(static_cast<std::uint64_t>(file_size), optional_text(config_json));
      return val::undefined();
    });
  }

  val feed_model(const std::string& piece) {
    return guarded([&] {
      engine_.feed_model(std::as_bytes(std::span(piece.data(), piece.size())));
      return val::undefined();
    });
  }

  val finish_model() {
    return guarded([&] {
      engine_.finish_model();
      const Config& config = engine_.model().config();
      Object out;
      out.set("vocabSize", config.vocab_size);
      out.set("nPositions", config.n_positions);
      out.set("nEmbd", config.n_embd);
      out.set("nHead", config.n_head);
      out.set("nLayer", config.n_layer);
      out.set("nInner", config.n_inner);
      out.set("layerNormEpsilon", config.layer_norm_epsilon);
      out.set("tieWordEmbeddings", config.tie_word_embeddings);
      out.set("hasTokenizer", engine_.has_tokenizer());
      out.set("kvCacheBytesPerToken", KvCache(config, 1).bytes_per_token());
      return out;
    });
  }

  val load_tokenizer(const std::string& vocab_json, const std::string& merges_txt) {
    return guarded([&] {
      engine_.load_tokenizer(vocab_json, merges_txt);
      return val::undefined();
    });
  }

  val load_tokenizer_json(const std::string& tokenizer_json) {
    return guarded([&] {
      engine_.load_tokenizer_json(tokenizer_json);
      return val::undefined();
    });
  }

  val load_merges(const std::string& merges_txt) {
    return guarded([&] {
      engine_.load_merges(merges_txt);
      return val::undefined();
    });
  }

  /// special, here and below: the text of a special token means that token. Steps are told without it only.
  val tokenize(const std::string& text, bool with_steps, bool special) const {
    return guarded([&] {
      const Bpe& bpe = engine_.tokenizer();
      const Bpe::Encoded encoded =
          with_steps ? bpe.encode_with_steps(text)
                     : Bpe::Encoded{special ? bpe.encode_with_special(text) : bpe.encode(text), {}};
      Object out;
      set_tokens(out, engine_, encoded.ids);
      if (with_steps) {
        const auto text_of = [&](TokenId id) { return token_value(engine_.token_bytes(id)); };
        out.set("steps", array(encoded.steps, [&](const MergeStep& step) {
                  Object item;
                  item.set("rank", step.rank);
                  item.set("pair", array(std::vector<TokenId>{step.pair.first, step.pair.second}, text_of));
                  item.set("pieces", array(step.pieces, text_of));
                  item.set("pieceIds", ids_value(step.pieces));
                  return item;
                }));
      }
      return out;
    });
  }

  val trace(const std::string& text, const val& names, const std::string& knockout, bool special) const {
    return guarded([&] {
      const Prompt prompt = engine_.prompt(text, special);
      const Knockouts knockouts = engine_.knockouts(knockout);
      Object out;
      set_tokens(out, engine_, prompt.ids);
      out.set("dropped", prompt.dropped);
      Object activations;
      for (const auto& [name, activation] :
           engine_.trace(prompt, emscripten::vecFromJSArray<std::string>(names), knockouts)) {
        activations.set(name.c_str(),
                        tensor_value(activation.shape, activation.data.data(), activation.data.size()));
      }
      out.set("activations", activations);
      return out;
    });
  }

  val next(const std::string& text, std::size_t top, const std::string& knockout, bool special) const {
    return guarded([&] {
      const Prompt prompt = engine_.prompt(text, special);
      Object out;
      out.set("dropped", prompt.dropped);
      out.set("candidates", candidate_items(engine_, engine_.next(prompt, top, engine_.knockouts(knockout))));
      return out;
    });
  }

  /// The guess after `position` (−1: the last) before the first layer and after each → ids, tokens, bytes,
  /// dropped, position, {layers: [{name, candidates}], tracked: [{id, token, bytes, p (L + 1), rank (L +
  /// 1)}]}.
  val lens(const std::string& text, int position, std::size_t top, const std::string& knockout,
           bool special) const {
    return guarded([&] {
      const Prompt prompt = engine_.prompt(text, special);
      const std::size_t at = position < 0 ? prompt.ids.size() - 1 : static_cast<std::size_t>(position);
      const LensReading reading = engine_.lens(prompt, at, top, engine_.knockouts(knockout));
      Object out;
      set_tokens(out, engine_, prompt.ids);
      out.set("dropped", prompt.dropped);
      out.set("position", at);
      const std::size_t layers = reading.names.size(), count = reading.candidates.size() / layers,
                        n = reading.tracked.size();
      val layer_items = val::array();
      for (std::size_t i = 0; i < layers; ++i) {
        const auto first = reading.candidates.begin() + static_cast<std::ptrdiff_t>(i * count);
        Object item;
        item.set("name", reading.names[i]);
        item.set("candidates",
                 candidate_items(engine_,
                                 std::vector<Candidate>(first, first + static_cast<std::ptrdiff_t>(count))));
        put(layer_items, i, item);
      }
      out.set("layers", layer_items);
      val tracked = val::array();
      for (std::size_t j = 0; j < n; ++j) {
        val item = token_item(engine_, reading.tracked[j]), p = val::array(), rank = val::array();
        for (std::size_t i = 0; i < layers; ++i) {
          put(p, i, val(reading.p[i * n + j]));
          put(rank, i, val(reading.rank[i * n + j]));
        }
        item.set("p", p);
        item.set("rank", rank);
        put(tracked, j, item);
      }
      out.set("tracked", tracked);
      return out;
    });
  }

  /// What leaving parts out does to the guess → {before, after, kl, dropped}.
  val switch_effect(const std::string& text, std::size_t top, const std::string& knockout,
                    bool special) const {
    return guarded([&] {
      const Prompt prompt = engine_.prompt(text, special);
      const SwitchEffect effect = engine_.switch_effect(prompt, top, engine_.knockouts(knockout));
      Object out;
      out.set("before", candidate_items(engine_, effect.before));
      out.set("after", candidate_items(engine_, effect.after));
      out.set("kl", effect.kl);
      out.set("dropped", prompt.dropped);
      return out;
    });
  }

  /// One draw of a generation with all its stages, after `added` ids and `step` draws of the seed → {tokens:
  /// how many were read, dropped, added: {ids, tokens, bytes}, candidates, vocabulary, afterTopK, kept,
  /// total, u (null when nothing is drawn), largest: the largest logit, chosen, ends}. The `top` likeliest
  /// are in candidates, each {id, token, bytes, rank, logit, p, tempered, share, from, to}: probability as it
  /// is and after the temperature, over the whole vocabulary, and the piece of the line from 0 to 1 that the
  /// token has in the draw (all 0 when it is not kept). `chosen` is such an entry too.
  val sample(const std::string& text, const val& added, double temperature, std::size_t top_k, double top_p,
             double seed, double step, std::size_t top) const {
    return guarded([&] {
      const std::vector<TokenId> added_ids = emscripten::convertJSArrayToNumberVector<TokenId>(added);
      const Prompt prompt = engine_.continued(engine_.prompt(text), added_ids);
      const ExplainedStep explained =
          engine_.explain(prompt, {temperature, top_k, top_p, static_cast<std::uint64_t>(seed)},
                          static_cast<std::uint64_t>(step));
      const Draw& draw = explained.draw;
      std::vector<double> ends(draw.kept);  // where the pieces of the kept tokens end
      double sum = 0;
      for (std::size_t rank = 0; rank < draw.kept; ++rank) {
        sum += static_cast<double>(draw.p(static_cast<std::size_t>(draw.ranked[rank])));
        ends[rank] = sum / draw.total;
      }
      const auto candidate = [&](std::size_t rank) {
        const TokenId id = draw.ranked[rank];
        const auto i = static_cast<std::size_t>(id);
        const bool kept = rank < draw.kept;
        Object item;
        item.set("id", id);
        item.set("token", token_value(engine_.token_bytes(id)));
        item.set("bytes", bytes_value(engine_.token_bytes(id)));
        item.set("rank", rank);
        item.set("logit", explained.logits(i));
        item.set("p", explained.p(i));
        item.set("tempered", draw.p(i));
        item.set("share", kept ? static_cast<double>(draw.p(i)) / draw.total : 0.0);
        item.set("from", kept && rank > 0 ? ends[rank - 1] : 0.0);
        item.set("to", kept ? ends[rank] : 0.0);
        return item;
      };
      Object out;
      out.set("tokens", prompt.ids.size());
      out.set("dropped", prompt.dropped);
      Object added_value;
      set_tokens(added_value, engine_, added_ids);
      out.set("added", added_value);
      val candidates = val::array();
      for (std::size_t rank = 0; rank < std::min(top, draw.ranked.size()); ++rank)
        put(candidates, rank, candidate(rank));
      out.set("candidates", candidates);
      out.set("vocabulary", draw.ranked.size());
      out.set("afterTopK", draw.after_top_k);
      out.set("kept", draw.kept);
      out.set("total", draw.total);
      out.set("u", temperature == 0 ? val::null() : val(draw.u));
      out.set("largest", explained.logits(static_cast<std::size_t>(draw.ranked.front())));
      out.set("chosen", candidate(draw.chosen));
      out.set("ends", engine_.end() == draw.ranked[draw.chosen]);
      return out;
    });
  }

  /// One token of an agent's turn, the likeliest or the one picked (−1: the likeliest) → {tokens: how many
  /// were read, dropped, candidates: the likeliest and behind them the chosen one, text: what `added` and it
  /// write, stop}.
  val agent_step(const std::string& question, const std::string& transcript, const val& added, TokenId pick,
                 std::size_t top) const {
    return guarded([&] {
      std::vector<TokenId> ids = read_ids(added);
      const Prompt prompt = agent_prompt(engine_, question, transcript, ids);
      std::vector<Candidate> found = engine_.next(prompt, engine_.model().config().vocab_size);
      const std::size_t all = found.size();
      for (std::size_t i = 0; i < all; ++i)
        if (found[i].id == pick || (pick < 0 && i == 0)) found.push_back(Candidate(found[i]));
      if (found.size() == all) fail("bad_token", {"pick: the model has no token ", pick});
      ids.push_back(found.back().id);
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(std::min(top, all)), found.end() - 1);
      Object out;
      out.set("tokens", prompt.ids.size());
      out.set("dropped", prompt.dropped);
      out.set("candidates", candidate_items(engine_, found));
      out.set("text", written_text(engine_, ids));
      out.set("stop", text_or_null(stop_reason(engine_, transcript, ids)));
      return out;
    });
  }

  /// What leaving out each head does → [{layer, head, kl, id, token, bytes, p, pFirst}].
  val sweep(const std::string& text, const std::string& knockout) const {
    return guarded([&] {
      return array(engine_.sweep(engine_.prompt(text), engine_.knockouts(knockout)),
                   [&](const HeadEffect& effect) {
                     Object item;
                     item.set("layer", effect.layer);
                     item.set("head", effect.head);
                     item.set("kl", effect.kl);
                     item.set("id", effect.id);
                     item.set("token", token_value(engine_.token_bytes(effect.id)));
                     item.set("bytes", bytes_value(engine_.token_bytes(effect.id)));
                     item.set("p", effect.p);
                     item.set("pFirst", effect.p_first);
                     return item;
                   });
    });
  }

  /// What each head of a layer adds to the residual stream: ids, tokens, bytes, dropped and a tensor (H, T,
  /// C).
  val head_outputs(const std::string& text, std::size_t layer) const {
    return guarded([&] {
      const Prompt prompt = engine_.prompt(text);
      const Activation outputs = engine_.head_outputs(prompt, layer);
      val out = tensor_value(outputs.shape, outputs.data.data(), outputs.data.size());
      set_tokens(out, engine_, prompt.ids);
      out.set("dropped", prompt.dropped);
      return out;
    });
  }

  /// What each head looks at. Row −1 is the last; spans: lists of positions.
  val head_scores(const std::string& text, int row, const val& spans, const std::string& knockout,
                  bool special) const {
    return guarded([&] {
      const Prompt prompt = engine_.prompt(text, special);
      HeadQuery query{row < 0 ? prompt.ids.size() - 1 : static_cast<std::size_t>(row), {}};
      for (const val& span : emscripten::vecFromJSArray<val>(spans))
        query.spans.push_back(emscripten::convertJSArrayToNumberVector<std::size_t>(span));
      return array(engine_.head_scores(prompt, query, engine_.knockouts(knockout)), [](const HeadScore&
                                                                                           score) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        Object asked;
        set_numbers(asked, {{"entropy", score.row_entropy}, {"relativeEntropy", score.row_relative_entropy}});
        asked.set("spans", typed_array(score.spans.data(), score.spans.size()));
        Object item;
        set_numbers(item, {{"layer", static_cast<double>(score.layer)},
                           {"head", static_cast<double>(score.head)},
                           {"previous", score.previous.value_or(none)},
                           {"first", score.first.value_or(none)},
                           {"induction", score.induction.value_or(none)},
                           {"entropy", score.entropy.value_or(none)},
                           {"relativeEntropy", score.relative_entropy.value_or(none)}});
        item.set("row", asked);
        return item;
      });
    });
  }

  /// What each head does with random lists said twice → [{layer, head, previous, induction}].
  val repeat_scores(std::size_t rounds, std::size_t length, double seed) const {
    return guarded([&] {
      RepeatOptions options{rounds, length, static_cast<std::uint64_t>(seed)};
      return array(engine_.repeat_scores(options), [](const RepeatScore& score) {
        Object item;
        set_numbers(item, {{"layer", static_cast<double>(score.layer)},
                           {"head", static_cast<double>(score.head)},
                           {"previous", score.previous},
                           {"induction", score.induction}});
        return item;
      });
    });
  }

  /// Rows of the embedding table: a tensor (n, C) that also has the rows' ids, tokens and bytes.
  val embedding(const val& ids) const {
    return guarded([&] {
      const std::vector<TokenId> rows = read_ids(ids);
      val out = matrix_value(engine_.embedding(rows));
      set_tokens(out, engine_, rows);
      return out;
    });
  }

  /// The nearest rows of the embedding table → [{id, token, bytes, cosine}].
  val neighbours(TokenId id, std::size_t count) const {
    return guarded([&] {
      return array(glassbox::neighbours(engine_.model(), id, count), [&](const Neighbour& neighbour) {
        val item = token_item(engine_, neighbour.id);
        item.set("cosine", neighbour.cosine);
        return item;
      });
    });
  }

  /// The position table: {vectors: tensor (P, C), cosines: tensor (P, P), byDistance (P)}.
  val positions() const {
    return guarded([&] {
      const Positions found = glassbox::positions(engine_.model());
      Object out;
      out.set("vectors", matrix_value(found.vectors));
      out.set("cosines", matrix_value(found.cosines));
      out.set("byDistance", typed_array(found.by_distance.data(), found.by_distance.size()));
      return out;
    });
  }

  /// One token of each text in the residual stream: {tokens: [{id, token, bytes, dropped}], layers: L + 1 of
  /// {vectors: tensor (n, C), cosines: tensor (n, n), centred: tensor (n, n)}}.
  val contextual(const val& texts, const val& positions) const {
    return guarded([&] {
      std::vector<Prompt> prompts;
      for (const val& text : emscripten::vecFromJSArray<val>(texts))
        prompts.push_back(engine_.prompt(text.as<std::string>()));
      const std::vector<std::size_t> at = emscripten::vecFromJSArray<std::size_t>(positions);
      const std::vector<Matrix> layers = engine_.contextual(prompts, at);
      val tokens = val::array();
      for (std::size_t i = 0; i < prompts.size(); ++i) {
        val item = token_item(engine_, prompts[i].ids[at[i]]);
        item.set("dropped", prompts[i].dropped);
        put(tokens, i, item);
      }
      Object out;
      out.set("tokens", tokens);
      out.set("layers", array(layers, [](const Matrix& vectors) {
                Object layer;
                layer.set("vectors", matrix_value(vectors));
                layer.set("cosines", matrix_value(cosines(vectors)));
                layer.set("centred", matrix_value(cosines(centred(vectors))));
                return layer;
              }));
      return out;
    });
  }

  /// The matrices of one head: {q, k, v}, each {weight: tensor (C, D), bias: tensor (D)}.
  val head_projections(std::size_t layer, std::size_t head) const {
    return guarded([&] {
      Object out;
      constexpr const char* names[] = {"q", "k", "v"};
      for (std::size_t part = 0; part < 3; ++part) {
        const LinearWeights projection = engine_.model().head_projection(layer, head, part);
        Object item;
        item.set("weight", matrix_value(projection.weight));
        item.set("bias",
                 tensor_value({projection.bias.size()}, projection.bias.data(), projection.bias.size()));
        out.set(names[part], item);
      }
      return out;
    });
  }

  val load_bigrams(const std::string& file) {
    return guarded([&] {
      engine_.load_bigrams(std::as_bytes(std::span(file.data(), file.size())));
      return val::undefined();
    });
  }

  /// What followed the text's last token in the corpus: {last: {id, token, bytes}, total, kept: how many
  /// followers are known, candidates: `top` of them, each {id, token, bytes, count, p}}.
  val bigrams(const std::string& text, std::size_t top) const {
    return guarded([&] {
      const TokenId last = engine_.prompt(text).ids.back();
      const Bigrams::Row& row = engine_.bigrams().row(last);
      const auto total = static_cast<double>(row.total);
      val candidates = val::array();
      for (std::size_t i = 0; i < std::min(top, row.followers.size()); ++i) {
        const auto count = static_cast<double>(row.followers[i].count);
        val item = token_item(engine_, row.followers[i].id);
        set_numbers(item, {{"count", count}, {"p", count / total}});
        put(candidates, i, item);
      }
      Object out;
      out.set("last", token_item(engine_, last));
      set_numbers(out, {{"total", total}, {"kept", static_cast<double>(row.followers.size())}});
      out.set("candidates", candidates);
      return out;
    });
  }

  /// Starts a continuation; the value is a Generation, to be deleted by the caller. A seed is a whole number
  /// below 2^53.
  val generate(const std::string& text, std::size_t max_tokens, double temperature, std::size_t top_k,
               double top_p, double seed, const std::string& knockout, bool special, bool cache) const {
    return guarded([&] {
      GenerateOptions options;
      options.cache = cache;
      options.max_tokens = max_tokens;
      options.sampler = {temperature, top_k, top_p, static_cast<std::uint64_t>(seed)};
      options.out = engine_.knockouts(knockout);
      return val(BoundGeneration(engine_, engine_.generate(engine_.prompt(text, special), options)));
    });
  }

  /// How long reading `tokens` tokens at once takes, those of the text again and again; with 0 tokens, how
  /// long taking the text apart takes. {ms: the mean of the runs that fill `least_ms`, runs}. A page's clock
  /// stands still for 0.1 ms or more at a time, so that short runs are timed together.
  val time(const std::string& text, std::size_t tokens, double least_ms, bool special) const {
    return guarded([&] {
      const std::vector<TokenId> some = engine_.prompt(text, special).ids;
      std::vector<TokenId> ids(tokens);
      for (std::size_t i = 0; i < tokens; ++i) ids[i] = some[i % some.size()];
      KvCache cache(engine_.model().config(), std::max<std::size_t>(tokens, 1));
      const double start = clock_ms();
      double runs = 0, elapsed = 0;
      do {
        if (tokens == 0) {
          engine_.prompt(text, special);
        } else {
          cache.clear();
          engine_.model().last_logits(ids, cache);
        }
        ++runs;
        elapsed = clock_ms() - start;
      } while (elapsed < least_ms);
      Object out;
      set_numbers(out, {{"ms", elapsed / runs}, {"runs", runs}});
      return out;
    });
  }

 private:
  Engine engine_;
};

/// A tokenizer without a model.
class BoundTokenizer {
 public:
  /// From GPT-2's two files; without vocab.json the ids follow from the merges, with `<|endoftext|>` at their
  /// end. → the vocabulary's size.
  val load(const std::string& vocab_json, const std::string& merges_txt) {
    return guarded([&] {
      bpe_ = vocab_json.empty() ? Bpe::from_merges(merges_txt, {"<|endoftext|>"})
                                : Bpe::from_vocab_and_merges(vocab_json, merges_txt);
      return val(bpe_->size());
    });
  }

  /// → {ids, lengths: bytes of each token}; the tokens' bytes are the text's.
  val encode(const std::string& text) const {
    return guarded([&] {
      const std::vector<TokenId> ids = bpe_.value().encode(text);
      std::vector<std::int32_t> lengths;
      lengths.reserve(ids.size());
      for (const TokenId id : ids) lengths.push_back(static_cast<std::int32_t>(bpe_->bytes(id).size()));
      Object out;
      out.set("ids", typed_array(ids.data(), ids.size()));
      out.set("lengths", typed_array(lengths.data(), lengths.size()));
      return out;
    });
  }

  /// The merges on the way from bytes to tokens, word by word: six numbers each, {place of its first piece in
  /// the whole text, how many pairs it joined, rank, left, right, result}. Places count the pieces as they
  /// are before the merge.
  val steps(const std::string& text) const {
    return guarded([&] {
      if (text.size() > Bpe::longest_text_with_steps) {
        fail("bad_argument", {"text with steps: expected at most ", Bpe::longest_text_with_steps,
                              " bytes, got ", text.size()});
      }
      std::vector<std::int32_t> numbers;
      std::size_t done = 0;
      for (const std::string_view word : split_words(text)) {
        // A word at a time, since each step holds all pieces of its text.
        const Bpe::Encoded encoded = bpe_.value().encode_with_steps(word);
        std::vector<TokenId> before;
        for (const char byte : word) before.push_back(bpe_->encode(std::string_view(&byte, 1)).front());
        for (const MergeStep& step : encoded.steps) {
          const auto place = static_cast<std::size_t>(
              std::mismatch(step.pieces.begin(), step.pieces.end(), before.begin()).first -
              step.pieces.begin());
          for (const std::size_t number : {done + place, before.size() - step.pieces.size(), step.rank}) {
            numbers.push_back(static_cast<std::int32_t>(number));
          }
          numbers.insert(numbers.end(), {step.pair.first, step.pair.second, step.pieces[place]});
          before = step.pieces;
        }
        done += encoded.ids.size();
      }
      return typed_array(numbers.data(), numbers.size());
    });
  }

  /// The tokens of the 256 bytes.
  val byte_tokens() const {
    return guarded([&] {
      std::vector<TokenId> ids;
      for (int byte = 0; byte < 256; ++byte) {
        const char character = static_cast<char>(byte);
        ids.push_back(bpe_.value().encode(std::string_view(&character, 1)).front());
      }
      return typed_array(ids.data(), ids.size());
    });
  }

 private:
  std::optional<Bpe> bpe_;
};

/// Learns merges from one text, a slice of them a call.
class BoundLearner {
 public:
  /// Takes the text's bytes apart and counts their pairs → {tokens: how many the text has so far, bytes: the
  /// byte of each of the first 256 ids}.
  val start(const std::string& text, std::size_t most_merges) {
    return guarded([&] {
      learner_.emplace(text, plain_bpe_options(most_merges));
      std::vector<std::int32_t> bytes;
      for (TokenId id = 0; id < 256; ++id) {
        bytes.push_back(static_cast<unsigned char>(learner_->bytes(id).front()));
      }
      Object out;
      out.set("tokens", static_cast<double>(learner_->text_tokens()));
      out.set("bytes", typed_array(bytes.data(), bytes.size()));
      return out;
    });
  }

  /// The next merges, at most so many, in order: [{rank, pair, id, count, bytes, tokens}]; fewer at the end.
  val step(std::size_t merges) {
    return guarded([&] {
      val list = val::array();
      for (std::size_t i = 0; i < merges; ++i) {
        const std::optional<LearnedMerge> merge = learner_.value().step();
        if (!merge) break;
        Object item;
        item.set("rank", merge->rank);
        item.set("pair",
                 array(std::vector<TokenId>{merge->left, merge->right}, [](TokenId id) { return val(id); }));
        item.set("id", merge->id);
        item.set("count", static_cast<double>(merge->count));
        item.set("bytes", bytes_value(merge->bytes));
        item.set("tokens", static_cast<double>(learner_->text_tokens()));
        put(list, i, item);
      }
      return list;
    });
  }

 private:
  std::optional<BpeLearner> learner_;
};

/// The lengths in bytes of the words that a text is cut into before merging.
val split_words_value(const std::string& text) {
  return guarded([&] {
    std::vector<std::int32_t> lengths;
    for (const std::string_view word : split_words(text)) {
      lengths.push_back(static_cast<std::int32_t>(word.size()));
    }
    return typed_array(lengths.data(), lengths.size());
  });
}

val attention_steps_value(const val& q, const val& k, const val& v, const val& shape, bool causal,
                          bool scale) {
  return guarded([&] {
    // shape: T, S, D, Dv
    const std::vector<std::size_t> sizes = emscripten::vecFromJSArray<std::size_t>(shape);
    const AttentionSteps steps =
        attention_steps(read_matrix(q, sizes.at(0), sizes.at(2)), read_matrix(k, sizes.at(1), sizes.at(2)),
                        read_matrix(v, sizes.at(1), sizes.at(3)), {.causal = causal, .scale = scale});
    Object out;
    out.set("scores", matrix_value(steps.scores));
    out.set("scaled", matrix_value(steps.scaled));
    out.set("masked", matrix_value(steps.masked));
    out.set("weights", matrix_value(steps.weights));
    out.set("output", matrix_value(steps.output));
    return out;
  });
}

/// Every step of a softmax → {divided, exp, sum, largest, shiftedExp, shiftedSum, shares}.
val softmax_value(const val& scores, double temperature) {
  return guarded([&] {
    const std::vector<Real> list = emscripten::convertJSArrayToNumberVector<Real>(scores);
    Vector x = Vector::from_shape({list.size()});
    std::copy(list.begin(), list.end(), x.begin());
    const SoftmaxSteps steps = softmax_steps(x, temperature);
    const auto numbers = [](const Vector& values) { return typed_array(values.data(), values.size()); };
    Object out;
    out.set("divided", numbers(steps.divided));
    out.set("exp", numbers(steps.exp));
    out.set("sum", steps.sum);
    out.set("largest", steps.largest);
    out.set("shiftedExp", numbers(steps.shifted_exp));
    out.set("shiftedSum", steps.shifted_sum);
    out.set("shares", numbers(steps.shares));
    return out;
  });
}

/// The cosines of all rows, of a matrix given as a flat list, their mean taken away if asked: tensor (n, n).
val cosines_value(const val& numbers, std::size_t rows, std::size_t columns, bool centre) {
  return guarded([&] {
    const Matrix vectors = read_matrix(numbers, rows, columns);
    return matrix_value(cosines(centre ? centred(vectors) : vectors));
  });
}

/// The principal axes: {coordinates: tensor (n, k), axes: tensor (k, C), mean (C), explained (k)}.
val pca_value(const val& numbers, std::size_t rows, std::size_t columns, std::size_t components) {
  return guarded([&] {
    const Pca found = pca(read_matrix(numbers, rows, columns), components);
    Object out;
    out.set("coordinates", matrix_value(found.coordinates));
    out.set("axes", matrix_value(found.axes));
    out.set("mean", typed_array(found.mean.data(), found.mean.size()));
    out.set("explained", typed_array(found.explained.data(), found.explained.size()));
    return out;
  });
}

val scale_experiment_value(std::size_t d, std::size_t rows, std::size_t keys, double seed) {
  return guarded([&] {
    const ScaleExperiment experiment = scale_experiment(d, rows, keys, static_cast<std::uint64_t>(seed));
    const auto side_value = [](const ScaleExperiment::Side& side) {
      Object out;
      out.set("scores", typed_array(side.scores.data(), side.scores.size()));
      out.set("deviation", side.deviation);
      out.set("entropy", side.entropy);
      out.set("largestWeight", side.largest_weight);
      out.set("gradient", side.gradient);
      return out;
    };
    Object out;
    out.set("raw", side_value(experiment.raw));
    out.set("scaled", side_value(experiment.scaled));
    return out;
  });
}

/// A reader's question as an agent is asked it.
val agent_question_value(const std::string& text) {
  return guarded([&] { return val(question_form(text)); });
}

/// A transcript taken apart → [{kind, text, tool, argument, error}].
val agent_parse_value(const std::string& transcript) {
  return guarded([&] {
    return array(parse_transcript(transcript), [](const AgentStep& step) {
      Object item;
      item.set("kind", std::string(name_of(step.kind)));
      item.set("text", std::string(step.text));
      item.set("tool", text_or_null(step.tool));
      item.set("argument", step.argument.data() == nullptr ? val::null() : val(std::string(step.argument)));
      item.set("error", text_or_null(step.error));
      return item;
    });
  });
}

/// Does a call of a tool → {result, error, append: what to put into the transcript}. Dictionary: see Tools.
val agent_call_value(const std::string& call, const std::string& time, const std::string& dictionary) {
  return guarded([&] {
    const std::vector<AgentStep> steps = parse_transcript(call);
    if (steps.size() != 1 || steps[0].kind != AgentStep::Kind::call)
      fail("bad_argument", {"expected one call of a tool, got ", call});
    const Observation observation = execute(steps[0], {time, dictionary});
    Object out;
    out.set("result", observation.result);
    out.set("error", text_or_null(observation.error));
    out.set("append", observation_text(observation.result));
    return out;
  });
}

}  // namespace
}  // namespace glassbox

EMSCRIPTEN_BINDINGS(glassbox) {
  using namespace glassbox;
  emscripten::class_<BoundGeneration>("Generation")
      .function("step", &BoundGeneration::step)
      .function("result", &BoundGeneration::result);
  emscripten::class_<BoundEngine>("Engine")
      .constructor<>()
      .function("beginModel", &BoundEngine::begin_model)
      .function("feedModel", &BoundEngine::feed_model)
      .function("finishModel", &BoundEngine::finish_model)
      .function("loadTokenizer", &BoundEngine::load_tokenizer)
      .function("loadTokenizerJson", &BoundEngine::load_tokenizer_json)
      .function("loadMerges", &BoundEngine::load_merges)
      .function("tokenize", &BoundEngine::tokenize)
      .function("trace", &BoundEngine::trace)
      .function("next", &BoundEngine::next)
      .function("logitLens", &BoundEngine::lens)
      .function("switchEffect", &BoundEngine::switch_effect)
      .function("time", &BoundEngine::time)
      .function("generate", &BoundEngine::generate)
      .function("sample", &BoundEngine::sample)
      .function("agentStep", &BoundEngine::agent_step)
      .function("sweep", &BoundEngine::sweep)
      .function("headOutputs", &BoundEngine::head_outputs)
      .function("loadBigrams", &BoundEngine::load_bigrams)
      .function("bigrams", &BoundEngine::bigrams)
      .function("headScores", &BoundEngine::head_scores)
      .function("repeatScores", &BoundEngine::repeat_scores)
      .function("embedding", &BoundEngine::embedding)
      .function("neighbours", &BoundEngine::neighbours)
      .function("positions", &BoundEngine::positions)
      .function("contextual", &BoundEngine::contextual)
      .function("headProjections", &BoundEngine::head_projections);
  emscripten::class_<BoundTokenizer>("Tokenizer")
      .constructor<>()
      .function("load", &BoundTokenizer::load)
      .function("encode", &BoundTokenizer::encode)
      .function("steps", &BoundTokenizer::steps)
      .function("byteTokens", &BoundTokenizer::byte_tokens);
  emscripten::class_<BoundLearner>("BpeLearner")
      .constructor<>()
      .function("start", &BoundLearner::start)
      .function("step", &BoundLearner::step);
  emscripten::function("agentQuestion", &agent_question_value);
  emscripten::function("agentParse", &agent_parse_value);
  emscripten::function("agentCall", &agent_call_value);
  emscripten::function("splitWords", &split_words_value);
  emscripten::function("attentionSteps", &attention_steps_value);
  emscripten::function("softmax", &softmax_value);
  emscripten::function("scaleExperiment", &scale_experiment_value);
  emscripten::function("cosines", &cosines_value);
  emscripten::function("pca", &pca_value);
}
