#include "cli_files.hpp"

#include <cstdint>
#include <iostream>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "bigrams.hpp"
#include "bpe.hpp"
#include "checkpoint.hpp"
#include "cli_input.hpp"
#include "documents.hpp"
#include "engine.hpp"
#include "files.hpp"
#include "safetensors.hpp"

namespace glassbox {

void QuantizeCall::add_to(CLI::App& app, std::function<void()>& chosen) {
  CLI::App* call =
      app.add_subcommand("quantize", "write a GPT-2 checkpoint in int8, about a quarter of its size");
  call->add_option("in", in, "a checkpoint; config.json beside it is read if it is there")
      ->type_name("IN")
      ->required();
  call->add_option("out", out, "the int8 file; replaced whole")->type_name("OUT")->required();
  call->callback([&] { chosen = [&] { run(); }; });
}

void QuantizeCall::run() const {
  const std::string file = read_file(in);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(file));
  // The number of heads has no place in a checkpoint, so that any will do where no config.json states it.
  const std::string config_json =
      read_file_if_there(in.parent_path() / "config.json").value_or(R"({"n_head": 1})");
  const auto [config, weights] = read_checkpoint(bytes, config_json);
  const SafetensorsHeader header = parse_safetensors_header(file, file.size());
  const std::vector<std::byte> int8 = write_int8_checkpoint(config, weights, header.metadata);
  replace_file(out, int8);
  std::cout << out.string() << ": " << int8.size() << " bytes of " << file.size() << "\n";
}

void BigramsCall::add_to(CLI::App& app, std::function<void()>& chosen) {
  CLI::App* call = app.add_subcommand(
      "bigrams",
      "count which token follows which in a corpus; as bigrams.bin beside a model the page finds it");
  call->add_option("--corpus", corpus, "the texts, as for train")->type_name("FILE")->required();
  call->add_option("--model", model, "the folder with the tokenizer")->type_name("DIR")->required();
  call->add_option("--out", out, "the file; replaced whole")->type_name("FILE")->required();
  call->add_option("--most-bytes", most_bytes, "rare followers are left out until the file fits")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  call->callback([&] { chosen = [&] { run(); }; });
}

void BigramsCall::run() const {
  Engine engine;
  load_tokenizer(engine, model);
  const Bpe& tokenizer = engine.tokenizer();
  const std::string file = read_file(corpus);
  const PackedDocuments packed =
      pack_documents(corpus.extension() == ".jsonl" ? read_jsonl_corpus(file) : read_plain_corpus(file),
                     tokenizer, std::numeric_limits<std::size_t>::max());
  const Bigrams counted = Bigrams::count(packed.ids, tokenizer.size());
  const std::vector<std::byte> bytes = counted.write_within(most_bytes);
  replace_file(out, bytes);
  const Bigrams kept = Bigrams::read(bytes, tokenizer.size());
  std::size_t pairs = 0, kept_pairs = 0;
  std::uint64_t total = 0, kept_total = 0;
  for (std::size_t i = 0; i < tokenizer.size(); ++i) {
    const auto id = static_cast<TokenId>(i);
    pairs += counted.row(id).followers.size();
    kept_pairs += kept.row(id).followers.size();
    total += counted.row(id).total;
    for (const Bigrams::Follower& follower : kept.row(id).followers) kept_total += follower.count;
  }
  std::cout << out.string() << ": " << bytes.size() << " bytes, " << kept_pairs << " of " << pairs
            << " different pairs, " << kept_total << " of " << total << " in all\n";
}

}  // namespace glassbox
