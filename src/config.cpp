#include "config.hpp"

#include <string>

#include "error.hpp"

namespace glassbox {

void check_config(const Config& config) {
  const auto at_least_one = [](const char* name, std::size_t value) {
    if (value == 0) throw Error("unsupported_model", std::string(name) + ": expected at least 1, got 0");
  };
  at_least_one("vocab_size", config.vocab_size);
  at_least_one("n_positions", config.n_positions);
  at_least_one("n_embd", config.n_embd);
  at_least_one("n_head", config.n_head);
  at_least_one("n_layer", config.n_layer);
  at_least_one("n_inner", config.n_inner);
  if (config.n_embd % config.n_head != 0) {
    throw Error("unsupported_model", "n_head: expected a divisor of n_embd " + std::to_string(config.n_embd) +
                                         ", got " + std::to_string(config.n_head));
  }
}

}  // namespace glassbox
