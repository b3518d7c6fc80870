#include "weights.hpp"

#include <xtensor/xbuilder.hpp>

namespace glassbox {

Weights make_weights(const Config& config) {
  check_config(config);
  const auto vector = [](std::size_t n) { return Vector(xt::zeros<Real>({n})); };
  const auto matrix = [](std::size_t rows, std::size_t columns) {
    return Matrix(xt::zeros<Real>({rows, columns}));
  };
  const std::size_t C = config.n_embd, F = config.n_inner;
  const auto layer_norm = [&] { return LayerNormWeights{vector(C), vector(C)}; };
  const auto linear = [&](std::size_t in, std::size_t out) {
    return LinearWeights{matrix(in, out), vector(out)};
  };
  Weights weights;
  weights.wte = matrix(config.vocab_size, C);
  weights.wpe = matrix(config.n_positions, C);
  for (std::size_t l = 0; l < config.n_layer; ++l) {
    weights.h.push_back(
        {layer_norm(), {linear(C, 3 * C), linear(C, C)}, layer_norm(), {linear(C, F), linear(F, C)}});
  }
  weights.ln_f = layer_norm();
  if (!config.tie_word_embeddings) weights.lm_head = matrix(config.vocab_size, C);
  return weights;
}

}  // namespace glassbox
