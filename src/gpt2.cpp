#include "gpt2.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "attention.hpp"

namespace glassbox {

namespace {

std::string layer_name(std::size_t layer) { return join({"h.", layer}); }

/// Throws Error `bad_shape` for the first parameter that does not fit the config.
void check_shapes(const Config& config, const Weights& weights) {
  const std::size_t C = config.n_embd, F = config.n_inner, V = config.vocab_size;
  if (weights.h.size() != config.n_layer) {
    fail("bad_shape", {"h: expected ", config.n_layer, " layers, got ", weights.h.size()});
  }
  const auto layer_norm = [&](const std::string& name, const LayerNormWeights& norm) {
    expect_shape((name + ".weight").c_str(), norm.weight, {C});
    expect_shape((name + ".bias").c_str(), norm.bias, {C});
  };
  const auto linear = [](const std::string& name, const LinearWeights& layer, std::size_t in,
                         std::size_t out) {
    expect_shape((name + ".weight").c_str(), layer.weight, {in, out});
    expect_shape((name + ".bias").c_str(), layer.bias, {out});
  };
  expect_shape("wte.weight", weights.wte, {V, C});
  expect_shape("wpe.weight", weights.wpe, {config.n_positions, C});
  for (std::size_t l = 0; l < config.n_layer; ++l) {
    const BlockWeights& block = weights.h[l];
    const std::string name = layer_name(l);
    layer_norm(name + ".ln_1", block.ln_1);
    linear(name + ".attn.c_attn", block.attn.c_attn, C, 3 * C);
    linear(name + ".attn.c_proj", block.attn.c_proj, C, C);
    layer_norm(name + ".ln_2", block.ln_2);
    linear(name + ".mlp.c_fc", block.mlp.c_fc, C, F);
    linear(name + ".mlp.c_proj", block.mlp.c_proj, F, C);
  }
  layer_norm("ln_f", weights.ln_f);
  if (!config.tie_word_embeddings) expect_shape("lm_head.weight", weights.lm_head, {V, C});
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

/// Whether the trace exists and wants the name; the name is built only then.
bool wants(const Trace* trace, std::size_t layer, const char* part) {
  return trace != nullptr && trace->wants(layer_name(layer) + part);
}

void keep(Trace* trace, std::size_t layer, const char* part, const Matrix& matrix) {
  if (trace != nullptr) trace->keep(layer_name(layer) + part, matrix);
}

void count_product(const Matrix& x, const PackedMatrix& weight, Work& work) {
  const std::size_t numbers = weight.K() * weight.N();
  work.multiply_adds += std::uint64_t{x.shape(0)} * numbers;
  work.weight_bytes += numbers * sizeof(Real);
}

}  // namespace

Gpt2::Gpt2(const Config& config, Weights&& weights) : config_(config) {
  check_config(config);
  check_shapes(config, weights);
  // Each original is freed as soon as it is packed.
  const auto rows = [](Matrix&& weight) { return PackedMatrix::from_rows(std::exchange(weight, {})); };
  const auto linear = [](LinearWeights& layer) {
    return Linear{PackedMatrix::from_columns(std::exchange(layer.weight, {})), std::move(layer.bias)};
  };
  wte_ = rows(std::move(weights.wte));
  wpe_ = std::move(weights.wpe);
  for (BlockWeights& from : weights.h) {
    Block block;
    block.ln_1 = std::move(from.ln_1);
    block.c_attn = linear(from.attn.c_attn);
    block.attn_c_proj = linear(from.attn.c_proj);
    block.ln_2 = std::move(from.ln_2);
    block.c_fc = linear(from.mlp.c_fc);
    block.mlp_c_proj = linear(from.mlp.c_proj);
    h_.push_back(std::move(block));
  }
  ln_f_ = std::move(weights.ln_f);
  if (!config.tie_word_embeddings) lm_head_ = rows(std::move(weights.lm_head));
}

Matrix Gpt2::forward(std::span<const TokenId> ids, KvCache& cache, Logits logits, Trace* trace,
                     const Knockouts& out, Work* work) const {
  const std::size_t T = ids.size(), first = cache.size();
  if (T == 0) fail("empty_text", {"forward: expected at least 1 token, got 0"});
  if (first + T > config_.n_positions) {
    fail("bad_argument",
         {"forward: this model reads at most ", config_.n_positions, " tokens, asked for ", first + T});
  }
  if (out.mask() && first > 0) {
    fail("bad_argument",
         {"forward: without the mask a text is read at once, but ", first, " tokens were read before"});
  }
  Pass pass{cache, trace, out, {}};
  Matrix x = embed(ids, pass);
  for (std::size_t layer = 0; layer < config_.n_layer; ++layer) x = forward_block(layer, x, pass);
  cache.advance(T);
  pass.work.cache_written += T * cache.bytes_per_token();
  pass.work.cache_read += cache.size() * cache.bytes_per_token();

  const bool all = logits == Logits::all || (trace != nullptr && trace->wants("logits"));
  if (!all && !(trace != nullptr && trace->wants("ln_f"))) {
    x = rows(x, T - 1, T);
  }
  Matrix normed = normalise(x, ln_f_, pass.work);
  if (trace != nullptr) trace->keep("ln_f", normed);
  if (!all && normed.shape(0) > 1) {
    normed = rows(normed, T - 1, T);
  }
  Matrix scores = apply_head(normed, pass.work);
  if (trace != nullptr) trace->keep("logits", scores);
  if (work != nullptr) *work += pass.work;
  return logits == Logits::last && scores.shape(0) > 1 ? rows(scores, T - 1, T) : scores;
}

Vector Gpt2::last_logits(std::span<const TokenId> ids, KvCache& cache, const Knockouts& out,
                         Work* work) const {
  return row_of(forward(ids, cache, Logits::last, nullptr, out, work), 0);
}

Matrix Gpt2::read_off(const Matrix& x) const {
  Work work;
  return apply_head(normalise(x, ln_f_, work), work);
}

Matrix Gpt2::normalise(const Matrix& x, const LayerNormWeights& norm, Work& work) const {
  work.weight_bytes += 2 * norm.weight.size() * sizeof(Real);
  return layer_norm(x, norm.weight, norm.bias, config_.layer_norm_epsilon);
}

Matrix Gpt2::apply(const Matrix& x, const Linear& linear, Work& work) {
  count_product(x, linear.weight, work);
  work.weight_bytes += linear.bias.size() * sizeof(Real);
  return matmul(x, linear.weight, linear.bias);
}

Matrix Gpt2::apply_head(const Matrix& x, Work& work) const {
  const PackedMatrix& head = config_.tie_word_embeddings ? wte_ : lm_head_;
  count_product(x, head, work);
  return matmul(x, head);
}

Matrix Gpt2::token_vectors(std::span<const TokenId> ids) const {
  const std::size_t C = config_.n_embd;
  Matrix vectors = Matrix::from_shape({ids.size(), C});
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= config_.vocab_size) {
      fail("bad_token", {"id: expected 0 to ", config_.vocab_size - 1, ", got ", ids[i]});
    }
    wte_.copy_column(static_cast<std::size_t>(ids[i]), vectors.data() + i * C);
  }
  return vectors;
}

/// ids (T) at the positions after the cache's → wte[id] + wpe[position] (T, C).
Matrix Gpt2::embed(std::span<const TokenId> ids, Pass& pass) const {
  const std::size_t T = ids.size(), first = pass.cache.size();
  const Matrix tokens = token_vectors(ids);
  Matrix positions = rows(wpe_, first, first + T);
  if (pass.out.positions()) positions.fill(0);
  pass.work.weight_bytes += (tokens.size() + (pass.out.positions() ? 0 : positions.size())) * sizeof(Real);
  if (pass.trace != nullptr) {
    pass.trace->keep("wte", tokens);
    pass.trace->keep("wpe", positions);
  }
  return add(tokens, positions);
}

/// x (T, C) → x + attention(ln_1(x)), then + mlp(ln_2(…)) (T, C).
Matrix Gpt2::forward_block(std::size_t layer, const Matrix& x, Pass& pass) const {
  const Block& block = h_[layer];
  keep(pass.trace, layer, ".resid_in", x);
  Matrix normed = normalise(x, block.ln_1, pass.work);
  keep(pass.trace, layer, ".ln_1", normed);
  Matrix middle = add(x, forward_attention(layer, normed, pass));
  keep(pass.trace, layer, ".resid_mid", middle);
  normed = normalise(middle, block.ln_2, pass.work);
  keep(pass.trace, layer, ".ln_2", normed);
  Matrix result = add(middle, forward_mlp(layer, normed, pass));
  keep(pass.trace, layer, ".resid_out", result);
  return result;
}

/// x (T, C) → q, k, v of every head, attention, W_O (T, C).
Matrix Gpt2::forward_attention(std::size_t layer, const Matrix& x, Pass& pass) const {
  const Block& block = h_[layer];
  KvCache& cache = pass.cache;
  Trace* const trace = pass.trace;
  const Knockouts& out = pass.out;
  const std::size_t T = x.shape(0), H = config_.n_head, D = config_.head_size();
  Matrix qkv = apply(x, block.c_attn, pass.work);
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
  Matrix z = attention(qkv, cache, layer, H, view, {.causal = !out.mask(), .scale = !out.scale()});
  pass.work.multiply_adds += view.multiply_adds;
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
  Matrix result = apply(z, block.attn_c_proj, pass.work);
  if (out.attention(layer)) result.fill(0);
  keep(trace, layer, ".attn.out", result);
  return result;
}

/// x (T, C) → c_proj(gelu(c_fc(x))) (T, C).
Matrix Gpt2::forward_mlp(std::size_t layer, const Matrix& x, Pass& pass) const {
  const Block& block = h_[layer];
  Matrix pre = apply(x, block.c_fc, pass.work);
  keep(pass.trace, layer, ".mlp.pre", pre);
  Matrix act = gelu(pre);
  if (pass.out.mlp(layer)) act.fill(0);
  keep(pass.trace, layer, ".mlp.act", act);
  Matrix result = apply(act, block.mlp_c_proj, pass.work);
  keep(pass.trace, layer, ".mlp.out", result);
  return result;
}

void Gpt2::check_head(std::size_t layer, std::size_t head) const {
  if (layer >= config_.n_layer || head >= config_.n_head) {
    fail("bad_argument", {"head: this model has layers 0 to ", config_.n_layer - 1, " and heads 0 to ",
                          config_.n_head - 1, ", got layer ", layer, ", head ", head});
  }
}

LinearWeights Gpt2::head_projection(std::size_t layer, std::size_t head, std::size_t part) const {
  check_head(layer, head);
  if (part > 2) fail("bad_argument", {"part: expected 0 for q, 1 for k or 2 for v, got ", part});
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

namespace {

/// Rows whose logits are held at one time: they and their gradients stay in the cache.
constexpr std::size_t logit_rows = 128;

void add_to(const Real* from, std::size_t n, Real* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
}

}  // namespace

Gpt2Learner::Gpt2Learner(const Config& config) : config_(config), h_(config.n_layer) { check_config(config); }

void Gpt2Learner::set_weights(const Weights& weights) {
  check_shapes(config_, weights);
  const auto linear = [](const LinearWeights& from, Linear& to) {
    to.weight.pack_columns(from.weight);
    to.transposed.pack_rows(from.weight);
    to.bias = from.bias;
  };
  wte_ = weights.wte;
  wpe_ = weights.wpe;
  for (std::size_t l = 0; l < config_.n_layer; ++l) {
    const BlockWeights& from = weights.h[l];
    Block& to = h_[l];
    to.ln_1 = from.ln_1;
    linear(from.attn.c_attn, to.c_attn);
    linear(from.attn.c_proj, to.attn_c_proj);
    to.ln_2 = from.ln_2;
    linear(from.mlp.c_fc, to.c_fc);
    linear(from.mlp.c_proj, to.mlp_c_proj);
  }
  ln_f_ = weights.ln_f;
  const Matrix& head = config_.tie_word_embeddings ? weights.wte : weights.lm_head;
  head_.pack_rows(head);
  head_transposed_.pack_columns(head);
}

void Gpt2Learner::check_batch(const Batch& batch) const {
  const std::size_t N = batch.B * batch.T;
  if (N == 0) fail("empty_text", {"batch: expected at least 1 token, got 0"});
  if (batch.T > config_.n_positions) {
    fail("bad_argument",
         {"batch: this model reads at most ", config_.n_positions, " tokens, asked for ", batch.T});
  }
  if (batch.inputs.size() != N || batch.targets.size() != N) {
    fail("bad_argument", {"batch: expected ", N, " inputs and targets, got ", batch.inputs.size(), " and ",
                          batch.targets.size()});
  }
  const auto check_id = [&](TokenId id, TokenId lowest) {
    if (id < lowest || (id >= 0 && static_cast<std::size_t>(id) >= config_.vocab_size)) {
      fail("bad_token", {"id: expected ", lowest, " to ", config_.vocab_size - 1, ", got ", id});
    }
  };
  for (TokenId id : batch.inputs) check_id(id, 0);
  for (TokenId id : batch.targets) check_id(id, -1);
}

/// Fills the activations of every layer, and ln_f (N, C).
void Gpt2Learner::forward(const Batch& batch, Scratch& scratch) const {
  const std::size_t N = batch.B * batch.T, C = config_.n_embd;
  const Real epsilon = config_.layer_norm_epsilon;
  scratch.layers.resize(config_.n_layer);
  Matrix& embedded = scratch.layers[0].x;
  fit(embedded, N, C);
  for (std::size_t n = 0; n < N; ++n) {
    const Real* token = wte_.data() + static_cast<std::size_t>(batch.inputs[n]) * C;
    const Real* position = wpe_.data() + n % batch.T * C;
    std::transform(token, token + C, position, embedded.data() + n * C, std::plus<>());
  }
  for (std::size_t l = 0; l < config_.n_layer; ++l) {
    const Block& block = h_[l];
    Scratch::Layer& s = scratch.layers[l];
    layer_norm(s.x, block.ln_1.weight, block.ln_1.bias, epsilon, s.ln_1);
    matmul(s.ln_1, block.c_attn.weight, block.c_attn.bias, s.qkv);
    attention_rows(s.qkv, batch.B, config_.n_head, s.weights, s.z, scratch.attention);
    matmul(s.z, block.attn_c_proj.weight, block.attn_c_proj.bias, scratch.out);
    add(s.x, scratch.out, s.middle);
    layer_norm(s.middle, block.ln_2.weight, block.ln_2.bias, epsilon, s.ln_2);
    matmul(s.ln_2, block.c_fc.weight, block.c_fc.bias, s.pre);
    gelu(s.pre, s.act);
    matmul(s.act, block.mlp_c_proj.weight, block.mlp_c_proj.bias, scratch.out);
    add(s.middle, scratch.out, l + 1 < config_.n_layer ? scratch.layers[l + 1].x : scratch.x);
  }
  layer_norm(scratch.x, ln_f_.weight, ln_f_.bias, epsilon, scratch.ln_f);
}

/// The loss, from ln_f (N, C). With a gradient to add the head's to, also fills dnormed (N, C).
double Gpt2Learner::head(const Batch& batch, Real scale, Matrix* gradient, Scratch& scratch) const {
  const std::size_t N = batch.B * batch.T, C = config_.n_embd, V = config_.vocab_size;
  const std::size_t row = (V + 7) / 8 * 8;
  scratch.logits.resize(std::min(N, logit_rows) * row);
  if (gradient != nullptr) fit(scratch.dnormed, N, C);
  double loss = 0;
  for (std::size_t first = 0; first < N; first += logit_rows) {
    const std::size_t count = std::min(logit_rows, N - first);
    const Real* normed = scratch.ln_f.data() + first * C;
    Real* logits = scratch.logits.data();
    multiply(normed, C, count, head_.panels(), nullptr, logits, row);
    for (std::size_t n = 0; n < count; ++n) {
      const TokenId target = batch.targets[first + n];
      if (target >= 0) {
        loss += cross_entropy_row(logits + n * row, V, static_cast<std::size_t>(target), scale);
      } else {
        std::fill_n(logits + n * row, V, Real(0));
      }
    }
    if (gradient == nullptr) continue;
    multiply(logits, row, count, head_transposed_.panels(), nullptr, scratch.dnormed.data() + first * C, C);
    add_transposed_product(logits, row, normed, C, count, *gradient, scratch.transposes);
  }
  return loss;
}

/// Turns dx from the gradient of a block's result into that of its input.
void Gpt2Learner::backward_block(std::size_t layer, std::size_t B, BlockWeights& gradients,
                                 Scratch& scratch) const {
  const Block& block = h_[layer];
  Scratch::Layer& s = scratch.layers[layer];
  const Real epsilon = config_.layer_norm_epsilon;
  const auto linear = [&](const Matrix& x, const Linear& of, const Matrix& dy, Matrix& dx,
                          LinearWeights& gradient) {
    matmul_backward(x, of.transposed, dy, dx, gradient.weight, gradient.bias, scratch.transposes);
  };
  linear(s.act, block.mlp_c_proj, scratch.dx, scratch.dact, gradients.mlp.c_proj);
  gelu_backward(s.pre, scratch.dact);
  linear(s.ln_2, block.c_fc, scratch.dact, scratch.dnormed, gradients.mlp.c_fc);
  layer_norm_backward(s.middle, block.ln_2.weight, epsilon, scratch.dnormed, scratch.dx,
                      gradients.ln_2.weight, gradients.ln_2.bias);
  linear(s.z, block.attn_c_proj, scratch.dx, scratch.dz, gradients.attn.c_proj);
  attention_rows_backward(s.qkv, B, config_.n_head, s.weights, scratch.dz, scratch.dqkv, scratch.attention);
  linear(s.ln_1, block.c_attn, scratch.dqkv, scratch.dnormed, gradients.attn.c_attn);
  layer_norm_backward(s.x, block.ln_1.weight, epsilon, scratch.dnormed, scratch.dx, gradients.ln_1.weight,
                      gradients.ln_1.bias);
}

double Gpt2Learner::backward(const Batch& batch, Real scale, Weights& gradients, Scratch& scratch) const {
  check_batch(batch);
  check_shapes(config_, gradients);
  const std::size_t N = batch.B * batch.T, C = config_.n_embd;
  forward(batch, scratch);
  const double loss =
      head(batch, scale, config_.tie_word_embeddings ? &gradients.wte : &gradients.lm_head, scratch);
  fit(scratch.dx, N, C);
  scratch.dx.fill(0);
  layer_norm_backward(scratch.x, ln_f_.weight, config_.layer_norm_epsilon, scratch.dnormed, scratch.dx,
                      gradients.ln_f.weight, gradients.ln_f.bias);
  for (std::size_t l = config_.n_layer; l-- > 0;) backward_block(l, batch.B, gradients.h[l], scratch);
  for (std::size_t n = 0; n < N; ++n) {
    const Real* from = scratch.dx.data() + n * C;
    add_to(from, C, gradients.wte.data() + static_cast<std::size_t>(batch.inputs[n]) * C);
    add_to(from, C, gradients.wpe.data() + n % batch.T * C);
  }
  return loss;
}

double Gpt2Learner::loss(const Batch& batch, Scratch& scratch) const {
  check_batch(batch);
  forward(batch, scratch);
  return head(batch, 0, nullptr, scratch);
}

}  // namespace glassbox
