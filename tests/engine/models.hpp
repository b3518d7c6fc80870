#pragma once
// Models that the tests run: checkpoints among the golden data, and the built-in one.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine.hpp"

namespace glassbox::test {

/// Sizes and weights of a checkpoint among the data (`gpt2_tied`). Throws what read_data and read_checkpoint
/// throw.
std::pair<Config, Weights> read_model(const std::string& name);

/// The same as a model that runs.
Gpt2 load_gpt2(const std::string& name);

/// The same in an engine, without a tokenizer.
Engine load_engine(const std::string& name);

/// An engine with the model of a checkpoint's bytes, and its tokenizer if the file is self-contained. Throws
/// what Engine throws.
Engine engine_of(const std::string& file, std::optional<std::string_view> config_json = std::nullopt);

/// The built-in model with its tokenizer, loaded once.
const Engine& builtin();

}  // namespace glassbox::test
