#include "safetensors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "catch.hpp"
#include "checkpoint.hpp"
#include "data.hpp"
#include "errors.hpp"

using namespace glassbox;
using test::bytes_of;
using test::error_of;
using test::read_data;
using test::text_of;

namespace {

using Bytes = std::vector<std::byte>;

/// A file of this header and data.
std::string make_file(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return file + header + data;
}

std::size_t data_start(const std::string& file) {
  std::uint64_t length;
  std::memcpy(&length, file.data(), sizeof length);
  return sizeof length + static_cast<std::size_t>(length);
}

/// The file with a part of its header exchanged.
std::string edit_header(const std::string& file, const std::string& from, const std::string& to) {
  const std::size_t start = data_start(file);
  std::string header = file.substr(8, start - 8);
  const std::size_t at = header.find(from);
  REQUIRE(at != std::string::npos);
  header.replace(at, from.size(), to);
  return make_file(header, file.substr(start));
}

std::string header_error(const std::string& file) {
  return error_of([&] { parse_safetensors_header(file, file.size()); });
}

std::string read_error(const std::string& file, std::optional<std::string_view> config = std::nullopt) {
  return error_of([&] { read_checkpoint(bytes_of(file), config); });
}

/// One block of width 2, every number different.
const char* const tiny_config = R"({"n_head": 1})";

Config tiny_sizes() {
  Config config;
  config.vocab_size = 3;
  config.n_positions = 4;
  config.n_embd = 2;
  config.n_head = 1;
  config.n_layer = 1;
  config.n_inner = 5;
  return config;
}

Weights numbered_weights(const Config& config) {
  Weights weights = make_weights(config);
  Real next = -8;
  for_each_parameter(weights, [&](const std::string&, auto& tensor) {
    for (Real& x : tensor) x = next += Real(0.25);
  });
  return weights;
}

std::string tiny_file() { return text_of(write_checkpoint(tiny_sizes(), numbered_weights(tiny_sizes()))); }

void check_same(const Config& a, const Config& b) {
  CHECK(a.vocab_size == b.vocab_size);
  CHECK(a.n_positions == b.n_positions);
  CHECK(a.n_embd == b.n_embd);
  CHECK(a.n_head == b.n_head);
  CHECK(a.n_layer == b.n_layer);
  CHECK(a.n_inner == b.n_inner);
  CHECK(a.layer_norm_epsilon == b.layer_norm_epsilon);
  CHECK(a.tie_word_embeddings == b.tie_word_embeddings);
}

/// Names, shapes and numbers of all parameters, in checkpoint order.
std::vector<std::pair<std::string, std::vector<Real>>> flatten(const Weights& weights) {
  std::vector<std::pair<std::string, std::vector<Real>>> all;
  for_each_parameter(weights, [&](const std::string& name, const auto& tensor) {
    all.emplace_back(name + shape_text(tensor.shape()), std::vector<Real>(tensor.begin(), tensor.end()));
  });
  return all;
}

std::pair<Config, Weights> read_in_pieces(const std::string& file, std::optional<std::string_view> config,
                                          std::size_t piece) {
  CheckpointReader reader(file.size(), config);
  for (std::size_t at = 0; at < file.size(); at += piece) {
    CHECK_FALSE(reader.complete());
    reader.feed(bytes_of(file).subspan(at, std::min(piece, file.size() - at)));
  }
  CHECK(reader.complete());
  return reader.take();
}

struct Folder {
  std::string model, config;
};

Folder read_folder(const std::string& name) {
  return {read_data(name + "/model.safetensors"), read_data(name + "/config.json")};
}

/// The tensors of a safetensors file by name.
std::map<std::string, std::vector<float>> tensors_by_name(const std::string& file) {
  std::map<std::string, std::vector<float>> tensors;
  for (auto& [entry, values] : read_tensors(bytes_of(file))) tensors[entry.name] = std::move(values);
  return tensors;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------
// Sound files

TEST_CASE("the tied golden checkpoint is read whole") {
  const Folder folder = read_folder("gpt2_tied");
  const auto [config, weights] = read_checkpoint(bytes_of(folder.model), folder.config);
  CHECK(config.vocab_size == 61);
  CHECK(config.n_positions == 24);
  CHECK(config.n_embd == 24);
  CHECK(config.n_head == 3);
  CHECK(config.n_layer == 2);
  CHECK(config.n_inner == 96);
  CHECK(config.layer_norm_epsilon == 1e-5f);
  CHECK(config.tie_word_embeddings);
  CHECK(weights.lm_head.size() == 0);
  const auto tensors = tensors_by_name(folder.model);
  std::size_t parameters = 0;
  for_each_parameter(weights, [&](const std::string& name, const auto& tensor) {
    CAPTURE(name);
    const std::vector<float>& expected = tensors.at(name);
    CHECK(std::equal(tensor.begin(), tensor.end(), expected.begin(), expected.end()));
    ++parameters;
  });
  CHECK(parameters == 28);
}

TEST_CASE("the untied golden checkpoint: prefix, mask buffers, output head, inner width, epsilon") {
  const Folder folder = read_folder("gpt2_untied");
  const auto [config, weights] = read_checkpoint(bytes_of(folder.model), folder.config);
  CHECK(config.n_head == 4);
  CHECK(config.n_inner == 72);
  CHECK(config.layer_norm_epsilon == 1e-3f);
  CHECK_FALSE(config.tie_word_embeddings);
  const auto tensors = tensors_by_name(folder.model);
  for_each_parameter(weights, [&](const std::string& name, const auto& tensor) {
    CAPTURE(name);
    const std::vector<float>& expected = tensors.at(name == "lm_head.weight" ? name : "transformer." + name);
    CHECK(std::equal(tensor.begin(), tensor.end(), expected.begin(), expected.end()));
  });
  CHECK(weights.lm_head.size() == 53 * 40);
}

TEST_CASE("embedding rows of the goldens are rows of the checkpoints") {
  for (const char* name : {"gpt2_tied", "gpt2_untied", "gpt2_f16", "gpt2_bf16"}) {
    CAPTURE(name);
    const Folder folder = read_folder(name);
    const auto [config, weights] = read_checkpoint(bytes_of(folder.model), folder.config);
    const std::string golden = read_data(std::string(name) + ".golden.safetensors");
    const std::string ids = parse_safetensors_header(golden, golden.size()).metadata.at("ids");
    const std::vector<float> rows = tensors_by_name(golden).at("wte");
    std::size_t row = 0;
    for (std::size_t at = 0; at < ids.size(); ++row) {
      std::size_t length;
      const std::size_t id = std::stoul(ids.substr(at), &length);
      at += length;
      for (std::size_t c = 0; c < config.n_embd; ++c) {
        REQUIRE(weights.wte(id, c) == rows.at(row * config.n_embd + c));
      }
    }
    CHECK(row * config.n_embd == rows.size());
  }
}

TEST_CASE("F16 and BF16 are the F32 checkpoint rounded") {
  const Folder exact = read_folder("gpt2_tied");
  const auto expected = flatten(read_checkpoint(bytes_of(exact.model), exact.config).second);
  const std::pair<const char*, double> roundings[] = {{"gpt2_f16", 0x1p-11}, {"gpt2_bf16", 0x1p-8}};
  for (const auto& [name, relative] : roundings) {
    CAPTURE(name);
    const Folder folder = read_folder(name);
    const auto actual = flatten(read_checkpoint(bytes_of(folder.model), folder.config).second);
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      REQUIRE(actual[i].first == expected[i].first);
      for (std::size_t j = 0; j < actual[i].second.size(); ++j) {
        const double x = expected[i].second[j];
        REQUIRE(std::abs(actual[i].second[j] - x) <= std::abs(x) * relative + 0x1p-25);
      }
    }
  }
}

TEST_CASE("pieces of any size give the same model") {
  for (const char* name : {"gpt2_untied", "gpt2_f16"}) {
    const Folder folder = read_folder(name);
    const auto [config, weights] = read_checkpoint(bytes_of(folder.model), folder.config);
    const auto expected = flatten(weights);
    for (std::size_t piece : {1, 7, 4096}) {
      CAPTURE(name, piece);
      const auto [piece_config, piece_weights] = read_in_pieces(folder.model, folder.config, piece);
      check_same(piece_config, config);
      CHECK(flatten(piece_weights) == expected);
    }
  }
}

TEST_CASE("what is written reads back") {
  Config config = tiny_sizes();
  for (bool tied : {true, false}) {
    CAPTURE(tied);
    config.tie_word_embeddings = tied;
    const Weights weights = numbered_weights(config);
    const Bytes file = write_checkpoint(config, weights, {{"made by", "a \"test\" \\ \n 测试"}});
    const auto [read_config, read_weights] = read_checkpoint(file, write_config(config));
    check_same(read_config, config);
    CHECK(flatten(read_weights) == flatten(weights));
    const SafetensorsHeader header = parse_safetensors_header(text_of(file), file.size());
    CHECK(header.metadata.at("made by") == "a \"test\" \\ \n 测试");
    CHECK(header.data_start % 8 == 0);
    CHECK(header.tensors.front().name == "wte.weight");
    CHECK(header.tensors.back().name == (tied ? "ln_f.bias" : "lm_head.weight"));
    CHECK(write_checkpoint(read_config, read_weights, header.metadata) == file);
  }
}

TEST_CASE("a golden checkpoint survives being written") {
  const Folder folder = read_folder("gpt2_untied");
  const auto [config, weights] = read_checkpoint(bytes_of(folder.model), folder.config);
  const auto [again_config, again] = read_checkpoint(write_checkpoint(config, weights), write_config(config));
  check_same(again_config, config);
  CHECK(flatten(again) == flatten(weights));
}

TEST_CASE("without config.json heads are 64 wide") {
  Config config = tiny_sizes();
  config.n_embd = 128;
  config.n_head = 2;
  const Bytes file = write_checkpoint(config, numbered_weights(config));
  check_same(read_checkpoint(file, std::nullopt).first, config);
  CHECK(read_error(tiny_file()) == "unsupported_model: n_head: not stated, and width 2 is no multiple of 64");
}

TEST_CASE("whether the output head is tied") {
  Config untied = tiny_sizes();
  untied.tie_word_embeddings = false;
  Weights weights = numbered_weights(untied);
  const char* const says_tied = R"({"n_head": 1, "tie_word_embeddings": true})";
  const char* const says_untied = R"({"n_head": 1, "tie_word_embeddings": false})";
  const auto tied = [&](const char* config) {
    const auto [read, read_weights] = read_checkpoint(write_checkpoint(untied, weights), config);
    CHECK((read_weights.lm_head.size() == 0) == read.tie_word_embeddings);
    return read.tie_word_embeddings;
  };
  SECTION("lm_head differs from wte") {
    CHECK_FALSE(tied(tiny_config));
    CHECK_FALSE(tied(says_untied));
    CHECK(tied(says_tied));
  }
  SECTION("lm_head repeats wte") {
    weights.lm_head = weights.wte;
    CHECK(tied(tiny_config));
    CHECK_FALSE(tied(says_untied));
    CHECK(tied(says_tied));
  }
  SECTION("there is no lm_head") {
    CHECK(read_error(tiny_file(), tiny_config) == "none");
    CHECK(read_error(tiny_file(), says_tied) == "none");
    CHECK(read_error(tiny_file(), says_untied).starts_with("bad_model: lm_head.weight: missing"));
  }
}

TEST_CASE("mask buffers of any shape and type are skipped wherever they stand") {
  const std::string file = tiny_file();
  const auto expected = flatten(read_checkpoint(bytes_of(file), tiny_config).second);
  const std::size_t size = file.size() - data_start(file);
  const std::string end = std::to_string(size);
  // Empty ones at the beginning, between wte (24 bytes) and wpe, and at the end; then one with bytes of its
  // own.
  const std::string buffers =
      R"({"h.0.attn.bias":{"dtype":"BOOL","shape":[1,0],"data_offsets":[0,0]},)"
      R"("transformer.h.0.attn.bias":{"dtype":"I64","shape":[0],"data_offsets":[24,24]},)"
      R"("h.0.attn.masked_bias":{"dtype":"F16","shape":[0],"data_offsets":[)" +
      end + "," + end +
      R"(]},"transformer.h.0.attn.masked_bias":{"dtype":"F32","shape":[],"data_offsets":[)" + end + "," +
      std::to_string(size + 4) + "]},";
  const std::string padded =
      edit_header(file, "{", buffers) + std::string("\0\0\xc0\x7f", 4);  // not a number
  for (std::size_t piece : {std::size_t{1}, std::size_t{24}, padded.size()}) {
    CAPTURE(piece);
    CHECK(flatten(read_in_pieces(padded, tiny_config, piece).second) == expected);
  }
}

TEST_CASE("every dtype is converted exactly") {
  const std::uint16_t halves[] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00,
                                  0xc000, 0x3555, 0x7bff, 0x7c00, 0xfc00, 0x7e00};
  const float half_values[] = {0, -0.0f, 0x1p-24f, -0x3ffp-24f, 0x1p-14f, 1, -2, 0x555p-12f, 65504};
  const std::uint16_t bfloats[] = {0x3f80, 0xc000, 0x4049, 0x0001};
  const float bfloat_values[] = {1, -2, 3.140625f, 0x1p-133f};
  const std::int8_t signed_bytes[] = {-128, 127};
  const std::uint8_t bytes[] = {0, 255};
  const std::int16_t shorts[] = {-32768};
  const std::uint16_t unsigned_shorts[] = {65535};
  const std::int32_t ints[] = {-2147483647 - 1};
  const std::uint32_t unsigned_ints[] = {4294967295u};
  const std::int64_t longs[] = {-5};
  const std::uint64_t unsigned_longs[] = {1ull << 63};
  const double doubles[] = {0.1};
  const auto raw = [](const auto& array) { return std::as_bytes(std::span(array)); };
  const Bytes file = write_tensors({{"half", "F16", {12}, raw(halves)},
                                    {"bfloat", "BF16", {2, 2}, raw(bfloats)},
                                    {"i8", "I8", {2}, raw(signed_bytes)},
                                    {"u8", "U8", {2, 1}, raw(bytes)},
                                    {"bool", "BOOL", {2}, raw(bytes)},
                                    {"i16", "I16", {}, raw(shorts)},
                                    {"u16", "U16", {}, raw(unsigned_shorts)},
                                    {"i32", "I32", {}, raw(ints)},
                                    {"u32", "U32", {}, raw(unsigned_ints)},
                                    {"i64", "I64", {}, raw(longs)},
                                    {"u64", "U64", {}, raw(unsigned_longs)},
                                    {"f64", "F64", {1}, raw(doubles)},
                                    {"none", "F32", {3, 0}, {}}});
  auto tensors = tensors_by_name(text_of(file));
  const std::vector<float> half = tensors.at("half");
  for (std::size_t i = 0; i < std::size(half_values); ++i) CHECK(half[i] == half_values[i]);
  CHECK(std::signbit(half[1]));
  CHECK(half[9] == std::numeric_limits<float>::infinity());
  CHECK(half[10] == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(half[11]));
  CHECK(tensors.at("bfloat") == std::vector<float>(std::begin(bfloat_values), std::end(bfloat_values)));
  CHECK(tensors.at("i8") == std::vector<float>{-128, 127});
  CHECK(tensors.at("u8") == std::vector<float>{0, 255});
  CHECK(tensors.at("bool") == std::vector<float>{0, 1});
  CHECK(tensors.at("i16") == std::vector<float>{-32768});
  CHECK(tensors.at("u16") == std::vector<float>{65535});
  CHECK(tensors.at("i32") == std::vector<float>{-2147483648.0f});
  CHECK(tensors.at("u32") == std::vector<float>{4294967296.0f});
  CHECK(tensors.at("i64") == std::vector<float>{-5});
  CHECK(tensors.at("u64") == std::vector<float>{0x1p63f});
  CHECK(tensors.at("f64") == std::vector<float>{0.1f});
  CHECK(tensors.at("none").empty());

  const Bytes odd = write_tensors({{"odd", "F8_E4M3", {2}, raw(bytes)}});
  CHECK(error_of([&] { read_tensors(odd); }) == "bad_model: odd: F8_E4M3 has no conversion to F32");
}

TEST_CASE("half floats in a checkpoint, subnormal and infinite") {
  // The last parameter of the file is ln_f.bias, two numbers.
  const std::string file = tiny_file();
  std::string half = edit_header(file, R"("ln_f.bias":{"dtype":"F32")", R"("ln_f.bias":{"dtype":"F16")");
  const std::string end = std::to_string(file.size() - data_start(file));
  const std::string new_end = std::to_string(file.size() - data_start(file) - 4);
  half = edit_header(half, "," + end + "]", "," + new_end + "]");
  half.resize(half.size() - 8);
  const std::string numbers("\x01\x00\x00\xbc", 4);
  const Weights weights = read_checkpoint(bytes_of(half + numbers), tiny_config).second;
  CHECK(weights.ln_f.bias(0) == Real(0x1p-24));
  CHECK(weights.ln_f.bias(1) == Real(-1));
  CHECK(read_error(half + std::string("\x01\x00\x00\x7c", 4), tiny_config) ==
        "bad_model: ln_f.bias: holds a number that is not finite");
}

// ---------------------------------------------------------------------------------------------------------
// Damaged and hostile files

TEST_CASE("a file cut off anywhere is refused") {
  const std::string file = tiny_file();
  for (std::size_t n = 0; n < file.size(); ++n) {
    const std::string error = read_error(file.substr(0, n), tiny_config);
    if (!error.starts_with("bad_model: ")) FAIL("cut at " << n << ": " << error);
  }
  CHECK(read_error(file, tiny_config) == "none");
  CHECK(read_error(file + "x", tiny_config).starts_with("bad_model: safetensors: expected"));
}

TEST_CASE("a stream that ends early is incomplete") {
  const std::string file = tiny_file();
  for (std::size_t n = 0; n < file.size(); ++n) {
    CheckpointReader reader(file.size(), tiny_config);
    reader.feed(bytes_of(file).first(n));
    if (reader.complete()) FAIL("complete at " << n);
    if (!error_of([&] { reader.take(); }).starts_with("bad_model: ")) FAIL("taken at " << n);
  }
}

TEST_CASE("a reader is used up by an error, by too many bytes, and by take") {
  const std::string file = tiny_file();
  CheckpointReader reader(file.size(), tiny_config);
  reader.feed(bytes_of(file));
  reader.feed({});
  CHECK(reader.complete());
  CHECK(reader.take().first.n_embd == 2);
  CHECK_FALSE(reader.complete());
  CHECK(error_of([&] { reader.take(); }).starts_with("bad_model: "));
  CHECK(error_of([&] { reader.feed({}); }).starts_with("bad_model: "));

  CheckpointReader flooded(file.size(), tiny_config);
  CHECK(error_of([&] {
          flooded.feed(bytes_of(file + "x"));
        }).starts_with("bad_model: safetensors: more bytes"));
  CHECK_FALSE(flooded.complete());

  CheckpointReader broken(file.size(), tiny_config);
  CHECK(error_of([&] { broken.feed(bytes_of(std::string(file.size(), 'x'))); }).starts_with("bad_model: "));
  CHECK(error_of([&] { broken.feed(bytes_of(file)); }).starts_with("bad_model: "));
}

TEST_CASE("lengths of the header that don't fit are refused") {
  CHECK(header_error("") == "bad_model: safetensors: expected at least 8 bytes, got 0");
  CHECK(header_error(std::string("\x10\0\0\0\0\0\0\0", 8))
            .starts_with("bad_model: safetensors: expected a header"));
  CHECK(header_error(std::string(8, '\xff') + "{}").starts_with("bad_model: safetensors: expected a header"));
  CHECK(header_error(std::string("\0\0\0\0\0\0\0\x80", 8) + "{}")
            .starts_with("bad_model: safetensors: expected"));
  // A header above the limit is refused as soon as its length is known, however large the file is said to be.
  const std::string length("\x01\xe1\xf5\x05\0\0\0\0", 8);  // 100,000,001
  CHECK(error_of([&] { parse_safetensors_header(length, 1ull << 31); }) ==
        "bad_model: safetensors: expected a header of at most 100000000 bytes, got 100000001");
  CheckpointReader reader(1ull << 31, std::nullopt);
  CHECK(error_of([&] { reader.feed(bytes_of(length)); }).starts_with("bad_model: "));
  // Only a part of the header is there.
  const std::string file = tiny_file();
  CHECK(error_of([&] {
          parse_safetensors_header(file.substr(0, 20), file.size());
        }).starts_with("bad_model: safetensors: expected a header of"));
}

TEST_CASE("a file larger than memory can address is refused") {
  const std::string head = make_file("{}", "");
  const std::string error = error_of([&] { parse_safetensors_header(head, UINT64_MAX); });
  CHECK(error.starts_with(sizeof(std::size_t) < 8 ? "no_memory: " : "bad_model: "));
}

TEST_CASE("headers that are no sound JSON object are refused") {
  for (const char* header : {"", " ", "[]", "null", "1", "\"a\"", "{", "{}x", " {}", "{\"a\"}", "{\"a\":}",
                             "{\"a\":1}", "{\"a\":[]}", "{\"a\":{}}", "{\"\xff\":{}}"}) {
    CAPTURE(header);
    CHECK(header_error(make_file(header, "")).starts_with("bad_model: "));
  }
  CHECK(header_error(make_file("{}", "")) == "none");
  CHECK(header_error(make_file("{}      ", "")) == "none");
  const std::string deep = "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}";
  CHECK(header_error(make_file(deep, "")).starts_with("bad_model: safetensors header: nested"));
  const std::string open = "{\"a\":" + std::string(100000, '[');
  CHECK(header_error(make_file(open, "")).starts_with("bad_model: safetensors header: nested"));
}

TEST_CASE("metadata is text") {
  const std::string file = make_file(R"({"__metadata__":{"format":"pt","x":""}})", "");
  const SafetensorsHeader header = parse_safetensors_header(file, file.size());
  CHECK(header.metadata == std::map<std::string, std::string>{{"format", "pt"}, {"x", ""}});
  CHECK(header.tensors.empty());
  CHECK(header_error(make_file(R"({"__metadata__":{"x":1}})", "")) ==
        "bad_model: __metadata__: x: expected a string");
  CHECK(header_error(make_file(R"({"__metadata__":"x"})", "")) ==
        "bad_model: __metadata__: expected an object");
}

TEST_CASE("entries of a header are checked one by one") {
  const auto error = [](const std::string& entry, std::size_t data = 4) {
    return header_error(make_file("{\"a\":" + entry + "}", std::string(data, '\0')));
  };
  CHECK(error(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})") == "none");
  CHECK(error(R"({"dtype":"F32","shape":[],"data_offsets":[0,4]})") == "none");
  CHECK(error(R"({"dtype":"F31","shape":[1],"data_offsets":[0,4]})") == "bad_model: a: unknown dtype F31");
  CHECK(error(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})") ==
        "bad_model: a: 4 bytes don't hold (2) of F32");
  for (const char* entry : {
           R"({"shape":[1],"data_offsets":[0,4]})",
           R"({"dtype":32,"shape":[1],"data_offsets":[0,4]})",
           R"({"dtype":"F32","data_offsets":[0,4]})",
           R"({"dtype":"F32","shape":1,"data_offsets":[0,4]})",
           R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})",
           R"({"dtype":"F32","shape":[1.0],"data_offsets":[0,4]})",
           R"({"dtype":"F32","shape":["1"],"data_offsets":[0,4]})",
           R"({"dtype":"F32","shape":[null],"data_offsets":[0,4]})",
           R"({"dtype":"F32","shape":[1]})",
           R"({"dtype":"F32","shape":[1],"data_offsets":4})",
           R"({"dtype":"F32","shape":[1],"data_offsets":[4]})",
           R"({"dtype":"F32","shape":[1],"data_offsets":[0,4,8]})",
           R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})",
           R"({"dtype":"F32","shape":[1],"data_offsets":[-4,0]})",
           R"({"dtype":"F32","shape":[1],"data_offsets":[0.0,4.0]})",
           R"({"dtype":"F32","shape":[1],"data_offsets":[0,4.5]})",
           R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})",
           R"({"dtype":"F32","shape":[1],"data_offsets":[9223372036854775808,9223372036854775812]})",
           R"({"dtype":"F32","shape":[1],"data_offsets":[18446744073709551612,18446744073709551616]})",
           // Products that are 4 bytes, or 0, when they wrap around in 32 or 64 bits.
           R"({"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,4]})",
           R"({"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]})",
           R"({"dtype":"F32","shape":[1073741825],"data_offsets":[0,4]})",
           R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]})",
           R"({"dtype":"F32","shape":[65536,65536,0],"data_offsets":[0,4]})",
           R"({"dtype":"F32","shape":[18446744073709551616],"data_offsets":[0,4]})",
       }) {
    CAPTURE(entry);
    CHECK(error(entry).starts_with("bad_model: "));
  }
  // The end before the beginning, with a shape that fits the difference when it wraps around.
  for (const char* size : {"4611686018427387903", "1073741823"}) {
    CAPTURE(size);
    const std::string text =
        error(std::string(R"({"dtype":"F32","data_offsets":[4,0],"shape":[)") + size + "]}");
    CHECK((text.starts_with("bad_model: a: data_offsets: expected begin") ||
           text.starts_with("bad_model: a: shape: expected whole numbers")));
  }
  std::string ones = "1";
  for (int i = 0; i < 64; ++i) ones += ",1";
  CHECK(error(R"({"dtype":"F32","data_offsets":[0,4],"shape":[)" + ones + "]}") ==
        "bad_model: a: expected at most 64 dimensions, got 65");
}

TEST_CASE("byte ranges fill the data without overlap or gap") {
  const auto error = [](const std::string& a, const std::string& b, std::size_t data) {
    const std::string entry = R"({"dtype":"F32","shape":[1],"data_offsets":)";
    return header_error(
        make_file("{\"a\":" + entry + a + "},\"b\":" + entry + b + "}}", std::string(data, '\0')));
  };
  CHECK(error("[0,4]", "[4,8]", 8) == "none");
  CHECK(error("[4,8]", "[0,4]", 8) == "none");
  CHECK(error("[0,4]", "[2,6]", 8) == "bad_model: b: expected its data at 4, got 2 (overlap)");
  CHECK(error("[0,4]", "[0,4]", 4) == "bad_model: b: expected its data at 4, got 0 (overlap)");
  CHECK(error("[0,4]", "[5,9]", 9) == "bad_model: b: expected its data at 4, got 5 (gap)");
  CHECK(error("[1,5]", "[5,9]", 9) == "bad_model: a: expected its data at 0, got 1 (gap)");
  CHECK(error("[0,4]", "[4,8]", 9) == "bad_model: safetensors: expected 8 bytes of data, got 9");
  CHECK(error("[0,4]", "[4,8]", 7).starts_with("bad_model: b: data_offsets: expected begin"));
}

TEST_CASE("tensors come in the order of the data, empty ones before what follows") {
  const std::string file = make_file(
      R"({"z":{"dtype":"U8","shape":[0],"data_offsets":[1,1]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]},)"
      R"("c":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
      "abc");
  std::string order;
  for (const TensorEntry& entry : parse_safetensors_header(file, file.size()).tensors) order += entry.name;
  CHECK(order == "czb");
}

TEST_CASE("a tensor that stands twice is refused") {
  const std::string entry = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  CHECK(header_error(make_file("{\"a\":" + entry + ",\"a\":" + entry + "}", ""))
            .starts_with("bad_model: safetensors header: the key \"a\" stands twice"));

  const std::string file = tiny_file();
  const std::string twice = edit_header(file, R"("ln_f.weight")", R"("transformer.ln_f.bias")");
  CHECK(read_error(twice, tiny_config) ==
        "bad_model: ln_f.bias: stands twice, with and without \"transformer.\"");
}

TEST_CASE("missing, unknown and foreign parameters are refused by name") {
  const std::string file = tiny_file();
  // Mask buffers may have any name of their kind; as one of them, a parameter is missing.
  CHECK(read_error(edit_header(file, R"("h.0.ln_2.bias")", R"("h.0.attn.bias")"), tiny_config) ==
        "bad_model: h.0.ln_2.bias: missing");
  CHECK(read_error(edit_header(file, R"("wpe.weight")", R"("h.0.attn.masked_bias")"), tiny_config) ==
        "bad_model: wpe.weight: missing");
  CHECK(read_error(edit_header(file, R"("h.0.ln_1.bias")", R"("h.1.ln_1.bias")"), tiny_config) ==
        "bad_model: h.0.ln_1.bias: missing");
  CHECK(read_error(edit_header(file, R"("h.0.ln_1.bias")", R"("h.99999999.ln_1.bias")"), tiny_config) ==
        "bad_model: h.0.ln_1.bias: missing");
  CHECK(read_error(make_file("{}", ""), tiny_config) == "bad_model: ln_f.bias: missing");
  for (const char* name :
       {"layers.0.self_attn.q_proj.weight", "h.0.ln_3.bias", "h.00.ln_1.bias", "h.-1.ln_1.bias",
        "h.ln_1.bias", "h.*.ln_1.bias", "h..ln_1.bias", "h.0ln_1.bias", "h.99999999999999999999.ln_1.bias",
        "h.0.attn.bias2", "h.attn.bias", "h.*.attn.bias", "transformer.transformer.ln_f.bias", "ln_f.biases",
        "score.weight", "h.0.crossattention.c_attn.weight", ""}) {
    CAPTURE(name);
    CHECK(read_error(edit_header(file, "h.0.ln_1.bias", name), tiny_config) ==
          "unsupported_model: " + std::string(name) + ": GPT-2 has no such parameter");
  }
}

TEST_CASE("a long name is shortened at a character's end") {
  std::string name;
  for (int i = 0; i < 1000; ++i) name += "字";
  std::string kept;
  for (int i = 0; i < 33; ++i) kept += "字";
  CHECK(read_error(edit_header(tiny_file(), "h.0.ln_1.bias", name), tiny_config) ==
        "unsupported_model: " + kept + "…: GPT-2 has no such parameter");
}

TEST_CASE("wrong shapes and types of parameters are refused") {
  const std::string file = tiny_file();
  CHECK(read_error(edit_header(file, R"("wpe.weight":{"dtype":"F32","shape":[4,2])",
                               R"("wpe.weight":{"dtype":"F32","shape":[8])"),
                   tiny_config) == "bad_model: wpe.weight: expected 2 dimensions, got (8)");
  CHECK(read_error(edit_header(file, R"("wpe.weight":{"dtype":"F32","shape":[4,2])",
                               R"("wpe.weight":{"dtype":"F32","shape":[2,4])"),
                   tiny_config) == "bad_model: wpe.weight: expected (2, 2), got (2, 4)");
  CHECK(read_error(edit_header(file, R"("h.0.attn.c_attn.weight":{"dtype":"F32","shape":[2,6])",
                               R"("h.0.attn.c_attn.weight":{"dtype":"F32","shape":[6,2])"),
                   tiny_config) == "bad_model: h.0.attn.c_attn.weight: expected (2, 6), got (6, 2)");
  CHECK(read_error(edit_header(file, R"("h.0.ln_1.bias":{"dtype":"F32","shape":[2])",
                               R"("h.0.ln_1.bias":{"dtype":"I32","shape":[2])"),
                   tiny_config) == "bad_model: h.0.ln_1.bias: expected F32, F16 or BF16, got I32");
  CHECK(read_error(edit_header(file, R"("h.0.ln_1.bias":{"dtype":"F32","shape":[2])",
                               R"("h.0.ln_1.bias":{"dtype":"F64","shape":[1])"),
                   tiny_config) == "bad_model: h.0.ln_1.bias: expected (2), got (1)");
}

TEST_CASE("config.json and the shapes must agree") {
  const std::string file = tiny_file();
  CHECK(read_error(file, R"({"n_head": 1, "n_embd": 4})") ==
        "bad_model: wte.weight: expected (3, 4), got (3, 2)");
  CHECK(read_error(file, R"({"n_head": 1, "vocab_size": 50257})") ==
        "bad_model: wte.weight: expected (50257, 2), got (3, 2)");
  CHECK(read_error(file, R"({"n_head": 1, "n_positions": 1024})") ==
        "bad_model: wpe.weight: expected (1024, 2), got (4, 2)");
  CHECK(read_error(file, R"({"n_head": 1, "n_inner": 8})").starts_with("bad_model: h.0.mlp.c_"));
  CHECK(read_error(file, R"({"n_head": 1, "n_embd": 2, "n_inner": null})")
            .starts_with("bad_model: h.0.mlp.c_"));
  CHECK(read_error(file, R"({"n_head": 1, "n_layer": 2})") == "bad_model: n_layer: expected 2, got 1");
  CHECK(read_error(file, R"({"n_head": 1, "n_layer": 2147483647, "n_inner": 2147483647})")
            .starts_with("bad_model: "));
  CHECK(read_error(file, R"({"n_head": 3})") ==
        "unsupported_model: n_head: expected a divisor of n_embd 2, got 3");
  CHECK(read_error(file, R"({"model_type": "llama"})").starts_with("unsupported_model: model_type"));
  CHECK(read_error(file, "x").starts_with("bad_model: config.json"));
}

TEST_CASE("a number that is not finite is refused by its tensor's name") {
  const std::string file = tiny_file();
  const SafetensorsHeader header = parse_safetensors_header(file, file.size());
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                    -std::numeric_limits<float>::infinity()}) {
    for (const TensorEntry& entry : header.tensors) {
      std::string damaged = file;
      std::memcpy(&damaged[header.data_start + entry.end - sizeof bad], &bad, sizeof bad);
      const std::string expected = "bad_model: " + entry.name + ": holds a number that is not finite";
      CHECK(read_error(damaged, tiny_config) == expected);
      CHECK(error_of([&] { read_in_pieces(damaged, tiny_config, 3); }) == expected);
    }
  }
}

TEST_CASE("sizes of zero are refused") {
  const std::string header = R"({"wte.weight":{"dtype":"F32","shape":[0,0],"data_offsets":[0,0]},)"
                             R"("wpe.weight":{"dtype":"F32","shape":[0,0],"data_offsets":[0,0]},)"
                             R"("ln_f.weight":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)"
                             R"("ln_f.bias":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  std::string block;
  for (const char* name : {"ln_1.weight", "ln_1.bias", "ln_2.weight", "ln_2.bias", "attn.c_attn.bias",
                           "attn.c_proj.bias", "mlp.c_fc.bias", "mlp.c_proj.bias"}) {
    block += std::string(",\"h.0.") + name + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  }
  for (const char* name :
       {"attn.c_attn.weight", "attn.c_proj.weight", "mlp.c_fc.weight", "mlp.c_proj.weight"}) {
    block += std::string(",\"h.0.") + name + R"(":{"dtype":"F32","shape":[0,0],"data_offsets":[0,0]})";
  }
  CHECK(read_error(make_file(header + block + "}", "")) ==
        "unsupported_model: vocab_size: expected at least 1, got 0");
}

TEST_CASE("a header that claims much allocates nothing before the bytes are there") {
  // 3 GB in three parameters that are sound but for their bytes; a fourth that is missing ends it.
  const std::string header =
      R"({"wte.weight":{"dtype":"F32","shape":[262144,1024],"data_offsets":[0,1073741824]},)"
      R"("wpe.weight":{"dtype":"F32","shape":[262144,1024],"data_offsets":[1073741824,2147483648]}})";
  const std::string head = make_file(header, "");
  CheckpointReader reader(head.size() + 2147483648ull, std::nullopt);
  CHECK(error_of([&] { reader.feed(bytes_of(head)); }) == "bad_model: ln_f.bias: missing");
}

TEST_CASE("writing refuses what could not be read") {
  const std::string four(4, '\0');
  const auto error = [](const std::vector<TensorBytes>& tensors,
                        const std::map<std::string, std::string>& metadata) {
    return error_of([&] { write_tensors(tensors, metadata); });
  };
  CHECK(error({{"a", "F32", {1}, bytes_of(four)}}, {}) == "none");
  CHECK(error({{"a", "F32", {2}, bytes_of(four)}}, {}) == "bad_shape: a: 4 bytes don't hold (2) of F32");
  CHECK(error({{"a", "F3", {1}, bytes_of(four)}}, {}) == "bad_shape: a: 4 bytes don't hold (1) of F3");
  CHECK(error({{"a", "F32", {1}, bytes_of(four)}, {"a", "F32", {1}, bytes_of(four)}}, {})
            .starts_with("bad_argument: "));
  CHECK(error({}, {{"x", "\xff"}}).starts_with("bad_argument: "));

  Config config = tiny_sizes();
  const Weights weights = numbered_weights(config);
  const auto refused = [&] { return error_of([&] { write_checkpoint(config, weights); }); };
  CHECK(refused() == "none");
  config.n_layer = 2;
  CHECK(refused().starts_with("bad_shape: "));
  config = tiny_sizes();
  config.tie_word_embeddings = false;
  CHECK(refused().starts_with("bad_shape: "));
  config = tiny_sizes();
  config.vocab_size = 4;
  CHECK(refused() == "bad_shape: wte.weight: expected (4, 2), got (3, 2)");
}

// ---------------------------------------------------------------------------------------------------------
// Int8 files

namespace {

Config untied_sizes() {
  Config config = tiny_sizes();
  config.tie_word_embeddings = false;
  return config;
}

const char* const untied_config = R"({"n_head": 1, "tie_word_embeddings": false})";

std::string int8_file() {
  return text_of(write_int8_checkpoint(untied_sizes(), numbered_weights(untied_sizes()), {{"by", "a test"}}));
}

/// The same tensors in the opposite order.
std::string reversed(const std::string& file) {
  const SafetensorsHeader header = parse_safetensors_header(file, file.size());
  std::vector<TensorBytes> tensors;
  for (auto entry = header.tensors.rbegin(); entry != header.tensors.rend(); ++entry) {
    tensors.push_back({entry->name, entry->dtype, entry->shape,
                       bytes_of(file).subspan(header.data_start + entry->begin, entry->end - entry->begin)});
  }
  return text_of(write_tensors(tensors, header.metadata));
}

/// The file with one tensor's bytes overwritten by a number.
std::string with_scale(std::string file, const std::string& name, float value) {
  const SafetensorsHeader header = parse_safetensors_header(file, file.size());
  for (const TensorEntry& entry : header.tensors) {
    if (entry.name == name)
      std::memcpy(&file[header.data_start + entry.end - sizeof value], &value, sizeof value);
  }
  return file;
}

}  // namespace

TEST_CASE("an int8 checkpoint: names, types, shapes, metadata", "[int8]") {
  const std::string file = int8_file();
  const SafetensorsHeader header = parse_safetensors_header(file, file.size());
  CHECK(header.metadata == std::map<std::string, std::string>{{"by", "a test"}, {"glassbox.quant", "int8"}});
  std::map<std::string, std::string> entries;
  for (const TensorEntry& entry : header.tensors) entries[entry.name] = entry.dtype + shape_text(entry.shape);
  CHECK(entries.size() == 17 + 7);
  CHECK(entries["wte.weight"] == "I8(3, 2)");
  CHECK(entries["wte.weight.scale"] == "F32(3)");
  CHECK(entries["wpe.weight.scale"] == "F32(4)");
  CHECK(entries["h.0.attn.c_attn.weight"] == "I8(2, 6)");
  CHECK(entries["h.0.attn.c_attn.weight.scale"] == "F32(6)");
  CHECK(entries["h.0.mlp.c_proj.weight"] == "I8(5, 2)");
  CHECK(entries["h.0.mlp.c_proj.weight.scale"] == "F32(2)");
  CHECK(entries["lm_head.weight"] == "I8(3, 2)");
  CHECK(entries["lm_head.weight.scale"] == "F32(3)");
  CHECK(entries["h.0.mlp.c_fc.bias"] == "F32(5)");
  // Every number that the general reader gives is the file's own.
  const auto tensors = tensors_by_name(file);
  CHECK(tensors.at("wte.weight") == std::vector<float>{-127, -123, -127, -123, -127, -122});
  CHECK(tensors.at("wte.weight.scale") == std::vector<float>{7.75f / 127, 7.25f / 127, 6.75f / 127});
}

TEST_CASE("an int8 checkpoint reads back to within half a scale, in any order and pieces", "[int8]") {
  for (const char* name : {"gpt2_tied", "gpt2_untied"}) {
    CAPTURE(name);
    const Folder folder = read_folder(name);
    const auto [config, weights] = read_checkpoint(bytes_of(folder.model), folder.config);
    const std::string file = text_of(write_int8_checkpoint(config, weights));
    const auto read = read_checkpoint(bytes_of(file), folder.config);
    check_same(read.first, config);
    const auto tensors = tensors_by_name(file);
    for_each_parameter(weights, [&](const std::string& parameter, const auto& tensor) {
      CAPTURE(parameter);
      const auto scales = tensors.find(parameter + ".scale");
      REQUIRE((scales != tensors.end()) == (tensor.dimension() == 2));
      const bool by_rows = parameter.compare(0, 2, "h.") != 0;
      for_each_parameter(read.second, [&](const std::string& other, const auto& again) {
        if (other != parameter) return;
        REQUIRE(again.size() == tensor.size());
        const std::size_t columns = tensor.shape()[tensor.dimension() - 1];
        for (std::size_t i = 0; i < tensor.size(); ++i) {
          const double bound =
              scales == tensors.end() ? 0 : scales->second[by_rows ? i / columns : i % columns] / 2.0;
          const double x = static_cast<double>(tensor.data()[i]);
          REQUIRE(std::abs(static_cast<double>(again.data()[i]) - x) <= bound + std::abs(x) * 0x1p-23);
        }
      });
    });
    const auto expected = flatten(read.second);
    for (const std::string& order : {file, reversed(file)}) {
      for (const std::size_t piece : {std::size_t{1}, std::size_t{11}, order.size()}) {
        const auto [piece_config, piece_weights] = read_in_pieces(order, folder.config, piece);
        check_same(piece_config, config);
        CHECK(flatten(piece_weights) == expected);
      }
    }
  }
}

TEST_CASE("an int8 file is about a quarter", "[int8]") {
  Config config = tiny_sizes();
  config.vocab_size = 500;
  config.n_embd = 64;
  config.n_inner = 256;
  const Weights weights = numbered_weights(config);
  const double ratio = static_cast<double>(write_int8_checkpoint(config, weights).size()) /
                       static_cast<double>(write_checkpoint(config, weights).size());
  CHECK(ratio < 0.30);
}

TEST_CASE("an int8 head that repeats wte is tied as ever", "[int8]") {
  Weights weights = numbered_weights(untied_sizes());
  weights.lm_head = weights.wte;
  const Bytes file = write_int8_checkpoint(untied_sizes(), weights);
  CHECK(read_checkpoint(file, tiny_config).first.tie_word_embeddings);
  CHECK_FALSE(read_checkpoint(file, untied_config).first.tie_word_embeddings);
  CHECK(read_checkpoint(file, R"({"n_head": 1, "tie_word_embeddings": true})").second.lm_head.size() == 0);
}

TEST_CASE("int8 files with the prefix, and with some matrices in other types", "[int8]") {
  const auto expected = flatten(read_checkpoint(bytes_of(int8_file()), untied_config).second);
  std::string prefixed = edit_header(int8_file(), R"("wpe.weight")", R"("transformer.wpe.weight")");
  CHECK(flatten(read_checkpoint(bytes_of(prefixed), untied_config).second) == expected);
  prefixed =
      edit_header(prefixed, R"("h.0.mlp.c_fc.weight.scale")", R"("transformer.h.0.mlp.c_fc.weight.scale")");
  CHECK(flatten(read_checkpoint(bytes_of(prefixed), untied_config).second) == expected);

  // A file in F32 may say that it is ours.
  const Bytes plain =
      write_checkpoint(tiny_sizes(), numbered_weights(tiny_sizes()), {{"glassbox.quant", "int8"}});
  CHECK(flatten(read_checkpoint(plain, tiny_config).second) == flatten(numbered_weights(tiny_sizes())));
}

TEST_CASE("int8 files that are not whole are refused by name", "[int8]") {
  const std::string file = int8_file();
  CHECK(read_error(file, untied_config) == "none");
  CHECK(read_error(edit_header(file, "glassbox.quant", "glassbox.other"), untied_config) ==
        "bad_model: h.0.attn.c_attn.weight: I8, but the metadata don't say glassbox.quant = int8");
  CHECK(read_error(edit_header(file, R"("int8")", R"("int4")"), untied_config) ==
        "bad_model: glassbox.quant: expected int8, got int4");
  // Without its scale; with one that belongs to nothing, to a vector, or to another model's tensor.
  const std::string scale = R"("h.0.mlp.c_fc.weight.scale")";
  CHECK(read_error(edit_header(file, scale, R"("h.0.attn.masked_bias")"), untied_config) ==
        "bad_model: h.0.mlp.c_fc.weight.scale: missing");
  CHECK(read_error(edit_header(file, R"("h.0.mlp.c_fc.weight":{"dtype":"I8","shape":[2,5])",
                               R"("h.0.mlp.c_fc.weight":{"dtype":"F16","shape":[1,5])"),
                   untied_config) ==
        "bad_model: h.0.mlp.c_fc.weight.scale: there is no I8 matrix h.0.mlp.c_fc.weight");
  CHECK(read_error(edit_header(tiny_file(), R"("h.0.attn.c_attn.bias")", R"("h.0.attn.c_attn.bias.scale")"),
                   tiny_config) == "bad_model: h.0.attn.c_attn.bias: missing");
  CHECK(read_error(edit_header(file, scale, R"("h.0.mlp.c_fc.bias.scale")"), untied_config) ==
        "bad_model: h.0.mlp.c_fc.weight.scale: missing");
  const std::string empty = R"("h.0.ln_1.bias.scale":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)";
  CHECK(read_error(edit_header(file, R"("wte.weight":)", empty + R"("wte.weight":)"), untied_config) ==
        "bad_model: h.0.ln_1.bias.scale: there is no I8 matrix h.0.ln_1.bias");
  for (const char* name : {"h.7.mlp.c_fc.weight.scale", "transformer.h.7.mlp.c_fc.weight.scale"}) {
    CAPTURE(name);
    const std::string foreign =
        "\"" + std::string(name) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)";
    CHECK(read_error(edit_header(file, R"("wte.weight":)", foreign + R"("wte.weight":)"), untied_config) ==
          "bad_model: h.7.mlp.c_fc.weight.scale: there is no I8 matrix h.7.mlp.c_fc.weight");
  }
  for (const char* name :
       {"x.scale", ".scale", "wte.weight.scale.scale", "h.0.attn.bias.scale", "wte.scale"}) {
    CAPTURE(name);
    const std::string foreign =
        "\"" + std::string(name) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)";
    CHECK(read_error(edit_header(file, R"("wte.weight":)", foreign + R"("wte.weight":)"), untied_config) ==
          "unsupported_model: " + std::string(name) + ": GPT-2 has no such parameter");
  }
  const std::string twice =
      R"("transformer.wte.weight.scale":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)";
  CHECK(read_error(edit_header(file, R"("wte.weight":)", twice + R"("wte.weight":)"), untied_config) ==
        "bad_model: wte.weight.scale: stands twice, with and without \"transformer.\"");
}

TEST_CASE("scales and int8 matrices of wrong shapes and types are refused", "[int8]") {
  const std::string file = int8_file();
  const auto edited = [&](const std::string& from, const std::string& to) {
    return read_error(edit_header(file, from, to), untied_config);
  };
  CHECK(edited(R"("wte.weight.scale":{"dtype":"F32","shape":[3])",
               R"("wte.weight.scale":{"dtype":"F32","shape":[3,1])") ==
        "bad_model: wte.weight.scale: expected (3), got (3, 1)");
  CHECK(edited(R"("wte.weight.scale":{"dtype":"F32","shape":[3])",
               R"("wte.weight.scale":{"dtype":"BF16","shape":[6])") ==
        "bad_model: wte.weight.scale: expected (3), got (6)");
  CHECK(edited(R"("wte.weight.scale":{"dtype":"F32","shape":[3])",
               R"("wte.weight.scale":{"dtype":"I32","shape":[3])") ==
        "bad_model: wte.weight.scale: expected F32, got I32");
  CHECK(edited(R"("wte.weight":{"dtype":"I8","shape":[3,2])", R"("wte.weight":{"dtype":"I8","shape":[2,3])")
            .substr(0, 10) == "bad_model:");
  CHECK(edited(R"("wte.weight":{"dtype":"I8")", R"("wte.weight":{"dtype":"U8")").substr(0, 10) ==
        "bad_model:");
  CHECK(edited(R"("h.0.ln_1.bias":{"dtype":"F32","shape":[2])",
               R"("h.0.ln_1.bias":{"dtype":"I8","shape":[8])") ==
        "bad_model: h.0.ln_1.bias: expected (2), got (8)");
}

TEST_CASE("scales that are not finite, negative or too large are refused", "[int8]") {
  const std::string file = int8_file();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const char* name : {"wte.weight.scale", "h.0.mlp.c_proj.weight.scale", "lm_head.weight.scale"}) {
    CAPTURE(name);
    for (const float bad : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
      CHECK(read_error(with_scale(file, name, bad), untied_config) ==
            "bad_model: " + std::string(name) + ": holds a number that is not finite");
    }
    for (const float bad : {-1.0f, -1e-44f, 3e38f, 0x1.8p120f}) {
      const std::string damaged = with_scale(reversed(file), name, bad);
      const std::string expected =
          "bad_model: " + std::string(name) + ": holds a scale that is negative or beyond 2^120";
      CHECK(read_error(damaged, untied_config) == expected);
      CHECK(error_of([&] { read_in_pieces(damaged, untied_config, 3); }) == expected);
    }
    for (const float sound : {0.0f, -0.0f, 1e-44f, 0x1p120f}) {
      CHECK(read_error(with_scale(file, name, sound), untied_config) == "none");
    }
  }
}

TEST_CASE("writing int8 refuses what write_checkpoint and quantize refuse", "[int8]") {
  Config config = tiny_sizes();
  Weights weights = numbered_weights(config);
  const auto refused = [&] { return error_of([&] { write_int8_checkpoint(config, weights); }); };
  CHECK(refused() == "none");
  config.vocab_size = 4;
  CHECK(refused() == "bad_shape: wte.weight: expected (4, 2), got (3, 2)");
  config = tiny_sizes();
  weights.wpe(0, 0) = std::numeric_limits<Real>::quiet_NaN();
  CHECK(refused().starts_with("bad_argument: quantize: expected finite weights"));
}
