#include "cli_train.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "bpe_learner.hpp"
#include "checkpoint.hpp"
#include "documents.hpp"
#include "error.hpp"
#include "files.hpp"
#include "json.hpp"
#include "safetensors.hpp"
#include "sha256.hpp"
#include "terminal.hpp"
#include "train_settings.hpp"
#include "trainer.hpp"

namespace glassbox {

namespace {

using Clock = std::chrono::steady_clock;
using OrderedJson = nlohmann::ordered_json;
namespace fs = std::filesystem;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// ── signals and threads

volatile std::sig_atomic_t asked_to_end = 0;

void note_signal(int) { asked_to_end = 1; }

/// While it lives, SIGINT and SIGTERM only ask to end after the current step.
class EndRequests {
 public:
  EndRequests()
      : interrupt_(std::signal(SIGINT, note_signal)), terminate_(std::signal(SIGTERM, note_signal)) {}
  ~EndRequests() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGTERM, terminate_);
  }
  EndRequests(const EndRequests&) = delete;
  EndRequests& operator=(const EndRequests&) = delete;

 private:
  using Handler = void (*)(int);
  Handler interrupt_, terminate_;
};

/// Threads that take the next call until none is left. They are started anew each time, which costs
/// microseconds where a step takes a tenth of a second.
ParallelFor with_threads(std::size_t threads) {
  if (threads == 1) return serial;
  return [threads](std::size_t n, const std::function<void(std::size_t)>& call) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_lock;
    const auto work = [&] {
      try {
        for (std::size_t i; (i = next++) < n;) call(i);
      } catch (...) {
        const std::lock_guard lock(failure_lock);
        if (!failure) failure = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t t = 1; t < std::min(threads, n); ++t) others.emplace_back(work);
      work();
    }
    if (failure) std::rethrow_exception(failure);
  };
}

// ── text

std::string with_thousands(double value) {
  std::string digits = number_text("%.0f", value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string duration_text(double seconds) {
  if (seconds < 90) return number_text("%.0f s", seconds);
  if (seconds < 90 * 60) return number_text("%.0f min", seconds / 60);
  return number_text("%.1f h", seconds / 3600);
}

void say(const std::string& line) { std::cout << line << std::endl; }

// ── the folder

/// One training at a time in a folder, until this is destroyed or the process ends.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder) : file_(::open(folder.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) throw Error("no_file", "can't read " + folder.string());
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      ::close(file_);
      throw Error("bad_argument", "--out: another training is at work in " + folder.string());
    }
  }
  ~FolderLock() { ::close(file_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

/// Makes the folder, or takes one that holds a training or no model at all.
void prepare_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) throw Error("no_file", "--out: can't make the folder " + folder.string());
  if (fs::exists(folder / "checkpoint.safetensors")) return;
  for (const char* name : {"model.safetensors", "vocab.json", "merges.txt", "tokenizer.json"}) {
    if (fs::exists(folder / name)) {
      throw Error("bad_argument", "--out: " + (folder / name).string() +
                                      " was not made by a training that can go on; name another folder");
    }
  }
}

// ── one training

/// What the command knows beside the trainer. It is saved in the checkpoint's metadata, so that one file
/// holds everything and all others can be made from it.
struct Record {
  std::map<std::string, std::string> inputs;  // fingerprints and settings that a resumed run must share
  std::string vocab, merges;                  // the tokenizer's files
  OrderedJson losses = OrderedJson::array();  // a report of each block of steps
  double block_loss = 0;                      // sum over the block that is not yet reported
  std::size_t block_steps = 0;
  double seconds = 0;  // spent on steps and measuring

  std::map<std::string, std::string> metadata() const {
    std::map<std::string, std::string> entries = inputs;
    entries["vocab.json"] = vocab;
    entries["merges.txt"] = merges;
    entries["losses"] = losses.dump();
    entries["block_loss"] = number_text("%.17g", block_loss);
    entries["block_steps"] = std::to_string(block_steps);
    entries["seconds"] = number_text("%.17g", seconds);
    return entries;
  }

  /// Takes what a checkpoint says. Throws Error `bad_argument` when it comes from other inputs.
  void take(const std::map<std::string, std::string>& entries) {
    const auto find = [&](const std::string& key) {
      const auto it = entries.find(key);
      if (it == entries.end()) throw Error("bad_model", key + ": missing");
      return it->second;
    };
    for (const auto& [key, value] : inputs) {
      if (find(key) != value) {
        throw Error("bad_argument", "a training of another " + key + ": expected " + value + ", got " +
                                        find(key) + "; name another folder to begin anew");
      }
    }
    vocab = find("vocab.json");
    merges = find("merges.txt");
    losses = OrderedJson::parse(find("losses"), nullptr, false);
    if (!losses.is_array()) throw Error("bad_model", "losses: expected a list");
    block_loss = std::strtod(find("block_loss").c_str(), nullptr);
    block_steps = std::strtoull(find("block_steps").c_str(), nullptr, 10);
    seconds = std::strtod(find("seconds").c_str(), nullptr);
  }
};

struct Texts {
  Corpus corpus;
  std::string fingerprint;  // SHA-256 of the file
  std::size_t bytes;
};

Texts read_texts(const fs::path& path) {
  const std::string file = read_file(path);
  return {path.extension() == ".jsonl" ? read_jsonl_corpus(file) : read_plain_corpus(file), sha256(file),
          file.size()};
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

/// Learns the tokenizer's two files.
void learn_tokenizer(const Corpus& corpus, const TrainRecipe& recipe, std::vector<std::string> lexicon,
                     Record& record) {
  const Clock::time_point begin = Clock::now();
  BpeLearnOptions options;
  options.vocab_size = recipe.config.vocab_size;
  options.special_tokens = recipe.special_tokens;
  options.lexicon = std::move(lexicon);
  std::vector<std::string_view> texts;
  for (const Document& document : corpus.documents) texts.push_back(document.text);
  BpeLearner learner(texts, options);
  while (learner.step()) {
  }
  record.vocab = learner.vocab_json();
  record.merges = learner.merges_txt();
  say("tokenizer: " + std::to_string(learner.vocab_size()) + " tokens learned in " +
      duration_text(seconds_since(begin)));
  const std::vector<std::string> unmade = learner.unmade_words();
  if (!unmade.empty()) {
    std::string list;
    for (const std::string& word : unmade) list += (list.empty() ? "" : ", ") + word;
    say("tokenizer: no single token for " + list);
  }
}

/// A training at work in its folder.
class Training {
 public:
  Training(const TrainCall& call, std::string settings, Record record, OrderedJson corpus, Trainer trainer)
      : call_(call),
        settings_(std::move(settings)),
        record_(std::move(record)),
        corpus_(std::move(corpus)),
        trainer_(std::move(trainer)),
        parallel_(with_threads(call.threads)) {}

  void run() {
    const std::size_t total = trainer_.total_steps();
    const std::size_t block = std::clamp<std::size_t>(total / 100, 1, 100);  // steps a line
    const std::size_t stop =
        call_.stop_after ? std::min(total, trainer_.step_count() + *call_.stop_after) : total;
    const EndRequests requests;
    if (trainer_.step_count() == 0) save();  // before hours of work, so that a disk without room shows now
    Clock::time_point begin = Clock::now(), block_begin = begin;
    std::size_t block_tokens = 0;
    while (trainer_.step_count() < stop && asked_to_end == 0) {
      const StepReport report = trainer_.step(parallel_);
      record_.block_loss += report.loss;
      ++record_.block_steps;
      block_tokens += report.tokens;
      if (report.step % block == 0 || report.step == total) {
        const double speed = static_cast<double>(block_tokens) / seconds_since(block_begin);
        report_block(speed);
        block_tokens = 0;
        block_begin = Clock::now();
      }
      if (report.step % call_.checkpoint_every == 0 || report.step == total) {
        record_.seconds += seconds_since(begin);
        begin = Clock::now();
        save();
      }
    }
    // Even when no step was left: a process that was killed while saving may have left older files.
    if (saved_step_ != trainer_.step_count()) {
      record_.seconds += seconds_since(begin);
      save();
    }
    const std::string steps =
        std::to_string(trainer_.step_count()) + " of " + std::to_string(total) + " steps";
    say(trainer_.step_count() == total ? "done: " + steps + ", " + model_path().string()
                                       : "stopped after " + steps + "; the same command goes on from there");
  }

 private:
  fs::path model_path() const { return call_.out / "model.safetensors"; }

  void report_block(double speed) {
    const double loss = record_.block_loss / static_cast<double>(record_.block_steps);
    const std::optional<double> held_out = trainer_.held_out_loss(parallel_);
    const double left = static_cast<double>(trainer_.total_tokens() - trainer_.tokens()) / speed;
    say("step " + std::to_string(trainer_.step_count()) + "/" + std::to_string(trainer_.total_steps()) +
        "  loss " + number_text("%.4f", loss) + "  held-out " +
        (held_out ? number_text("%.4f", *held_out) : "none") + "  " + with_thousands(speed) +
        " tokens/s  ETA " + duration_text(left));
    OrderedJson entry = {
        {"step", trainer_.step_count()}, {"row_tokens", trainer_.row_tokens()}, {"loss", loss}};
    entry["held_out"] = held_out ? OrderedJson(*held_out) : OrderedJson(nullptr);
    record_.losses.push_back(std::move(entry));
    record_.block_loss = 0;
    record_.block_steps = 0;
  }

  /// Everything that a reader of the folder wants to know about the model's making.
  std::string summary() const {
    OrderedJson out;
    out["settings"] = OrderedJson::parse(settings_);
    out["corpus"] = corpus_;
    out["vocab_size"] = trainer_.config().vocab_size;
    out["parameters"] = trainer_.parameters();
    out["steps"] = trainer_.step_count();
    out["finished"] = trainer_.step_count() == trainer_.total_steps();
    out["tokens"] = trainer_.tokens();
    out["seconds"] = record_.seconds;
    std::string text = out.dump(1);
    // One line for each block of steps.
    std::string losses;
    for (const OrderedJson& entry : record_.losses)
      losses += (losses.empty() ? "\n  " : ",\n  ") + entry.dump();
    text.replace(text.rfind("\n}"), 2, ",\n \"losses\": [" + losses + "\n ]\n}\n");
    return text;
  }

  /// The checkpoint first: the other files follow from it.
  void save() {
    try {
      replace_file(call_.out / "checkpoint.safetensors", trainer_.save(record_.metadata()));
      replace_file(call_.out / "vocab.json", record_.vocab);
      replace_file(call_.out / "merges.txt", record_.merges);
      replace_file(call_.out / "config.json", write_config(trainer_.config()));
      replace_file(model_path(), write_checkpoint(trainer_.config(), trainer_.weights(), {{"format", "pt"}}));
      replace_file(call_.out / "training.json", summary());
      saved_step_ = trainer_.step_count();
    } catch (const Error& error) {
      if (error.code() != "no_file") throw;
      throw Error("no_file", std::string(error.what()) +
                                 (fs::exists(call_.out / "checkpoint.safetensors")
                                      ? "; the last checkpoint is whole, and the same command goes on from it"
                                      : ""));
    }
  }

  const TrainCall& call_;
  std::string settings_;  // the file's text
  Record record_;
  OrderedJson corpus_;
  Trainer trainer_;
  ParallelFor parallel_;
  std::optional<std::size_t> saved_step_;
};

/// Calls, and puts the file's path before what an error says.
template <class Call>
void with_path(const fs::path& path, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    throw Error(error.code(), path.string() + ": " + error.what());
  }
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

void TrainCall::add_to(CLI::App& app, std::function<void()>& chosen) {
  CLI::App* call = app.add_subcommand(
      "train", "train a model on a corpus; stopped, by a signal or --stop-after, the same command goes on");
  call->add_option("--corpus", corpus,
                   "the texts: .jsonl with {\"family\": …, \"text\": …} a line, or plain text with "
                   "<|endoftext|> between documents")
      ->type_name("FILE")
      ->required();
  call->add_option("--settings", settings, "sizes and training, a JSON object")
      ->type_name("FILE")
      ->required();
  call->add_option("--out", out, "the folder for the model and the checkpoint")->type_name("DIR")->required();
  call->add_option("--lexicon", lexicon, "words that become single tokens, one a line")->type_name("FILE");
  call->add_option("--threads", threads, "how many work; any number gives the same model")
      ->check(CLI::PositiveNumber);
  call->add_option("--checkpoint-every", checkpoint_every, "steps")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  call->add_option("--stop-after", stop_after, "end after so many steps of this call")->type_name("STEPS");
  call->callback([this, &chosen] { chosen = [this] { run(); }; });
}

void TrainCall::run() const {
  TrainCall call = *this;
  if (call.threads == 0) call.threads = std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
  const std::string settings_text = read_file(settings);
  const TrainRecipe recipe = parse_train_settings(settings_text);
  // The texts are checked before the folder is touched, and are gone before training begins.
  std::optional<Texts> texts = read_texts(corpus);
  const std::string lexicon_text = lexicon.empty() ? "" : read_file(lexicon);
  Record record;
  record.inputs["corpus"] = texts->fingerprint;
  record.inputs["lexicon"] = sha256(lexicon_text);
  record.inputs["vocab_size"] = std::to_string(recipe.config.vocab_size);
  for (const std::string& token : recipe.special_tokens) record.inputs["special_tokens"] += token + " ";

  prepare_folder(out);
  const FolderLock lock(out);
  const fs::path checkpoint_path = out / "checkpoint.safetensors";
  std::string checkpoint;
  if (fs::exists(checkpoint_path)) {
    checkpoint = read_file(checkpoint_path);
    with_path(checkpoint_path,
              [&] { record.take(parse_safetensors_header(checkpoint, checkpoint.size()).metadata); });
  } else {
    learn_tokenizer(texts->corpus, recipe, split_lines(lexicon_text), record);
  }

  const Clock::time_point begin = Clock::now();
  const Bpe tokenizer = Bpe::from_vocab_and_merges(record.vocab, record.merges);
  PackedDocuments packed = pack_documents(texts->corpus, tokenizer, recipe.config.n_positions);
  say("corpus: " + with_thousands(static_cast<double>(texts->corpus.documents.size())) + " documents, " +
      with_thousands(static_cast<double>(packed.ids.size())) + " tokens, encoded in " +
      duration_text(seconds_since(begin)));
  const OrderedJson facts = {{"file", corpus.filename().string()},
                             {"sha256", texts->fingerprint},
                             {"bytes", texts->bytes},
                             {"documents", texts->corpus.documents.size()},
                             {"tokens", packed.ids.size()}};
  texts.reset();

  Config config = recipe.config;
  config.vocab_size = tokenizer.size();  // a short corpus has fewer merges than asked for
  Trainer trainer(recipe.training, config, std::move(packed));
  if (!checkpoint.empty()) with_path(checkpoint_path, [&] { trainer.restore(bytes_of(checkpoint)); });
  std::string().swap(checkpoint);
  say("model: " + with_thousands(static_cast<double>(trainer.parameters())) + " parameters, step " +
      std::to_string(trainer.step_count()) + " of " + std::to_string(trainer.total_steps()) + ", " +
      std::to_string(call.threads) + (call.threads == 1 ? " thread" : " threads"));
  Training(call, settings_text, std::move(record), facts, std::move(trainer)).run();
}

}  // namespace glassbox
