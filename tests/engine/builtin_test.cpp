// The built-in model as shipped: its tokens, logits and attention against PyTorch's
// (tests/golden/make_builtin_goldens.py), and what the lessons say of it.
#include <cmath>

#include "catch.hpp"
#include "data.hpp"
#include "json.hpp"
#include "models.hpp"

using namespace glassbox;
using test::builtin;
using test::read_data;

namespace {

/// The likeliest next token and its probability.
std::pair<std::string, double> likeliest(const std::string& text) {
  const Candidate first = builtin().next(builtin().prompt(text), 1).front();
  return {*builtin().token_bytes(first.id), first.p};
}

double norm_of_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("the built-in model gives PyTorch's tokens, logits and attention") {
  const Json golden = parse_json(read_data("builtin_goldens.json"), "builtin_goldens.json", "bad_argument");
  REQUIRE(golden["cases"].size() >= 5);
  for (const Json& item : golden["cases"]) {
    const std::string text = item["text"];
    INFO(text);
    const Prompt prompt = builtin().prompt(text);
    REQUIRE(prompt.ids == item["ids"].get<std::vector<TokenId>>());
    const std::size_t T = prompt.ids.size();

    const auto expected = item["logits"].get<std::vector<double>>();
    std::vector<double> logits(expected.size());
    for (const Candidate& candidate : builtin().next(prompt, expected.size())) {
      logits.at(static_cast<std::size_t>(candidate.id)) = candidate.logit;
    }
    CHECK(norm_of_difference(logits, expected) <=
          1e-5 * norm_of_difference(expected, std::vector<double>(expected.size())));

    REQUIRE(!item["attention"].empty());
    for (const Json& head : item["attention"]) {
      const std::string name = "h." + std::to_string(head["layer"].get<int>()) + ".attn.weights";
      const Activation weights = builtin().trace(prompt, {name}).at(name);
      const auto rows = head["weights"].get<std::vector<std::vector<double>>>();
      REQUIRE(rows.size() == T);
      for (std::size_t t = 0; t < T; ++t) {
        for (std::size_t s = 0; s < rows[t].size(); ++s) {
          CHECK(weights.data[(head["head"].get<std::size_t>() * T + t) * T + s] ==
                Approx(rows[t][s]).margin(2e-6));
        }
      }
    }
  }
}

TEST_CASE("\"Thank you very\" is continued by \" much\"") {
  const auto [token, p] = likeliest("Thank you very");
  CHECK(token == " much");
  CHECK(p > 0.9);
}

TEST_CASE("the built-in model tells the cat from the table in a pair that it was never trained on") {
  const auto expect = [](const std::string& text, const std::string& answer) {
    INFO(text);
    const auto [token, p] = likeliest(text);
    CHECK(token == answer);
    CHECK(p > 0.9);
  };
  expect("小猫没有跳上桌子，因为它太累了。太累的是", "小猫");
  expect("小猫没有跳上桌子，因为它太高了。太高的是", "桌子");
  const std::string start = "The cat could not jump onto the table because it was too ";
  expect(start + "tired. The one that was too tired is the", " cat");
  expect(start + "high. The one that was too high is the", " table");
}

TEST_CASE("at 它 nothing is settled: its rows are the same in both sentences, to the bit") {
  const Prompt tired = builtin().prompt("小猫没有跳上桌子，因为它太累了。太累的是");
  const Prompt high = builtin().prompt("小猫没有跳上桌子，因为它太高了。太高的是");
  REQUIRE(tired.ids.size() == high.ids.size());
  std::size_t it = 0;
  while (builtin().token_bytes(tired.ids[it]) != "它") REQUIRE(++it < tired.ids.size());
  std::size_t differing = 0;
  for (std::size_t t = 0; t < tired.ids.size(); ++t) differing += tired.ids[t] != high.ids[t];
  CHECK(differing == 2);
  const auto names = activation_names(builtin().model().config());
  const auto a = builtin().trace(tired, names), b = builtin().trace(high, names);
  for (const std::string& name : names) {
    const std::vector<std::size_t>& shape = a.at(name).shape;
    const std::size_t T = shape[shape.size() - 2], width = shape.back(),
                      heads = shape.size() == 3 ? shape[0] : 1;
    // Scores before the mask look ahead; all else must not.
    if (name.find("attn.scaled") != std::string::npos) continue;
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t t = 0; t <= it; ++t) {
        for (std::size_t c = 0; c < width; ++c) {
          REQUIRE(a.at(name).data[(h * T + t) * width + c] == b.at(name).data[(h * T + t) * width + c]);
        }
      }
    }
  }
}
