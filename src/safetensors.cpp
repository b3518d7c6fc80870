#include "safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <tuple>

#include "error.hpp"
#include "json.hpp"
#include "tensor.hpp"

namespace glassbox {

static_assert(std::endian::native == std::endian::little, "tensors are copied as they lie in the file");

constexpr std::uint64_t longest_header = 100'000'000;  // the format's own limit

void damaged(std::initializer_list<TextPart> message) { fail("bad_model", message); }

std::string shorten(std::string name) {
  constexpr std::size_t longest = 100;
  if (name.size() <= longest) return name;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  return name.substr(0, end) + "…";
}

// ---------------------------------------------------------------------------------------------------------
// Element types

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

namespace {

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

/// The bytes of a tensor of this shape, or nothing when they are more than can be addressed.
std::optional<std::size_t> byte_size(const std::vector<std::size_t>& shape, std::size_t element) {
  std::size_t bytes = element;
  for (std::size_t n : shape) {
    if (n != 0 && bytes > SIZE_MAX / n) return std::nullopt;
    bytes *= n;
  }
  return bytes;
}

}  // namespace

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

template bool decode(std::string_view, const std::byte*, std::size_t, float*);

// ---------------------------------------------------------------------------------------------------------
// Header

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

namespace {

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

}  // namespace glassbox
