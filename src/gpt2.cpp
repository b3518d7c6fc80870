#include "gpt2.hpp"

#include <algorithm>
#include <string>

#include "attention.hpp"

namespace glassbox {

namespace {

/// Checks a matrix, packs it and frees the original.
PackedMatrix pack_columns(const std::string& name, Matrix& weight, std::size_t in, std::size_t out) {
  expect_shape(name.c_str(), weight, {in, out});
  PackedMatrix packed = PackedMatrix::from_columns(weight);
  weight = Matrix();
  return packed;
}

PackedMatrix pack_rows(const char* name, Matrix& weight, std::size_t rows, std::size_t columns) {
  expect_shape(name, weight, {rows, columns});
  PackedMatrix packed = PackedMatrix::from_rows(weight);
  weight = Matrix();
  return packed;
}

void check_layer_norm(const std::string& name, const LayerNormWeights& norm, std::size_t C) {
  expect_shape((name + ".weight").c_str(), norm.weight, {C});
  expect_shape((name + ".bias").c_str(), norm.bias, {C});
}

/// The heads of a matrix whose columns first…first+C hold them side by side: (T, …) → (H, T, D).
std::vector<Real> split_heads(const Matrix& x, std::size_t first, std::size_t n_head, std::size_t D) {
  const std::size_t T = x.shape(0), width = x.shape(1);
  std::vector<Real> heads(n_head * T * D);
  for (std::size_t h = 0; h < n_head; ++h) {
    for (std::size_t t = 0; t < T; ++t) {
      std::copy_n(x.data() + t * width + first + h * D, D, heads.data() + (h * T + t) * D);
    }
  }
  return heads;
}

std::string layer_name(std::size_t layer) { return "h." + std::to_string(layer); }

/// Whether the trace exists and wants the name; the name is built only then.
bool wants(const Trace* trace, std::size_t layer, const char* part) {
  return trace != nullptr && trace->wants(layer_name(layer) + part);
}

void keep(Trace* trace, std::size_t layer, const char* part, const Matrix& matrix) {
  if (trace != nullptr) trace->keep(layer_name(layer) + part, matrix);
}

}  // namespace

Gpt2::Gpt2(const Config& config, Weights&& weights) : config_(config) {
  check_config(config);
  const std::size_t C = config.n_embd, F = config.n_inner, V = config.vocab_size;
  if (weights.h.size() != config.n_layer) {
    throw Error("bad_shape", "h: expected " + std::to_string(config.n_layer) + " layers, got " +
                                 std::to_string(weights.h.size()));
  }
  wte_ = pack_rows("wte.weight", weights.wte, V, C);
  expect_shape("wpe.weight", weights.wpe, {config.n_positions, C});
  wpe_ = std::move(weights.wpe);
  const auto linear = [](const std::string& name, LinearWeights& layer, std::size_t in, std::size_t out) {
    expect_shape((name + ".bias").c_str(), layer.bias, {out});
    return Linear{pack_columns(name + ".weight", layer.weight, in, out), std::move(layer.bias)};
  };
  for (std::size_t l = 0; l < config.n_layer; ++l) {
    BlockWeights& from = weights.h[l];
    const std::string name = layer_name(l);
    check_layer_norm(name + ".ln_1", from.ln_1, C);
    check_layer_norm(name + ".ln_2", from.ln_2, C);
    Block block;
    block.ln_1 = std::move(from.ln_1);
    block.c_attn = linear(name + ".attn.c_attn", from.attn.c_attn, C, 3 * C);
    block.attn_c_proj = linear(name + ".attn.c_proj", from.attn.c_proj, C, C);
    block.ln_2 = std::move(from.ln_2);
    block.c_fc = linear(name + ".mlp.c_fc", from.mlp.c_fc, C, F);
    block.mlp_c_proj = linear(name + ".mlp.c_proj", from.mlp.c_proj, F, C);
    h_.push_back(std::move(block));
  }
  check_layer_norm("ln_f", weights.ln_f, C);
  ln_f_ = std::move(weights.ln_f);
  if (!config.tie_word_embeddings) lm_head_ = pack_rows("lm_head.weight", weights.lm_head, V, C);
}

Matrix Gpt2::forward(std::span<const TokenId> ids, KvCache& cache, Logits logits, Trace* trace,
                     const Knockouts& out) const {
  const std::size_t T = ids.size(), first = cache.size();
  if (T == 0) throw Error("empty_text", "forward: expected at least 1 token, got 0");
  if (first + T > config_.n_positions) {
    throw Error("bad_argument", "forward: this model reads at most " + std::to_string(config_.n_positions) +
                                    " tokens, asked for " + std::to_string(first + T));
  }
  Matrix x = embed(ids, first, trace);
  for (std::size_t layer = 0; layer < config_.n_layer; ++layer)
    x = forward_block(layer, x, cache, trace, out);
  cache.advance(T);

  const bool all = logits == Logits::all || (trace != nullptr && trace->wants("logits"));
  if (!all && !(trace != nullptr && trace->wants("ln_f"))) {
    x = rows(x, T - 1, T);
  }
  Matrix normed = layer_norm(x, ln_f_.weight, ln_f_.bias, config_.layer_norm_epsilon);
  if (trace != nullptr) trace->keep("ln_f", normed);
  if (!all && normed.shape(0) > 1) {
    normed = rows(normed, T - 1, T);
  }
  Matrix scores = matmul(normed, config_.tie_word_embeddings ? wte_ : lm_head_);
  if (trace != nullptr) trace->keep("logits", scores);
  return logits == Logits::last && scores.shape(0) > 1 ? rows(scores, T - 1, T) : scores;
}

Vector Gpt2::last_logits(std::span<const TokenId> ids, KvCache& cache, const Knockouts& out) const {
  const Matrix logits = forward(ids, cache, Logits::last, nullptr, out);
  Vector row = Vector::from_shape({logits.size()});
  std::copy_n(logits.data(), logits.size(), row.data());
  return row;
}

Matrix Gpt2::token_vectors(std::span<const TokenId> ids) const {
  const std::size_t C = config_.n_embd;
  Matrix vectors = Matrix::from_shape({ids.size(), C});
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= config_.vocab_size) {
      throw Error("bad_token", "id: expected 0 to " + std::to_string(config_.vocab_size - 1) + ", got " +
                                   std::to_string(ids[i]));
    }
    wte_.copy_column(static_cast<std::size_t>(ids[i]), vectors.data() + i * C);
  }
  return vectors;
}

/// ids (T) at positions first… → wte[id] + wpe[position] (T, C).
Matrix Gpt2::embed(std::span<const TokenId> ids, std::size_t first, Trace* trace) const {
  const std::size_t T = ids.size();
  const Matrix tokens = token_vectors(ids);
  Matrix positions = rows(wpe_, first, first + T);
  if (trace != nullptr) {
    trace->keep("wte", tokens);
    trace->keep("wpe", positions);
  }
  return add(tokens, positions);
}

/// x (T, C) → x + attention(ln_1(x)), then + mlp(ln_2(…)) (T, C).
Matrix Gpt2::forward_block(std::size_t layer, const Matrix& x, KvCache& cache, Trace* trace,
                           const Knockouts& out) const {
  const Block& block = h_[layer];
  keep(trace, layer, ".resid_in", x);
  Matrix normed = layer_norm(x, block.ln_1.weight, block.ln_1.bias, config_.layer_norm_epsilon);
  keep(trace, layer, ".ln_1", normed);
  Matrix middle = add(x, forward_attention(layer, normed, cache, trace, out));
  keep(trace, layer, ".resid_mid", middle);
  normed = layer_norm(middle, block.ln_2.weight, block.ln_2.bias, config_.layer_norm_epsilon);
  keep(trace, layer, ".ln_2", normed);
  Matrix result = add(middle, forward_mlp(layer, normed, trace, out));
  keep(trace, layer, ".resid_out", result);
  return result;
}

/// x (T, C) → q, k, v of every head, attention, W_O (T, C).
Matrix Gpt2::forward_attention(std::size_t layer, const Matrix& x, KvCache& cache, Trace* trace,
                               const Knockouts& out) const {
  const Block& block = h_[layer];
  const std::size_t T = x.shape(0), H = config_.n_head, D = config_.head_size();
  Matrix qkv = matmul(x, block.c_attn.weight, block.c_attn.bias);
  cache.append(layer, qkv);
  constexpr const char* parts[] = {".attn.q", ".attn.k", ".attn.v"};
  for (std::size_t part = 0; part < 3; ++part) {
    if (wants(trace, layer, parts[part])) {
      trace->keep(layer_name(layer) + parts[part], {H, T, D}, split_heads(qkv, part * H * D, H, D).data());
    }
  }
  AttentionView view;
  view.want_scaled = wants(trace, layer, ".attn.scaled");
  view.want_weights = wants(trace, layer, ".attn.weights");
  Matrix z = attention(qkv, cache, layer, H, view);
  for (std::size_t h = 0; h < H; ++h) {
    if (!out.head(layer, h)) continue;
    for (std::size_t t = 0; t < T; ++t) std::fill_n(z.data() + t * H * D + h * D, D, Real(0));
  }
  const std::size_t S = cache.size() + T;
  if (view.want_scaled) trace->keep(layer_name(layer) + ".attn.scaled", {H, T, S}, view.scaled.data());
  if (view.want_weights) trace->keep(layer_name(layer) + ".attn.weights", {H, T, S}, view.weights.data());
  if (wants(trace, layer, ".attn.z")) {
    trace->keep(layer_name(layer) + ".attn.z", {H, T, D}, split_heads(z, 0, H, D).data());
  }
  Matrix result = matmul(z, block.attn_c_proj.weight, block.attn_c_proj.bias);
  keep(trace, layer, ".attn.out", result);
  return result;
}

/// x (T, C) → c_proj(gelu(c_fc(x))) (T, C).
Matrix Gpt2::forward_mlp(std::size_t layer, const Matrix& x, Trace* trace, const Knockouts& out) const {
  const Block& block = h_[layer];
  Matrix pre = matmul(x, block.c_fc.weight, block.c_fc.bias);
  keep(trace, layer, ".mlp.pre", pre);
  Matrix act = gelu(pre);
  if (out.mlp(layer)) act.fill(0);
  keep(trace, layer, ".mlp.act", act);
  Matrix result = matmul(act, block.mlp_c_proj.weight, block.mlp_c_proj.bias);
  keep(trace, layer, ".mlp.out", result);
  return result;
}

void Gpt2::check_head(std::size_t layer, std::size_t head) const {
  if (layer >= config_.n_layer || head >= config_.n_head) {
    throw Error("bad_argument", "head: this model has layers 0 to " + std::to_string(config_.n_layer - 1) +
                                    " and heads 0 to " + std::to_string(config_.n_head - 1) + ", got layer " +
                                    std::to_string(layer) + ", head " + std::to_string(head));
  }
}

LinearWeights Gpt2::head_projection(std::size_t layer, std::size_t head, std::size_t part) const {
  check_head(layer, head);
  if (part > 2)
    throw Error("bad_argument", "part: expected 0 for q, 1 for k or 2 for v, got " + std::to_string(part));
  const std::size_t C = config_.n_embd, D = config_.head_size(), first = part * C + head * D;
  const Linear& c_attn = h_[layer].c_attn;
  LinearWeights projection{Matrix::from_shape({C, D}), Vector::from_shape({D})};
  std::vector<Real> column(C);
  for (std::size_t d = 0; d < D; ++d) {
    c_attn.weight.copy_column(first + d, column.data());
    for (std::size_t c = 0; c < C; ++c) projection.weight(c, d) = column[c];
    projection.bias(d) = c_attn.bias(first + d);
  }
  return projection;
}

Matrix Gpt2::head_output(std::size_t layer, std::size_t head, const Matrix& z) const {
  check_head(layer, head);
  const std::size_t T = z.shape(0), C = config_.n_embd, D = config_.head_size();
  expect_shape("z", z, {T, D});
  Matrix wide = Matrix::from_shape({T, C});
  wide.fill(0);
  for (std::size_t t = 0; t < T; ++t) std::copy_n(z.data() + t * D, D, wide.data() + t * C + head * D);
  return matmul(wide, h_[layer].attn_c_proj.weight);
}

}  // namespace glassbox
