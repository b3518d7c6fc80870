#include "cli_tokens.hpp"

#include <iostream>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "bpe.hpp"
#include "cli_json.hpp"
#include "engine.hpp"
#include "error.hpp"
#include "terminal.hpp"
#include "vectors.hpp"

namespace glassbox {

namespace {

void print_as_json(const Engine& engine, const Bpe::Encoded& encoded, bool steps) {
  Output out;
  out["ids"] = encoded.ids;
  out["tokens"] = tokens_json(engine, encoded.ids);
  out["bytes"] = Output::array();
  for (TokenId id : encoded.ids) out["bytes"].push_back(bytes_json(engine.token_bytes(id)));
  if (steps) {
    out["steps"] = Output::array();
    for (const MergeStep& step : encoded.steps) {
      Output item;
      item["rank"] = step.rank;
      item["pair"] = tokens_json(engine, {step.pair.first, step.pair.second});
      item["pieces"] = tokens_json(engine, step.pieces);
      item["pair_ids"] = {step.pair.first, step.pair.second};
      item["piece_ids"] = step.pieces;
      out["steps"].push_back(std::move(item));
    }
  }
  print_json(out);
}

void print_as_text(const Engine& engine, const Bpe::Encoded& encoded) {
  for (const MergeStep& step : encoded.steps) {
    std::cout << "#" << step.rank << "  " << token_label(engine.token_bytes(step.pair.first), step.pair.first)
              << " + " << token_label(engine.token_bytes(step.pair.second), step.pair.second) << "  →";
    for (TokenId id : step.pieces) std::cout << " " << token_label(engine.token_bytes(id), id);
    std::cout << "\n";
  }
  for (TokenId id : encoded.ids)
    std::cout << pad_left(std::to_string(id), 6) << "  " << token_label(engine.token_bytes(id), id) << "\n";
}

}  // namespace

void TokenizeCall::add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
  CLI::App* call = app.add_subcommand("tokenize", "cut a text into tokens");
  input.add_to(*call, false);
  call->add_option("--tokenizer", tokenizer, "whose vocabulary: builtin or gpt2")
      ->check(CLI::IsMember({"builtin", "gpt2"}))
      ->capture_default_str();
  call->add_flag("--steps", steps, "show every merge");
  run_when_chosen(*call, *this, json, chosen);
}

void TokenizeCall::run(bool json) const {
  Engine engine;
  load_tokenizer(engine, models_folder() / tokenizer);
  if (!engine.has_tokenizer()) {
    throw Error("no_file", "no tokenizer in " + (models_folder() / tokenizer).string());
  }
  const std::string text = input.read_text();
  const Bpe::Encoded encoded =
      steps ? engine.tokenizer().encode_with_steps(text) : Bpe::Encoded{engine.tokenizer().encode(text), {}};
  json ? print_as_json(engine, encoded, steps) : print_as_text(engine, encoded);
}

void NeighboursCall::add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
  CLI::App* call = app.add_subcommand(
      "neighbours", "the tokens whose rows of the embedding table point most nearly as those of the text");
  input.add_to(*call);
  call->add_option("--count", count, "how many")->check(CLI::PositiveNumber)->capture_default_str();
  run_when_chosen(*call, *this, json, chosen);
}

void NeighboursCall::run(bool json) const {
  Engine engine;
  input.load(engine);
  Output list = Output::array();
  for (const TokenId own : input.prompt(engine).ids) {
    if (!json) std::cout << token_label(engine.token_bytes(own), own) << "  " << own << "\n";
    Output item;
    item["id"] = own;
    item["token"] = token_json(engine.token_bytes(own));
    item["neighbours"] = Output::array();
    for (const auto& [id, cosine] : neighbours(engine.model(), own, count)) {
      if (!json)
        std::cout << number_text("%8.3f", cosine) << "  " << token_label(engine.token_bytes(id), id) << "\n";
      Output neighbour;
      neighbour["id"] = id;
      neighbour["token"] = token_json(engine.token_bytes(id));
      neighbour["bytes"] = bytes_json(engine.token_bytes(id));
      neighbour["cosine"] = cosine;
      item["neighbours"].push_back(neighbour);
    }
    list.push_back(item);
  }
  if (json) print_json(Output{{"tokens", list}});
}

}  // namespace glassbox
