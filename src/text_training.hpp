#pragma once
// Training on a reader's text, without an end: the settings that suit it, a way back when it diverges, and
// one file that holds everything.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "reader_text.hpp"
#include "trainer.hpp"

namespace glassbox {

struct TextTrainingOptions {
  std::size_t n_layer = 2, n_embd = 64, n_head = 4, n_positions = 64;
  std::size_t vocab_size = 1024;       ///< at most
  std::size_t tokens_per_step = 2048;  ///< at most, but a row at least
  double learning_rate = 0.002;        ///< after warm-up; it does not fall by itself
  std::uint64_t seed = 1;
  std::size_t held_out_bytes = 0;  ///< of the text's end, set apart for measuring; 0: a tenth of the text
};

/// Throws Error `bad_argument`, naming the field: layers 1 to 8, width 4 to 256, heads a divisor of it,
/// context 4 to 512, vocab_size 257 to 8192, tokens_per_step 1 to 8192, a learning rate from 0 up.
void check_options(const TextTrainingOptions& options);

/// What one step did, or that it could not be done.
struct TextTrainingReport {
  std::size_t step;      ///< its number, from 1
  std::uint64_t tokens;  ///< targets learned from so far
  double loss;           ///< nats, before the step; when it diverged this or the norm is not finite
  double gradient_norm;  ///< before clipping
  double learning_rate;  ///< with warm-up
  bool diverged;         ///< the step was not done
};

/// Counts of the parts of a text.
struct TextParts {
  std::size_t tokens = 0;     ///< an end after each document among them
  std::size_t bytes = 0;      ///< of text
  std::size_t documents = 0;  ///< places where rows may begin
};

/// A model that learns from one text. Its end is set apart for measuring: as much as the options say, else a
/// tenth, and nothing of a short text. The tokenizer is learned from all of it.
class TextTraining {
 public:
  /// The text must be taken apart to its end; its tokens move over. Throws Error `bad_argument` as
  /// check_options.
  TextTraining(const TextTrainingOptions& options, ReaderText& text);

  const Trainer& trainer() const { return trainer_; }
  const TextTrainingOptions& options() const { return options_; }
  std::size_t tokens_per_step() const { return tokens_per_step_; }  ///< as it is, in whole rows
  const TextParts& learned() const { return learned_; }
  const TextParts& held_out() const { return held_out_; }
  std::size_t non_embedding_parameters() const;  ///< without wte and wpe, as Kaplan et al. 2020 count

  /// One step. A model whose loss is no number any more stays as it is.
  TextTrainingReport step();

  /// Mean −log p in nats over some tokens of what is set apart; nothing when nothing is.
  std::optional<double> held_out_loss() const;

  /// From the next step on. Throws Error `bad_argument` for a number that is negative or not finite.
  void set_learning_rate(double rate) { trainer_.set_learning_rate(rate); }

  bool diverged() const { return diverged_; }  ///< the last step could not be done
  std::size_t good_step() const { return good_.step; }

  /// Back to the last state whose loss was no worse than usual; the learning rate stays.
  void go_back();

  /// All that goes on from here, with a text of the caller's. Throws Error `diverged`.
  std::vector<std::byte> save(std::string_view note) const;

  /// The model with its config and tokenizer in one safetensors file (F32). Throws Error `diverged`.
  std::vector<std::byte> model() const;

 private:
  friend class SavedTraining;
  struct Plan;
  TextTraining(const TextTrainingOptions& options, const ReaderText& text, Plan&& plan);
  void start_watch();

  TextTrainingOptions options_;
  std::string text_, vocab_json_, merges_txt_;
  std::size_t tokens_per_step_;
  Trainer trainer_;
  TextParts learned_, held_out_;
  bool diverged_ = false;
  double best_loss_;
  // The loss that shows whether a state is good is known one step after it.
  TrainerSnapshot good_, candidate_;
  bool has_candidate_ = false;
};

/// A file of TextTraining::save being read.
class SavedTraining {
 public:
  /// Throws Error `bad_checkpoint` for a file that is damaged or none of save's.
  explicit SavedTraining(std::span<const std::byte> file);

  ReaderText& text() { return *text_; }              ///< to be taken apart to its end
  const std::string& note() const { return note_; }  ///< the caller's

  /// The training as it was. Throws Error `bad_checkpoint`.
  TextTraining restore();

 private:
  std::vector<std::byte> file_;
  TextTrainingOptions options_;
  std::optional<ReaderText> text_;
  std::string note_;
};

}  // namespace glassbox
