#include "models.hpp"

#include "checkpoint.hpp"
#include "data.hpp"

namespace glassbox::test {

std::pair<Config, Weights> read_model(const std::string& name) {
  const std::string file = read_data(name + "/model.safetensors"), config = read_data(name + "/config.json");
  return read_checkpoint(bytes_of(file), config);
}

Gpt2 load_gpt2(const std::string& name) {
  auto [config, weights] = read_model(name);
  return Gpt2(config, std::move(weights));
}

Engine load_engine(const std::string& name) {
  return engine_of(read_data(name + "/model.safetensors"), read_data(name + "/config.json"));
}

Engine engine_of(const std::string& file, std::optional<std::string_view> config_json) {
  Engine engine;
  engine.begin_model(file.size(), config_json);
  engine.feed_model(bytes_of(file));
  engine.finish_model();
  return engine;
}

const Engine& builtin() {
  static const Engine engine = [] {
    Engine loading = load_engine("builtin");
    loading.load_tokenizer(read_data("builtin/vocab.json"), read_data("builtin/merges.txt"));
    return loading;
  }();
  return engine;
}

}  // namespace glassbox::test
