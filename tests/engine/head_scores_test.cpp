// Head scores: on attention by hand, and on a model built so that its heads do exactly one thing each.
#include "head_scores.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "errors.hpp"

using namespace glassbox;
using test::code_of;

namespace {

/// Two heads over four tokens: the first looks at the token before, the second at all alike.
Activation by_hand() {
  Activation weights{{2, 4, 4}, std::vector<Real>(32)};
  for (std::size_t t = 0; t < 4; ++t) {
    weights.data[t * 4 + (t == 0 ? 0 : t - 1)] = 1;
    for (std::size_t s = 0; s <= t; ++s) weights.data[16 + t * 4 + s] = Real(1) / static_cast<Real>(t + 1);
  }
  return weights;
}

constexpr std::size_t V = 6, P = 12, D = 16, C = 2 * D;
constexpr std::size_t position = V, before = V + P, nothing = before + V;  // where in C each begins

/// A model of two layers whose head 0 is hard-wired, and whose head 1 looks at all tokens alike. A vector
/// holds the token, the position and (from layer 0 on) the token before, each as a one in its own range. In
/// layer 0 head 0 looks at the position before and writes its token down; in layer 1 it looks where the token
/// written down is its own. Layer norm only shifts and stretches, and the shift is taken away by subtracting
/// the component `nothing`, which is never set.
Gpt2 hard_wired() {
  Config config;
  config.vocab_size = V;
  config.n_positions = P;
  config.n_embd = C;
  config.n_head = 2;
  config.n_layer = 2;
  config.n_inner = 4;
  Weights weights = make_weights(config);
  for (std::size_t v = 0; v < V; ++v) weights.wte(v, v) = 1;
  for (std::size_t p = 0; p < P; ++p) weights.wpe(p, position + p) = 1;
  for (BlockWeights& block : weights.h) {
    block.ln_1.weight.fill(1);
    block.ln_2.weight.fill(1);
  }
  weights.ln_f.weight.fill(1);
  constexpr Real strong = 1000;
  const auto read = [](LinearWeights& c_attn, std::size_t part, std::size_t from, std::size_t d, Real times) {
    c_attn.weight(from, part * C + d) += times;
    c_attn.weight(nothing, part * C + d) -= times;
  };
  AttentionWeights& copy = weights.h[0].attn;
  for (std::size_t p = 0; p < P; ++p) {
    if (p > 0) read(copy.c_attn, 0, position + p, p - 1, strong);
    read(copy.c_attn, 1, position + p, p, 1);
  }
  for (std::size_t v = 0; v < V; ++v) {
    read(copy.c_attn, 2, v, v, 1);
    copy.c_proj.weight(v, before + v) = 1;
  }
  AttentionWeights& match = weights.h[1].attn;
  for (std::size_t v = 0; v < V; ++v) {
    read(match.c_attn, 0, v, v, strong);
    read(match.c_attn, 1, before + v, v, 1);
  }
  // Before the first token stands none; what it wrote down about itself must not count.
  match.c_attn.bias(V) = strong;
  read(match.c_attn, 1, position, V, -strong);
  return Gpt2(config, std::move(weights));
}

double mean_of_inverses(std::size_t from, std::size_t to) {
  double sum = 0;
  for (std::size_t t = from; t < to; ++t) sum += 1.0 / static_cast<double>(t + 1);
  return sum / static_cast<double>(to - from);
}

}  // namespace

TEST_CASE("scores of attention by hand") {
  const Activation weights = by_hand();
  CHECK(previous_token_scores(weights)[0] == 1);
  CHECK(previous_token_scores(weights)[1] == Approx((1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 3));
  CHECK(first_token_scores(weights)[0] == 0);
  CHECK(first_token_scores(weights)[1] == Approx(0.25));

  // a b a b: row 2 should look at 1, row 3 at 2.
  const std::vector<TokenId> repeated = {7, 8, 7, 8};
  CHECK(induction_scores(weights, repeated)[0] == 1);
  CHECK(induction_scores(weights, repeated)[1] == Approx((1.0 / 3 + 1.0 / 4) / 2));
  // a a a b: row 2 saw `a` at 0, which was followed by 1; that it saw it at 1 too tells nothing.
  CHECK(induction_scores(weights, std::vector<TokenId>{7, 7, 7, 8})[1] == Approx(1.0 / 3));
  // a b a a: row 3 saw `a` at 0 and 2; only what followed the first lies before it.
  CHECK(induction_scores(weights, std::vector<TokenId>{7, 8, 7, 7})[1] == Approx((1.0 / 3 + 1.0 / 4) / 2));

  const std::vector<std::size_t> both = {0, 2, 2}, none, future = {3};
  CHECK(span_scores(weights, 3, both)[0] == 1);
  CHECK(span_scores(weights, 3, both)[1] == Approx(0.5));
  CHECK(span_scores(weights, 3, none)[1] == 0);
  CHECK(span_scores(weights, 1, future)[1] == 0);

  CHECK(row_entropies(weights, 3)[0] == 0);
  CHECK(row_entropies(weights, 3)[1] == Approx(std::log(4.0)));
  CHECK(row_entropies(weights, 0)[1] == 0);
  CHECK(relative_entropy(std::log(4.0), 3) == Approx(1));
  CHECK(relative_entropy(0, 0) == 0);
}

TEST_CASE("what can't be scored is refused") {
  const Activation weights = by_hand();
  Activation one{{1, 1, 1}, {1}}, three{{1, 3, 3}, std::vector<Real>(9)}, oblong{{2, 4, 3}, {}},
      short_of{{1, 2, 2}, {1}};
  const std::vector<std::size_t> outside = {4}, inside = {0};
  const std::vector<TokenId> different = {1, 2, 3, 4}, twins = {1, 1, 2, 3};
  CHECK(code_of([&] { previous_token_scores(one); }) == "bad_argument");
  CHECK(code_of([&] { first_token_scores(three); }) == "bad_argument");
  CHECK(code_of([&] { induction_scores(weights, different); }) == "bad_argument");
  CHECK(code_of([&] { induction_scores(weights, twins); }) == "bad_argument");
  CHECK(code_of([&] { induction_scores(weights, std::vector<TokenId>{1, 1}); }) == "bad_shape");
  CHECK(code_of([&] { span_scores(weights, 3, outside); }) == "bad_argument");
  CHECK(code_of([&] { span_scores(weights, 4, inside); }) == "bad_argument");
  CHECK(code_of([&] { row_entropies(weights, 4); }) == "bad_argument");
  for (const Activation* broken : {&oblong, &short_of})
    CHECK(code_of([&] { previous_token_scores(*broken); }) == "bad_shape");
  CHECK_FALSE(has_repeats(different));
  CHECK_FALSE(has_repeats(twins));
  CHECK(has_repeats(std::vector<TokenId>{1, 2, 1}));
}

TEST_CASE("a model that looks back by one and then where its token stood before scores exactly that") {
  const Gpt2 model = hard_wired();
  const std::vector<TokenId> ids = {4, 2, 0, 4, 2, 5, 0};
  const auto scores = score_heads(model, ids, {6, {{3}, {0, 1}, {6, 3, 3}}});
  REQUIRE(scores.size() == 4);
  const HeadScore &copy = scores[0], &even = scores[1], &match = scores[2];
  CHECK(copy.layer == 0);
  CHECK(match.layer == 1);
  CHECK(match.head == 0);
  CHECK(copy.previous == 1.0);
  CHECK(copy.first == 0.0);
  CHECK(copy.entropy == 0.0);
  CHECK(copy.spans == std::vector<double>{0, 0, 0});
  // Rows 3, 4 and 6 have a token that stood before: 4 at 0, 2 at 1, 0 at 2.
  CHECK(match.induction == 1.0);
  CHECK(match.spans == std::vector<double>{1, 0, 1});
  CHECK(match.row_entropy == 0);
  CHECK(copy.induction == 0.0);

  CHECK(*even.previous == Approx(mean_of_inverses(1, 7)));
  CHECK(*even.first == Approx(mean_of_inverses(3, 7)));
  CHECK(*even.induction == Approx((1.0 / 4 + 1.0 / 5 + 1.0 / 7) / 3));
  CHECK(*even.relative_entropy == Approx(1).epsilon(1e-6));
  CHECK(even.row_entropy == Approx(std::log(7.0)));
  CHECK(even.row_relative_entropy == Approx(1).epsilon(1e-6));
  CHECK(even.spans[1] == Approx(2.0 / 7));

  // Without what layer 0 writes down, layer 1 finds no match and looks at all alike.
  Knockouts out;
  out.add_head(0, 0);
  const HeadScore blind = score_heads(model, ids, {6, {}}, out)[2];
  CHECK(*blind.induction < 0.3);
  CHECK(blind.spans.empty());
}

TEST_CASE("texts that are too short for a score leave it empty") {
  const Gpt2 model = hard_wired();
  const HeadScore one = score_heads(model, std::vector<TokenId>{3}, {0, {{0}}})[0];
  CHECK_FALSE(one.previous);
  CHECK_FALSE(one.first);
  CHECK_FALSE(one.induction);
  CHECK_FALSE(one.entropy);
  CHECK_FALSE(one.relative_entropy);
  CHECK(one.spans == std::vector<double>{1});
  const HeadScore three = score_heads(model, std::vector<TokenId>{3, 4, 5}, {2, {}})[0];
  CHECK(three.previous == 1.0);
  CHECK_FALSE(three.first);
  CHECK_FALSE(three.induction);
  CHECK(code_of([&] { score_heads(model, std::vector<TokenId>{3}, {1, {}}); }) == "bad_argument");
  CHECK(code_of([&] { score_heads(model, {}, {0, {}}); }) != "none");
}

TEST_CASE("random lists said twice find the head that looks back by one, and the one for induction") {
  const Gpt2 model = hard_wired();
  RepeatOptions options;
  options.rounds = 5;
  options.length = 6;
  const auto scores = score_repeats(model, {0, 1, 2, 3, 4, 5}, options);
  REQUIRE(scores.size() == 4);
  CHECK(scores[0].previous == Approx(1).epsilon(1e-12));
  CHECK(scores[2].induction == Approx(1).epsilon(1e-12));
  CHECK(scores[1].previous == Approx(mean_of_inverses(1, 12)));
  CHECK(scores[1].induction == Approx(mean_of_inverses(6, 12)));
  CHECK(scores[0].induction == 0);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(scores[i].induction == score_repeats(model, {0, 1, 2, 3, 4, 5}, options)[i].induction);
    CHECK(scores[i].layer == i / 2);
    CHECK(scores[i].head == i % 2);
  }
  for (auto [rounds, length, candidates] :
       {std::array<std::size_t, 3>{0, 6, 6}, {1, 1, 6}, {1, 7, 6}, {1, 5, 4}}) {
    std::vector<TokenId> ids;
    for (std::size_t id = 0; id < candidates; ++id) ids.push_back(static_cast<TokenId>(id));
    RepeatOptions wrong;
    wrong.rounds = rounds;
    wrong.length = length;
    CHECK(code_of([&] { score_repeats(model, ids, wrong); }) == "bad_argument");
  }
}
