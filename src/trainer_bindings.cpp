// Training in a page as JavaScript sees it: a module of its own, fetched only where somebody trains.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "boundary.hpp"
#include "text_training.hpp"

namespace glassbox {
namespace {

val parts_value(const TextParts& learned, const TextParts& held_out, std::size_t TextParts::*count) {
  Object out;
  out.set("train", learned.*count);
  out.set("heldOut", held_out.*count);
  return out;
}

val loss_value(const std::optional<double>& loss) { return loss ? val(*loss) : val::null(); }

/// One training, from a text or a checkpoint. Texts come and go as UTF-8 bytes (Uint8Array).
class BoundTraining {
 public:
  /// A training on a text; advance() is to be called until it is there.
  val begin(const std::string& text, const val& sizes) {
    return guarded([&] {
      const auto size = [&](const char* name) { return sizes[name].as<std::size_t>(); };
      TextTrainingOptions options;
      options.n_layer = size("layers");
      options.n_embd = size("width");
      options.n_head = size("heads");
      options.n_positions = size("context");
      options.vocab_size = size("vocabSize");
      options.tokens_per_step = size("tokensPerStep");
      options.learning_rate = sizes["learningRate"].as<double>();
      options.seed = static_cast<std::uint64_t>(sizes["seed"].as<double>());
      options.held_out_bytes = size("heldOutBytes");
      check_options(options);
      fresh_.emplace(text, options.vocab_size);
      options_ = options;
      return val::undefined();
    });
  }

  /// The same from a checkpoint.
  val begin_saved(const std::string& file) {
    return guarded([&] {
      saved_.emplace(std::as_bytes(std::span(file.data(), file.size())));
      return val::undefined();
    });
  }

  /// Does a little of what is left to do: {phase: tokenizer, tokens or done, loaded, total}.
  val advance() {
    return guarded([&] {
      ReaderText& text = saved_ ? saved_->text() : fresh_.value();
      const ReaderText::Progress progress = text.advance();
      if (progress.phase == ReaderText::Phase::done) {
        training_.emplace(saved_ ? saved_->restore() : TextTraining(options_, text));
        if (saved_) note_ = saved_->note();
        saved_.reset();
        fresh_.reset();
      }
      constexpr const char* phases[] = {"tokenizer", "tokens", "done"};
      Object out;
      out.set("phase", std::string(phases[static_cast<std::size_t>(progress.phase)]));
      out.set("loaded", progress.loaded);
      out.set("total", progress.total);
      return out;
    });
  }

  /// What is trained on what, and how far it is; described at TrainerClient.
  val info() const {
    return guarded([&] {
      const TextTraining& training = training_.value();
      const Trainer& trainer = training.trainer();
      const Config& config = trainer.config();
      Object size;
      size.set("layers", config.n_layer);
      size.set("width", config.n_embd);
      size.set("heads", config.n_head);
      size.set("context", config.n_positions);
      Object out;
      out.set("size", size);
      out.set("parameters", trainer.parameters());
      out.set("nonEmbedding", training.non_embedding_parameters());
      out.set("vocabSize", config.vocab_size);
      out.set("rowTokens", trainer.row_tokens());
      out.set("tokensPerStep", training.tokens_per_step());
      out.set("tokens", parts_value(training.learned(), training.held_out(), &TextParts::tokens));
      out.set("bytes", parts_value(training.learned(), training.held_out(), &TextParts::bytes));
      out.set("documents", parts_value(training.learned(), training.held_out(), &TextParts::documents));
      out.set("seed", static_cast<double>(training.options().seed));
      out.set("step", trainer.step_count());
      out.set("tokensSeen", static_cast<double>(trainer.tokens()));
      out.set("learningRate", trainer.learning_rate());
      out.set("diverged", training.diverged());
      out.set("rewindStep", training.good_step());
      return out;
    });
  }

  val step() {
    return guarded([&] {
      const TextTrainingReport report = training_.value().step();
      Object out;
      out.set("step", report.step);
      out.set("tokens", report.tokens);
      out.set("loss", report.loss);
      out.set("gradientNorm", report.gradient_norm);
      out.set("learningRate", report.learning_rate);
      out.set("diverged", report.diverged);
      return out;
    });
  }

  /// Nats a token; null when nothing is set apart.
  val held_out() const {
    return guarded([&] { return loss_value(training_.value().held_out_loss()); });
  }

  val set_learning_rate(double rate) {
    return guarded([&] {
      training_.value().set_learning_rate(rate);
      return val::undefined();
    });
  }

  val go_back() {
    return guarded([&] {
      training_.value().go_back();
      return val::undefined();
    });
  }

  val checkpoint(const std::string& note) const {
    return guarded([&] { return bytes_value(training_.value().save(note)); });
  }

  /// What the caller gave to checkpoint(); empty for a training on a text.
  std::string note() const { return note_; }

  val model() const {
    return guarded([&] { return bytes_value(training_.value().model()); });
  }

 private:
  static val bytes_value(const std::vector<std::byte>& bytes) {
    return typed_array(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }

  TextTrainingOptions options_;
  std::optional<ReaderText> fresh_;
  std::optional<SavedTraining> saved_;
  std::optional<TextTraining> training_;
  std::string note_;
};

}  // namespace
}  // namespace glassbox

EMSCRIPTEN_BINDINGS(glassbox_trainer) {
  using glassbox::BoundTraining;
  emscripten::class_<BoundTraining>("Training")
      .constructor<>()
      .function("begin", &BoundTraining::begin)
      .function("beginSaved", &BoundTraining::begin_saved)
      .function("advance", &BoundTraining::advance)
      .function("info", &BoundTraining::info)
      .function("step", &BoundTraining::step)
      .function("heldOut", &BoundTraining::held_out)
      .function("setLearningRate", &BoundTraining::set_learning_rate)
      .function("goBack", &BoundTraining::go_back)
      .function("checkpoint", &BoundTraining::checkpoint)
      .function("note", &BoundTraining::note)
      .function("model", &BoundTraining::model);
}
