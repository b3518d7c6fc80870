// Feeds damaged checkpoints to the readers: only Error may come out, and what reads must survive being
// written.
//
//   clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -ffp-contract=off -Isrc
//     tests/fuzz/checkpoint_fuzz.cpp src/{safetensors,quant,config,weights,json}.cpp -o checkpoint_fuzz
//   ./checkpoint_fuzz -max_total_time=60 -rss_limit_mb=1024
//
// The first byte of an input chooses what the rest is: a config.json, a whole file, a header to which length
// and data are added, or changes to a sound checkpoint (F32 or int8), which reach further than random bytes
// do.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "checkpoint.hpp"
#include "config.hpp"
#include "error.hpp"
#include "safetensors.hpp"

using namespace glassbox;

namespace {

constexpr const char* tiny_config = R"({"n_head": 1})";

std::string sound_checkpoint(bool int8) {
  Config config;
  config.vocab_size = 3;
  config.n_positions = 2;
  config.n_embd = 2;
  config.n_head = 1;
  config.n_layer = 1;
  config.n_inner = 3;
  config.tie_word_embeddings = false;
  Weights weights = make_weights(config);
  Real next = -2;
  for_each_parameter(weights, [&](const std::string&, auto& tensor) {
    for (Real& x : tensor) x = next += Real(0.125);
  });
  const std::vector<std::byte> file = int8 ? write_int8_checkpoint(config, weights, {{"a", "b"}})
                                           : write_checkpoint(config, weights, {{"a", "b"}});
  return {reinterpret_cast<const char*>(file.data()), file.size()};
}

std::string with_length(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return file + header + data;
}

/// Zeros for every byte that the header places, as long as that is little.
std::string data_for(const std::string& header) {
  std::size_t size = 0;
  for (std::size_t at = 0; (at = header.find_first_of("0123456789", at)) != std::string::npos;) {
    const unsigned long long number = std::strtoull(header.c_str() + at, nullptr, 10);
    if (number <= 4096) size = std::max(size, static_cast<std::size_t>(number));
    at = header.find_first_not_of("0123456789", at);
  }
  return std::string(size, '\0');
}

/// A sound checkpoint with a few places overwritten, each by three bytes of the input: where, and with what.
/// Two bytes that are left over cut its end off.
std::string damaged_checkpoint(bool int8, const std::uint8_t* data, std::size_t size) {
  std::string file = sound_checkpoint(int8);
  for (; size >= 3; data += 3, size -= 3) {
    file[(data[0] | data[1] << 8) % file.size()] = static_cast<char>(data[2]);
  }
  if (size == 2) file.resize(file.size() - std::min<std::size_t>(file.size(), data[1]));
  return file;
}

bool same(const Weights& a, const Weights& b) {
  std::vector<Real> numbers[2];
  int i = 0;
  for (const Weights* weights : {&a, &b}) {
    for_each_parameter(*weights, [&](const std::string&, const auto& tensor) {
      numbers[i].insert(numbers[i].end(), tensor.begin(), tensor.end());
    });
    ++i;
  }
  return numbers[0] == numbers[1];
}

void read(const std::string& file, std::optional<std::string_view> config_json, std::size_t piece) {
  try {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(file));
    CheckpointReader reader(file.size(), config_json);
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.feed(bytes.subspan(at, std::min(piece, bytes.size() - at)));
    }
    const auto [config, weights] = reader.take();
    const std::vector<std::byte> written = write_checkpoint(config, weights);
    const auto [again_config, again] = read_checkpoint(written, write_config(config));
    if (!same(weights, again) || config.tie_word_embeddings != again_config.tie_word_embeddings) std::abort();
    const std::vector<std::byte> int8 = write_int8_checkpoint(config, weights);
    if (read_checkpoint(int8, write_config(config)).first.n_layer != config.n_layer) std::abort();
  } catch (const Error&) {
  }
}

void read_all(const std::string& file) {
  try {
    read_tensors(std::as_bytes(std::span(file)));
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t piece = data[1] + std::size_t{1};
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  std::string file;
  const bool int8 = data[0] & 0x80;
  switch (data[0] % 4) {
    case 0:
      read(sound_checkpoint(int8), text, piece);
      return 0;
    case 1:
      file = text;
      break;
    case 2:
      file = with_length(text, data_for(text));
      break;
    default:
      file = damaged_checkpoint(int8, data + 2, size - 2);
      break;
  }
  read_all(file);
  read(file, std::nullopt, piece);
  read(file, tiny_config, piece);
  return 0;
}
