#include "cli_input.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "error.hpp"
#include "files.hpp"

namespace glassbox {

std::filesystem::path models_folder() {
  if (const char* folder = std::getenv("GLASSBOX_MODELS"); folder != nullptr && *folder != '\0')
    return folder;
  return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "models";
}

void load_tokenizer(Engine& engine, const std::filesystem::path& folder) {
  const auto vocab = read_file_if_there(folder / "vocab.json");
  const auto merges = read_file_if_there(folder / "merges.txt");
  if (vocab && merges) {
    engine.load_tokenizer(*vocab, *merges);
  } else if (const auto tokenizer = read_file_if_there(folder / "tokenizer.json")) {
    engine.load_tokenizer_json(*tokenizer);
  }
}

namespace {

/// Loads a checkpoint piece by piece, and what stands beside it.
void load_model(Engine& engine, const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw Error("no_file", "can't read " + path.string());
  const auto config = read_file_if_there(path.parent_path() / "config.json");
  engine.begin_model(std::filesystem::file_size(path),
                     config ? std::optional<std::string_view>(*config) : std::nullopt);
  std::vector<char> piece(1 << 20);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    engine.feed_model(std::as_bytes(std::span(piece.data(), static_cast<std::size_t>(file.gcount()))));
  }
  engine.finish_model();
  load_tokenizer(engine, path.parent_path());
}

}  // namespace

void Input::add_to(CLI::App& call, bool with_model) {
  text_option =
      call.add_option("text", text, "the text; - reads standard input, byte by byte")->type_name("TEXT");
  if (!with_model) return;
  ids_option = call.add_option("--ids", ids, "token ids instead of a text, such as \"10449 345 845\"")
                   ->type_name("IDS");
  call.add_option("--model", model, "a GPT-2 checkpoint, model.safetensors; without it the built-in model")
      ->type_name("FILE");
}

void Input::require() const {
  if (text_option->count() == 0 && (ids_option == nullptr || ids_option->count() == 0)) {
    throw CLI::RequiredError(ids_option == nullptr ? "TEXT" : "TEXT or --ids");
  }
}

std::string Input::read_text() const {
  if (text != "-") return text;
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

std::filesystem::path Input::model_file() const {
  return model.empty() ? models_folder() / "builtin" / "model.safetensors" : std::filesystem::path(model);
}

void Input::load(Engine& engine) const { load_model(engine, model_file()); }

Prompt Input::prompt(const Engine& engine) const {
  if (ids_option->count() == 0) return engine.prompt(read_text());
  std::vector<TokenId> list;
  for (const std::string& word : CLI::detail::split_up(ids)) {
    char* end = nullptr;
    const long long id = std::strtoll(word.c_str(), &end, 10);
    if (*end != '\0' || id < 0 || id > std::numeric_limits<TokenId>::max()) {
      throw Error("bad_token", "--ids: expected whole numbers from 0 up, got \"" + word + "\"");
    }
    list.push_back(static_cast<TokenId>(id));
  }
  return engine.prompt(std::move(list));
}

void warn_of_dropped(const Engine& engine, const Prompt& prompt) {
  if (prompt.dropped == 0) return;
  std::cerr << "glassbox: this model reads " << engine.model().config().n_positions << " tokens; the oldest "
            << prompt.dropped << " were left out\n";
}

}  // namespace glassbox
