#include "cli_loss.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "bpe.hpp"
#include "checkpoint.hpp"
#include "documents.hpp"
#include "error.hpp"
#include "files.hpp"
#include "gpt2.hpp"
#include "json.hpp"
#include "terminal.hpp"

namespace glassbox {

namespace {

struct Row {
  std::size_t begin, end;  // indices into the packed ids
};

/// Whole documents as long as they fit into `longest` ids; a longer one is cut.
std::vector<Row> lay_rows(const PackedDocuments& packed, std::size_t longest) {
  std::vector<Row> rows;
  Row row{0, 0};
  const auto close = [&] {
    if (row.end - row.begin > 1) rows.push_back(row);
    row.begin = row.end;
  };
  for (std::size_t d = 0; d < packed.starts.size(); ++d) {
    const std::size_t end = d + 1 < packed.starts.size() ? packed.starts[d + 1] : packed.ids.size();
    if (end - row.begin > longest) close();
    while (end - row.begin > longest) {
      row.end = row.begin + longest;
      close();
    }
    row.end = end;
  }
  close();
  return rows;
}

}  // namespace

void LossCall::add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
  CLI::App* call = app.add_subcommand("loss", "how well a model guesses the tokens of texts");
  call->add_option("--corpus", corpus, "the texts, as for train")->type_name("FILE")->required();
  call->add_option("--model", model, "the folder with the model and its tokenizer")
      ->type_name("DIR")
      ->required();
  call->add_option("--row-tokens", row_tokens, "tokens that the model sees at once; without it all positions")
      ->check(CLI::PositiveNumber);
  call->add_flag("--json", json, "one JSON object");
  call->callback([this, &json, &chosen] { chosen = [this, &json] { run(json); }; });
}

void LossCall::run(bool json) const {
  const std::string config_json = read_file(model / "config.json");
  const std::string file = read_file(model / "model.safetensors");
  const auto [config, weights] = read_checkpoint(std::as_bytes(std::span(file)), config_json);
  if (row_tokens > config.n_positions) {
    throw Error("bad_argument", "--row-tokens: expected at most n_positions " +
                                    std::to_string(config.n_positions) + ", got " +
                                    std::to_string(row_tokens));
  }
  const Bpe tokenizer =
      Bpe::from_vocab_and_merges(read_file(model / "vocab.json"), read_file(model / "merges.txt"));
  const std::string text = read_file(corpus);
  const Corpus documents = corpus.extension() == ".jsonl" ? read_jsonl_corpus(text) : read_plain_corpus(text);
  const PackedDocuments packed =
      pack_documents(documents, tokenizer, std::numeric_limits<std::size_t>::max());
  const std::vector<Row> rows = lay_rows(packed, (row_tokens == 0 ? config.n_positions : row_tokens) + 1);
  if (rows.empty()) throw Error("bad_argument", "corpus: expected a second token to guess, got one");

  Gpt2Learner learner(config);
  learner.set_weights(weights);
  Gpt2Learner::Scratch scratch;
  std::vector<std::pair<double, double>> sums;  // of each row: −log p, and how many tokens
  double nats = 0, tokens = 0;
  std::size_t bytes = 0;
  for (const Row& row : rows) {
    Batch batch{1, row.end - row.begin - 1, {}, {}};
    const auto id = [&](std::size_t i) { return packed.ids.begin() + static_cast<std::ptrdiff_t>(i); };
    batch.inputs.assign(id(row.begin), id(row.end - 1));
    batch.targets.assign(id(row.begin + 1), id(row.end));
    sums.emplace_back(learner.loss(batch, scratch), static_cast<double>(batch.T));
    nats += sums.back().first;
    tokens += sums.back().second;
    for (TokenId target : batch.targets) {
      if (target != packed.end) bytes += tokenizer.bytes(target).size();
    }
  }
  const double loss = nats / tokens, per_byte = nats / static_cast<double>(bytes);
  // Of a ratio of sums: how far each row's sum lies from what the mean would give it.
  double squares = 0;
  for (const auto& [sum, count] : sums) squares += (sum - loss * count) * (sum - loss * count);
  const double n = static_cast<double>(sums.size());
  const double error = n > 1 ? std::sqrt(squares * n / (n - 1)) / tokens : std::nan("");
  if (json) {
    nlohmann::ordered_json out = {{"documents", documents.documents.size()},
                                  {"rows", rows.size()},
                                  {"tokens", static_cast<std::size_t>(tokens)},
                                  {"bytes", bytes},
                                  {"loss", loss},
                                  {"standard_error", nullptr},
                                  {"loss_per_byte", nullptr}};
    if (n > 1) out["standard_error"] = error;
    if (bytes > 0) out["loss_per_byte"] = per_byte;
    std::cout << out.dump() << "\n";
    return;
  }
  std::cout << number_text("%.4f", loss) << (n > 1 ? " ± " + number_text("%.4f", error) : "")
            << " nats a token" << (bytes > 0 ? ", " + number_text("%.4f", per_byte) + " nats a byte" : "")
            << "; " << number_text("%.0f", tokens) << " tokens of " << documents.documents.size()
            << " documents\n";
}

}  // namespace glassbox
