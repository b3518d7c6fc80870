#pragma once
// The parameters of a GPT-2 as a checkpoint stores them. Field names are the checkpoint's names, so that
// `weights.h[3].attn.c_attn.weight` is the tensor `h.3.attn.c_attn.weight`.

#include <string>
#include <vector>

#include "config.hpp"
#include "tensor.hpp"

namespace glassbox {

struct LayerNormWeights {
  Vector weight;  ///< (C)
  Vector bias;    ///< (C)
};

/// Stored as in GPT-2's Conv1D: y = x · weight + bias.
struct LinearWeights {
  Matrix weight;  ///< (in, out)
  Vector bias;    ///< (out)
};

struct AttentionWeights {
  LinearWeights c_attn;  ///< (C, 3C), (3C): q, k and v side by side
  LinearWeights c_proj;  ///< (C, C), (C): W_O
};

struct MlpWeights {
  LinearWeights c_fc;    ///< (C, F), (F)
  LinearWeights c_proj;  ///< (F, C), (C)
};

struct BlockWeights {
  LayerNormWeights ln_1;
  AttentionWeights attn;
  LayerNormWeights ln_2;
  MlpWeights mlp;
};

struct Weights {
  Matrix wte;                   ///< (V, C) token embeddings
  Matrix wpe;                   ///< (n_positions, C) position embeddings
  std::vector<BlockWeights> h;  ///< L blocks
  LayerNormWeights ln_f;
  Matrix lm_head;  ///< (V, C) the output head of an untied model, (0, 0) when it is `wte`
};

/// Visits every parameter in checkpoint order as visit(name, tensor); `lm_head.weight` only when untied.
/// W is Weights or const Weights.
template <class W, class Visit>
void for_each_parameter(W& weights, Visit&& visit) {
  const auto layer_norm = [&](const std::string& name, auto& norm) {
    visit(name + ".weight", norm.weight);
    visit(name + ".bias", norm.bias);
  };
  const auto linear = [&](const std::string& name, auto& layer) {
    visit(name + ".weight", layer.weight);
    visit(name + ".bias", layer.bias);
  };
  visit(std::string("wte.weight"), weights.wte);
  visit(std::string("wpe.weight"), weights.wpe);
  for (std::size_t l = 0; l < weights.h.size(); ++l) {
    const std::string block = join({"h.", l});
    layer_norm(block + ".ln_1", weights.h[l].ln_1);
    linear(block + ".attn.c_attn", weights.h[l].attn.c_attn);
    linear(block + ".attn.c_proj", weights.h[l].attn.c_proj);
    layer_norm(block + ".ln_2", weights.h[l].ln_2);
    linear(block + ".mlp.c_fc", weights.h[l].mlp.c_fc);
    linear(block + ".mlp.c_proj", weights.h[l].mlp.c_proj);
  }
  layer_norm("ln_f", weights.ln_f);
  if (weights.lm_head.size() != 0) visit(std::string("lm_head.weight"), weights.lm_head);
}

/// Allocates every parameter with the shape that the config asks for, filled with zeros.
Weights make_weights(const Config& config);

}  // namespace glassbox
