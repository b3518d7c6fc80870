// The forward pass against PyTorch's activations (tests/golden), and the laws that hold for any weights.
#include <cmath>
#include <optional>

#include "catch.hpp"
#include "data.hpp"
#include "errors.hpp"
#include "gpt2.hpp"
#include "models.hpp"
#include "safetensors.hpp"

using namespace glassbox;
using test::bytes_of;
using test::code_of;
using test::load_gpt2;
using test::read_data;
using test::read_list;

namespace {

struct GoldenPass {
  std::vector<TokenId> ids;
  std::map<std::string, std::pair<std::vector<std::size_t>, std::vector<float>>> activations;
};

GoldenPass load_golden_pass(const std::string& name) {
  const std::string file = read_data(name + ".golden.safetensors");
  GoldenPass golden;
  golden.ids = read_list<TokenId>(parse_safetensors_header(file, file.size()).metadata.at("ids"));
  for (auto& [entry, data] : read_tensors(bytes_of(file)))
    golden.activations[entry.name] = {entry.shape, data};
  return golden;
}

std::map<std::string, Activation> trace_all(const Gpt2& model, const std::vector<TokenId>& ids) {
  KvCache cache(model.config(), ids.size());
  Trace trace(model.config(), activation_names(model.config()));
  model.forward(ids, cache, Logits::all, &trace);
  return trace.activations();
}

std::vector<TokenId> some_ids(const Gpt2& model, std::size_t count, std::size_t step = 7) {
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < count; ++i)
    ids.push_back(static_cast<TokenId>((3 + i * step) % model.config().vocab_size));
  return ids;
}

}  // namespace

TEST_CASE("every activation equals PyTorch's") {
  for (const char* name : {"gpt2_tied", "gpt2_untied", "gpt2_f16", "gpt2_bf16"}) {
    const GoldenPass golden = load_golden_pass(name);
    const auto ours = trace_all(load_gpt2(name), golden.ids);
    REQUIRE(ours.size() == golden.activations.size());
    for (const auto& [key, expected] : golden.activations) {
      INFO(name << " " << key);
      REQUIRE(ours.count(key) == 1);
      const Activation& actual = ours.at(key);
      REQUIRE(actual.shape == expected.first);
      double difference = 0, norm = 0;
      for (std::size_t i = 0; i < expected.second.size(); ++i) {
        difference += std::pow(static_cast<double>(actual.data[i]) - expected.second[i], 2);
        norm += std::pow(static_cast<double>(expected.second[i]), 2);
      }
      CHECK(std::sqrt(difference) <= 1e-5 * std::sqrt(norm));
    }
  }
}

TEST_CASE("cached equals uncached, to the bit, however the tokens are split") {
  for (const char* name : {"gpt2_tied", "gpt2_untied"}) {
    const Gpt2 model = load_gpt2(name);
    const std::vector<TokenId> ids = some_ids(model, 15);
    KvCache whole(model.config(), ids.size());
    const Matrix expected = model.forward(ids, whole, Logits::all);
    for (std::size_t piece : {1, 2, 4, 6}) {
      KvCache cache(model.config(), ids.size() + 2);
      for (std::size_t first = 0; first < ids.size(); first += piece) {
        const std::size_t count = std::min(piece, ids.size() - first);
        const Matrix logits = model.forward(std::span(ids).subspan(first, count), cache, Logits::all);
        for (std::size_t t = 0; t < count; ++t) {
          for (std::size_t v = 0; v < logits.shape(1); ++v) REQUIRE(logits(t, v) == expected(first + t, v));
        }
      }
    }
  }
}

TEST_CASE(
    "work is counted however the tokens are split; a forward pass without the mask does all T·T products") {
  const Gpt2 model = load_gpt2("gpt2_untied");
  const Config& config = model.config();
  const std::vector<TokenId> ids = some_ids(model, 15);
  Work whole, pieces, open;
  KvCache cache(config, ids.size());
  model.forward(ids, cache, Logits::last, nullptr, {}, &whole);
  cache.clear();
  for (std::size_t first = 0; first < ids.size(); first += 5)
    model.forward(std::span(ids).subspan(first, 5), cache, Logits::last, nullptr, {}, &pieces);
  const std::size_t head = config.n_embd * config.vocab_size;
  CHECK(pieces.multiply_adds == whole.multiply_adds + 2 * head);
  CHECK(pieces.cache_written == whole.cache_written);
  CHECK(whole.cache_read == whole.cache_written);
  CHECK(pieces.cache_read == 2 * whole.cache_read);  // 5 + 10 + 15 tokens
  cache.clear();
  model.forward(ids, cache, Logits::last, nullptr, Knockouts(config, "no-mask"), &open);
  CHECK(open.multiply_adds - whole.multiply_adds ==
        2 * config.n_layer * config.n_embd * (15 * 15 - 15 * 16 / 2));
  Work all;
  cache.clear();
  model.forward(ids, cache, Logits::all, nullptr, {}, &all);
  CHECK(all.multiply_adds == whole.multiply_adds + 14 * head);
}

TEST_CASE("traced equals untraced, and one name costs nothing of the others") {
  const Gpt2 model = load_gpt2("gpt2_untied");
  const std::vector<TokenId> ids = some_ids(model, 9);
  const auto all = trace_all(model, ids);
  KvCache plain(model.config(), ids.size());
  const Matrix untraced = model.forward(ids, plain);
  const Activation& logits = all.at("logits");
  const std::size_t V = model.config().vocab_size;
  REQUIRE(untraced.shape(0) == 1);
  for (std::size_t v = 0; v < V; ++v) REQUIRE(untraced(0, v) == logits.data[(ids.size() - 1) * V + v]);
  for (const auto& [name, expected] : all) {
    KvCache cache(model.config(), ids.size());
    Trace trace(model.config(), {name});
    const Matrix last = model.forward(ids, cache, Logits::last, &trace);
    REQUIRE(trace.activations().size() == 1);
    REQUIRE(trace.activations().at(name).data == expected.data);
    for (std::size_t v = 0; v < V; ++v) REQUIRE(last(0, v) == untraced(0, v));
  }
}

TEST_CASE("the future never changes the past") {
  const Gpt2 model = load_gpt2("gpt2_tied");
  std::vector<TokenId> ids = some_ids(model, 12);
  const auto before = trace_all(model, ids);
  ids[8] = (ids[8] + 1) % static_cast<TokenId>(model.config().vocab_size);
  const auto after = trace_all(model, ids);
  const std::size_t V = model.config().vocab_size;
  const std::vector<Real>&a = before.at("logits").data, &b = after.at("logits").data;
  CHECK(std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(8 * V), b.begin()));
  CHECK(!std::equal(a.begin() + static_cast<std::ptrdiff_t>(8 * V),
                    a.begin() + static_cast<std::ptrdiff_t>(9 * V),
                    b.begin() + static_cast<std::ptrdiff_t>(8 * V)));
}

TEST_CASE("attention rows sum to 1, the first is 1, and above the diagonal is exactly 0") {
  const Gpt2 model = load_gpt2("gpt2_untied");
  const std::vector<TokenId> ids = some_ids(model, 17);
  for (const auto& [name, activation] : trace_all(model, ids)) {
    if (name.find("attn.weights") == std::string::npos) continue;
    const std::size_t H = activation.shape[0], T = activation.shape[1];
    for (std::size_t h = 0; h < H; ++h) {
      CHECK(activation.data[h * T * T] == 1);
      for (std::size_t t = 0; t < T; ++t) {
        double sum = 0;
        for (std::size_t s = 0; s < T; ++s) {
          const Real weight = activation.data[(h * T + t) * T + s];
          sum += weight;
          if (s > t) REQUIRE(weight == 0);
        }
        REQUIRE(sum == Approx(1).margin(1e-6));
      }
    }
  }
}

TEST_CASE("bad ids, bad lengths and bad shapes are refused by name") {
  const Gpt2 model = load_gpt2("gpt2_tied");
  const auto refusal = [&](std::vector<TokenId> ids, std::size_t capacity) {
    return code_of([&] {
      KvCache cache(model.config(), capacity);
      model.forward(ids, cache);
    });
  };
  CHECK(refusal({1, 2}, 2) == "none");
  CHECK(refusal({}, 2) == "empty_text");
  CHECK(refusal({-1}, 2) == "bad_token");
  CHECK(refusal({static_cast<TokenId>(model.config().vocab_size)}, 2) == "bad_token");
  CHECK(refusal({1, 2, 3}, 2) == "bad_argument");
  CHECK(refusal(std::vector<TokenId>(model.config().n_positions + 1, 1), 100) == "bad_argument");
  CHECK(refusal({1}, 0) == "bad_argument");

  Config config = model.config();
  Weights weights = make_weights(config);
  weights.wte = Matrix(xt::zeros<Real>({config.vocab_size, config.n_embd + 1}));
  CHECK_THROWS_WITH(Gpt2(config, std::move(weights)), "wte.weight: expected (61, 24), got (61, 25)");
  config.n_head = 5;
  CHECK_THROWS_AS(Gpt2(config, make_weights(model.config())), Error);
  CHECK_THROWS_AS(Trace(model.config(), {"h.2.attn.q"}), Error);
}
