#pragma once
// The calls `glassbox attention`, `next`, `lens` and `trace`: the numbers inside one forward pass.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "cli_input.hpp"

namespace glassbox {

struct AttentionCall {
  Input input;
  std::string q, k, v;  ///< JSON matrices; all empty: the weights of one head for a text
  std::int64_t layer = 0, head = 0;
  bool causal = false, no_scale = false;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen);
  void require() const;
  void run(bool json) const;

 private:
  /// Prints every step from the scores to the output.
  void run_matrices(bool json) const;

  /// Prints the weights (T, T) of one head.
  void run_text(bool json) const;
};

struct NextCall {
  Input input;
  std::size_t top = 10;
  std::string knockout;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen);
  void require() const { input.require(); }

  /// Prints the likeliest next tokens with their probabilities.
  void run(bool json) const;
};

struct LensCall {
  Input input;
  std::size_t top = 3;
  std::string knockout;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen);
  void require() const { input.require(); }

  /// Prints the likeliest next tokens read off before the first layer and after each.
  void run(bool json) const;
};

struct TraceCall {
  Input input;
  std::string names;  ///< separated by commas; empty: all

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen);
  void require() const { input.require(); }

  /// Prints activations: as JSON in full, as text their shapes and ranges.
  void run(bool json) const;
};

}  // namespace glassbox
