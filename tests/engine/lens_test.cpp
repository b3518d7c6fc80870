// Knock-outs and what is measured with them; the experiment on scaling.
#include "lens.hpp"

#include <cmath>

#include "catch.hpp"
#include "data.hpp"
#include "engine.hpp"
#include "ops.hpp"

using namespace glassbox;
using test::read_data;

namespace {

Engine load(const std::string& name) {
  Engine engine;
  const std::string file = read_data(name + "/model.safetensors"), config = read_data(name + "/config.json");
  engine.begin_model(file.size(), config);
  engine.feed_model(std::as_bytes(std::span(file.data(), file.size())));
  engine.finish_model();
  return engine;
}

const std::vector<TokenId> ids = {3, 14, 15, 9, 26, 5};

std::string code_of(const Engine& engine, const std::string& words) {
  try {
    engine.knockouts(words);
  } catch (const Error& error) {
    return error.code();
  }
  return "none";
}

}  // namespace

TEST_CASE("with nothing out nothing changes") {
  const Engine engine = load("gpt2_untied");
  const Prompt prompt = engine.prompt(ids);
  const auto names = activation_names(engine.model().config());
  const auto plain = engine.trace(prompt, names),
             nothing = engine.trace(prompt, names, engine.knockouts("  "));
  for (const std::string& name : names) REQUIRE(plain.at(name).data == nothing.at(name).data);
}

TEST_CASE("a head that is out gives zeros, and the other heads of its layer are untouched") {
  const Engine engine = load("gpt2_untied");
  const Prompt prompt = engine.prompt(ids);
  const auto plain = engine.trace(prompt, {"h.1.attn.z"}).at("h.1.attn.z");
  const auto without = engine.trace(prompt, {"h.1.attn.z"}, engine.knockouts("h.1.2")).at("h.1.attn.z");
  const std::size_t size = plain.shape[1] * plain.shape[2];
  for (std::size_t i = 0; i < plain.data.size(); ++i) {
    REQUIRE(without.data[i] == (i / size == 2 ? 0 : plain.data[i]));
  }
}

TEST_CASE("with all heads of a layer out its attention adds only its bias; with the MLP out likewise") {
  const std::string file = read_data("gpt2_tied/model.safetensors"),
                    config = read_data("gpt2_tied/config.json");
  const Weights weights = read_checkpoint(std::as_bytes(std::span(file.data(), file.size())), config).second;
  const Engine engine = load("gpt2_tied");
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
  const Engine engine = load("gpt2_tied");
  const Knockouts out = engine.knockouts("h.0.1 mlp.1");
  KvCache whole(engine.model().config(), ids.size()), steps(engine.model().config(), ids.size());
  const Matrix expected = engine.model().forward(ids, whole, Logits::all, nullptr, out);
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const Matrix one = engine.model().forward(std::span(&ids[t], 1), steps, Logits::last, nullptr, out);
    for (std::size_t v = 0; v < one.shape(1); ++v) REQUIRE(one(0, v) == expected(t, v));
  }
}

TEST_CASE("knock-outs that this model does not have are refused") {
  const Engine engine = load("gpt2_tied");  // 2 layers, 3 heads
  for (const char* words : {"", "h.0.0", "mlp.1", " h.1.2  mlp.0 "}) CHECK(code_of(engine, words) == "none");
  for (const char* words : {"h.2.0", "h.0.3", "mlp.2", "h.0", "h.0.", "h..1", "h.0.1.1", "mlp.", "mlp.1x",
                            "x", "h.-1.0", "h.99999999999999999999.0", "H.0.0", "h.0.0,h.0.1"}) {
    INFO(words);
    CHECK(code_of(engine, words) == "bad_argument");
  }
}

TEST_CASE("the projections of a head give its q, k and v from the normed vectors") {
  const Engine engine = load("gpt2_untied");
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
  const Engine engine = load("gpt2_untied");
  const std::string file = read_data("gpt2_untied/model.safetensors"),
                    config = read_data("gpt2_untied/config.json");
  const Weights weights = read_checkpoint(std::as_bytes(std::span(file.data(), file.size())), config).second;
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
  const Engine engine = load("gpt2_tied");
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
