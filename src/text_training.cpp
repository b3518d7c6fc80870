#include "text_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "checkpoint.hpp"
#include "error.hpp"
#include "json.hpp"
#include "safetensors.hpp"

namespace glassbox {

namespace {

constexpr const char *text_key = "training.text", *options_key = "training.options",
                     *note_key = "training.note";
constexpr std::size_t no_end = 1'000'000'000;  // steps: more than anybody takes
constexpr double set_apart = 0.1;
constexpr std::size_t least_to_set_apart = 400;  // tokens of a text from which a tenth can be spared
constexpr std::size_t measured_tokens = 4096;
constexpr std::size_t steps_between_snapshots = 16;
constexpr double usual_rise = 1;  // nats that a batch's loss may lie above the best
constexpr Real largest_weight = Real(1e10);

void expect_range(const char* name, std::size_t value, std::size_t least, std::size_t most) {
  if (value < least || value > most) {
    fail("bad_argument", {name, ": expected ", least, " to ", most, ", got ", value});
  }
}

Config make_config(const TextTrainingOptions& options, std::size_t vocab_size) {
  Config config;
  config.vocab_size = vocab_size;
  config.n_positions = options.n_positions;
  config.n_embd = options.n_embd;
  config.n_head = options.n_head;
  config.n_layer = options.n_layer;
  config.n_inner = 4 * options.n_embd;
  return config;
}

std::string write_options(const TextTrainingOptions& options) {
  Json json = Json::object();
  json["n_layer"] = options.n_layer;
  json["n_embd"] = options.n_embd;
  json["n_head"] = options.n_head;
  json["n_positions"] = options.n_positions;
  json["vocab_size"] = options.vocab_size;
  json["tokens_per_step"] = options.tokens_per_step;
  json["seed"] = options.seed;
  json["held_out_bytes"] = options.held_out_bytes;
  return json.dump();
}

TextTrainingOptions read_options(const std::string& text) {
  const Json json = parse_json(text, options_key, "bad_checkpoint");
  const auto whole = [&](const char* name) -> std::uint64_t {
    const auto it = json.is_object() ? json.find(name) : json.end();
    if (it == json.end() || !it->is_number_unsigned()) {
      fail("bad_checkpoint", {options_key, ": ", name, ": expected a whole number"});
    }
    return it->get<std::uint64_t>();
  };
  const auto size = [&](const char* name) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(whole(name), 0x7fffffff));
  };
  TextTrainingOptions options;
  options.n_layer = size("n_layer");
  options.n_embd = size("n_embd");
  options.n_head = size("n_head");
  options.n_positions = size("n_positions");
  options.vocab_size = size("vocab_size");
  options.tokens_per_step = size("tokens_per_step");
  options.seed = whole("seed");
  options.held_out_bytes = size("held_out_bytes");
  check_options(options);
  return options;
}

/// Text between two places of a list of tokens.
TextParts count_parts(const PackedDocuments& documents, const Bpe& tokenizer, std::size_t begin,
                      std::size_t end) {
  TextParts parts;
  parts.tokens = end - begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (documents.ids[i] != documents.end) parts.bytes += tokenizer.bytes(documents.ids[i]).size();
  }
  parts.documents = static_cast<std::size_t>(
      std::count_if(documents.starts.begin(), documents.starts.end(),
                    [&](std::size_t start) { return start >= begin && start < end; }));
  return parts;
}

/// Runs a call of a reader of files, whose errors are all of one kind to whoever brings a checkpoint.
template <class Call>
auto reading(Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    throw Error(error.code() == "no_memory" ? "no_memory" : "bad_checkpoint", error.what());
  }
}

}  // namespace

void check_options(const TextTrainingOptions& options) {
  expect_range("layers", options.n_layer, 1, 8);
  expect_range("width", options.n_embd, 4, 256);
  expect_range("heads", options.n_head, 1, options.n_embd);
  if (options.n_embd % options.n_head != 0) {
    fail("bad_argument", {"heads: expected a divisor of width ", options.n_embd, ", got ", options.n_head});
  }
  expect_range("context", options.n_positions, 4, 512);
  expect_range("vocabSize", options.vocab_size, 257, 8192);
  expect_range("tokensPerStep", options.tokens_per_step, 1, 8192);
  if (!(std::isfinite(options.learning_rate) && options.learning_rate >= 0)) {
    fail("bad_argument", {"learningRate: expected a number from 0 up"});
  }
}

/// How a text is read: what follows from its length.
struct TextTraining::Plan {
  PackedDocuments documents;
  TrainSettings settings;
  TextParts learned, held_out;

  Plan(const TextTrainingOptions& options, ReaderText& text) {
    check_options(options);
    const std::size_t tokens = text.tokens();
    const std::size_t stride = std::max<std::size_t>(std::min(options.n_positions / 4, tokens / 16), 1);
    const std::size_t whole = text.text().size(), asked = std::min(options.held_out_bytes, whole);
    const std::size_t from = text.first_token_from(whole - asked);
    documents = text.pack(stride);
    const std::size_t count = documents.starts.size();
    if (asked > 0) {
      const auto first = std::lower_bound(documents.starts.begin(), documents.starts.end(), from);
      const auto asked_starts = static_cast<double>(documents.starts.end() - first);
      // The share of the documents that is just theirs.
      settings.held_out = asked_starts > 0 ? (asked_starts + 0.5) / static_cast<double>(count) : 0;
      if (first == documents.starts.begin()) fail("bad_argument", {"heldOut: leaves nothing to learn from"});
    } else {
      settings.held_out = tokens >= least_to_set_apart ? set_apart : 0;
    }
    const std::size_t apart = count_held_out(count, settings.held_out);
    const std::size_t end = apart > 0 ? documents.starts[count - apart] : tokens;
    learned = count_parts(documents, text.tokenizer(), 0, end);
    held_out = count_parts(documents, text.tokenizer(), end, tokens);
    // Of a text not much longer than the context, rows are half, so that they don't all say the same.
    TrainStage stage;
    stage.steps = no_end;
    stage.row_tokens = std::min({options.n_positions, end - 1, std::max<std::size_t>(end / 2, 8)});
    settings.stages = {stage};
    settings.tokens_per_step = options.tokens_per_step;
    settings.warm_up_steps = 20;
    settings.final_rate = 1;
    settings.seed = options.seed;
  }
};

TextTraining::TextTraining(const TextTrainingOptions& options, ReaderText& text)
    : TextTraining(options, text, Plan(options, text)) {}

TextTraining::TextTraining(const TextTrainingOptions& options, const ReaderText& text, Plan&& plan)
    : options_(options),
      text_(text.text()),
      vocab_json_(text.vocab_json()),
      merges_txt_(text.merges_txt()),
      tokens_per_step_(
          std::max<std::size_t>(options.tokens_per_step / plan.settings.stages[0].row_tokens, 1) *
          plan.settings.stages[0].row_tokens),
      trainer_(plan.settings, make_config(options, text.tokenizer().size()), std::move(plan.documents)),
      learned_(plan.learned),
      held_out_(plan.held_out) {
  trainer_.set_learning_rate(options.learning_rate);
  start_watch();
}

/// Counts the state that is there as good.
void TextTraining::start_watch() {
  trainer_.keep(good_);
  has_candidate_ = false;
  best_loss_ = std::numeric_limits<double>::infinity();
}

std::size_t TextTraining::non_embedding_parameters() const {
  const Config& config = trainer_.config();
  return trainer_.parameters() - (config.vocab_size + config.n_positions) * config.n_embd;
}

TextTrainingReport TextTraining::step() {
  StepReport report;
  try {
    report = trainer_.step();
  } catch (const Diverged& error) {
    diverged_ = true;
    has_candidate_ = false;
    return {trainer_.step_count() + 1, trainer_.tokens(),        error.loss(),
            error.gradient_norm(),     trainer_.learning_rate(), true};
  }
  diverged_ = false;
  best_loss_ = std::min(best_loss_, report.loss);
  const bool usual = report.loss <= best_loss_ + usual_rise;
  if (has_candidate_ && usual) std::swap(good_, candidate_);
  has_candidate_ = usual && report.step % steps_between_snapshots == 0;
  if (has_candidate_) trainer_.keep(candidate_);
  return {report.step, trainer_.tokens(), report.loss, report.gradient_norm, report.learning_rate, false};
}

std::optional<double> TextTraining::held_out_loss() const {
  return trainer_.held_out_loss(serial, measured_tokens);
}

void TextTraining::go_back() {
  trainer_.go_back(good_);
  diverged_ = false;
  has_candidate_ = false;
}

std::vector<std::byte> TextTraining::save(std::string_view note) const {
  if (diverged_) fail("diverged", {"save: the model's loss is no number any more"});
  return trainer_.save({{text_key, text_},
                        {options_key, write_options(options_)},
                        {note_key, std::string(note)},
                        {vocab_metadata, vocab_json_},
                        {merges_metadata, merges_txt_}});
}

std::vector<std::byte> TextTraining::model() const {
  bool sound = !diverged_;
  for_each_parameter(trainer_.weights(), [&](const std::string&, const auto& tensor) {
    sound = sound && std::all_of(tensor.begin(), tensor.end(),
                                 [](Real x) { return x >= -largest_weight && x <= largest_weight; });
  });
  if (!sound) fail("diverged", {"model: its weights are no numbers to compute with any more"});
  return write_model(trainer_.config(), trainer_.weights(), vocab_json_, merges_txt_);
}

SavedTraining::SavedTraining(std::span<const std::byte> file) : file_(file.begin(), file.end()) {
  reading([&] {
    const std::string_view head(reinterpret_cast<const char*>(file_.data()), file_.size());
    std::map<std::string, std::string> metadata = parse_safetensors_header(head, file_.size()).metadata;
    for (const char* key : {text_key, options_key, note_key, vocab_metadata, merges_metadata}) {
      if (metadata.count(key) == 0)
        fail("bad_checkpoint", {key, ": missing; no training of a page was saved here"});
    }
    options_ = read_options(metadata[options_key]);
    note_ = std::move(metadata[note_key]);
    text_.emplace(std::move(metadata[text_key]), std::move(metadata[vocab_metadata]),
                  std::move(metadata[merges_metadata]));
    const std::size_t size = text_->tokenizer().size();
    if (size > options_.vocab_size) {
      fail("bad_checkpoint", {"tokenizer: expected at most ", options_.vocab_size, " tokens, got ", size});
    }
  });
}

TextTraining SavedTraining::restore() {
  return reading([&] {
    TextTraining training(options_, *text_);
    training.trainer_.restore(file_);
    training.start_watch();
    return training;
  });
}

}  // namespace glassbox
