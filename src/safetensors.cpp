#include "safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>

#include "error.hpp"
#include "json.hpp"
#include "quant.hpp"
#include "tensor.hpp"

namespace glassbox {

static_assert(std::endian::native == std::endian::little, "tensors are copied as they lie in the file");

namespace {

constexpr std::size_t length_bytes = 8;                // the field before the header
constexpr std::uint64_t longest_header = 100'000'000;  // the format's own limit

[[noreturn]] void damaged(std::initializer_list<TextPart> message) { fail("bad_model", message); }

/// A name from a file for a message: whole code points, at most 100 bytes.
std::string shorten(std::string name) {
  constexpr std::size_t longest = 100;
  if (name.size() <= longest) return name;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  return name.substr(0, end) + "…";
}

// ---------------------------------------------------------------------------------------------------------
// Element types

/// Bytes of one element, 0 for an unknown dtype.
std::size_t element_size(std::string_view dtype) {
  constexpr std::pair<std::string_view, std::size_t> sizes[] = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"F8_E8M0", 1},
      {"U16", 2},  {"I16", 2}, {"F16", 2}, {"BF16", 2},    {"U32", 4},     {"I32", 4},
      {"F32", 4},  {"U64", 8}, {"I64", 8}, {"F64", 8},     {"C64", 8}};
  for (const auto& [name, size] : sizes) {
    if (name == dtype) return size;
  }
  return 0;
}

/// The binary32 with these bits (std::bit_cast, which the wasm toolchain's library lacks).
float float_from_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// IEEE 754 binary16: sign, 5 bits of exponent, 10 of fraction.
float float_from_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1f, fraction = half & 0x3ff;
  if (exponent == 0) {  // zero and the subnormals, multiples of 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 0x1f ? 0xff : exponent + (127 - 15);
  return float_from_bits(sign | wide << 23 | fraction << 13);
}

/// bfloat16 is the upper half of a binary32.
float float_from_bfloat(std::uint16_t bfloat) { return float_from_bits(std::uint32_t{bfloat} << 16); }

/// Converts n elements to Out (float or double); false for a dtype without a plain conversion.
template <class Out>
bool decode(std::string_view dtype, const std::byte* in, std::size_t n, Out* out) {
  const auto each = [&](auto stored, auto value) {
    for (std::size_t i = 0; i < n; ++i) {
      std::memcpy(&stored, in + i * sizeof stored, sizeof stored);  // the file aligns nothing
      out[i] = static_cast<Out>(value(stored));
    }
    return true;
  };
  const auto same = [](auto x) { return x; };
  if (dtype == "F32") return each(float{}, same);
  if (dtype == "F16") return each(std::uint16_t{}, float_from_half);
  if (dtype == "BF16") return each(std::uint16_t{}, float_from_bfloat);
  if (dtype == "F64") return each(double{}, same);
  if (dtype == "I8") return each(std::int8_t{}, same);
  if (dtype == "U8") return each(std::uint8_t{}, same);
  if (dtype == "BOOL") return each(std::uint8_t{}, [](std::uint8_t x) { return x != 0; });
  if (dtype == "I16") return each(std::int16_t{}, same);
  if (dtype == "U16") return each(std::uint16_t{}, same);
  if (dtype == "I32") return each(std::int32_t{}, same);
  if (dtype == "U32") return each(std::uint32_t{}, same);
  if (dtype == "I64") return each(std::int64_t{}, same);
  if (dtype == "U64") return each(std::uint64_t{}, same);
  return false;
}

/// The bytes of a tensor of this shape, or nothing when they are more than can be addressed.
std::optional<std::size_t> byte_size(const std::vector<std::size_t>& shape, std::size_t element) {
  std::size_t bytes = element;
  for (std::size_t n : shape) {
    if (n != 0 && bytes > SIZE_MAX / n) return std::nullopt;
    bytes *= n;
  }
  return bytes;
}

// ---------------------------------------------------------------------------------------------------------
// Header

/// The length that the file's first eight bytes state, checked against the file's size.
std::size_t header_length(std::string_view head, std::uint64_t file_size) {
  if (file_size < length_bytes || head.size() < length_bytes) {
    damaged(
        {"safetensors: expected at least 8 bytes, got ", std::min<std::uint64_t>(file_size, head.size())});
  }
  std::uint64_t length;
  std::memcpy(&length, head.data(), sizeof length);
  const std::uint64_t most = std::min(longest_header, file_size - length_bytes);
  if (length > most) {
    damaged({"safetensors: expected a header of at most ", most, " bytes, got ", length});
  }
  return static_cast<std::size_t>(length);
}

/// A JSON array of whole numbers, none of them negative or beyond this machine's addresses.
std::vector<std::size_t> read_sizes(const std::string& name, const Json& entry, const char* key) {
  const auto it = entry.find(key);
  if (it == entry.end() || !it->is_array()) {
    damaged({shorten(name), ": ", key, ": expected an array of whole numbers"});
  }
  std::vector<std::size_t> sizes;
  for (const Json& value : *it) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > SIZE_MAX) {
      damaged({shorten(name), ": ", key, ": expected whole numbers up to ", SIZE_MAX});
    }
    sizes.push_back(static_cast<std::size_t>(value.get<std::uint64_t>()));
  }
  return sizes;
}

TensorEntry read_entry(const std::string& name, const Json& json, std::size_t data_size) {
  if (!json.is_object()) damaged({shorten(name), ": expected an object"});
  TensorEntry entry;
  entry.name = name;
  const auto dtype = json.find("dtype");
  if (dtype == json.end() || !dtype->is_string()) damaged({shorten(name), ": dtype: expected a string"});
  entry.dtype = dtype->get<std::string>();
  const std::size_t element = element_size(entry.dtype);
  if (element == 0) damaged({shorten(name), ": unknown dtype ", shorten(entry.dtype)});

  entry.shape = read_sizes(name, json, "shape");
  constexpr std::size_t most_dimensions = 64;  // PyTorch's own limit; keeps messages short
  if (entry.shape.size() > most_dimensions) {
    damaged({shorten(name), ": expected at most 64 dimensions, got ", entry.shape.size()});
  }
  const std::vector<std::size_t> offsets = read_sizes(name, json, "data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_size) {
    damaged({shorten(name), ": data_offsets: expected begin ≤ end ≤ ", data_size});
  }
  entry.begin = offsets[0];
  entry.end = offsets[1];
  if (byte_size(entry.shape, element) != entry.end - entry.begin) {
    damaged({shorten(name), ": ", entry.end - entry.begin, " bytes don't hold ", shape_text(entry.shape),
             " of ", entry.dtype});
  }
  return entry;
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view head, std::uint64_t file_size) {
  const std::size_t length = header_length(head, file_size);
  if (head.size() - length_bytes < length) {
    damaged({"safetensors: expected a header of ", length, " bytes, got ", head.size() - length_bytes});
  }
  SafetensorsHeader header;
  header.data_start = length_bytes + length;
  if (file_size > SIZE_MAX) {
    fail("no_memory", {"safetensors: ", file_size, " bytes can't be addressed here"});
  }
  const std::size_t data_size = static_cast<std::size_t>(file_size) - header.data_start;

  const std::string_view text = head.substr(length_bytes, length);
  if (text.empty() || text.front() != '{') damaged({"safetensors: expected the header to be a JSON object"});
  const Json json = parse_json(text, "safetensors header", "bad_model");
  for (const auto& [name, value] : json.items()) {
    if (name != "__metadata__") {
      header.tensors.push_back(read_entry(name, value, data_size));
      continue;
    }
    if (!value.is_object()) damaged({"__metadata__: expected an object"});
    for (const auto& [key, entry] : value.items()) {
      if (!entry.is_string()) damaged({"__metadata__: ", shorten(key), ": expected a string"});
      header.metadata[key] = entry.get<std::string>();
    }
  }

  std::sort(header.tensors.begin(), header.tensors.end(), [](const TensorEntry& a, const TensorEntry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  std::size_t filled = 0;
  for (const TensorEntry& entry : header.tensors) {
    if (entry.begin != filled) {
      damaged({shorten(entry.name), ": expected its data at ", filled, ", got ", entry.begin,
               entry.begin < filled ? " (overlap)" : " (gap)"});
    }
    filled = entry.end;
  }
  if (filled != data_size) {
    damaged({"safetensors: expected ", filled, " bytes of data, got ", data_size});
  }
  return header;
}

// ---------------------------------------------------------------------------------------------------------
// GPT-2's parameters

namespace {

/// A parameter's name with the number of its block, if it has one, set apart: `h.12.ln_1.weight` is block 12
/// of the kind `h.*.ln_1.weight`.
struct ParameterName {
  std::string kind;
  std::optional<std::size_t> block;
};

ParameterName split_name(const std::string& name) {
  if (name.compare(0, 2, "h.") != 0) return {name, std::nullopt};
  std::size_t end = 2;
  while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
  const std::size_t digits = end - 2;
  // Just one spelling of each number, and none that could overflow.
  if (digits == 0 || digits > 8 || (digits > 1 && name[2] == '0')) return {name, std::nullopt};
  std::size_t block = 0;
  for (std::size_t i = 2; i < end; ++i) block = block * 10 + static_cast<std::size_t>(name[i] - '0');
  return {"h.*" + name.substr(end), block};
}

std::string join_name(const std::string& kind, std::size_t block) {
  return join({"h.", block, std::string_view(kind).substr(std::strlen("h.*"))});
}

bool is_block_kind(const std::string& kind) { return kind.compare(0, 4, "h.*.") == 0; }

/// Every kind of parameter with its shape. Sizes too large for their products are of no harm: no tensor in a
/// file that fits in memory has such a shape.
std::map<std::string, std::vector<std::size_t>> parameter_shapes(const Config& config) {
  const std::size_t V = config.vocab_size, P = config.n_positions, C = config.n_embd, F = config.n_inner;
  const struct {
    const char* kind;
    std::size_t dimensions, rows, columns;
  } kinds[] = {
      {"wte.weight", 2, V, C},
      {"wpe.weight", 2, P, C},
      {"h.*.ln_1.weight", 1, C, 0},
      {"h.*.ln_1.bias", 1, C, 0},
      {"h.*.attn.c_attn.weight", 2, C, 3 * C},
      {"h.*.attn.c_attn.bias", 1, 3 * C, 0},
      {"h.*.attn.c_proj.weight", 2, C, C},
      {"h.*.attn.c_proj.bias", 1, C, 0},
      {"h.*.ln_2.weight", 1, C, 0},
      {"h.*.ln_2.bias", 1, C, 0},
      {"h.*.mlp.c_fc.weight", 2, C, F},
      {"h.*.mlp.c_fc.bias", 1, F, 0},
      {"h.*.mlp.c_proj.weight", 2, F, C},
      {"h.*.mlp.c_proj.bias", 1, C, 0},
      {"ln_f.weight", 1, C, 0},
      {"ln_f.bias", 1, C, 0},
      {"lm_head.weight", 2, V, C},
  };
  std::map<std::string, std::vector<std::size_t>> shapes;
  for (const auto& [kind, dimensions, rows, columns] : kinds) {
    std::vector<std::size_t>& shape = shapes[kind];
    shape.push_back(rows);
    if (dimensions == 2) shape.push_back(columns);
  }
  return shapes;
}

bool is_mask_buffer(const std::string& kind) {
  return kind == "h.*.attn.bias" || kind == "h.*.attn.masked_bias";
}

// Our int8 files: metadata `glassbox.quant = "int8"`; a matrix NAME may be I8, with NAME.scale beside it.
constexpr const char* quant_key = "glassbox.quant";
constexpr const char* quant_value = "int8";
constexpr std::string_view scale_suffix = ".scale";

/// How the output channels of a matrix lie.
Channels channels_of(const std::string& kind) {
  return is_block_kind(kind) ? Channels::columns : Channels::rows;
}

/// The scales that a matrix of this kind and shape has.
std::vector<std::size_t> scale_shape(const std::string& kind, const std::vector<std::size_t>& shape) {
  return {channels_of(kind) == Channels::rows ? shape[0] : shape[1]};
}

using EntryByName = std::map<std::string, const TensorEntry*>;

/// Both by the parameter's name, without `transformer.` and `.scale`.
struct Parameters {
  EntryByName tensors;
  EntryByName scales;  // of the tensors that are I8
};

/// Throws unless every scale has an I8 matrix and every I8 matrix has a scale, in a file that says so.
void check_quantization(const SafetensorsHeader& header, const Parameters& parameters) {
  const auto stated = header.metadata.find(quant_key);
  if (stated != header.metadata.end() && stated->second != quant_value) {
    damaged({quant_key, ": expected ", quant_value, ", got ", shorten(stated->second)});
  }
  const auto is_int8 = [](const auto& named) {
    return named.second->dtype == "I8" && named.second->shape.size() == 2;
  };
  for (const auto& named : parameters.tensors) {
    if (!is_int8(named)) continue;
    if (stated == header.metadata.end()) {
      damaged({named.first, ": I8, but the metadata don't say ", quant_key, " = ", quant_value});
    }
    if (parameters.scales.count(named.first) == 0) {
      damaged({named.first, scale_suffix, ": missing"});
    }
  }
  for (const auto& [name, entry] : parameters.scales) {
    const auto found = parameters.tensors.find(name);
    if (found == parameters.tensors.end() || !is_int8(*found)) {
      damaged({name, scale_suffix, ": there is no I8 matrix ", name});
    }
  }
}

/// The parameters of a checkpoint. Throws unless each name is one of GPT-2's, every one is there, and none is
/// there twice.
Parameters find_parameters(const SafetensorsHeader& header) {
  const auto shapes = parameter_shapes({});
  Parameters found;
  EntryByName& parameters = found.tensors;
  std::size_t blocks = 0;
  for (const TensorEntry& entry : header.tensors) {
    constexpr std::string_view prefix = "transformer.";
    const bool prefixed = entry.name.compare(0, prefix.size(), prefix) == 0;
    std::string name = prefixed ? entry.name.substr(prefix.size()) : entry.name;
    const bool is_scale =
        name.size() > scale_suffix.size() &&
        name.compare(name.size() - scale_suffix.size(), scale_suffix.size(), scale_suffix) == 0;
    if (is_scale) name.resize(name.size() - scale_suffix.size());
    const ParameterName parts = split_name(name);
    if (parts.block && is_mask_buffer(parts.kind) && !is_scale) continue;
    if (is_block_kind(parts.kind) != parts.block.has_value() || shapes.count(parts.kind) == 0) {
      fail("unsupported_model", {shorten(entry.name), ": GPT-2 has no such parameter"});
    }
    if (!(is_scale ? found.scales : parameters).emplace(name, &entry).second) {
      damaged({name, is_scale ? scale_suffix : std::string_view(),
               ": stands twice, with and without \"transformer.\""});
    }
    if (parts.block && !is_scale) blocks = std::max(blocks, *parts.block + 1);
  }

  const auto expect = [&](const std::string& name) {
    if (parameters.count(name) == 0) damaged({name, ": missing"});
  };
  for (const auto& [kind, shape] : shapes) {
    if (!is_block_kind(kind) && kind != "lm_head.weight") expect(kind);
  }
  // The first gap in the numbers ends this, so that a huge number costs no more than the file has tensors.
  for (std::size_t block = 0; block < std::max<std::size_t>(blocks, 1); ++block) {
    for (const auto& [kind, shape] : shapes) {
      if (is_block_kind(kind)) expect(join_name(kind, block));
    }
  }
  check_quantization(header, found);
  return found;
}

/// The config that the shapes and config.json give together. Throws unless they agree and the engine can run
/// it.
Config find_config(const Parameters& found, const StatedConfig& stated, bool tied) {
  const EntryByName& parameters = found.tensors;
  const auto dimension = [&](const char* name, std::size_t axis) {
    const std::vector<std::size_t>& shape = parameters.at(name)->shape;
    if (shape.size() != 2) damaged({name, ": expected 2 dimensions, got ", shape_text(shape)});
    return shape[axis];
  };
  std::size_t blocks = 0;
  for (const auto& [name, entry] : parameters) blocks += split_name(name).kind == "h.*.ln_1.weight";

  Config config;
  config.vocab_size = stated.vocab_size.value_or(dimension("wte.weight", 0));
  config.n_positions = stated.n_positions.value_or(dimension("wpe.weight", 0));
  config.n_embd = stated.n_embd.value_or(dimension("wte.weight", 1));
  config.n_inner = stated.n_inner.value_or(dimension("h.0.mlp.c_fc.weight", 1));
  config.n_layer = stated.n_layer.value_or(blocks);
  config.layer_norm_epsilon = stated.layer_norm_epsilon.value_or(1e-5f);
  config.tie_word_embeddings = tied;

  const auto shapes = parameter_shapes(config);
  const auto check_shape = [&](const std::string& name, const TensorEntry& entry) {
    const std::vector<std::size_t>& expected = shapes.at(split_name(name).kind);
    if (entry.shape != expected) {
      damaged({name, ": expected ", shape_text(expected), ", got ", shape_text(entry.shape)});
    }
  };
  // These first: when config.json states another width, every parameter differs, and wte says it plainest.
  for (const char* name : {"wte.weight", "wpe.weight"}) check_shape(name, *parameters.at(name));
  for (const auto& [name, entry] : parameters) {
    check_shape(name, *entry);
    const bool is_float = entry->dtype == "F32" || entry->dtype == "F16" || entry->dtype == "BF16";
    if (!is_float && !(entry->dtype == "I8" && entry->shape.size() == 2)) {
      damaged({name, ": expected F32, F16 or BF16, got ", entry->dtype});
    }
  }
  for (const auto& [name, entry] : found.scales) {
    const std::string scale_name = name + std::string(scale_suffix);
    const std::string kind = split_name(name).kind;
    const std::vector<std::size_t> expected = scale_shape(kind, shapes.at(kind));
    if (entry->shape != expected) {
      damaged({scale_name, ": expected ", shape_text(expected), ", got ", shape_text(entry->shape)});
    }
    if (entry->dtype != "F32") damaged({scale_name, ": expected F32, got ", entry->dtype});
  }
  if (config.n_layer != blocks) {
    damaged({"n_layer: expected ", config.n_layer, ", got ", blocks});
  }

  constexpr std::size_t usual_head_size = 64;  // in all of OpenAI's GPT-2
  if (!stated.n_head && config.n_embd % usual_head_size != 0) {
    fail("unsupported_model", {"n_head: not stated, and width ", config.n_embd, " is no multiple of 64"});
  }
  config.n_head = stated.n_head.value_or(config.n_embd / usual_head_size);
  check_config(config);
  return config;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------
// Reading a checkpoint piece by piece

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

std::vector<std::pair<TensorEntry, std::vector<float>>> read_tensors(std::span<const std::byte> file) {
  const std::string_view head(reinterpret_cast<const char*>(file.data()), file.size());
  const SafetensorsHeader header = parse_safetensors_header(head, file.size());
  std::vector<std::pair<TensorEntry, std::vector<float>>> tensors;
  for (const TensorEntry& entry : header.tensors) {
    std::vector<float> values((entry.end - entry.begin) / element_size(entry.dtype));
    if (!decode(entry.dtype, file.data() + header.data_start + entry.begin, values.size(), values.data())) {
      damaged({shorten(entry.name), ": ", entry.dtype, " has no conversion to F32"});
    }
    tensors.emplace_back(entry, std::move(values));
  }
  return tensors;
}

// ---------------------------------------------------------------------------------------------------------
// Writing

namespace {

std::string array_text(const std::vector<std::size_t>& numbers) {
  std::string text = "[";
  for (std::size_t n : numbers) text += (text.size() > 1 ? "," : "") + std::to_string(n);
  return text + "]";
}

}  // namespace

std::vector<std::byte> write_tensors(const std::vector<TensorBytes>& tensors,
                                     const std::map<std::string, std::string>& metadata) {
  std::string header = "{";
  const auto add = [&](const std::string& key, const std::string& value) {
    header += (header.size() > 1 ? "," : "") + quote_json(key) + ":" + value;
  };
  if (!metadata.empty()) {
    std::string entries;
    for (const auto& [key, value] : metadata) {
      entries += (entries.empty() ? "" : ",") + quote_json(key) + ":" + quote_json(value);
    }
    add("__metadata__", "{" + entries + "}");
  }
  std::size_t data_size = 0;
  for (const TensorBytes& tensor : tensors) {
    const std::size_t element = element_size(tensor.dtype);
    if (element == 0 || byte_size(tensor.shape, element) != tensor.bytes.size()) {
      fail("bad_shape", {tensor.name, ": ", tensor.bytes.size(), " bytes don't hold ",
                         shape_text(tensor.shape), " of ", tensor.dtype});
    }
    const std::size_t end = data_size + tensor.bytes.size();
    add(tensor.name, "{\"dtype\":" + quote_json(tensor.dtype) + ",\"shape\":" + array_text(tensor.shape) +
                         ",\"data_offsets\":" + array_text({data_size, end}) + "}");
    data_size = end;
  }
  header += "}";
  parse_json(header, "safetensors header", "bad_argument");  // finds names that stand twice, and broken UTF-8
  while (header.size() % 8 != 0) header += ' ';

  std::vector<std::byte> file;
  file.reserve(length_bytes + header.size() + data_size);
  const auto append = [&](std::span<const std::byte> bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
  };
  const std::uint64_t length = header.size();
  append(std::as_bytes(std::span(&length, 1)));
  append(std::as_bytes(std::span(header)));
  for (const TensorBytes& tensor : tensors) append(tensor.bytes);
  return file;
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
