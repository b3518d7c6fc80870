// Switched parts and what is measured with them; the logit lens; the experiment on scaling.
#include "lens.hpp"

#include <algorithm>
#include <cmath>

#include "attention.hpp"
#include "catch.hpp"
#include "data.hpp"
#include "errors.hpp"
#include "models.hpp"
#include "ops.hpp"

using namespace glassbox;
using test::code_of;
using test::load_engine;
using test::read_data;
using test::read_model;

namespace {

const std::vector<TokenId> ids = {3, 14, 15, 9, 26, 5};

}  // namespace

TEST_CASE("with nothing out nothing changes") {
  const Engine engine = load_engine("gpt2_untied");
  const Prompt prompt = engine.prompt(ids);
  const auto names = activation_names(engine.model().config());
  const auto plain = engine.trace(prompt, names),
             nothing = engine.trace(prompt, names, engine.knockouts("  "));
  for (const std::string& name : names) REQUIRE(plain.at(name).data == nothing.at(name).data);
}

TEST_CASE("a head that is out gives zeros, and the other heads of its layer are untouched") {
  const Engine engine = load_engine("gpt2_untied");
  const Prompt prompt = engine.prompt(ids);
  const auto plain = engine.trace(prompt, {"h.1.attn.z"}).at("h.1.attn.z");
  const auto without = engine.trace(prompt, {"h.1.attn.z"}, engine.knockouts("h.1.2")).at("h.1.attn.z");
  const std::size_t size = plain.shape[1] * plain.shape[2];
  for (std::size_t i = 0; i < plain.data.size(); ++i) {
    REQUIRE(without.data[i] == (i / size == 2 ? 0 : plain.data[i]));
  }
}

TEST_CASE("with all heads of a layer out its attention adds only its bias; with the MLP out likewise") {
  const Weights weights = read_model("gpt2_tied").second;
  const Engine engine = load_engine("gpt2_tied");
  const auto trace = engine.trace(engine.prompt(ids), {"h.1.attn.out", "h.0.mlp.out"},
                                  engine.knockouts("h.1.0 h.1.1 h.1.2 mlp.0"));
  for (std::size_t t = 0; t < ids.size(); ++t) {
    for (std::size_t c = 0; c < 24; ++c) {
      REQUIRE(trace.at("h.1.attn.out").data[t * 24 + c] == weights.h[1].attn.c_proj.bias(c));
      REQUIRE(trace.at("h.0.mlp.out").data[t * 24 + c] == weights.h[0].mlp.c_proj.bias(c));
    }
  }
}

TEST_CASE("cached equals uncached with parts out") {
  const Engine engine = load_engine("gpt2_tied");
  const Knockouts out = engine.knockouts("h.0.1 mlp.1");
  KvCache whole(engine.model().config(), ids.size()), steps(engine.model().config(), ids.size());
  const Matrix expected = engine.model().forward(ids, whole, Logits::all, nullptr, out);
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const Matrix one = engine.model().forward(std::span(&ids[t], 1), steps, Logits::last, nullptr, out);
    for (std::size_t v = 0; v < one.shape(1); ++v) REQUIRE(one(0, v) == expected(t, v));
  }
}

TEST_CASE("an attention block that is out adds nothing, not even its bias") {
  const Engine engine = load_engine("gpt2_untied");
  const Prompt prompt = engine.prompt(ids);
  const auto trace = engine.trace(prompt, {"h.1.resid_in", "h.1.attn.out", "h.1.resid_mid", "h.2.attn.out"},
                                  engine.knockouts("h.1.attn"));
  for (Real x : trace.at("h.1.attn.out").data) REQUIRE(x == 0);
  CHECK(trace.at("h.1.resid_mid").data == trace.at("h.1.resid_in").data);
  CHECK(trace.at("h.2.attn.out").data[0] != 0);
}

TEST_CASE(
    "without positions the layers read the tokens' vectors alone, so that order is lost to the last token") {
  const Engine engine = load_engine("gpt2_untied");
  const Prompt prompt = engine.prompt(ids);
  const Knockouts out = engine.knockouts("no-positions");
  const auto trace = engine.trace(prompt, {"wte", "wpe", "h.0.resid_in", "logits"}, out);
  for (Real x : trace.at("wpe").data) REQUIRE(x == 0);
  CHECK(trace.at("h.0.resid_in").data == trace.at("wte").data);
  const std::size_t V = engine.model().config().vocab_size;
  // With one layer's attention over a set of earlier tokens, their order would be lost wholly; with more
  // layers the mask still tells it, so the mask goes too.
  const Knockouts both = engine.knockouts("no-positions no-mask");
  std::vector<TokenId> other = ids;
  std::swap(other[0], other[3]);
  const auto here = engine.next(prompt, V, both), there = engine.next(engine.prompt(other), V, both);
  for (std::size_t i = 0; i < V; ++i) {
    const auto same = std::find_if(there.begin(), there.end(),
                                   [&](const Candidate& candidate) { return candidate.id == here[i].id; });
    REQUIRE(same->logit == Approx(here[i].logit).margin(1e-4));
  }
}

TEST_CASE("without mask or scale every head does what the steps by hand do") {
  const Engine engine = load_engine("gpt2_untied");
  const Prompt prompt = engine.prompt(ids);
  const std::size_t T = ids.size(), H = 4, D = 10;
  for (const auto& [words, options] : std::vector<std::pair<std::string, AttentionOptions>>{
           {"no-mask", {.causal = false, .scale = true}},
           {"no-scale", {.causal = true, .scale = false}},
           {"no-mask no-scale", {.causal = false, .scale = false}}}) {
    INFO(words);
    const auto names = activation_names(engine.model().config());
    const auto trace = engine.trace(prompt, names, engine.knockouts(words));
    for (std::size_t layer = 0; layer < 3; ++layer) {
      const std::string path = "h." + std::to_string(layer) + ".attn.";
      for (std::size_t head = 0; head < H; ++head) {
        const auto matrix = [&](const char* part) {
          Matrix own = Matrix::from_shape({T, D});
          std::copy_n(trace.at(path + part).data.data() + head * T * D, T * D, own.data());
          return own;
        };
        const AttentionSteps steps = attention_steps(matrix("q"), matrix("k"), matrix("v"), options);
        for (std::size_t i = 0; i < T * T; ++i) {
          REQUIRE(trace.at(path + "scaled").data[head * T * T + i] ==
                  Approx(steps.scaled.data()[i]).epsilon(1e-4).margin(1e-5));
          REQUIRE(trace.at(path + "weights").data[head * T * T + i] ==
                  Approx(steps.weights.data()[i]).epsilon(1e-4).margin(1e-6));
        }
        for (std::size_t i = 0; i < T * D; ++i)
          REQUIRE(trace.at(path + "z").data[head * T * D + i] ==
                  Approx(steps.output.data()[i]).epsilon(1e-4).margin(1e-5));
      }
    }
    const auto next = engine.next(prompt, 1, engine.knockouts(words)).front();
    const std::size_t V = engine.model().config().vocab_size;
    CHECK(next.logit == trace.at("logits").data[(T - 1) * V + static_cast<std::size_t>(next.id)]);
  }
  const auto open = engine.trace(prompt, {"h.0.attn.weights"}, engine.knockouts("no-mask"));
  CHECK(open.at("h.0.attn.weights").data[T - 1] > 0);  // the first token looks at the last
}

TEST_CASE("without the mask a text is read at once or not at all") {
  const Engine engine = load_engine("gpt2_tied");
  const Knockouts out = engine.knockouts("no-mask");
  KvCache cache(engine.model().config(), 4);
  engine.model().forward(std::span(ids).first(2), cache, Logits::last, nullptr, out);
  CHECK_THROWS_AS(engine.model().forward(std::span(ids).subspan(2, 1), cache, Logits::last, nullptr, out),
                  Error);
  cache.clear();
  CHECK_NOTHROW(engine.model().forward(std::span(ids).first(3), cache, Logits::last, nullptr, out));
  GenerateOptions options;
  options.out = out;
  CHECK_THROWS_AS(engine.generate(engine.prompt(ids), options), Error);
}

TEST_CASE("what switches do is the difference of two guesses") {
  const Engine engine = load_engine("gpt2_tied");
  const Prompt prompt = engine.prompt(ids);
  const auto find = [](const std::vector<Candidate>& list, TokenId id) {
    return *std::find_if(list.begin(), list.end(), [&](const Candidate& c) { return c.id == id; });
  };
  for (const char* words : {"h.0.1", "h.1.attn", "mlp.0", "no-positions", "no-mask", "no-scale"}) {
    INFO(words);
    const Knockouts out = engine.knockouts(words);
    const SwitchEffect effect = engine.switch_effect(prompt, 4, out);
    const auto before = engine.next(prompt, 61), after = engine.next(prompt, 61, out);
    REQUIRE(effect.before.size() == effect.after.size());
    REQUIRE(effect.before.size() >= 4);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(effect.before[i].id == before[i].id);
      CHECK(effect.after[i].id == after[i].id);
    }
    double kl = 0;
    for (const Candidate& candidate : effect.before) {
      CHECK(candidate.p == find(before, candidate.id).p);
      CHECK(find(effect.after, candidate.id).p == find(after, candidate.id).p);
      CHECK(find(effect.after, candidate.id).logit == find(after, candidate.id).logit);
    }
    for (const Candidate& candidate : before)
      kl += candidate.p * std::log(static_cast<double>(candidate.p) / find(after, candidate.id).p);
    CHECK(effect.kl == Approx(kl).margin(1e-6));
    CHECK(effect.kl > 0);
  }
  const SwitchEffect none = engine.switch_effect(prompt, 4, {});
  CHECK(none.kl == 0);
  CHECK(none.before.size() == 4);
}

TEST_CASE("the divergence of logits is that of their probabilities, and finite for hopeless ones") {
  CHECK(kl_divergence_of_logits({0, 0}, {0, Real(std::log(3.0))}) ==
        Approx(kl_divergence({0.5, 0.5}, {0.25, 0.75})));
  CHECK(kl_divergence_of_logits({0, 0}, {0, 1000}) == Approx(500 - std::log(2.0)));
  CHECK_THROWS_AS(kl_divergence_of_logits({1}, {1, 2}), Error);
}

TEST_CASE("the logit lens ends with the model's own guess, to the bit, and begins with the embedding's") {
  for (const char* name : {"gpt2_tied", "gpt2_untied"}) {
    const Engine engine = load_engine(name);
    const Config& config = engine.model().config();
    const std::size_t T = ids.size(), C = config.n_embd, V = config.vocab_size, L = config.n_layer;
    const Weights weights = read_model(name).second;
    const Matrix& head = config.tie_word_embeddings ? weights.wte : weights.lm_head;
    const auto trace = engine.trace(engine.prompt(ids), activation_names(config));
    for (std::size_t position = 0; position < T; ++position) {
      const LogitLens lens = logit_lens(engine.model(), ids, position);
      REQUIRE(lens.names.size() == L + 1);
      for (std::size_t v = 0; v < V; ++v)
        REQUIRE(lens.logits(L, v) == trace.at("logits").data[position * V + v]);
      for (std::size_t i = 0; i <= L; ++i) {
        // By hand, in double.
        const Real* x = trace.at(lens.names[i]).data.data() + position * C;
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < C; ++c) mean += x[c] / static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c)
          variance += (x[c] - mean) * (x[c] - mean) / static_cast<double>(C);
        for (std::size_t v = 0; v < V; ++v) {
          double sum = 0;
          for (std::size_t c = 0; c < C; ++c) {
            const double normed = (x[c] - mean) / std::sqrt(variance + config.layer_norm_epsilon);
            sum += (normed * weights.ln_f.weight(c) + weights.ln_f.bias(c)) * head(v, c);
          }
          REQUIRE(lens.logits(i, v) == Approx(sum).margin(1e-4));
        }
      }
    }
    CHECK_THROWS_AS(logit_lens(engine.model(), ids, T), Error);

    const LensReading reading = engine.lens(engine.prompt(ids), T - 1, 3);
    REQUIRE(reading.candidates.size() == 3 * (L + 1));
    const std::size_t n = reading.tracked.size();
    const auto own = engine.next(engine.prompt(ids), 3);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(reading.candidates[3 * L + i].id == own[i].id);
      CHECK(reading.candidates[3 * L + i].p == own[i].p);
      CHECK(reading.tracked[i] == own[i].id);
    }
    for (std::size_t i = 0; i <= L; ++i) {
      for (std::size_t place = 0; place < 3; ++place) {
        const Candidate& candidate = reading.candidates[3 * i + place];
        const auto track = std::find(reading.tracked.begin(), reading.tracked.end(), candidate.id);
        REQUIRE(track != reading.tracked.end());
        const auto at = i * n + static_cast<std::size_t>(track - reading.tracked.begin());
        CHECK(reading.p[at] == candidate.p);
        CHECK(reading.rank[at] == place);
      }
    }
    CHECK(n <= 3 * (L + 1));
  }
}

TEST_CASE("knock-outs that this model does not have are refused") {
  const Engine engine = load_engine("gpt2_tied");  // 2 layers, 3 heads
  for (const char* words :
       {"", "h.0.0", "mlp.1", " h.1.2  mlp.0 ", "h.1.attn", "no-mask no-scale no-positions"})
    CHECK(code_of([&] { engine.knockouts(words); }) == "none");
  for (const char* words :
       {"h.2.0",   "h.0.3",       "mlp.2",    "h.0",       "h.0.",      "h..1",
        "h.0.1.1", "mlp.",        "mlp.1x",   "x",         "h.-1.0",    "h.99999999999999999999.0",
        "H.0.0",   "h.0.0,h.0.1", "h.2.attn", "h.0.attn.", "h.0.attnx", "attn",
        "h.attn",  "no-",         "no-masks", "mask"}) {
    INFO(words);
    CHECK(code_of([&] { engine.knockouts(words); }) == "bad_argument");
  }
}

TEST_CASE("the projections of a head give its q, k and v from the normed vectors") {
  const Engine engine = load_engine("gpt2_untied");
  const Prompt prompt = engine.prompt(ids);
  const auto trace = engine.trace(prompt, {"h.2.ln_1", "h.2.attn.q", "h.2.attn.k", "h.2.attn.v"});
  const Activation& x = trace.at("h.2.ln_1");
  const std::size_t C = 40, D = 10, T = ids.size();
  const char* names[] = {"h.2.attn.q", "h.2.attn.k", "h.2.attn.v"};
  for (std::size_t part = 0; part < 3; ++part) {
    for (std::size_t head = 0; head < 4; ++head) {
      const LinearWeights projection = engine.model().head_projection(2, head, part);
      for (std::size_t t = 0; t < T; ++t) {
        for (std::size_t d = 0; d < D; ++d) {
          double sum = projection.bias(d);
          for (std::size_t c = 0; c < C; ++c)
            sum += static_cast<double>(x.data[t * C + c]) * projection.weight(c, d);
          REQUIRE(trace.at(names[part]).data[(head * T + t) * D + d] == Approx(sum).margin(1e-5));
        }
      }
    }
  }
  CHECK_THROWS_AS(engine.model().head_projection(3, 0, 0), Error);
  CHECK_THROWS_AS(engine.model().head_projection(0, 4, 0), Error);
  CHECK_THROWS_AS(engine.model().head_projection(0, 0, 3), Error);
}

TEST_CASE("what the heads add, with the bias, is what the layer's attention adds") {
  const Engine engine = load_engine("gpt2_untied");
  const Weights weights = read_model("gpt2_untied").second;
  const Prompt prompt = engine.prompt(ids);
  const Activation outputs = engine.head_outputs(prompt, 1);
  REQUIRE(outputs.shape == std::vector<std::size_t>{4, ids.size(), 40});
  const Activation whole = engine.trace(prompt, {"h.1.attn.out"}).at("h.1.attn.out");
  const std::size_t size = ids.size() * 40;
  for (std::size_t i = 0; i < size; ++i) {
    double sum = weights.h[1].attn.c_proj.bias(i % 40);
    for (std::size_t head = 0; head < 4; ++head) sum += outputs.data[head * size + i];
    REQUIRE(whole.data[i] == Approx(sum).margin(1e-5));
  }
  CHECK_THROWS_AS(engine.head_outputs(prompt, 3), Error);
}

TEST_CASE("the divergence by hand, of equal guesses, and of a certain one") {
  CHECK(kl_divergence({0.5, 0.5}, {0.25, 0.75}) == Approx(0.5 * std::log(2.0) + 0.5 * std::log(2.0 / 3)));
  CHECK(kl_divergence({Real(0.3), Real(0.7)}, {Real(0.3), Real(0.7)}) == 0);
  CHECK(kl_divergence({1, 0}, {0.5, 0.5}) == Approx(std::log(2.0)));
  CHECK_THROWS_AS(kl_divergence({1}, {0.5, 0.5}), Error);
}

TEST_CASE("a sweep tells for each head what knocking it out by name tells, the largest effect first") {
  const Engine engine = load_engine("gpt2_tied");
  const Prompt prompt = engine.prompt(ids);
  const auto before = engine.next(prompt, 61);
  const auto effects = engine.sweep(prompt);
  REQUIRE(effects.size() == 6);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const HeadEffect& effect = effects[i];
    if (i > 0) CHECK(effects[i - 1].kl >= effect.kl);
    const std::string word = "h." + std::to_string(effect.layer) + "." + std::to_string(effect.head);
    const auto after = engine.next(prompt, 61, engine.knockouts(word));
    CHECK(effect.id == after.front().id);
    CHECK(effect.p == after.front().p);
    Vector p = Vector::from_shape({61}), q = p;
    for (std::size_t v = 0; v < 61; ++v) {
      p(static_cast<std::size_t>(before[v].id)) = before[v].p;
      q(static_cast<std::size_t>(after[v].id)) = after[v].p;
    }
    CHECK(effect.kl == Approx(kl_divergence(p, q)));
    CHECK(effect.p_first == q(static_cast<std::size_t>(before.front().id)));
  }
  CHECK(effects.front().kl > 0);
}

TEST_CASE("scores of random vectors spread as the root of d, and scaling takes that back") {
  for (std::size_t d : {4, 64, 1024}) {
    const ScaleExperiment experiment = scale_experiment(d, 200, 16, 1);
    REQUIRE(experiment.raw.scores.size() == 3200);
    // A deviation estimated from 200 independent rows of 16 is off by a few percent.
    CHECK(experiment.raw.deviation == Approx(std::sqrt(static_cast<double>(d))).epsilon(0.12));
    CHECK(experiment.scaled.deviation == Approx(1).epsilon(0.12));
    CHECK(experiment.scaled.scores[7] ==
          Approx(experiment.raw.scores[7] / std::sqrt(static_cast<double>(d))));
  }
  const ScaleExperiment wide = scale_experiment(1024, 200, 16, 1), narrow = scale_experiment(4, 200, 16, 1);
  CHECK(wide.raw.entropy < 0.2);
  CHECK(wide.raw.gradient < 0.2);
  CHECK(wide.raw.largest_weight > 0.9);
  CHECK(wide.scaled.entropy == Approx(narrow.scaled.entropy).epsilon(0.1));
  CHECK(wide.scaled.entropy < std::log(16.0));
}

TEST_CASE("the gradient of an experiment is that of the softmax, by finite differences") {
  const ScaleExperiment experiment = scale_experiment(2, 1, 5, 3);
  Vector scores = Vector::from_shape({5});
  std::copy(experiment.raw.scores.begin(), experiment.raw.scores.end(), scores.begin());
  double sum = 0;
  for (std::size_t u = 0; u < 5; ++u) {
    const double step = 0.01;
    Vector up = scores, down = scores;
    up(u) += static_cast<Real>(step);
    down(u) -= static_cast<Real>(step);
    const Vector a = softmax(up), b = softmax(down);
    for (std::size_t s = 0; s < 5; ++s) sum += std::abs(static_cast<double>(a(s)) - b(s)) / (2 * step);
  }
  CHECK(experiment.raw.gradient == Approx(sum).epsilon(1e-3));
}

TEST_CASE("a seed repeats an experiment, and absurd sizes are refused") {
  CHECK(scale_experiment(8, 3, 4, 5).raw.scores == scale_experiment(8, 3, 4, 5).raw.scores);
  CHECK(scale_experiment(8, 3, 4, 5).raw.scores != scale_experiment(8, 3, 4, 6).raw.scores);
  CHECK_THROWS_AS(scale_experiment(0, 1, 1, 0), Error);
  CHECK_THROWS_AS(scale_experiment(1, 1, 0, 0), Error);
  CHECK_THROWS_AS(scale_experiment(std::size_t{1} << 31, std::size_t{1} << 31, 16, 0), Error);
}
