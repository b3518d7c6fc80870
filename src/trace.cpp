#include "trace.hpp"

#include <functional>
#include <numeric>

namespace glassbox {

std::vector<std::string> activation_names(const Config& config) {
  std::vector<std::string> names = {"wte", "wpe"};
  for (std::size_t l = 0; l < config.n_layer; ++l) {
    for (const char* part :
         {"resid_in", "ln_1", "attn.q", "attn.k", "attn.v", "attn.scaled", "attn.weights", "attn.z",
          "attn.out", "resid_mid", "ln_2", "mlp.pre", "mlp.act", "mlp.out", "resid_out"}) {
      names.push_back("h." + std::to_string(l) + "." + part);
    }
  }
  names.push_back("ln_f");
  names.push_back("logits");
  return names;
}

Trace::Trace(const Config& config, const std::vector<std::string>& names) {
  const std::vector<std::string> known = activation_names(config);
  const std::set<std::string> all(known.begin(), known.end());
  for (const std::string& name : names) {
    if (all.count(name) == 0) {
      throw Error("bad_argument", "trace: no activation is named \"" + name + "\" (this model has " +
                                      std::to_string(config.n_layer) + " layers, counted from 0)");
    }
    wanted_.insert(name);
  }
}

void Trace::keep(const std::string& name, std::vector<std::size_t> shape, const Real* data) {
  if (!wants(name)) return;
  const std::size_t count = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  kept_[name] = {std::move(shape), std::vector<Real>(data, data + count)};
}

void Trace::keep(const std::string& name, const Matrix& matrix) {
  keep(name, {matrix.shape(0), matrix.shape(1)}, matrix.data());
}

}  // namespace glassbox
