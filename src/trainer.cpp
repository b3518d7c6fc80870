#include "trainer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "error.hpp"
#include "safetensors.hpp"
#include "simd.hpp"

namespace glassbox {

namespace {

// A batch is cut into this many parts whatever the number of threads, so that gradients are always added in
// the same order.
constexpr std::size_t SHARDS = 4;
constexpr std::size_t CHUNK = 8192;  // numbers that one call of the optimizer's loops takes

std::string exact(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// A parameter's numbers where they lie in the trees of weights.
struct Parameter {
  std::string name;
  std::vector<std::size_t> shape;
  Real *weight = nullptr, *m = nullptr, *v = nullptr;
  std::array<Real*, SHARDS> gradients{};
  std::size_t size() const {
    std::size_t n = 1;
    for (std::size_t d : shape) n *= d;
    return n;
  }
};

/// A stretch of one parameter.
struct Chunk {
  std::size_t parameter, begin, end;
};

/// Adds the shards' gradients, in their order, into the first; returns the sum of squares.
double add_gradients(const Parameter& parameter, std::size_t begin, std::size_t end) {
  Real* const to = parameter.gradients[0];
  simd::Lanes squares = simd::splat(0);
  std::size_t i = begin;
  for (; i + simd::LANES <= end; i += simd::LANES) {
    simd::Lanes sum = simd::load(to + i);
    for (std::size_t s = 1; s < SHARDS; ++s) sum += simd::load(parameter.gradients[s] + i);
    squares += sum * sum;
    simd::store(to + i, sum);
  }
  double total = static_cast<double>(simd::sum(squares));
  for (; i < end; ++i) {
    Real sum = to[i];
    for (std::size_t s = 1; s < SHARDS; ++s) sum += parameter.gradients[s][i];
    total += static_cast<double>(sum) * static_cast<double>(sum);
    to[i] = sum;
  }
  return total;
}

/// The numbers of one AdamW step that are the same for all parameters.
struct AdamStep {
  Real gradient_scale;  // clips
  Real beta1, beta2;
  Real rate;        // learning rate over 1 − β1^t
  Real correction;  // √(1 − β2^t)
  Real epsilon;
  Real keep;  // what decay leaves of a matrix: 1 − learning rate · decay
};

/// Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2019), algorithm 2.
void apply_adam(const AdamStep& step, Real keep, std::size_t n, const Real* __restrict gradient,
                Real* __restrict m, Real* __restrict v, Real* __restrict weight) {
  const Real rest1 = 1 - step.beta1, rest2 = 1 - step.beta2;
  for (std::size_t i = 0; i < n; ++i) {
    const Real g = gradient[i] * step.gradient_scale;
    m[i] = step.beta1 * m[i] + rest1 * g;
    v[i] = step.beta2 * v[i] + rest2 * (g * g);
    weight[i] = weight[i] * keep - step.rate * m[i] / (std::sqrt(v[i]) / step.correction + step.epsilon);
  }
}

/// Rows b of the batch with begin ≤ b < end.
Batch some_rows(const Batch& batch, std::size_t begin, std::size_t end) {
  const auto cut = [&](const std::vector<TokenId>& ids) {
    return std::vector<TokenId>(ids.begin() + static_cast<std::ptrdiff_t>(begin * batch.T),
                                ids.begin() + static_cast<std::ptrdiff_t>(end * batch.T));
  };
  return {end - begin, batch.T, cut(batch.inputs), cut(batch.targets)};
}

std::size_t count_targets(const Batch& batch) {
  return static_cast<std::size_t>(
      std::count_if(batch.targets.begin(), batch.targets.end(), [](TokenId id) { return id >= 0; }));
}

/// An orthonormal basis of n dimensions, a vector a row, drawn evenly (Gram-Schmidt on normal vectors).
std::vector<std::vector<double>> random_basis(std::size_t n, Random& random) {
  std::vector<std::vector<double>> basis;
  while (basis.size() < n) {
    std::vector<double> vector(n);
    for (double& x : vector) x = random.normal();
    const auto dot = [&](const std::vector<double>& other) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += vector[i] * other[i];
      return sum;
    };
    // Twice, because rounding leaves a little of the others in the first result.
    for (int pass = 0; pass < 2; ++pass) {
      for (const std::vector<double>& other : basis) {
        const double along = dot(other);
        for (std::size_t i = 0; i < n; ++i) vector[i] -= along * other[i];
      }
    }
    const double length = std::sqrt(dot(vector));
    for (double& x : vector) x /= length;
    basis.push_back(std::move(vector));
  }
  return basis;
}

/// Positions as sinusoids of wavelengths 2π to 2000π (Vaswani et al. 2017), less their mean over all
/// positions, turned into a random basis so that no channel stands for one wave.
void fill_positions(Matrix& wpe, Random& random) {
  const std::size_t P = wpe.shape(0), C = wpe.shape(1), waves = (C + 1) / 2;
  constexpr double amplitude = 0.1, slowest = 1000;
  std::vector<std::vector<double>> wave(P, std::vector<double>(C));
  for (std::size_t c = 0; c < C; ++c) {
    const double place = static_cast<double>(c % waves) / static_cast<double>(waves);
    const double frequency = std::exp(-std::log(slowest) * place);
    double mean = 0;
    for (std::size_t p = 0; p < P; ++p) {
      const double angle = static_cast<double>(p) * frequency;
      wave[p][c] = c < waves ? std::sin(angle) : std::cos(angle);
      mean += wave[p][c] / static_cast<double>(P);
    }
    for (std::size_t p = 0; p < P; ++p) wave[p][c] -= mean;
  }
  const std::vector<std::vector<double>> basis = random_basis(C, random);
  for (std::size_t p = 0; p < P; ++p) {
    for (std::size_t c = 0; c < C; ++c) {
      double sum = 0;
      for (std::size_t k = 0; k < C; ++k) sum += wave[p][k] * basis[k][c];
      wpe(p, c) = static_cast<Real>(amplitude * sum);
    }
  }
}

/// Settings and sizes as `name value` lines: what a saved training must agree with to go on.
std::string describe(const TrainSettings& settings, const Config& config) {
  std::string text;
  const auto line = [&](const std::string& name, const std::string& value) {
    text += name + " " + value + "\n";
  };
  line("vocab_size", std::to_string(config.vocab_size));
  line("n_positions", std::to_string(config.n_positions));
  line("n_embd", std::to_string(config.n_embd));
  line("n_head", std::to_string(config.n_head));
  line("n_layer", std::to_string(config.n_layer));
  line("n_inner", std::to_string(config.n_inner));
  line("layer_norm_epsilon", exact(static_cast<double>(config.layer_norm_epsilon)));
  line("tie_word_embeddings", config.tie_word_embeddings ? "true" : "false");
  line("tokens_per_step", std::to_string(settings.tokens_per_step));
  line("learning_rate", exact(settings.learning_rate));
  line("beta1", exact(settings.beta1));
  line("beta2", exact(settings.beta2));
  line("epsilon", exact(settings.epsilon));
  line("weight_decay", exact(settings.weight_decay));
  line("clip_norm", exact(settings.clip_norm));
  line("warm_up_steps", std::to_string(settings.warm_up_steps));
  line("final_rate", exact(settings.final_rate));
  line("seed", std::to_string(settings.seed));
  line("held_out", exact(settings.held_out));
  line("start", settings.start == Start::gpt2 ? "gpt2" : "copying");
  line("stages", std::to_string(settings.stages.size()));
  for (std::size_t s = 0; s < settings.stages.size(); ++s) {
    const TrainStage& stage = settings.stages[s];
    const std::string name = "stages[" + std::to_string(s) + "].";
    line(name + "steps", std::to_string(stage.steps));
    line(name + "row_tokens", std::to_string(stage.row_tokens));
    line(name + "repeated_rows", exact(stage.repeated_rows));
    line(name + "two_key_rows", exact(stage.two_key_rows));
    std::string starts, excluded;
    for (const auto& [family, share] : stage.starts) starts += family + " " + exact(share) + " ";
    for (const std::string& family : stage.no_start) excluded += family + " ";
    line(name + "starts", starts);
    line(name + "no_start", excluded);
  }
  return text;
}

/// Throws unless both descriptions are the same, naming the first line that differs.
void expect_same(std::string_view saved, std::string_view ours) {
  while (saved != ours) {
    const auto take_line = [](std::string_view& text) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      return line;
    };
    const std::string_view a = take_line(saved), b = take_line(ours);
    if (a != b || saved.empty() != ours.empty()) {
      const auto show = [](std::string_view line) {
        return line.empty() ? std::string("nothing") : "\"" + std::string(line) + "\"";
      };
      throw Error("bad_argument", "saved with other settings: expected " + show(b) + ", got " + show(a));
    }
  }
}

[[noreturn]] void diverged(const std::string& when, double loss, double gradient_norm) {
  const double value = std::isfinite(loss) ? gradient_norm : loss;
  throw Diverged(when + ": loss or gradient is " + std::to_string(value) +
                     ": training has diverged; a lower learning_rate may help",
                 loss, gradient_norm);
}

std::uint64_t read_number(const std::map<std::string, std::string>& metadata, const char* key) {
  const auto it = metadata.find(key);
  char* end = nullptr;
  const std::uint64_t value = it == metadata.end() ? 0 : std::strtoull(it->second.c_str(), &end, 10);
  if (it == metadata.end() || it->second.empty() || *end != '\0') {
    throw Error("bad_model", std::string(key) + ": expected a whole number");
  }
  return value;
}

}  // namespace

void serial(std::size_t n, const std::function<void(std::size_t)>& call) {
  for (std::size_t i = 0; i < n; ++i) call(i);
}

void check_settings(const TrainSettings& settings, const Config& config) {
  const auto expect = [](bool good, const std::string& name, const char* expected, double actual) {
    if (!good)
      throw Error("bad_argument", name + ": expected " + expected + ", got " + std::to_string(actual));
  };
  const auto positive = [&](const char* name, double value) {
    expect(std::isfinite(value) && value > 0, name, "a positive number", value);
  };
  const auto not_negative = [&](const char* name, double value) {
    expect(std::isfinite(value) && value >= 0, name, "a number from 0 up", value);
  };
  const auto below_one = [&](const char* name, double value) {
    expect(value >= 0 && value < 1, name, "a number from 0 to below 1", value);
  };
  const auto at_least_one = [&](const std::string& name, std::size_t value) {
    expect(value > 0, name, "at least 1", 0);
  };
  at_least_one("tokens_per_step", settings.tokens_per_step);
  positive("learning_rate", settings.learning_rate);
  below_one("beta1", settings.beta1);
  below_one("beta2", settings.beta2);
  positive("epsilon", settings.epsilon);
  not_negative("weight_decay", settings.weight_decay);
  not_negative("clip_norm", settings.clip_norm);
  expect(settings.final_rate >= 0 && settings.final_rate <= 1, "final_rate", "a share from 0 to 1",
         settings.final_rate);
  below_one("held_out", settings.held_out);
  at_least_one("stages", settings.stages.size());
  for (std::size_t s = 0; s < settings.stages.size(); ++s) {
    const TrainStage& stage = settings.stages[s];
    const std::string name = "stages[" + std::to_string(s) + "].";
    at_least_one(name + "steps", stage.steps);
    at_least_one(name + "row_tokens", stage.row_tokens);
    if (stage.row_tokens > config.n_positions) {
      throw Error("bad_argument", name + "row_tokens: expected at most n_positions " +
                                      std::to_string(config.n_positions) + ", got " +
                                      std::to_string(stage.row_tokens));
    }
  }
}

Weights start_weights(const Config& config, Start start, Random& random) {
  Weights weights = make_weights(config);
  const double C = static_cast<double>(config.n_embd);
  const double deviation = start == Start::gpt2 ? 0.02 : 0.7 / std::sqrt(C);
  const double into_residual = 1 / std::sqrt(2 * static_cast<double>(config.n_layer));
  const auto fill = [&](Matrix& matrix, double spread) {
    for (Real& x : matrix) x = static_cast<Real>(spread * random.normal());
  };
  fill(weights.wte, start == Start::gpt2 ? deviation : 0.05);
  if (start == Start::gpt2) {
    fill(weights.wpe, deviation);
  } else {
    fill_positions(weights.wpe, random);
  }
  weights.ln_f.weight.fill(1);
  for (BlockWeights& block : weights.h) {
    block.ln_1.weight.fill(1);
    block.ln_2.weight.fill(1);
    fill(block.attn.c_attn.weight, deviation);
    fill(block.attn.c_proj.weight, deviation * into_residual);
    fill(block.mlp.c_fc.weight, deviation);
    fill(block.mlp.c_proj.weight, deviation * into_residual);
    if (start == Start::copying) {
      Matrix& qkv = block.attn.c_attn.weight;
      for (std::size_t i = 0; i < config.n_embd; ++i) {
        for (std::size_t c = 0; c < config.n_embd; ++c) qkv(i, config.n_embd + c) = qkv(i, c);
      }
    }
  }
  if (!config.tie_word_embeddings) fill(weights.lm_head, start == Start::gpt2 ? deviation : 0.05);
  return weights;
}

struct Trainer::State {
  State(const TrainSettings& given_settings, const Config& given_config, PackedDocuments documents);

  std::size_t stage_of(std::size_t at_step) const;
  std::size_t rows_per_step(std::size_t stage) const;
  double rate_at(std::size_t at_step) const;
  double pass(const Batch& batch, Real scale, bool learn, const ParallelFor& parallel);
  void map_parameters();
  StepReport learn_from(const Batch& batch, const ParallelFor& parallel);

  TrainSettings settings;
  std::string description;
  Config config;
  Rows rows;
  Random random;
  Weights weights, m, v;
  std::array<Weights, SHARDS> gradients;
  std::array<Gpt2Learner::Scratch, SHARDS> scratch;
  Gpt2Learner learner;
  std::vector<Parameter> parameters;
  std::vector<Chunk> chunks;
  std::size_t step = 0;
  std::uint64_t tokens = 0;
  double peak_rate;
};

namespace {

PackedDocuments checked(PackedDocuments documents, const TrainSettings& settings, const Config& config) {
  check_config(config);
  check_settings(settings, config);
  for (TokenId id : documents.ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= config.vocab_size) {
      throw Error("bad_argument", "documents: expected tokens 0 to " + std::to_string(config.vocab_size - 1) +
                                      ", got " + std::to_string(id));
    }
  }
  return documents;
}

}  // namespace

Trainer::State::State(const TrainSettings& given_settings, const Config& given_config,
                      PackedDocuments documents)
    : settings(given_settings),
      description(describe(given_settings, given_config)),
      config(given_config),
      rows(checked(std::move(documents), given_settings, given_config), given_settings.held_out,
           given_settings.stages),
      random(given_settings.seed),
      weights(start_weights(given_config, given_settings.start, random)),
      m(make_weights(given_config)),
      v(make_weights(given_config)),
      learner(given_config),
      peak_rate(given_settings.learning_rate) {
  for (Weights& tree : gradients) tree = make_weights(config);
  map_parameters();
  learner.set_weights(weights);
}

void Trainer::State::map_parameters() {
  parameters.clear();
  chunks.clear();
  for_each_parameter(weights, [&](const std::string& name, auto& tensor) {
    Parameter parameter;
    parameter.name = name;
    parameter.shape.assign(tensor.shape().begin(), tensor.shape().end());
    parameter.weight = tensor.data();
    for (std::size_t begin = 0; begin < tensor.size(); begin += CHUNK) {
      chunks.push_back({parameters.size(), begin, std::min<std::size_t>(begin + CHUNK, tensor.size())});
    }
    parameters.push_back(std::move(parameter));
  });
  const auto map = [&](Weights& tree, auto&& place) {
    std::size_t i = 0;
    for_each_parameter(tree,
                       [&](const std::string&, auto& tensor) { place(parameters[i++]) = tensor.data(); });
  };
  map(m, [](Parameter& p) -> Real*& { return p.m; });
  map(v, [](Parameter& p) -> Real*& { return p.v; });
  for (std::size_t s = 0; s < SHARDS; ++s) {
    map(gradients[s], [s](Parameter& p) -> Real*& { return p.gradients[s]; });
  }
}

std::size_t Trainer::State::stage_of(std::size_t at_step) const {
  std::size_t stage = 0;
  while (stage + 1 < settings.stages.size() && at_step >= settings.stages[stage].steps) {
    at_step -= settings.stages[stage].steps;
    ++stage;
  }
  return stage;
}

std::size_t Trainer::State::rows_per_step(std::size_t stage) const {
  return std::max<std::size_t>(settings.tokens_per_step / settings.stages[stage].row_tokens, 1);
}

double Trainer::State::rate_at(std::size_t at_step) const {
  std::size_t total = 0;
  for (const TrainStage& stage : settings.stages) total += stage.steps;
  const double done = static_cast<double>(std::min(at_step, total)) / static_cast<double>(total);
  const double warm_up =
      settings.warm_up_steps == 0
          ? 1
          : std::min(1.0, static_cast<double>(at_step + 1) / static_cast<double>(settings.warm_up_steps));
  const double cosine = 0.5 * (1 + std::cos(3.141592653589793 * done));
  return peak_rate * warm_up * (settings.final_rate + (1 - settings.final_rate) * cosine);
}

/// Σ −log p of the batch; when learning, each shard's scaled gradient too.
double Trainer::State::pass(const Batch& batch, Real scale, bool learn, const ParallelFor& parallel) {
  std::array<double, SHARDS> losses{};
  parallel(SHARDS, [&](std::size_t s) {
    if (learn) for_each_parameter(gradients[s], [](const std::string&, auto& tensor) { tensor.fill(0); });
    const std::size_t begin = batch.B * s / SHARDS, end = batch.B * (s + 1) / SHARDS;
    if (begin == end) return;
    const Batch shard = some_rows(batch, begin, end);
    losses[s] =
        learn ? learner.backward(shard, scale, gradients[s], scratch[s]) : learner.loss(shard, scratch[s]);
  });
  double total = 0;
  for (double loss : losses) total += loss;
  return total;
}

StepReport Trainer::State::learn_from(const Batch& batch, const ParallelFor& parallel) {
  const std::size_t counted = count_targets(batch);
  if (counted == 0) throw Error("bad_argument", "batch: expected targets to learn from, got none");
  const double loss = pass(batch, static_cast<Real>(1.0 / static_cast<double>(counted)), true, parallel) /
                      static_cast<double>(counted);

  std::vector<double> squares(chunks.size());
  parallel(chunks.size(), [&](std::size_t c) {
    squares[c] = add_gradients(parameters[chunks[c].parameter], chunks[c].begin, chunks[c].end);
  });
  double total = 0;
  for (double square : squares) total += square;
  const double norm = std::sqrt(total);
  if (!std::isfinite(loss) || !std::isfinite(norm)) {
    diverged("step " + std::to_string(step + 1), loss, norm);
  }

  const double rate = rate_at(step), t = static_cast<double>(step + 1);
  // PyTorch's clip_grad_norm_ adds the same 1e-6.
  const double clip = settings.clip_norm > 0 ? std::min(1.0, settings.clip_norm / (norm + 1e-6)) : 1;
  AdamStep adam;
  adam.gradient_scale = static_cast<Real>(clip);
  adam.beta1 = static_cast<Real>(settings.beta1);
  adam.beta2 = static_cast<Real>(settings.beta2);
  adam.rate = static_cast<Real>(rate / (1 - std::pow(settings.beta1, t)));
  adam.correction = static_cast<Real>(std::sqrt(1 - std::pow(settings.beta2, t)));
  adam.epsilon = static_cast<Real>(settings.epsilon);
  adam.keep = static_cast<Real>(1 - rate * settings.weight_decay);
  parallel(chunks.size(), [&](std::size_t c) {
    const Parameter& p = parameters[chunks[c].parameter];
    const std::size_t begin = chunks[c].begin, n = chunks[c].end - begin;
    const Real keep = p.shape.size() == 2 ? adam.keep : 1;
    apply_adam(adam, keep, n, p.gradients[0] + begin, p.m + begin, p.v + begin, p.weight + begin);
  });
  learner.set_weights(weights);
  ++step;
  tokens += counted;
  return {step, loss, norm, rate, counted};
}

Trainer::Trainer(const TrainSettings& settings, const Config& config, PackedDocuments documents)
    : state_(std::make_unique<State>(settings, config, std::move(documents))) {}
Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

const Config& Trainer::config() const { return state_->config; }
const Weights& Trainer::weights() const { return state_->weights; }
std::size_t Trainer::step_count() const { return state_->step; }
std::uint64_t Trainer::tokens() const { return state_->tokens; }

std::size_t Trainer::parameters() const {
  std::size_t total = 0;
  for (const Parameter& parameter : state_->parameters) total += parameter.size();
  return total;
}

std::size_t Trainer::total_steps() const {
  std::size_t total = 0;
  for (const TrainStage& stage : state_->settings.stages) total += stage.steps;
  return total;
}

std::uint64_t Trainer::total_tokens() const {
  std::uint64_t total = 0;
  for (std::size_t s = 0; s < state_->settings.stages.size(); ++s) {
    const TrainStage& stage = state_->settings.stages[s];
    total += std::uint64_t{stage.steps} * stage.row_tokens * state_->rows_per_step(s);
  }
  return total;
}

std::size_t Trainer::row_tokens() const {
  const std::size_t last = std::max<std::size_t>(state_->step, 1) - 1;
  return state_->settings.stages[state_->stage_of(last)].row_tokens;
}

StepReport Trainer::step(const ParallelFor& parallel) {
  State& state = *state_;
  if (state.step >= total_steps()) {
    throw Error("bad_argument", "all " + std::to_string(total_steps()) + " steps are done");
  }
  const std::size_t stage = state.stage_of(state.step);
  Random random = state.random;
  const Batch batch = state.rows.draw(stage, state.rows_per_step(stage), random);
  const StepReport report = state.learn_from(batch, parallel);
  state.random = random;
  return report;
}

StepReport Trainer::step_on(const Batch& batch, const ParallelFor& parallel) {
  return state_->learn_from(batch, parallel);
}

std::optional<double> Trainer::held_out_loss(const ParallelFor& parallel, std::size_t tokens) const {
  const Batch batch = state_->rows.held_out(row_tokens(), tokens);
  if (batch.B == 0) return std::nullopt;
  return state_->pass(batch, 1, false, parallel) / static_cast<double>(count_targets(batch));
}

const Rows& Trainer::rows() const { return state_->rows; }
double Trainer::learning_rate() const { return state_->peak_rate; }

void Trainer::set_learning_rate(double rate) {
  if (!(std::isfinite(rate) && rate >= 0)) {
    throw Error("bad_argument", "learning_rate: expected a number from 0 up, got " + std::to_string(rate));
  }
  state_->peak_rate = rate;
}

void Trainer::keep(TrainerSnapshot& snapshot) const {
  const State& state = *state_;
  snapshot.numbers.resize(3 * parameters());
  Real* to = snapshot.numbers.data();
  for (const Parameter& p : state.parameters) {
    for (const Real* from : {p.weight, p.m, p.v}) to = std::copy_n(from, p.size(), to);
  }
  snapshot.step = state.step;
  snapshot.tokens = state.tokens;
  snapshot.random = state.random.state();
}

void Trainer::go_back(const TrainerSnapshot& snapshot) {
  State& state = *state_;
  if (snapshot.numbers.size() != 3 * parameters()) {
    throw Error("bad_shape", "go_back: expected " + std::to_string(3 * parameters()) + " numbers, got " +
                                 std::to_string(snapshot.numbers.size()));
  }
  const Real* from = snapshot.numbers.data();
  for (const Parameter& p : state.parameters) {
    for (Real* to : {p.weight, p.m, p.v}) {
      std::copy_n(from, p.size(), to);
      from += p.size();
    }
  }
  state.learner.set_weights(state.weights);
  state.step = snapshot.step;
  state.tokens = snapshot.tokens;
  state.random = Random(snapshot.random);
}

void Trainer::set_weights(Weights weights) {
  state_->learner.set_weights(weights);
  state_->weights = std::move(weights);
  state_->map_parameters();
}

std::vector<std::byte> Trainer::save(const std::map<std::string, std::string>& metadata) const {
  const State& state = *state_;
  // Weights may have become useless in the very last step, whose loss was measured before it.
  Random random = state.random;
  const std::size_t stage = state.stage_of(state.step);
  const double loss =
      state_->pass(state.rows.draw(stage, state.rows_per_step(stage), random), 1, false, serial);
  if (!std::isfinite(loss)) diverged("after step " + std::to_string(state.step), loss, 0);
  std::map<std::string, std::string> entries = metadata;
  entries["trainer.settings"] = state.description;
  entries["trainer.step"] = std::to_string(state.step);
  entries["trainer.tokens"] = std::to_string(state.tokens);
  entries["trainer.random"] = std::to_string(state.random.state());
  entries["trainer.learning_rate"] = exact(state.peak_rate);
  std::vector<std::vector<float>> values;
  values.reserve(3 * state.parameters.size());
  std::vector<TensorBytes> tensors;
  const auto add = [&](const Parameter& parameter, const char* prefix, const Real* data) {
    values.emplace_back(data, data + parameter.size());
    tensors.push_back(
        {prefix + parameter.name, "F32", parameter.shape, std::as_bytes(std::span(values.back()))});
  };
  for (const Parameter& p : state.parameters) add(p, "", p.weight);
  for (const Parameter& p : state.parameters) add(p, "adam.m.", p.m);
  for (const Parameter& p : state.parameters) add(p, "adam.v.", p.v);
  return write_tensors(tensors, entries);
}

void Trainer::restore(std::span<const std::byte> file) {
  State& state = *state_;
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const std::map<std::string, std::string> metadata = parse_safetensors_header(text, file.size()).metadata;
  const auto saved = metadata.find("trainer.settings");
  if (saved == metadata.end()) throw Error("bad_model", "not saved by training");
  expect_same(saved->second, state.description);
  const std::uint64_t step = read_number(metadata, "trainer.step");
  const std::uint64_t tokens = read_number(metadata, "trainer.tokens");
  const std::uint64_t random = read_number(metadata, "trainer.random");
  const auto rate_entry = metadata.find("trainer.learning_rate");
  const double rate = rate_entry == metadata.end() ? -1 : std::strtod(rate_entry->second.c_str(), nullptr);
  if (!(std::isfinite(rate) && rate >= 0)) {
    throw Error("bad_model", "trainer.learning_rate: expected a number from 0 up");
  }

  std::map<std::string, std::pair<std::vector<std::size_t>, std::vector<float>>> tensors;
  for (auto& [entry, values] : read_tensors(file)) tensors[entry.name] = {entry.shape, std::move(values)};
  const auto find = [&](const Parameter& parameter, const char* prefix) -> const std::vector<float>& {
    const auto it = tensors.find(prefix + parameter.name);
    if (it == tensors.end()) throw Error("bad_model", prefix + parameter.name + ": missing");
    if (it->second.first != parameter.shape) {
      throw Error("bad_shape", prefix + parameter.name + ": expected " + shape_text(parameter.shape) +
                                   ", got " + shape_text(it->second.first));
    }
    const std::vector<float>& values = it->second.second;
    if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); })) {
      throw Error("bad_model", prefix + parameter.name + ": holds a number that is not finite");
    }
    return values;
  };
  std::vector<std::pair<const std::vector<float>*, Real*>> copies;
  for (const Parameter& p : state.parameters) {
    copies.emplace_back(&find(p, ""), p.weight);
    copies.emplace_back(&find(p, "adam.m."), p.m);
    copies.emplace_back(&find(p, "adam.v."), p.v);
  }
  for (const auto& [values, to] : copies) std::copy(values->begin(), values->end(), to);
  state.learner.set_weights(state.weights);
  state.step = static_cast<std::size_t>(step);
  state.tokens = tokens;
  state.random = Random(random);
  state.peak_rate = rate;
}

}  // namespace glassbox
