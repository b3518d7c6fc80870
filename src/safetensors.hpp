#pragma once
// Safetensors files, whatever tensors they hold. A file is eight bytes with the header's length, a JSON
// header that gives each tensor's type, shape and place, and the tensors' bytes end to end, all
// little-endian. Source: the format's description at https://github.com/huggingface/safetensors.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text.hpp"

namespace glassbox {

struct TensorEntry {
  std::string name;
  std::string dtype;               ///< as the format writes it: "F32", "F16", "BF16", "I8", …
  std::vector<std::size_t> shape;  ///< empty for a single number
  std::size_t begin, end;          ///< its bytes within the data section
};

struct SafetensorsHeader {
  std::vector<TensorEntry> tensors;  ///< in the order of the data section, which they fill without gaps
  std::map<std::string, std::string> metadata;
  std::size_t data_start;  ///< where the data section begins in the file, in bytes
};

/// Reads and checks the header. `head` is the beginning of the file, at least its length field and header;
/// `file_size` is the size of the whole file in bytes. Throws Error `bad_model` unless the header is at most
/// 100 MB of sound JSON, every dtype is known, every byte range is as long as shape and dtype ask for, and
/// the ranges fill the data section without overlap or gap; `no_memory` for a file beyond this machine's
/// addresses.
SafetensorsHeader parse_safetensors_header(std::string_view head, std::uint64_t file_size);

/// All tensors of any safetensors file, each as floats; I8 as whole numbers, scales beside them. Throws Error
/// `bad_model` for a damaged file or for a dtype without a plain conversion (8-bit floats, complex numbers).
std::vector<std::pair<TensorEntry, std::vector<float>>> read_tensors(std::span<const std::byte> file);

/// A tensor to be written, its bytes being encoded already.
struct TensorBytes {
  std::string name;
  std::string dtype;
  std::vector<std::size_t> shape;
  std::span<const std::byte> bytes;  ///< row-major, little-endian
};

/// A safetensors file of these tensors in this order, its data section at a multiple of 8 bytes. Throws Error
/// `bad_shape` when a tensor's bytes don't fit its dtype and shape, `bad_argument` for a name that stands
/// twice or text that is not UTF-8.
std::vector<std::byte> write_tensors(const std::vector<TensorBytes>& tensors,
                                     const std::map<std::string, std::string>& metadata = {});

// What a reader of a file that comes in pieces needs beside the header.

inline constexpr std::size_t length_bytes = 8;  ///< the field before the header

/// The header's length in bytes, which the file's first eight bytes state. Throws Error `bad_model` when the
/// file can't have such a header.
std::size_t header_length(std::string_view head, std::uint64_t file_size);

/// Bytes of one element, 0 for an unknown dtype.
std::size_t element_size(std::string_view dtype);

/// Converts n elements to Out (float or double); false for a dtype without a plain conversion.
template <class Out>
bool decode(std::string_view dtype, const std::byte* in, std::size_t n, Out* out);

/// Throws Error `bad_model` with a message of these parts.
[[noreturn]] void damaged(std::initializer_list<TextPart> message);

/// A name from a file for a message: whole code points, at most 100 bytes.
std::string shorten(std::string name);

}  // namespace glassbox
