#pragma once
// The call `glassbox loss`: how well a model guesses the tokens of given texts.

#include <cstddef>
#include <filesystem>
#include <functional>

namespace CLI {
class App;
}

namespace glassbox {

struct LossCall {
  std::filesystem::path corpus, model;
  std::size_t row_tokens = 0;  ///< longest row; 0: as many as the model has positions

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen);

  /// Prints the mean of −log p over the tokens of all texts, in nats for a token and for a byte of text.
  ///
  /// Rows hold whole documents, each closed by `<|endoftext|>`, as many as fit; only a document longer than a
  /// row goes on in the next. Every token but a row's first is guessed once. The token that closes a document
  /// counts as a token and has no bytes. The standard error treats rows as drawn independently of each other.
  /// Throws Error for bad input, `bad_argument` when there is nothing to guess.
  void run(bool json) const;
};

}  // namespace glassbox
