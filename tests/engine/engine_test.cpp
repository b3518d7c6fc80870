// The façade on a small checkpoint without tokenizer, and on the built-in model.
#include "engine.hpp"

#include <string>

#include "catch.hpp"
#include "data.hpp"
#include "errors.hpp"

using namespace glassbox;
using test::bytes_of;
using test::code_of;
using test::read_data;

namespace {

Engine load_in_pieces(const std::string& name) {
  Engine engine;
  const std::string file = read_data(name + "/model.safetensors"), config = read_data(name + "/config.json");
  engine.begin_model(file.size(), config);
  for (std::size_t at = 0; at < file.size(); at += 1000) {
    engine.feed_model(bytes_of(file).subspan(at, std::min<std::size_t>(1000, file.size() - at)));
  }
  engine.finish_model();
  return engine;
}

}  // namespace

TEST_CASE("an engine says what it lacks") {
  Engine engine;
  CHECK(code_of([&] { engine.model(); }) == "no_model");
  CHECK(code_of([&] { engine.prompt("x"); }) == "no_tokenizer");
  CHECK(code_of([&] { engine.feed_model({}); }) == "bad_argument");
  CHECK(code_of([&] { engine.finish_model(); }) == "bad_argument");
  engine = load_in_pieces("gpt2_tied");
  CHECK(code_of([&] { engine.prompt("x"); }) == "no_tokenizer");
  CHECK(code_of([&] { engine.prompt(""); }) == "empty_text");
  CHECK(code_of([&] { engine.prompt(std::vector<TokenId>{}); }) == "empty_text");
  CHECK(code_of([&] { engine.prompt(std::vector<TokenId>{61}); }) == "bad_token");
  CHECK(!engine.token_bytes(3).has_value());
}

TEST_CASE("a model that fails to load leaves the old one in place") {
  Engine engine = load_in_pieces("gpt2_tied");
  const std::string file = read_data("gpt2_tied/model.safetensors"),
                    config = read_data("gpt2_tied/config.json");
  engine.begin_model(file.size(), config);
  engine.feed_model(bytes_of(file).first(file.size() / 2));
  CHECK(code_of([&] { engine.finish_model(); }) == "bad_model");
  CHECK(engine.next(engine.prompt({1, 2, 3}), 1).size() == 1);
}

TEST_CASE("the newest tokens of a text that is too long are kept, and the rest is counted") {
  const Engine engine = load_in_pieces("gpt2_tied");  // reads 24 tokens
  std::vector<TokenId> ids;
  for (TokenId i = 0; i < 30; ++i) ids.push_back(i);
  const Prompt prompt = engine.prompt(ids);
  CHECK(prompt.dropped == 6);
  CHECK(prompt.ids.front() == 6);
  CHECK(prompt.ids.back() == 29);
}

TEST_CASE("probabilities are those of the whole vocabulary") {
  const Engine engine = load_in_pieces("gpt2_untied");
  const auto all = engine.next(engine.prompt({5, 6, 7}), 1000),
             few = engine.next(engine.prompt({5, 6, 7}), 3);
  REQUIRE(all.size() == 53);
  REQUIRE(few.size() == 3);
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    sum += all[i].p;
    if (i > 0) CHECK(all[i - 1].p >= all[i].p);
    if (i < 3) CHECK(few[i].p == all[i].p);
  }
  CHECK(sum == Approx(1).margin(1e-5));
}

TEST_CASE("generating greedily is taking the likeliest of next again and again, beyond a full context") {
  const Engine engine = load_in_pieces("gpt2_tied");
  std::vector<TokenId> context = {4, 8, 15};
  GenerateOptions options;
  options.max_tokens = 40;
  Generation generation = engine.generate(engine.prompt(context), options);
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    const TokenId expected = engine.next(engine.prompt(context), 1).front().id;
    REQUIRE(generation.step() == expected);
    context.push_back(expected);
    if (context.size() > 24) {  // the older half of the full 24 goes
      context.erase(context.begin(), context.begin() + 12);
      dropped += 12;
    }
  }
  CHECK(!generation.step().has_value());
  CHECK(generation.ids().size() == 40);
  CHECK(dropped > 0);
  CHECK(generation.dropped() <= dropped);
  CHECK(generation.dropped() + 12 >= dropped);
}

namespace {

/// The multiply-adds of reading T tokens after `before` others, by the formula.
std::uint64_t multiply_adds(const Config& config, std::size_t before, std::size_t T) {
  const std::uint64_t C = config.n_embd, F = config.n_inner, L = config.n_layer, V = config.vocab_size;
  std::uint64_t scores = 0;  // how many keys the queries see
  for (std::uint64_t t = 0; t < T; ++t) scores += before + t + 1;
  return T * L * (3 * C * C + C * C + 2 * C * F) + L * 2 * C * scores + C * V;
}

/// The bytes of weights that one pass over T tokens reads, by the formula.
std::uint64_t weight_bytes(const Config& config, std::size_t T) {
  const std::uint64_t C = config.n_embd, F = config.n_inner, L = config.n_layer, V = config.vocab_size;
  const std::uint64_t block = 4 * C * C + 4 * C + 2 * C * F + F + C + 2 * 2 * C;
  return sizeof(Real) * (2 * T * C + L * block + 2 * C + C * V);
}

}  // namespace

TEST_CASE("the work of each step is what the formulas say, and the cache holds 2·L·C numbers a token") {
  for (const char* name : {"gpt2_tied", "gpt2_untied"}) {
    const Engine engine = load_in_pieces(name);
    const Config& config = engine.model().config();
    const std::size_t token_bytes = 2 * config.n_layer * config.n_embd * sizeof(Real),
                      context = config.n_positions;
    GenerateOptions options;
    options.max_tokens = context + 3;
    Generation generation = engine.generate(engine.prompt({4, 8, 15}), options);
    while (generation.step()) {
    }
    const auto& steps = generation.steps();
    REQUIRE(steps.size() == context + 3);
    std::size_t held = 0, anew = 0;
    double prefill = 0, decode = 0, last = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const GenerationStep& step = steps[i];
      INFO(name << " step " << i);
      if (i == 0) {
        CHECK(step.kind == GenerationStep::Kind::prefill);
        CHECK(step.tokens == 3);
      } else if (held == context) {
        CHECK(step.kind == GenerationStep::Kind::reread);
        CHECK(step.tokens == context + 1 - (context + 1) / 2);
        held = 0;
        ++anew;
      } else {
        CHECK(step.kind == GenerationStep::Kind::decode);
        CHECK(step.tokens == 1);
      }
      CHECK(step.work.multiply_adds == multiply_adds(config, held, step.tokens));
      CHECK(step.work.weight_bytes == weight_bytes(config, step.tokens));
      held += step.tokens;
      CHECK(step.work.cache_written == step.tokens * token_bytes);
      CHECK(step.work.cache_read == held * token_bytes);
      CHECK(step.cache_bytes == held * token_bytes);
      (step.kind == GenerationStep::Kind::decode ? decode : prefill) += step.ms;
      CHECK(step.start_ms >= last);
      last = step.start_ms + step.ms;
    }
    CHECK(anew > 0);
    CHECK(generation.prefill_ms() == Approx(prefill));
    CHECK(generation.decode_ms() == Approx(decode));
  }
}

TEST_CASE("without a cache every step reads the whole context, and the text is the same") {
  for (const char* name : {"gpt2_tied", "gpt2_untied"}) {
    const Engine engine = load_in_pieces(name);
    const Config& config = engine.model().config();
    for (const double temperature : {0.0, 1.2}) {
      GenerateOptions options;
      options.max_tokens = config.n_positions + 5;
      options.sampler = {temperature, 0, 1, 3};
      Generation with = engine.generate(engine.prompt({4, 8, 15}), options);
      options.cache = false;
      Generation without = engine.generate(engine.prompt({4, 8, 15}), options);
      while (const auto id = with.step()) REQUIRE(without.step() == id);
      CHECK(!without.step().has_value());
      CHECK(without.dropped() == with.dropped());
      REQUIRE(without.steps().size() == with.steps().size());
      std::size_t context = 3;
      for (std::size_t i = 0; i < with.steps().size(); ++i) {
        const GenerationStep &plain = without.steps()[i], &kept = with.steps()[i];
        if (kept.kind == GenerationStep::Kind::reread) context = kept.tokens;
        CHECK(plain.kind == (i == 0 ? GenerationStep::Kind::prefill : GenerationStep::Kind::reread));
        CHECK(plain.tokens == context++);
        CHECK(plain.work.multiply_adds == multiply_adds(config, 0, plain.tokens));
        CHECK(plain.cache_bytes == 0);
      }
      CHECK(without.decode_ms() == 0);
    }
  }
}

TEST_CASE("a long prompt is read in pieces, and the numbers are those of reading it at once") {
  Config config;
  config.vocab_size = 31;
  config.n_positions = 600;
  config.n_embd = 8;
  config.n_head = 2;
  config.n_layer = 2;
  config.n_inner = 16;
  Weights weights = make_weights(config);
  std::uint64_t state = 5;
  for_each_parameter(weights, [&](const std::string&, auto& tensor) {
    for (Real& x : tensor) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      x = static_cast<Real>(static_cast<double>(state >> 40) * 0x1p-24 - 0.5);
    }
  });
  const Gpt2 model(config, std::move(weights));
  Prompt prompt;
  for (TokenId i = 0; i < 597; ++i) prompt.ids.push_back(i * 7 % 31);
  KvCache cache(config, 597);
  const TokenId first = top_ids(model.last_logits(prompt.ids, cache), 1).front();
  GenerateOptions options;
  options.max_tokens = 8;
  Generation pieces(model, std::nullopt, prompt, options), whole(model, std::nullopt, prompt, options);
  std::size_t more = 0;
  while (pieces.read_piece()) ++more;
  CHECK(more == 2);
  CHECK(!pieces.read_piece());
  REQUIRE(pieces.steps().size() == 1);
  CHECK(pieces.steps()[0].tokens == 597);
  CHECK(pieces.steps()[0].work.multiply_adds == multiply_adds(config, 0, 597) + 2 * 8 * 31);
  CHECK(pieces.step() == first);
  CHECK(whole.step() == first);
  for (std::size_t i = 1; i < 8; ++i) {
    while (pieces.read_piece()) {
    }
    REQUIRE(pieces.step() == whole.step());
  }
  CHECK(pieces.dropped() == 300);
  CHECK(!pieces.read_piece());
}

TEST_CASE("nothing is generated when nothing is asked for") {
  const Engine engine = load_in_pieces("gpt2_tied");
  GenerateOptions options;
  options.max_tokens = 0;
  Generation generation = engine.generate(engine.prompt({1}), options);
  CHECK(!generation.step().has_value());
  CHECK(generation.ids().empty());
}

TEST_CASE("a generation is the steps that are explained one by one, also when the context overflows") {
  const Engine engine = load_in_pieces("gpt2_tied");
  const std::size_t context = engine.model().config().n_positions;
  for (std::size_t length : {std::size_t{3}, context - 2, context, context + 5}) {
    std::vector<TokenId> ids(length);
    for (std::size_t i = 0; i < length; ++i) ids[i] = static_cast<TokenId>((7 * i) % 61);
    const Prompt prompt = engine.prompt(ids);
    for (double temperature : {0.0, 1.3}) {
      const SamplerOptions sampler{temperature, 30, 0.95, 21};
      Generation generation =
          engine.generate(prompt, {.max_tokens = context + 4, .sampler = sampler, .out = {}, .cache = true});
      std::vector<TokenId> added;
      while (const auto id = generation.step()) {
        const ExplainedStep step = engine.explain(engine.continued(prompt, added), sampler, added.size());
        REQUIRE(step.draw.ranked[step.draw.chosen] == *id);
        added.push_back(*id);
      }
      CHECK(added.size() == context + 4);
      added.pop_back();  // the last one was never read
      CHECK(engine.continued(prompt, added).dropped == generation.dropped());
    }
  }
  const std::vector<TokenId> outside = {2, 61};
  CHECK(code_of([&] { engine.continued(engine.prompt({1}), outside); }) == "bad_token");
}
