// Training: PyTorch's losses, the same bits by any way, the rows that are drawn, the start, and what is
// refused.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "catch.hpp"
#include "checkpoint.hpp"
#include "data.hpp"
#include "errors.hpp"
#include "json.hpp"
#include "safetensors.hpp"
#include "train_settings.hpp"
#include "trainer.hpp"

using namespace glassbox;
using test::bytes_of;
using test::contains;
using test::error_of;
using test::read_data;
using test::read_list;

namespace {

constexpr TokenId END = 299;

/// Documents of three families whose tokens tell where they come from: document d of family f is a run of
/// token 260 + 10 f, with d's digits before it.
PackedDocuments some_documents(std::size_t count = 60) {
  PackedDocuments packed;
  packed.families = {"a", "b", "c"};
  packed.end = END;
  for (std::size_t d = 0; d < count; ++d) {
    const std::uint32_t family = d % 3;
    packed.starts.push_back(packed.ids.size());
    packed.family.push_back(family);
    packed.ids.push_back(static_cast<TokenId>(48 + d / 10));
    packed.ids.push_back(static_cast<TokenId>(48 + d % 10));
    for (std::size_t i = 0; i < 3 + d % 5; ++i) packed.ids.push_back(static_cast<TokenId>(260 + 10 * family));
    packed.ids.push_back(END);
  }
  return packed;
}

Config small_config() {
  Config config;
  config.vocab_size = 300;
  config.n_positions = 16;
  config.n_embd = 16;
  config.n_head = 2;
  config.n_layer = 2;
  config.n_inner = 64;
  return config;
}

TrainStage stage(std::size_t steps, std::size_t row_tokens) {
  TrainStage stage;
  stage.steps = steps;
  stage.row_tokens = row_tokens;
  return stage;
}

TrainSettings small_settings() {
  TrainSettings settings;
  settings.tokens_per_step = 50;
  settings.learning_rate = 0.01;
  settings.warm_up_steps = 4;
  settings.held_out = 0.1;
  settings.stages = {stage(6, 8), stage(6, 16)};
  settings.stages[0].repeated_rows = 0.3;
  settings.stages[1].two_key_rows = 0.3;
  settings.stages[1].starts = {{"b", 0.4}};
  return settings;
}

Trainer small_trainer(const TrainSettings& settings = small_settings()) {
  return Trainer(settings, small_config(), some_documents());
}

std::map<std::string, std::vector<Real>> numbers_of(const Trainer& trainer) {
  std::map<std::string, std::vector<Real>> numbers;
  for_each_parameter(trainer.weights(), [&](const std::string& name, const auto& tensor) {
    numbers[name].assign(tensor.begin(), tensor.end());
  });
  return numbers;
}

/// Calls in another order than serial does.
void backwards(std::size_t n, const std::function<void(std::size_t)>& call) {
  for (std::size_t i = n; i > 0; --i) call(i - 1);
}

}  // namespace

TEST_CASE("ten steps of AdamW equal PyTorch's") {
  const std::string golden = read_data("training_gpt2.golden.safetensors"),
                    model = read_data("training_gpt2/model.safetensors"),
                    config_json = read_data("training_gpt2/config.json");
  const auto metadata = parse_safetensors_header(golden, golden.size()).metadata;
  auto [config, weights] = read_checkpoint(bytes_of(model), config_json);
  const Json stated = parse_json(metadata.at("settings"), "settings", "bad_argument");
  TrainSettings settings;
  settings.learning_rate = stated.at("learning_rate");
  settings.beta1 = stated.at("beta1");
  settings.beta2 = stated.at("beta2");
  settings.epsilon = stated.at("epsilon");
  settings.weight_decay = stated.at("weight_decay");
  settings.clip_norm = stated.at("clip_norm");
  settings.warm_up_steps = 0;
  settings.final_rate = 1;
  settings.held_out = 0;
  settings.stages = {stage(10, 4)};
  PackedDocuments documents{{1, 2, 3, 4, 0}, {0}, {0}, {"text"}, 0};
  Trainer trainer(settings, config, documents);
  trainer.set_weights(std::move(weights));

  const auto losses = read_list<double>(metadata.at("losses")),
             norms = read_list<double>(metadata.at("norms"));
  REQUIRE(losses.size() == 10);
  for (std::size_t s = 0; s < losses.size(); ++s) {
    const std::string name = "batch." + std::to_string(s % 3);
    Batch batch;
    batch.B = read_list<std::size_t>(metadata.at("rows")).front();
    batch.inputs = read_list<TokenId>(metadata.at(name + ".inputs"));
    batch.targets = read_list<TokenId>(metadata.at(name + ".targets"));
    batch.T = batch.inputs.size() / batch.B;
    const StepReport report = trainer.step_on(batch);
    CHECK(report.step == s + 1);
    CHECK(report.learning_rate == Approx(settings.learning_rate));
    CHECK(std::abs(report.loss - losses[s]) <= 1e-4);
    CHECK(std::abs(report.gradient_norm - norms[s]) <= 1e-4 * norms[s]);
  }
  const auto trained = numbers_of(trainer);
  std::size_t compared = 0;
  for (const auto& [entry, expected] : read_tensors(bytes_of(golden))) {
    if (entry.name.compare(0, 8, "trained.") != 0) continue;
    const std::vector<Real>& ours = trained.at(entry.name.substr(8));
    REQUIRE(ours.size() == expected.size());
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      // A key's bias changes no attention weight: its gradient is rounding, which AdamW blows up to full
      // steps.
      const bool key_bias = contains(entry.name, "c_attn.bias") && i / config.n_embd == 1;
      if (key_bias) continue;
      difference += std::pow(static_cast<double>(ours[i]) - static_cast<double>(expected[i]), 2);
      norm += std::pow(static_cast<double>(expected[i]), 2);
    }
    INFO(entry.name);
    CHECK(std::sqrt(difference) <= 1e-3 * std::sqrt(norm));
    ++compared;
  }
  CHECK(compared == trained.size());
}

TEST_CASE("saved and restored at any step, and in any order of the parts, training gives the same bits") {
  Trainer plain = small_trainer();
  std::vector<double> losses;
  while (plain.step_count() < plain.total_steps()) losses.push_back(plain.step().loss);
  REQUIRE(plain.total_steps() == 12);
  REQUIRE(plain.tokens() == plain.total_tokens());
  CHECK(plain.total_tokens() == 6 * (6 * 8 + 3 * 16));

  Trainer other = small_trainer();
  for (double loss : losses) CHECK(other.step(backwards).loss == loss);
  CHECK(numbers_of(other) == numbers_of(plain));
  CHECK(other.save() == plain.save());

  for (std::size_t stop : {0, 1, 5, 6, 7, 11, 12}) {
    Trainer first = small_trainer();
    while (first.step_count() < stop) first.step();
    const std::vector<std::byte> saved = first.save({{"corpus", "小猫"}});
    TrainSettings settings = small_settings();
    Trainer second(settings, small_config(), some_documents());
    for (std::size_t s = 0; s < stop % 4; ++s) second.step();  // what it was before does not matter
    second.restore(saved);
    CHECK(second.step_count() == stop);
    CHECK(second.save({{"corpus", "小猫"}}) == saved);
    while (second.step_count() < second.total_steps()) {
      const std::size_t done = second.step_count();
      CHECK(second.step(backwards).loss == losses[done]);
    }
    CHECK(numbers_of(second) == numbers_of(plain));
    CHECK(second.held_out_loss() == plain.held_out_loss(backwards));
  }
}

TEST_CASE("another seed gives another model") {
  TrainSettings settings = small_settings();
  settings.seed = 2;
  CHECK(numbers_of(small_trainer(settings)) != numbers_of(small_trainer()));
}

TEST_CASE("a model learns: the loss falls far below that of guessing") {
  TrainSettings settings = small_settings();
  settings.tokens_per_step = 128;
  settings.stages = {stage(150, 16)};
  Trainer trainer = small_trainer(settings);
  const double before = trainer.held_out_loss().value(), first = trainer.step().loss;
  CHECK(first == Approx(std::log(300)).margin(1));
  while (trainer.step_count() + 1 < trainer.total_steps()) trainer.step();
  const double last = trainer.step().loss;
  CHECK(last < 1.2);
  CHECK(trainer.held_out_loss().value() < before / 2);
}

TEST_CASE("the rate warms up in a line and falls as a cosine, from a peak that may be changed") {
  TrainSettings settings = small_settings();
  settings.final_rate = 0.1;
  Trainer trainer = small_trainer(settings);
  for (std::size_t s = 0; s < 12; ++s) {
    if (s == 8) trainer.set_learning_rate(0.02);
    const double peak = s < 8 ? 0.01 : 0.02, warm = std::min(1.0, (static_cast<double>(s) + 1) / 4);
    const double cosine = 0.5 * (1 + std::cos(std::acos(-1) * static_cast<double>(s) / 12));
    CHECK(trainer.step().learning_rate == Approx(peak * warm * (0.1 + 0.9 * cosine)));
  }
  CHECK(contains(error_of([&] { trainer.step(); }), "all 12 steps are done"));
}

TEST_CASE("matrices shrink and vectors don't when there is no gradient") {
  TrainSettings settings = small_settings();
  settings.weight_decay = 0.5;
  settings.warm_up_steps = 0;
  Trainer trainer = small_trainer(settings);
  const auto before = numbers_of(trainer);
  const StepReport report = trainer.step();
  // Position 15 and token 290 are in no row of 8 tokens, and token 290 is no target. It is pushed away by the
  // softmax, but position 15 gets no gradient at all.
  const auto after = numbers_of(trainer);
  for (std::size_t c = 0; c < 16; ++c) {
    const Real was = before.at("wpe.weight")[15 * 16 + c], is = after.at("wpe.weight")[15 * 16 + c];
    CHECK(is == Approx(was * (1 - report.learning_rate * 0.5)));
  }
  CHECK(after.at("ln_f.weight") != before.at("ln_f.weight"));
}

TEST_CASE("rows begin at documents, by the shares of the stage, and never reach those set apart") {
  const PackedDocuments documents = some_documents();
  TrainStage kind = stage(1, 10);
  kind.starts = {{"a", 0.25}, {"c", 0.5}};
  kind.no_start = {"c"};
  const Rows rows(documents, 0.1, {kind});
  CHECK(rows.documents() == 54);
  Random random(5);
  constexpr std::size_t count = 4000;
  const Batch batch = rows.draw(0, count, random);
  REQUIRE(batch.inputs.size() == count * 10);
  std::map<TokenId, std::size_t> begins;
  std::set<TokenId> tens;
  bool known = true, shifted = true;
  for (std::size_t b = 0; b < count; ++b) {
    const TokenId* row = batch.inputs.data() + b * 10;
    // A row that would run out of the last documents begins earlier instead.
    const auto* all = documents.ids.data();
    const std::size_t last = documents.starts[54] - 11;
    const std::size_t d = static_cast<std::size_t>((row[0] - 48) * 10 + row[1] - 48);
    const bool begins_document = d < 54 && std::equal(row, row + 10, all + documents.starts[d]);
    known = known && (begins_document || std::equal(row, row + 10, all + last));
    if (!begins_document) continue;
    shifted = shifted && std::equal(row + 1, row + 10, batch.targets.data() + b * 10);
    ++begins[row[2]];
    tens.insert(row[0]);
  }
  CHECK(known);
  CHECK(shifted);
  CHECK(tens == std::set<TokenId>{48, 49, 50, 51, 52, 53});
  // a: a quarter and half of the quarter left; c: half; b: half of the quarter left. Five standard errors.
  const double margin = 5 * std::sqrt(count * 0.25) + 0.03 * count;  // the last documents are left out
  CHECK(begins[260] == Approx(count * 0.375).margin(margin));
  CHECK(begins[270] == Approx(count * 0.125).margin(margin));
  CHECK(begins[280] == Approx(count * 0.5).margin(margin));

  const Batch held_out = rows.held_out(10, 40);
  CHECK(held_out.B == 4);
  for (std::size_t b = 0; b < held_out.B; ++b) {
    CHECK(std::search(documents.ids.begin() + static_cast<std::ptrdiff_t>(documents.starts[54]),
                      documents.ids.end(), held_out.inputs.begin() + static_cast<std::ptrdiff_t>(b * 10),
                      held_out.inputs.begin() + static_cast<std::ptrdiff_t>(b * 10 + 10)) !=
          documents.ids.end());
  }
  CHECK(Rows(documents, 0, {kind}).held_out(10, 40).B == 0);
  CHECK(Rows(documents, 0.02, {kind}).held_out(1000, 2000).T < 10);  // all that one document has
}

TEST_CASE("repeated rows say a string of words again and again, a third of them as a list") {
  TrainStage kind = stage(1, 48);
  kind.repeated_rows = 1;
  const Rows rows(some_documents(), 0, {kind});
  Random random(1);
  const Batch batch = rows.draw(0, 900, random);
  std::size_t periodic = 0, lists = 0, words = 0;
  for (std::size_t b = 0; b < batch.B; ++b) {
    const TokenId* row = batch.inputs.data() + b * 48;
    std::size_t period = 1;
    while (period < 24 && !std::equal(row + period, row + 48, row)) ++period;
    periodic += period <= 20;
    bool list = period % 2 == 0;
    for (std::size_t i = 1; i < 48; i += 2) list = list && row[i] == row[1];
    lists += list;
    words += std::all_of(row, row + 48, [](TokenId id) { return id >= 256 && id < END; });
  }
  CHECK(periodic == batch.B);
  CHECK(words == batch.B);
  CHECK(lists == Approx(300).margin(75));
}

TEST_CASE("two-key rows: what stands after both keys is always the same, and neither key tells it alone") {
  TrainStage kind = stage(1, 120);
  kind.two_key_rows = 1;
  PackedDocuments documents = some_documents(200);
  documents.end = 100000;  // so many words that no two are drawn alike
  const Rows rows(documents, 0, {kind});
  Random random(2);
  const Batch batch = rows.draw(0, 200, random);
  std::size_t plain = 0, settled = 0, repeated = 0;
  for (std::size_t b = 0; b < batch.B; ++b) {
    const TokenId* row = batch.inputs.data() + b * 120;
    // Layouts are told apart by their marks: (a b v), (a , b : v .), (a b : v .)
    const bool marked = row[1] == row[7] && row[3] == row[9] && row[5] == row[11];
    const bool short_marked = row[2] == row[7] && row[4] == row[9];
    const std::size_t length = marked ? 6 : short_marked ? 5 : 3;
    plain += length == 3;
    std::map<std::pair<TokenId, TokenId>, TokenId> values;
    bool same = true;
    std::size_t again = 0;
    for (std::size_t i = 0; i + length <= 120; i += length) {
      const TokenId a = row[i], c = row[i + (marked ? 2 : 1)],
                    value = row[i + (marked        ? 4
                                     : length == 5 ? 3
                                                   : 2)];
      const auto [entry, added] = values.emplace(std::pair(a, c), value);
      same = same && entry->second == value;
      again += !added;
    }
    settled += same && values.size() >= 2;
    repeated += again >= 120 / length - 9;
  }
  CHECK(settled == batch.B);
  CHECK(repeated == batch.B);
  CHECK(plain == Approx(30).margin(25));
}

TEST_CASE("a start for copying: keys are queries, positions turn slowly around zero") {
  Config config = small_config();
  config.n_positions = 200;
  config.n_embd = 64;
  config.n_inner = 256;
  Random random(1);
  const Weights weights = start_weights(config, Start::copying, random);
  const auto deviation = [](const auto& tensor) {
    double squares = 0;
    for (Real x : tensor) squares += static_cast<double>(x) * static_cast<double>(x);
    return std::sqrt(squares / static_cast<double>(tensor.size()));
  };
  const double usual = 0.7 / 8;
  for (const BlockWeights& block : weights.h) {
    bool same = true;
    for (std::size_t i = 0; i < 64; ++i) {
      for (std::size_t c = 0; c < 64; ++c) {
        same = same && block.attn.c_attn.weight(i, c) == block.attn.c_attn.weight(i, 64 + c);
      }
    }
    CHECK(same);
    CHECK(deviation(block.attn.c_attn.weight) == Approx(usual).epsilon(0.05));
    CHECK(deviation(block.mlp.c_fc.weight) == Approx(usual).epsilon(0.05));
    CHECK(deviation(block.attn.c_proj.weight) == Approx(usual / 2).epsilon(0.05));
    CHECK(deviation(block.mlp.c_proj.weight) == Approx(usual / 2).epsilon(0.05));
    CHECK(deviation(block.attn.c_attn.bias) == 0);
    CHECK(deviation(block.ln_1.weight) == 1);
  }
  CHECK(deviation(weights.wte) == Approx(0.05).epsilon(0.05));
  CHECK(deviation(weights.ln_f.weight) == 1);
  // A turned sinusoid: its mean is 0, and the nearest neighbours of a position are the most alike.
  double largest_mean = 0;
  for (std::size_t c = 0; c < 64; ++c) {
    double sum = 0;
    for (std::size_t p = 0; p < 200; ++p) sum += static_cast<double>(weights.wpe(p, c));
    largest_mean = std::max(largest_mean, std::abs(sum / 200));
  }
  CHECK(largest_mean < 1e-6);
  const auto dot = [&](std::size_t p, std::size_t q) {
    double sum = 0;
    for (std::size_t c = 0; c < 64; ++c) {
      sum += static_cast<double>(weights.wpe(p, c)) * static_cast<double>(weights.wpe(q, c));
    }
    return sum;
  };
  for (std::size_t p : {20, 100, 180}) {
    CHECK(dot(p, p) > dot(p, p + 1));
    CHECK(dot(p, p + 1) > dot(p, p + 4));
    CHECK(dot(p, p + 4) > dot(p, p + 15));
  }
  // Without turning, an unturned wave's squared length less its mean is at most 0.01 · C / 2.
  CHECK(dot(100, 100) < 0.01 * 64);

  const Weights plain = start_weights(config, Start::gpt2, random);
  CHECK(deviation(plain.wte) == Approx(0.02).epsilon(0.05));
  CHECK(deviation(plain.wpe) == Approx(0.02).epsilon(0.05));
  CHECK(deviation(plain.h[1].attn.c_attn.weight) == Approx(0.02).epsilon(0.05));
  CHECK(deviation(plain.h[1].mlp.c_proj.weight) == Approx(0.01).epsilon(0.05));
}

TEST_CASE("impossible settings are refused by name") {
  const auto with = [](auto&& change) {
    return error_of([&] {
      TrainSettings settings = small_settings();
      change(settings);
      small_trainer(settings);
    });
  };
  CHECK(with([](TrainSettings&) {}) == "none");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double rate : {0.0, -0.001, nan, std::numeric_limits<double>::infinity()}) {
    CHECK(contains(with([&](TrainSettings& s) { s.learning_rate = rate; }),
                   "learning_rate: expected a positive"));
    if (rate == 0) continue;  // a rate may fall to 0 later
    Trainer trainer = small_trainer();
    CHECK(contains(error_of([&] { trainer.set_learning_rate(rate); }), "bad_argument: learning_rate"));
  }
  CHECK(contains(with([](TrainSettings& s) { s.beta1 = 1; }), "beta1"));
  CHECK(contains(with([&](TrainSettings& s) { s.weight_decay = nan; }), "weight_decay"));
  CHECK(contains(with([](TrainSettings& s) { s.held_out = 1; }), "held_out"));
  CHECK(contains(with([](TrainSettings& s) { s.tokens_per_step = 0; }), "tokens_per_step"));
  CHECK(contains(with([](TrainSettings& s) { s.stages.clear(); }), "stages"));
  CHECK(contains(with([](TrainSettings& s) { s.stages[1].steps = 0; }), "stages[1].steps"));
  CHECK(contains(with([](TrainSettings& s) { s.stages[1].row_tokens = 17; }),
                 "stages[1].row_tokens: expected at most n_positions 16, got 17"));
  CHECK(contains(with([](TrainSettings& s) { s.stages[0].repeated_rows = 1.5; }), "repeated_rows"));
  CHECK(contains(with([](TrainSettings& s) { s.stages[0].two_key_rows = 0.8; }), "together"));
  CHECK(contains(with([](TrainSettings& s) {
                   s.stages[0].starts = {{"d", 0.1}};
                 }),
                 "no family \"d\", only a, b, c"));
  CHECK(contains(with([](TrainSettings& s) { s.stages[0].starts = {{"a", 0.7}, {"b", 0.7}}; }), "together"));
  CHECK(contains(with([](TrainSettings& s) { s.stages[0].no_start = {"a", "b", "c"}; }), "no_start"));

  Config config = small_config();
  config.vocab_size = 299;
  CHECK(contains(error_of([&] { Trainer(small_settings(), config, some_documents()); }), "got 299"));
  CHECK(contains(error_of([&] { Trainer(small_settings(), small_config(), some_documents(2)); }),
                 "shorter than one row: expected at least 9 tokens"));
}

TEST_CASE("a loss that is no number stops training and changes nothing") {
  TrainSettings settings = small_settings();
  settings.warm_up_steps = 0;
  Trainer trainer = small_trainer(settings);
  trainer.step();
  trainer.set_learning_rate(1e30);
  std::string error = "none";
  std::map<std::string, std::vector<Real>> before;
  while (error == "none" && trainer.step_count() < 12) {
    before = numbers_of(trainer);
    error = error_of([&] { trainer.step(); });
  }
  const std::size_t done = trainer.step_count();
  CHECK(contains(error, "diverged: step " + std::to_string(done + 1)));
  CHECK(numbers_of(trainer) == before);
}

TEST_CASE("at a learning rate of 0 no weight moves, but AdamW's means do; the rate is saved") {
  TrainSettings settings = small_settings();
  settings.weight_decay = 0.5;
  Trainer trainer = small_trainer(settings);
  trainer.step();
  trainer.set_learning_rate(0);
  const auto before = numbers_of(trainer);
  const std::vector<std::byte> saved = trainer.save();
  CHECK(trainer.step().learning_rate == 0);
  CHECK(numbers_of(trainer) == before);
  CHECK(trainer.save() != saved);
  Trainer other = small_trainer(settings);
  other.restore(saved);
  CHECK(other.learning_rate() == 0);
}

TEST_CASE("what was kept is gone back to, but for the learning rate") {
  Trainer trainer = small_trainer();
  while (trainer.step_count() < 5) trainer.step();
  TrainerSnapshot snapshot;
  trainer.keep(snapshot);
  const std::vector<std::byte> saved = trainer.save();
  std::vector<double> losses;
  while (trainer.step_count() < 8) losses.push_back(trainer.step().loss);
  trainer.go_back(snapshot);
  CHECK(trainer.save() == saved);
  for (double loss : losses) CHECK(trainer.step().loss == loss);
  trainer.set_learning_rate(0.5);
  trainer.go_back(snapshot);
  CHECK(trainer.learning_rate() == 0.5);
  CHECK(trainer.step_count() == 5);
  CHECK(contains(error_of([&] { trainer.go_back({}); }), "bad_shape"));
}

TEST_CASE("a checkpoint of other settings or sizes, or a damaged one, is refused and changes nothing") {
  Trainer trainer = small_trainer();
  trainer.step();
  const std::vector<std::byte> saved = trainer.save();
  const auto refusal = [&](const TrainSettings& settings, const Config& config,
                           std::span<const std::byte> file) {
    Trainer other(settings, config, some_documents());
    other.step();
    const std::vector<std::byte> before = other.save();
    const std::string error = error_of([&] { other.restore(file); });
    CHECK(other.save() == before);
    return error;
  };
  TrainSettings settings = small_settings();
  settings.learning_rate = 0.02;
  CHECK(contains(refusal(settings, small_config(), saved),
                 "expected \"learning_rate 0.02\", got \"learning_rate 0.01\""));
  settings = small_settings();
  settings.stages.pop_back();
  CHECK(contains(refusal(settings, small_config(), saved), "stages"));
  Config config = small_config();
  config.n_embd = 32;
  CHECK(contains(refusal(small_settings(), config, saved), "expected \"n_embd 32\", got \"n_embd 16\""));

  const std::span<const std::byte> whole(saved);
  CHECK(contains(refusal(small_settings(), small_config(), whole.first(whole.size() - 1)), "bad_model"));
  CHECK(contains(refusal(small_settings(), small_config(), whole.first(20)), "bad_model"));
  CHECK(contains(refusal(small_settings(), small_config(), {}), "bad_model"));
  const std::vector<std::byte> model = write_checkpoint(small_config(), trainer.weights());
  CHECK(contains(refusal(small_settings(), small_config(), model), "not saved by training"));
  std::vector<std::byte> broken = saved;
  for (std::size_t i = broken.size() - 4; i < broken.size(); ++i) broken[i] = std::byte{0xff};
  CHECK(contains(refusal(small_settings(), small_config(), broken), "not finite"));
}

TEST_CASE("a settings file: every field, its defaults, and what it refuses") {
  const std::string sizes =
      R"("vocab_size": 300, "n_positions": 64, "n_embd": 32, "n_head": 4, "n_layer": 2)";
  const auto parse = [&](const std::string& more) { return parse_train_settings("{" + sizes + more + "}"); };
  const std::string stages = R"(, "stages": [{"steps": 5, "row_tokens": 16}])";
  const TrainRecipe plain = parse(stages);
  CHECK(plain.config.vocab_size == 300);
  CHECK(plain.config.n_inner == 128);
  CHECK(plain.special_tokens == std::vector<std::string>{"<|endoftext|>"});
  CHECK(plain.training.learning_rate == TrainSettings().learning_rate);
  REQUIRE(plain.training.stages.size() == 1);
  CHECK(plain.training.stages[0].row_tokens == 16);

  const TrainRecipe full = parse(
      R"(, "special_tokens": ["<|endoftext|>", "<calc>"], "tokens_per_step": 512, "learning_rate": 0.1, "beta1": 0.5,
      "beta2": 0.6, "epsilon": 1e-6, "weight_decay": 0, "clip_norm": 2, "warm_up_steps": 3, "final_rate": 0.5, "seed": 9,
      "held_out": 0.25, "start": "gpt2", "no_start": ["x"], "stages": [
      {"steps": 1, "row_tokens": 2, "repeated_rows": 0.1, "two_key_rows": 0.2, "starts": {"a": 0.3}, "no_start": ["y"]},
      {"steps": 3, "row_tokens": 4}])");
  CHECK(full.special_tokens.size() == 2);
  CHECK(full.training.tokens_per_step == 512);
  CHECK(full.training.beta2 == 0.6);
  CHECK(full.training.epsilon == 1e-6);
  CHECK(full.training.seed == 9);
  CHECK(full.training.start == Start::gpt2);
  CHECK(full.training.stages[0].starts.at("a") == 0.3);
  CHECK(full.training.stages[0].no_start == std::vector<std::string>{"y"});
  CHECK(full.training.stages[1].no_start == std::vector<std::string>{"x"});

  const auto refusal = [&](const std::string& more) { return error_of([&] { parse(more); }); };
  CHECK(contains(refusal(""), "stages: missing"));
  CHECK(contains(refusal(stages + R"(, "learning_rte": 1)"), "learning_rte: unknown; known are"));
  CHECK(contains(refusal(R"(, "stages": [{"steps": 5, "row_tokens": 16, "rows": 1}])"),
                 "stages[0].rows: unknown"));
  CHECK(contains(refusal(R"(, "stages": [{"steps": 5}])"), "stages[0].row_tokens: missing"));
  CHECK(contains(refusal(R"(, "stages": [])"), "stages"));
  CHECK(contains(refusal(stages + R"(, "learning_rate": 0)"), "learning_rate"));
  CHECK(contains(refusal(stages + R"(, "learning_rate": -1)"), "learning_rate"));
  CHECK(contains(refusal(stages + R"(, "learning_rate": "fast")"), "learning_rate: expected a number"));
  CHECK(contains(refusal(stages + R"(, "learning_rate": NaN)"), "no JSON"));
  CHECK(contains(refusal(stages + R"(, "seed": -1)"), "seed"));
  CHECK(contains(refusal(stages + R"(, "start": "cold")"), "start"));
  CHECK(contains(refusal(stages + R"(, "special_tokens": ["<calc>"])"), "special_tokens"));
  CHECK(contains(refusal(stages + R"(, "n_embd": 32)"), "twice"));
  CHECK(contains(error_of([] { parse_train_settings("[]"); }), "expected an object"));
  CHECK(contains(error_of([] { parse_train_settings("{}"); }), "vocab_size: missing"));
}
