// The learner against PyTorch's gradients (tests/golden), and against the engine's own forward pass.
#include <cmath>
#include <map>

#include "catch.hpp"
#include "data.hpp"
#include "gpt2.hpp"
#include "models.hpp"
#include "safetensors.hpp"

using namespace glassbox;
using test::bytes_of;
using test::read_data;
using test::read_list;
using test::read_model;

namespace {

struct GoldenTraining {
  Batch batch;                                        ///< the first one
  double loss = 0;                                    ///< its mean over counted targets
  std::map<std::string, std::vector<float>> tensors;  ///< gradient.NAME, trained.NAME
};

GoldenTraining load_golden_training() {
  const std::string file = read_data("training_gpt2.golden.safetensors");
  const std::map<std::string, std::string> metadata = parse_safetensors_header(file, file.size()).metadata;
  GoldenTraining golden;
  golden.batch.B = std::stoul(metadata.at("rows"));
  golden.batch.inputs = read_list<TokenId>(metadata.at("batch.0.inputs"));
  golden.batch.targets = read_list<TokenId>(metadata.at("batch.0.targets"));
  golden.batch.T = golden.batch.inputs.size() / golden.batch.B;
  golden.loss = std::stod(metadata.at("losses"));
  for (auto& [entry, numbers] : read_tensors(bytes_of(file))) golden.tensors[entry.name] = numbers;
  return golden;
}

}  // namespace

TEST_CASE("loss and every parameter's gradient equal PyTorch's") {
  const auto [config, weights] = read_model("training_gpt2");
  const GoldenTraining golden = load_golden_training();
  std::size_t counted = 0;
  for (TokenId target : golden.batch.targets) counted += target >= 0;
  REQUIRE(counted < golden.batch.targets.size());

  Gpt2Learner learner(config);
  learner.set_weights(weights);
  Gpt2Learner::Scratch scratch;
  Weights gradients = make_weights(config);
  const Real share = 1 / static_cast<Real>(counted);
  const double loss = learner.backward(golden.batch, share, gradients, scratch);
  CHECK(loss / static_cast<double>(counted) == Approx(golden.loss).epsilon(1e-6));
  for_each_parameter(gradients, [&](const std::string& name, const auto& gradient) {
    INFO(name);
    const std::vector<float>& expected = golden.tensors.at("gradient." + name);
    REQUIRE(expected.size() == gradient.size());
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      difference += std::pow(static_cast<double>(gradient.data()[i]) - expected[i], 2);
      norm += std::pow(static_cast<double>(expected[i]), 2);
    }
    CHECK(std::sqrt(difference) <= 1e-5 * std::sqrt(norm));
  });
}

TEST_CASE("the learner's activations are those of the forward pass, to the bit") {
  for (const char* name : {"gpt2_tied", "gpt2_untied", "training_gpt2"}) {
    const auto [config, weights] = read_model(name);
    Gpt2Learner learner(config);
    learner.set_weights(weights);
    const Gpt2 model(config, Weights(weights));
    Gpt2Learner::Scratch scratch;
    for (std::size_t T : {1, 5, 16}) {
      const std::size_t B = 3, V = config.vocab_size;
      Batch batch{B, T, {}, {}};
      for (std::size_t n = 0; n < B * T; ++n) {
        batch.inputs.push_back(static_cast<TokenId>((n * 7 + 3) % V));
        batch.targets.push_back(static_cast<TokenId>((n * 5 + 1) % V));
      }
      double expected = 0;
      for (std::size_t b = 0; b < B; ++b) {
        const std::span<const TokenId> row(batch.inputs.data() + b * T, T);
        KvCache cache(config, T);
        Trace trace(config, {"ln_f"});
        Matrix logits = model.forward(row, cache, Logits::all, &trace);
        std::vector<Real> padded((V + 7) / 8 * 8);
        for (std::size_t t = 0; t < T; ++t) {
          std::copy_n(logits.data() + t * V, V, padded.begin());
          const auto target = static_cast<std::size_t>(batch.targets[b * T + t]);
          expected += cross_entropy_row(padded.data(), V, target, 1);
        }
        // A loss is a sum that may hide a difference; the final activations can't.
        if (b + 1 < B) continue;
        learner.loss(batch, scratch);
        const std::vector<Real>& last = trace.activations().at("ln_f").data;
        const Real* ours = scratch.ln_f.data() + b * T * config.n_embd;
        for (std::size_t i = 0; i < last.size(); ++i) REQUIRE(ours[i] == last[i]);
      }
      CHECK(learner.loss(batch, scratch) == expected);
    }
  }
}

TEST_CASE("a scratch that served another shape gives the same gradients, to the bit") {
  const auto [config, weights] = read_model("training_gpt2");
  const GoldenTraining golden = load_golden_training();
  Gpt2Learner learner(config);
  learner.set_weights(weights);
  Gpt2Learner::Scratch used, fresh;
  Weights other = make_weights(config), first = make_weights(config), second = make_weights(config);
  learner.backward({3, 7, std::vector<TokenId>(21, 5), std::vector<TokenId>(21, 6)}, 1, other, used);
  CHECK(learner.backward(golden.batch, 1, first, used) == learner.backward(golden.batch, 1, second, fresh));
  std::vector<const Real*> expected;
  for_each_parameter(first,
                     [&](const std::string&, const auto& tensor) { expected.push_back(tensor.data()); });
  std::size_t i = 0;
  for_each_parameter(second, [&](const std::string& name, const auto& tensor) {
    INFO(name);
    for (std::size_t k = 0; k < tensor.size(); ++k) REQUIRE(tensor.data()[k] == expected[i][k]);
    ++i;
  });
}
