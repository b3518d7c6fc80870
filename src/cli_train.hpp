#pragma once
// The call `glassbox train`: from a corpus to a model folder, in one command that may be stopped and goes on.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>

namespace CLI {
class App;
}

namespace glassbox {

struct TrainCall {
  std::filesystem::path corpus, settings, out, lexicon;
  std::size_t threads = 0, checkpoint_every = 250;
  std::optional<std::size_t> stop_after;

  void add_to(CLI::App& app, std::function<void()>& chosen);

  /// Trains until all steps are done, `stop_after` steps are, or the process is asked to end (SIGINT,
  /// SIGTERM). Throws Error for bad input; what was saved last stays.
  void run() const;
};

}  // namespace glassbox
