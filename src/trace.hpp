#pragma once
// What a forward pass is asked to show and to leave out: named activations, kept only when asked for, and
// knock-outs.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config.hpp"
#include "tensor.hpp"

namespace glassbox {

/// One activation: its shape and its numbers, row-major.
struct Activation {
  std::vector<std::size_t> shape;
  std::vector<Real> data;
};

/// What a forward pass is asked to keep, and what it kept. Names are paths such as `h.3.attn.weights`; the
/// list with shapes is `activation_names`.
class Trace {
 public:
  /// Asks for these names. Throws Error `bad_argument` for a name that this model does not have.
  Trace(const Config& config, const std::vector<std::string>& names);

  bool wants(const std::string& name) const { return wanted_.count(name) != 0; }
  /// Keeps `count` numbers under a wanted name; does nothing for others.
  void keep(const std::string& name, std::vector<std::size_t> shape, const Real* data);
  /// Keeps a matrix under a wanted name.
  void keep(const std::string& name, const Matrix& matrix);
  const std::map<std::string, Activation>& activations() const { return kept_; }
  std::map<std::string, Activation>& activations() { return kept_; }

 private:
  std::set<std::string> wanted_;
  std::map<std::string, Activation> kept_;
};

/// Parts of a model that a forward pass leaves out.
/// - `h.2.1`: head 1 of layer 2 gives zeros in place of its attention's result z; the bias of c_proj stays.
/// - `h.2.attn`: the attention of layer 2 adds nothing to the residual stream, no bias either: `attn.out` is
/// 0.
/// - `mlp.3`: the MLP of layer 3 gives zeros in place of its hidden activations; the bias of its c_proj
/// stays.
/// - `no-positions`: nothing of the position table is added to the tokens' vectors: `wpe` is 0.
/// - `no-mask`: each query sees every token that is read with it, later ones too. It works only where a text
/// is
///   read at once, by a forward pass with an empty cache.
/// - `no-scale`: the scores q·k are not divided by √D: `attn.scaled` are the scores.
class Knockouts {
 public:
  Knockouts() = default;
  /// From such words, with spaces between. Throws Error `bad_argument` for a word of another form, or for a
  /// layer or head that this model does not have.
  Knockouts(const Config& config, const std::string& words);

  bool head(std::size_t layer, std::size_t head) const {
    return std::find(heads_.begin(), heads_.end(), std::pair(layer, head)) != heads_.end();
  }
  bool mlp(std::size_t layer) const { return std::find(mlps_.begin(), mlps_.end(), layer) != mlps_.end(); }
  bool attention(std::size_t layer) const {
    return std::find(attentions_.begin(), attentions_.end(), layer) != attentions_.end();
  }
  bool positions() const { return positions_; }
  bool mask() const { return mask_; }
  bool scale() const { return scale_; }
  void add_head(std::size_t layer, std::size_t head) { heads_.emplace_back(layer, head); }

 private:
  std::vector<std::pair<std::size_t, std::size_t>> heads_;  // layer, head
  std::vector<std::size_t> attentions_, mlps_;
  bool positions_ = false, mask_ = false, scale_ = false;
};

/// Every name that a model of these sizes can trace, in the order of the forward pass. Shapes: `wte`, `wpe`
/// (T, C); for each layer l `h.l.resid_in`, `h.l.ln_1` (T, C), `h.l.attn.q|k|v` (H, T, D), `h.l.attn.scaled`
/// (H, T, T): q·k/√D before the mask, `h.l.attn.weights` (H, T, T), `h.l.attn.z` (H, T, D), `h.l.attn.out`,
/// `h.l.resid_mid`, `h.l.ln_2` (T, C), `h.l.mlp.pre|act` (T, F), `h.l.mlp.out`, `h.l.resid_out` (T, C);
/// `ln_f` (T, C), `logits` (T, V).
std::vector<std::string> activation_names(const Config& config);

}  // namespace glassbox
