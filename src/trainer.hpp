#pragma once
// Training a GPT-2 from nothing: AdamW with warm-up and a cosine, step by step.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config.hpp"
#include "error.hpp"
#include "gpt2.hpp"
#include "rows.hpp"
#include "weights.hpp"

namespace glassbox {

/// Calls the function for 0 … n − 1, in any order, perhaps at once; returns when all are done.
using ParallelFor = std::function<void(std::size_t n, const std::function<void(std::size_t)>& call)>;

/// One after the other.
void serial(std::size_t n, const std::function<void(std::size_t)>& call);

/// How weights begin. `gpt2`: N(0, 0.02), and what writes to the residual stream divided by √(2L) (Radford et
/// al. 2019). `copying`: a start that soon finds copying: matrices N(0, 0.7/√C), wte N(0, 0.05), positions a
/// sinusoid in a random basis, and each head's keys equal to its queries, so that it looks for what is alike.
enum class Start { gpt2, copying };

struct TrainSettings {
  std::size_t tokens_per_step = 2048;  ///< a batch has as many rows as fit, at least one
  double learning_rate = 0.002;        ///< at the peak, after warm-up
  double beta1 = 0.9;                  ///< of the mean of gradients
  double beta2 = 0.98;                 ///< of the mean of their squares
  double epsilon = 1e-8;               ///< added to the root of the latter
  double weight_decay = 0.05;          ///< of matrices, embeddings among them; vectors don't decay
  double clip_norm = 1;                ///< longest gradient over all parameters; 0 leaves it as it is
  std::size_t warm_up_steps = 100;     ///< linear
  double final_rate = 0.05;            ///< where the cosine ends, as a share of learning_rate
  std::uint64_t seed = 1;
  double held_out = 0.02;  ///< share of the documents, the last ones, set apart for measuring
  Start start = Start::copying;
  std::vector<TrainStage> stages;
};

/// Throws Error `bad_argument` for a value that training can't use, naming it.
void check_settings(const TrainSettings& settings, const Config& config);

/// Weights before training. Throws Error `unsupported_model` as check_config.
Weights start_weights(const Config& config, Start start, Random& random);

/// What one step did.
struct StepReport {
  std::size_t step;      ///< its number, from 1
  double loss;           ///< mean −log p of its targets, nats, before the step
  double gradient_norm;  ///< before clipping
  double learning_rate;  ///< with warm-up and cosine
  std::size_t tokens;    ///< targets it learned from
};

/// Error `diverged`, thrown by a step whose loss or gradient is not finite.
class Diverged : public Error {
 public:
  Diverged(const std::string& message, double loss, double gradient_norm)
      : Error("diverged", message), loss_(loss), gradient_norm_(gradient_norm) {}
  double loss() const noexcept { return loss_; }                    ///< nats, of the step that was not taken
  double gradient_norm() const noexcept { return gradient_norm_; }  ///< before clipping

 private:
  double loss_, gradient_norm_;
};

/// What a trainer can go back to: all that save writes, in memory.
struct TrainerSnapshot {
  std::vector<Real>
      numbers;  ///< weights and AdamW's means, parameter after parameter; empty before the first
  std::size_t step = 0;
  std::uint64_t tokens = 0;
  std::uint64_t random = 0;  ///< state of the generator
};

/// A model being trained. The same settings and documents give the same weights to the bit, however many
/// threads work and however often training is saved and restored on the way. Knows no files and no clock.
class Trainer {
 public:
  /// Weights are drawn from the seed. Throws Error `bad_argument` as check_settings and Rows do,
  /// `unsupported_model` as check_config, and `bad_argument` when a token of the documents is outside the
  /// vocabulary.
  Trainer(const TrainSettings& settings, const Config& config, PackedDocuments documents);
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  const Config& config() const;
  const Weights& weights() const;
  std::size_t parameters() const;   ///< numbers that are learned
  std::size_t step_count() const;   ///< steps done
  std::size_t total_steps() const;  ///< of all stages
  std::uint64_t tokens() const;     ///< targets learned from so far
  std::uint64_t total_tokens() const;
  std::size_t row_tokens() const;  ///< T of the last step, or of the first one to come

  /// Learns from the next batch of the stages. Throws Error `bad_argument` when all steps are done, and
  /// Diverged when loss or gradient is not finite: the trainer is then as it was before the step.
  StepReport step(const ParallelFor& parallel = serial);

  /// As step, from this batch; the schedule goes on as if it came from the stages.
  StepReport step_on(const Batch& batch, const ParallelFor& parallel = serial);

  /// Mean −log p in nats over about `tokens` tokens of documents set apart, the same rows every time, as long
  /// as row_tokens(); nothing when none are set apart.
  std::optional<double> held_out_loss(const ParallelFor& parallel = serial, std::size_t tokens = 8192) const;

  /// What the batches are drawn from.
  const Rows& rows() const;

  /// The peak of the schedule.
  double learning_rate() const;

  /// Replaces the peak of the schedule from the next step on; at 0 steps move nothing but AdamW's means.
  /// Throws Error `bad_argument` for a number that is negative or not finite.
  void set_learning_rate(double rate);

  /// Copies what go_back needs, into memory that is used again.
  void keep(TrainerSnapshot& snapshot) const;

  /// Everything but the learning rate becomes what it was. Throws Error `bad_shape` for another trainer's.
  void go_back(const TrainerSnapshot& snapshot);

  /// Replaces the weights. Throws Error `bad_shape`.
  void set_weights(Weights weights);

  /// All that goes on from here, as a safetensors file: weights under their names, AdamW's means as
  /// `adam.m.NAME` and `adam.v.NAME`, step and generator in the metadata beside the caller's entries. Throws
  /// Error `diverged` when the loss on the next batch would not be finite, `bad_argument` for metadata that
  /// is not UTF-8.
  std::vector<std::byte> save(const std::map<std::string, std::string>& metadata = {}) const;

  /// Goes on where save left off. Throws Error `bad_model` for a file that is damaged or none of save's,
  /// `bad_argument` for one of other settings (naming the first that differs), `bad_shape`; the trainer is
  /// then as before.
  void restore(std::span<const std::byte> file);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace glassbox
