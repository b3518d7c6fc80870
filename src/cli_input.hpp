#pragma once
// What the calls of the native command read: a text or ids, a model and its tokenizer.

#include <filesystem>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "engine.hpp"

namespace glassbox {

/// The folder with `builtin` and `gpt2`: GLASSBOX_MODELS, or `models` beside the folder of this program.
std::filesystem::path models_folder();

/// Loads vocab.json with merges.txt, or tokenizer.json, if the folder has them.
void load_tokenizer(Engine& engine, const std::filesystem::path& folder);

/// The text, the ids and the model that most calls take.
struct Input {
  std::string text, ids, model;
  CLI::Option* text_option = nullptr;
  CLI::Option* ids_option = nullptr;

  void add_to(CLI::App& call, bool with_model = true);

  /// Refuses a call without anything to read, before a model is loaded. Throws CLI::RequiredError.
  void require() const;

  /// The text as given, or all of standard input.
  std::string read_text() const;

  std::filesystem::path model_file() const;

  /// Loads the model piece by piece, and what stands beside it. Throws Error.
  void load(Engine& engine) const;

  /// What a loaded model is to read. Throws Error `bad_token` for ids that are no whole numbers, and what
  /// Engine::prompt throws.
  Prompt prompt(const Engine& engine) const;
};

/// Tells on standard error what a context that is too small for the text leaves out.
void warn_of_dropped(const Engine& engine, const Prompt& prompt);

/// What the calls have in common: --json, and that there is something to read before anything is loaded.
/// The call has to live as long as the app.
template <class Call>
void run_when_chosen(CLI::App& app, const Call& call, bool& json, std::function<void()>& chosen) {
  app.add_flag("--json", json, "print one JSON object");
  app.callback([&] {
    call.require();
    chosen = [&] { call.run(json); };
  });
}

}  // namespace glassbox
