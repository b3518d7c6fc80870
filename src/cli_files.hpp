#pragma once
// The calls `glassbox quantize` and `glassbox bigrams`: files that the page loads, made from others.

#include <cstddef>
#include <filesystem>
#include <functional>

namespace CLI {
class App;
}

namespace glassbox {

struct QuantizeCall {
  std::filesystem::path in, out;

  void add_to(CLI::App& app, std::function<void()>& chosen);

  /// Writes a checkpoint in int8. Throws Error for a bad checkpoint or a file that can't be written.
  void run() const;
};

struct BigramsCall {
  std::filesystem::path corpus, model, out;
  std::size_t most_bytes = 250'000;

  void add_to(CLI::App& app, std::function<void()>& chosen);

  /// Counts which token follows which and writes what fits into `most_bytes`. Throws Error for bad input or a
  /// file that can't be written.
  void run() const;
};

}  // namespace glassbox
