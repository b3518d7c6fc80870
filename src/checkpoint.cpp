#include "checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <type_traits>

#include "error.hpp"
#include "parameters.hpp"
#include "quant.hpp"
#include "safetensors.hpp"
#include "tensor.hpp"

namespace glassbox {

struct CheckpointReader::State {
  /// A tensor of the file and where its numbers go; skipped when they go nowhere.
  struct Slot {
    TensorEntry entry;
    Vector* vector = nullptr;
    Matrix* matrix = nullptr;
    bool is_scale = false;
  };
  /// An I8 matrix, which holds the file's whole numbers until its scales are there too.
  struct Quantized {
    Matrix* values;
    Vector scales;
    Channels channels;
  };

  std::uint64_t file_size;
  StatedConfig stated;
  std::string head;  // what has come of length field and header, until the header is complete
  std::map<std::string, std::string> metadata;
  bool has_header = false;
  bool failed = false;  // an error was thrown, or the model has been taken
  Config config;
  Weights weights;
  std::vector<Quantized> quantized;
  std::vector<Slot> slots;    // in the order of the data section
  std::size_t current = 0;    // the slot whose bytes come next
  std::size_t position = 0;   // how much of the data section has come
  std::size_t data_size = 0;  // bytes
  std::byte carried[8] = {};  // the beginning of an element that the last chunk cut in two

  void feed(std::span<const std::byte> chunk);
  std::size_t feed_head(std::span<const std::byte> chunk);
  void plan(const SafetensorsHeader& header);
  void fill(const Slot& slot, std::span<const std::byte> bytes);
  bool complete() const { return !failed && has_header && position == data_size; }
};

/// Takes bytes until the header is complete; returns how many.
std::size_t CheckpointReader::State::feed_head(std::span<const std::byte> chunk) {
  std::size_t taken = 0;
  const auto take_until = [&](std::size_t size) {
    const std::size_t n = std::min(size - head.size(), chunk.size() - taken);
    head.append(reinterpret_cast<const char*>(chunk.data()) + taken, n);
    taken += n;
    return head.size() == size;
  };
  if (head.size() < length_bytes && !take_until(length_bytes)) return taken;
  if (!take_until(length_bytes + header_length(head, file_size))) return taken;
  SafetensorsHeader header = parse_safetensors_header(head, file_size);
  plan(header);
  metadata.swap(header.metadata);
  has_header = true;
  std::string().swap(head);
  return taken;
}

/// Decides from the header where each tensor's numbers go. Allocates no parameter yet.
void CheckpointReader::State::plan(const SafetensorsHeader& header) {
  const Parameters parameters = find_parameters(header);
  const auto own = header.metadata.find(config_metadata);
  if (own != header.metadata.end()) stated = parse_config(own->second);
  const bool has_head = parameters.tensors.count("lm_head.weight") != 0;
  if (!has_head && stated.tie_word_embeddings == false) {
    damaged({"lm_head.weight: missing, and config.json says that it is not tied to wte"});
  }
  // When config.json is silent, take() decides from the values: an lm_head.weight that repeats wte is how
  // some tools save a tied model.
  config = find_config(parameters, stated, !has_head || stated.tie_word_embeddings == true);

  std::map<const TensorEntry*, Slot> targets;
  quantized.reserve(parameters.scales.size());  // slots point into it
  const auto set_target = [&](const std::string& name, auto& tensor) {
    const TensorEntry* entry = parameters.tensors.at(name);
    Slot slot{*entry};
    if constexpr (std::is_same_v<decltype(tensor), Vector&>) {
      slot.vector = &tensor;
    } else {
      slot.matrix = &tensor;
      if (const auto scale = parameters.scales.find(name); scale != parameters.scales.end()) {
        quantized.push_back({&tensor, Vector(), channels_of(split_name(name).kind)});
        targets.emplace(scale->second, Slot{*scale->second, &quantized.back().scales, nullptr, true});
      }
    }
    targets.emplace(entry, std::move(slot));
  };
  weights.h.resize(config.n_layer);
  for_each_parameter(weights, set_target);
  if (!config.tie_word_embeddings) set_target("lm_head.weight", weights.lm_head);
  for (const TensorEntry& entry : header.tensors) {
    const auto it = targets.find(&entry);
    slots.push_back(it != targets.end() ? std::move(it->second) : Slot{entry});
    data_size = entry.end;
  }
}

/// Converts the next bytes of one tensor.
void CheckpointReader::State::fill(const Slot& slot, std::span<const std::byte> bytes) {
  if (slot.vector == nullptr && slot.matrix == nullptr) return;
  const TensorEntry& entry = slot.entry;
  // A tensor gets its memory when its first bytes are here, whatever sizes a header may claim.
  if (position == entry.begin) {
    try {
      if (slot.vector != nullptr) slot.vector->resize({entry.shape[0]});
      if (slot.matrix != nullptr) slot.matrix->resize({entry.shape[0], entry.shape[1]});
    } catch (const std::bad_alloc&) {
      fail("no_memory", {shorten(entry.name), ": no memory for ", shape_text(entry.shape)});
    }
  }
  const std::size_t width = element_size(entry.dtype);
  Real* const values = slot.vector != nullptr ? slot.vector->data() : slot.matrix->data();
  Real* out = values + (position - entry.begin) / width;
  const auto convert = [&](const std::byte* in, std::size_t n) {
    decode(entry.dtype, in, n, out);
    if (!std::all_of(out, out + n, [](Real x) { return std::isfinite(x); })) {
      damaged({shorten(entry.name), ": holds a number that is not finite"});
    }
    constexpr Real largest_scale = Real(0x1p120);  // its products with an I8 are finite
    if (slot.is_scale && !std::all_of(out, out + n, [](Real x) { return x >= 0 && x <= largest_scale; })) {
      damaged({shorten(entry.name), ": holds a scale that is negative or beyond 2^120"});
    }
    out += n;
  };

  const std::size_t held = (position - entry.begin) % width;
  if (held != 0) {
    const std::size_t n = std::min(width - held, bytes.size());
    std::memcpy(carried + held, bytes.data(), n);
    bytes = bytes.subspan(n);
    if (held + n < width) return;
    convert(carried, 1);
  }
  const std::size_t whole = bytes.size() / width;
  convert(bytes.data(), whole);
  const std::span<const std::byte> rest = bytes.subspan(whole * width);
  if (!rest.empty()) std::memcpy(carried, rest.data(), rest.size());
}

void CheckpointReader::State::feed(std::span<const std::byte> chunk) {
  if (!has_header) chunk = chunk.subspan(feed_head(chunk));
  while (has_header && position < data_size && !chunk.empty()) {
    const Slot& slot = slots[current];
    const std::size_t n = std::min(slot.entry.end - position, chunk.size());
    if (n != 0) fill(slot, chunk.first(n));
    position += n;
    chunk = chunk.subspan(n);
    if (position == slot.entry.end) ++current;
  }
  if (!chunk.empty()) damaged({"safetensors: more bytes than the file's size ", file_size});
}

CheckpointReader::CheckpointReader(std::uint64_t file_size, std::optional<std::string_view> config_json)
    : state_(std::make_unique<State>()) {
  if (file_size < length_bytes) {
    damaged({"safetensors: expected at least 8 bytes, got ", file_size});
  }
  state_->file_size = file_size;
  if (config_json) state_->stated = parse_config(*config_json);
}

CheckpointReader::~CheckpointReader() = default;
CheckpointReader::CheckpointReader(CheckpointReader&&) noexcept = default;
CheckpointReader& CheckpointReader::operator=(CheckpointReader&&) noexcept = default;

void CheckpointReader::feed(std::span<const std::byte> chunk) {
  if (state_->failed) damaged({"safetensors: the reader has failed before, or its model has been taken"});
  state_->failed = true;  // unless the end of this function is reached
  state_->feed(chunk);
  state_->failed = false;
}

bool CheckpointReader::complete() const { return state_->complete(); }

const std::map<std::string, std::string>& CheckpointReader::metadata() const { return state_->metadata; }

std::pair<Config, Weights> CheckpointReader::take() {
  State& state = *state_;
  if (!state.complete()) {
    damaged({"safetensors: expected ", state.file_size, " bytes, but the file is incomplete"});
  }
  state.failed = true;
  for (const State::Quantized& matrix : state.quantized) {
    apply_scales(*matrix.values, matrix.scales, matrix.channels);
  }
  Weights& weights = state.weights;
  if (!state.config.tie_word_embeddings && !state.stated.tie_word_embeddings &&
      std::equal(weights.wte.begin(), weights.wte.end(), weights.lm_head.begin(), weights.lm_head.end())) {
    state.config.tie_word_embeddings = true;
    weights.lm_head = Matrix();
  }
  return {state.config, std::move(weights)};
}

std::pair<Config, Weights> read_checkpoint(std::span<const std::byte> file,
                                           std::optional<std::string_view> config_json) {
  CheckpointReader reader(file.size(), config_json);
  reader.feed(file);
  return reader.take();
}

namespace {

/// Visits every parameter in checkpoint order as visit(name, kind, shape, tensor). Throws Error `bad_shape`
/// unless the weights have the config's shapes.
template <class Visit>
void for_each_checked(const Config& config, const Weights& weights, const Visit& visit) {
  const auto shapes = parameter_shapes(config);
  if (weights.h.size() != config.n_layer || (weights.lm_head.size() == 0) != config.tie_word_embeddings) {
    fail("bad_shape", {"write_checkpoint: expected ", config.n_layer, " blocks, ",
                       config.tie_word_embeddings ? "no lm_head" : "an lm_head", ", got ", weights.h.size(),
                       " blocks, ", weights.lm_head.size() == 0 ? "no lm_head" : "an lm_head"});
  }
  for_each_parameter(weights, [&](const std::string& name, const auto& tensor) {
    const std::vector<std::size_t> shape(tensor.shape().begin(), tensor.shape().end());
    const std::string kind = split_name(name).kind;
    const std::vector<std::size_t>& expected = shapes.at(kind);
    if (shape != expected) {
      fail("bad_shape", {name, ": expected ", shape_text(expected), ", got ", shape_text(tensor.shape())});
    }
    visit(name, kind, shape, tensor);
  });
}

/// The bytes of tensors as F32, rounded copies being kept only where Real is double.
class FloatBytes {
 public:
  template <class Tensor>
  std::span<const std::byte> operator()(const Tensor& tensor) {
    if constexpr (std::is_same_v<Real, float>) {
      return std::as_bytes(std::span(tensor.data(), tensor.size()));
    } else {
      rounded_.emplace_back(tensor.begin(), tensor.end());
      return std::as_bytes(std::span(rounded_.back()));
    }
  }

 private:
  std::vector<std::vector<float>> rounded_;
};

}  // namespace

std::vector<std::byte> write_checkpoint(const Config& config, const Weights& weights,
                                        const std::map<std::string, std::string>& metadata) {
  std::vector<TensorBytes> tensors;
  FloatBytes float_bytes;
  for_each_checked(config, weights,
                   [&](const std::string& name, const std::string&, const auto& shape, const auto& tensor) {
                     tensors.push_back({name, "F32", shape, float_bytes(tensor)});
                   });
  return write_tensors(tensors, metadata);
}

std::vector<std::byte> write_model(const Config& config, const Weights& weights,
                                   const std::string& vocab_json, const std::string& merges_txt) {
  return write_checkpoint(
      config, weights,
      {{config_metadata, write_config(config)}, {vocab_metadata, vocab_json}, {merges_metadata, merges_txt}});
}

std::vector<std::byte> write_int8_checkpoint(const Config& config, const Weights& weights,
                                             std::map<std::string, std::string> metadata) {
  metadata[quant_key] = quant_value;
  std::vector<TensorBytes> tensors;
  FloatBytes float_bytes;
  std::vector<QuantizedMatrix> quantized;  // moving one leaves its bytes where they are
  for_each_checked(
      config, weights,
      [&](const std::string& name, const std::string& kind, const auto& shape, const auto& tensor) {
        if constexpr (std::is_same_v<decltype(tensor), const Vector&>) {
          tensors.push_back({name, "F32", shape, float_bytes(tensor)});
        } else {
          quantized.push_back(quantize(tensor, channels_of(kind)));
          const QuantizedMatrix& matrix = quantized.back();
          tensors.push_back({name, "I8", shape, std::as_bytes(std::span(matrix.values))});
          tensors.push_back({name + std::string(scale_suffix), "F32", scale_shape(kind, shape),
                             std::as_bytes(std::span(matrix.scales))});
        }
      });
  return write_tensors(tensors, metadata);
}

}  // namespace glassbox
