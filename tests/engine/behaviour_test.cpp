// What the built-in model must be able to do: the groups of behaviours.json (tools/builtin-corpus/README.md),
// each held against its bound, and against evaluation.json, which the same items gave in the page's engine.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "data.hpp"
#include "json.hpp"
#include "models.hpp"

using namespace glassbox;
using test::builtin;
using test::read_data;

namespace {

constexpr std::size_t spare_tokens = 3;  // as in tools/builtin-evaluation/groups.mjs

/// Ids of our own text, its tags as special tokens.
std::vector<TokenId> ids_of(const std::string& text) {
  return builtin().tokenizer().encode_with_special(text);
}

/// Probabilities (V) of the token after a text.
std::vector<double> probabilities(const std::string& text) {
  std::vector<double> p(builtin().model().config().vocab_size);
  for (const Candidate& candidate : builtin().next(builtin().prompt(text, true), p.size()))
    p[static_cast<std::size_t>(candidate.id)] = candidate.p;
  return p;
}

/// Whether the likeliest continuation of a text begins with one of the accepted texts.
bool continues(const std::string& prompt, const std::vector<std::string>& accepted) {
  GenerateOptions options;
  options.max_tokens = 0;
  for (const std::string& text : accepted)
    options.max_tokens = std::max(options.max_tokens, ids_of(text).size() + spare_tokens);
  Generation generation = builtin().generate(builtin().prompt(prompt, true), options);
  std::string text;
  while (std::any_of(accepted.begin(), accepted.end(), [&](const std::string& each) {
    return text.size() < each.size() && each.starts_with(text);
  })) {
    const std::optional<TokenId> id = generation.step();
    if (!id) break;
    text += *builtin().token_bytes(*id);
  }
  return std::any_of(accepted.begin(), accepted.end(),
                     [&](const std::string& each) { return text.starts_with(each); });
}

/// What an item accepts: one text or a list of texts.
std::vector<std::string> accepted_by(const Json& item) {
  const Json& expect = item["expect"];
  return expect.is_array() ? expect.get<std::vector<std::string>>() : std::vector<std::string>{expect};
}

/// Share of the items whose continuation is the expected one.
double measure_continuations(const Json& group) {
  std::size_t right = 0;
  for (const Json& item : group["items"]) right += continues(item["prompt"], accepted_by(item));
  return static_cast<double>(right) / static_cast<double>(group["items"].size());
}

/// Share of the items whose next word is more probably of the expected side than of the other.
double measure_sides(const Json& group) {
  std::map<std::string, std::set<TokenId>> first;
  for (const auto& [name, words] : group["sides"].items())
    for (const Json& word : words) first[name].insert(ids_of(word).front());
  std::size_t right = 0;
  for (const Json& item : group["items"]) {
    const std::vector<double> p = probabilities(item["prompt"]);
    double expected = 0, all = 0;
    for (const auto& [name, ids] : first) {
      double sum = 0;
      for (TokenId id : ids) sum += p[static_cast<std::size_t>(id)];
      all += sum;
      if (name == item["expect"].get<std::string>()) expected = sum;
    }
    right += expected > all / 2;
  }
  return static_cast<double>(right) / static_cast<double>(group["items"].size());
}

/// The highest probability that any tag has as the next token.
double measure_tags(const Json& group) {
  double highest = 0;
  for (const Json& item : group["items"]) {
    const std::vector<double> p = probabilities(item["prompt"]);
    for (const char* tag :
         {"<calc>", "</calc>", "<clock>", "</clock>", "<dict>", "</dict>", "<result>", "</result>"})
      highest = std::max(highest, p[static_cast<std::size_t>(builtin().tokenizer().special(tag).value())]);
  }
  return highest;
}

double measure(const Json& group) {
  const std::string kind = group["kind"];
  if (kind == "absent") return measure_tags(group);
  if (kind == "side") return measure_sides(group);
  REQUIRE((kind == "next" || kind == "generate"));
  return measure_continuations(group);
}

}  // namespace

TEST_CASE(
    "the built-in model keeps the bounds of its behaviours, and evaluation.json states what is measured",
    "[behaviour]") {
  const Json behaviours = parse_json(read_data("behaviours.json"), "behaviours.json", "bad_argument");
  const Json evaluation = parse_json(read_data("builtin/evaluation.json"), "evaluation.json", "bad_argument");
  const Json& groups = behaviours["groups"];
  REQUIRE(groups.size() == evaluation["groups"].size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Json& group = groups[i];
    INFO(group["name"].get<std::string>());
    REQUIRE(group["name"] == evaluation["groups"][i]["name"]);
    const double measured = measure(group);
    CHECK(measured == Approx(evaluation["groups"][i]["measured"].get<double>()).margin(1e-4));
    if (group.contains("at_most")) {
      CHECK(measured <= group["at_most"].get<double>());
    } else if (group["kind"] == "absent") {
      CHECK(measured < group["bound"].get<double>());
    } else if (group.contains("bound")) {
      CHECK(measured >= group["bound"].get<double>());
    }
    if (group.contains("least_probability")) {
      for (const Json& item : group["items"]) {
        const std::string prompt = item["prompt"];
        INFO(prompt);
        const std::vector<double> p = probabilities(prompt);
        CHECK(p[static_cast<std::size_t>(ids_of(accepted_by(item).front()).front())] >=
              group["least_probability"].get<double>());
      }
    }
  }
}

TEST_CASE("a tag in a reader's text stays text, in our own it is one token", "[behaviour]") {
  const std::string text = "1<calc>1</calc>";
  const Prompt read = builtin().prompt(text), own = builtin().prompt(text, true);
  CHECK(own.ids.size() == 4);
  CHECK(own.ids[1] == builtin().tokenizer().special("<calc>"));
  CHECK(read.ids.size() > own.ids.size());
  for (TokenId id : read.ids) CHECK(static_cast<std::size_t>(id) < builtin().tokenizer().size() - 9);
}
