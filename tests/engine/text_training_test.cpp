// Training on a reader's text: what counts as one, its documents and tokens, the same bits after saving, the
// way back when it diverges, and models that are complete in one file.
#include <cmath>
#include <string>

#include "catch.hpp"
#include "checkpoint.hpp"
#include "data.hpp"
#include "errors.hpp"
#include "models.hpp"
#include "reader_text.hpp"
#include "sha256.hpp"
#include "text_training.hpp"

using namespace glassbox;
using test::bytes_of;
using test::engine_of;
using test::error_of;
using test::text_of;

namespace {

void finish(ReaderText& text) {
  while (text.advance().phase != ReaderText::Phase::done) {
  }
}

TextTrainingOptions tiny_options() {
  TextTrainingOptions options;
  options.n_layer = 1;
  options.n_embd = 16;
  options.n_head = 2;
  options.n_positions = 16;
  options.vocab_size = 300;
  options.tokens_per_step = 64;
  options.learning_rate = 0.01;
  return options;
}

std::string some_text(std::size_t documents = 60) {
  std::string text;
  for (std::size_t d = 0; d < documents; ++d) {
    text += "小猫没有跳上桌子，因为它太" + std::string(d % 2 == 0 ? "累" : "高") + "了。\n\n";
  }
  return text;
}

TextTraining train(const std::string& text, const TextTrainingOptions& options = tiny_options()) {
  ReaderText reader(text, options.vocab_size);
  finish(reader);
  return TextTraining(options, reader);
}

TextTraining restored(const std::vector<std::byte>& file) {
  SavedTraining saved(file);
  finish(saved.text());
  return saved.restore();
}

std::string reading_error(const std::string& text) {
  return error_of([&] { ReaderText(text, 300); });
}

}  // namespace

TEST_CASE("a reader's text: what is none, and says why") {
  CHECK(reading_error("").starts_with("empty_text"));
  CHECK(reading_error(" \n\t　\r\n").starts_with("empty_text"));
  CHECK(reading_error("<|endoftext|>\n<|endoftext|>").starts_with("empty_text"));
  CHECK(reading_error("abc\xFF").starts_with("not_text: text: expected UTF-8, but byte 3"));
  CHECK(reading_error(std::string("PK\3\4\0abc", 8)).starts_with("not_text: text: byte 4 is zero"));
  CHECK(reading_error("a\xEF\xBF\xBD\xEF\xBF\xBD").starts_with("not_text"));
  CHECK(reading_error("你好\xEF\xBF\xBD，今天天气真不错，我们去公园玩吧。") == "none");
  CHECK(reading_error(std::string(ReaderText::longest + 1, 'a')).starts_with("text_too_long"));
  CHECK(error_of([] { ReaderText("abc", 256); }).starts_with("bad_argument: vocab_size"));
  CHECK(error_of([] { ReaderText("abc", "{}", ""); }).starts_with("bad_tokenizer"));
}

TEST_CASE("documents end at empty lines and at <|endoftext|>; every way to end a line is one") {
  ReaderText text("\xEF\xBB\xBF\n一二\r\n三\r\n \t\r\n\r\n四\r五<|endoftext|>六", 257);
  finish(text);
  const PackedDocuments packed = text.pack(1000);
  REQUIRE(packed.starts.size() == 3);
  CHECK(packed.end == 256);
  std::string whole;
  for (TokenId id : packed.ids) whole += text.tokenizer().bytes(id);
  CHECK(whole == "一二\n三<|endoftext|>四\n五<|endoftext|>六<|endoftext|>");
  CHECK(text.text() == "\n一二\n三\n \t\n\n四\n五<|endoftext|>六");
}

TEST_CASE("rows may begin all over a long document, but not at its end") {
  ReaderText text("abcdefgh\n\nij", 257);
  finish(text);
  CHECK(text.pack(4).starts == std::vector<std::size_t>{0, 4, 9});
}

TEST_CASE("a long text is encoded in pieces, and a part of it teaches the tokenizer") {
  std::string text;
  while (text.size() < 1'200'000) text += "从前有一只小猫，它的名字叫咪咪。";  // one line
  ReaderText reader(text, 300);
  std::size_t slices = 0, last = 0;
  for (ReaderText::Progress progress{}; progress.phase != ReaderText::Phase::done; ++slices) {
    progress = reader.advance();
    if (progress.phase == ReaderText::Phase::tokenizer) continue;
    CHECK(progress.loaded >= last);
    last = progress.loaded;
    CHECK(progress.total == text.size());
  }
  CHECK(last == text.size());
  CHECK(slices > 18);
  CHECK(reader.tokens() < text.size() / 8);
}

TEST_CASE("training on a text: a tenth is set apart, and the loss falls far") {
  TextTraining training = train(some_text());
  const TextParts learned = training.learned(), held_out = training.held_out();
  CHECK(learned.documents + held_out.documents >= 120);
  CHECK(held_out.documents == (learned.documents + held_out.documents) / 10);
  CHECK(learned.bytes + held_out.bytes == 60 * (some_text(1).size() - 2));
  CHECK(training.trainer().config().vocab_size <= 300);
  CHECK(training.tokens_per_step() == 64);
  const double before = training.held_out_loss().value();
  CHECK(before == Approx(std::log(training.trainer().config().vocab_size)).margin(1));
  for (int i = 0; i < 120; ++i) CHECK(!training.step().diverged);
  CHECK(training.held_out_loss().value() < before / 4);
}

TEST_CASE("short texts train, with nothing set apart") {
  for (const char* text : {"a", "abc", "你好吗", "😀😀😀", "小猫。小狗。小兔。"}) {
    INFO(text);
    TextTraining training = train(text);
    CHECK(!training.held_out_loss());
    CHECK(training.held_out().tokens == 0);
    const double first = training.step().loss;
    TextTrainingReport last{};
    for (int i = 0; i < 60; ++i) last = training.step();
    CHECK(last.loss < first / 2);
    CHECK(last.tokens == 61 * training.tokens_per_step());
  }
}

TEST_CASE("saved and restored, a training goes on with the same bits") {
  TextTraining plain = train(some_text());
  TextTraining first = train(some_text());
  first.set_learning_rate(0.02);
  plain.set_learning_rate(0.02);
  for (int i = 0; i < 25; ++i) first.step();
  const std::vector<std::byte> file = first.save("我的笔记");
  CHECK(SavedTraining(file).note() == "我的笔记");
  TextTraining second = restored(file);
  CHECK(second.save("我的笔记") == file);
  CHECK(second.trainer().step_count() == 25);
  CHECK(second.trainer().learning_rate() == 0.02);
  CHECK(second.held_out_loss() == first.held_out_loss());
  CHECK(second.learned().bytes == first.learned().bytes);
  for (int i = 0; i < 25; ++i) second.step();
  for (int i = 0; i < 50; ++i) plain.step();
  CHECK(second.model() == plain.model());
  CHECK(second.save("") == plain.save(""));
}

TEST_CASE("every build trains the same weights to the bit") {
  TextTraining training = train(some_text());
  for (int i = 0; i < 40; ++i) training.step();
  CHECK(sha256(text_of(training.model())) ==
        "f7f6fec73f2dc046329dd5665f0db7886396977a5201c59123525f30e51dd133");
}

TEST_CASE("a training that diverges says so, and goes back to where it was good") {
  TextTraining training = train(some_text());
  TextTrainingReport report{};
  for (int i = 0; i < 40; ++i) report = training.step();
  const double good = report.loss;
  training.set_learning_rate(1000);
  int steps = 0;
  while (!report.diverged && ++steps < 500) report = training.step();
  CHECK(report.diverged);
  CHECK(!(std::isfinite(report.loss) && std::isfinite(report.gradient_norm)));
  CHECK(report.step == training.trainer().step_count() + 1);
  CHECK(training.step().diverged);
  CHECK(error_of([&] { training.save(""); }).starts_with("diverged"));
  CHECK(error_of([&] { training.model(); }).starts_with("diverged"));
  CHECK(training.good_step() == 32);
  training.go_back();
  CHECK(!training.diverged());
  CHECK(training.trainer().step_count() == 32);
  CHECK(training.trainer().learning_rate() == 1000);
  training.set_learning_rate(0.01);
  for (int i = 0; i < 9; ++i) report = training.step();
  CHECK(report.loss < good + 0.5);
  training.model();
}

TEST_CASE("a checkpoint of a page that is damaged or none is refused with one code") {
  TextTraining training = train(some_text());
  training.step();
  const std::vector<std::byte> file = training.save("note");
  const auto refusal = [](std::span<const std::byte> bytes) {
    return error_of([&] {
      SavedTraining saved(bytes);
      finish(saved.text());
      saved.restore();
    });
  };
  CHECK(refusal(file) == "none");
  const std::span<const std::byte> whole(file);
  for (std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{100}, file.size() - 1}) {
    CHECK(refusal(whole.first(size)).starts_with("bad_checkpoint"));
  }
  CHECK(refusal(training.model()).starts_with("bad_checkpoint: training."));
  // Another text gives other tokens, but a checkpoint can't tell that; sizes it can.
  const auto with = [&](const std::string& from, const std::string& to) {
    REQUIRE(from.size() == to.size());
    std::string changed = text_of(file);
    const std::size_t at = changed.find(from);
    REQUIRE(at != std::string::npos);
    changed.replace(at, from.size(), to);
    return refusal(bytes_of(changed));
  };
  CHECK(with("\\\"n_layer\\\":1", "\\\"n_layer\\\":2").starts_with("bad_checkpoint"));
  CHECK(with("\\\"n_layer\\\":1", "\\\"n_layer\\\":9").starts_with("bad_checkpoint: layers"));
  CHECK(with("\\\"n_embd\\\":16", "\\\"n_embd\\\":-1").starts_with("bad_checkpoint"));
  CHECK(with("\\\"vocab_size\\\":300", "\\\"vocab_size\\\":257").starts_with("bad_checkpoint"));
  CHECK(with("training.note", "training.nota").starts_with("bad_checkpoint: training.note: missing"));
  CHECK(with("trainer.step", "trainer.stop").starts_with("bad_checkpoint: trainer.step"));
}

TEST_CASE("options out of range are refused by name") {
  const auto refusal = [](auto&& change) {
    TextTrainingOptions options = tiny_options();
    change(options);
    return error_of([&] { check_options(options); });
  };
  CHECK(refusal([](auto&) {}) == "none");
  CHECK(refusal([](auto& o) { o.n_layer = 0; }).starts_with("bad_argument: layers"));
  CHECK(refusal([](auto& o) { o.n_embd = 1000; }).starts_with("bad_argument: width"));
  CHECK(refusal([](auto& o) { o.n_head = 3; }).starts_with("bad_argument: heads"));
  CHECK(refusal([](auto& o) { o.n_positions = 3; }).starts_with("bad_argument: context"));
  CHECK(refusal([](auto& o) { o.vocab_size = 256; }).starts_with("bad_argument: vocabSize"));
  CHECK(refusal([](auto& o) { o.tokens_per_step = 0; }).starts_with("bad_argument: tokensPerStep"));
  CHECK(refusal([](auto& o) { o.learning_rate = std::nan(""); }).starts_with("bad_argument: learningRate"));
  CHECK(refusal([](auto& o) { o.learning_rate = 0; }) == "none");
}

TEST_CASE("a model in one file is loaded with its config and its tokenizer") {
  TextTraining training = train(some_text());
  for (int i = 0; i < 100; ++i) training.step();
  const std::vector<std::byte> file = training.model();
  const Engine engine = engine_of(text_of(file));
  CHECK(engine.model().config().n_head == 2);
  CHECK(engine.model().config().n_positions == 16);
  REQUIRE(engine.has_tokenizer());
  const std::string document = "小猫没有跳上桌子，";
  CHECK(engine.tokenizer().decode(engine.prompt(document).ids) == document);
  CHECK(engine.end() == static_cast<TokenId>(engine.model().config().vocab_size - 1));
  CHECK(engine.next(engine.prompt(document), 1).front().p > 0.5f);
  // What stands in the file counts before what is said beside it.
  const auto [config, weights] = read_checkpoint(file, R"({"n_head": 4, "n_positions": 99})");
  CHECK(config.n_head == 2);
  CHECK(write_model(config, weights, "{}", "") != file);
}

TEST_CASE("hostile metadata of a model in one file are refused") {
  const TextTraining training = train("abc");
  const Config& config = training.trainer().config();
  const auto refusal = [&](const std::map<std::string, std::string>& metadata) {
    return error_of(
        [&] { engine_of(text_of(write_checkpoint(config, training.trainer().weights(), metadata))); });
  };
  const std::string good = write_config(config);
  CHECK(refusal({{config_metadata, good}}) == "none");
  CHECK(refusal({}).starts_with("unsupported_model: n_head"));
  CHECK(refusal({{config_metadata, ""}}).starts_with("bad_model"));
  CHECK(refusal({{config_metadata, "[]"}}).starts_with("bad_model"));
  CHECK(refusal({{config_metadata, std::string(100'000, '[')}}).starts_with("bad_model"));
  CHECK(refusal({{config_metadata, R"({"n_head": 0})"}}).starts_with("bad_model"));
  CHECK(refusal({{config_metadata, R"({"n_head": 7})"}}).starts_with("unsupported_model"));
  CHECK(refusal({{config_metadata, R"({"n_head": 2, "n_layer": 2147483647})"}}).starts_with("bad_model"));
  CHECK(refusal({{config_metadata, R"({"n_head": 2, "model_type": "llama"})"}})
            .starts_with("unsupported_model"));
  CHECK(refusal({{config_metadata, good}, {vocab_metadata, "{}"}, {merges_metadata, ""}})
            .starts_with("bad_tokenizer"));
  CHECK(refusal({{config_metadata, good}, {vocab_metadata, "小"}, {merges_metadata, ""}})
            .starts_with("bad_tokenizer"));
  CHECK(refusal({{config_metadata, good}, {vocab_metadata, R"({"a": 999999999})"}, {merges_metadata, ""}})
            .starts_with("bad_tokenizer"));
  CHECK(refusal({{config_metadata, good}, {vocab_metadata, "{}"}}) == "none");
}
