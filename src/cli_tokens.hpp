#pragma once
// The calls `glassbox tokenize` and `glassbox neighbours`: a text's tokens, and the tokens near them.

#include <cstddef>
#include <functional>
#include <string>

#include "cli_input.hpp"

namespace glassbox {

struct TokenizeCall {
  Input input;
  std::string tokenizer = "builtin";
  bool steps = false;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen);
  void require() const { input.require(); }

  /// Prints a text's tokens, on demand with every merge that made them. Needs no model.
  void run(bool json) const;
};

struct NeighboursCall {
  Input input;
  std::size_t count = 8;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen);
  void require() const { input.require(); }

  /// Prints for each token of a text those whose rows of the embedding table have the greatest cosine.
  void run(bool json) const;
};

}  // namespace glassbox
