#pragma once
// GPT-2's parameters as a safetensors file holds them: their names, their shapes and, in int8, their scales.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "quant.hpp"
#include "safetensors.hpp"

namespace glassbox {

/// A parameter's name with the number of its block, if it has one, set apart: `h.12.ln_1.weight` is block 12
/// of the kind `h.*.ln_1.weight`.
struct ParameterName {
  std::string kind;
  std::optional<std::size_t> block;
};

ParameterName split_name(const std::string& name);

/// Every kind of parameter with its shape. Sizes too large for their products are of no harm: no tensor in a
/// file that fits in memory has such a shape.
std::map<std::string, std::vector<std::size_t>> parameter_shapes(const Config& config);

// Our int8 files: metadata `glassbox.quant = "int8"`; a matrix NAME may be I8, with NAME.scale beside it.
inline constexpr const char* quant_key = "glassbox.quant";
inline constexpr const char* quant_value = "int8";
inline constexpr std::string_view scale_suffix = ".scale";

/// How the output channels of a matrix lie.
Channels channels_of(const std::string& kind);

/// The scales that a matrix of this kind and shape has.
std::vector<std::size_t> scale_shape(const std::string& kind, const std::vector<std::size_t>& shape);

using EntryByName = std::map<std::string, const TensorEntry*>;

/// Both by the parameter's name, without `transformer.` and `.scale`. Refers to the header's entries.
struct Parameters {
  EntryByName tensors;
  EntryByName scales;  ///< of the tensors that are I8
};

/// The parameters of a checkpoint. Throws Error `unsupported_model` unless each name is one of GPT-2's,
/// `bad_model` unless every one is there, none twice, and scales just where there are I8 matrices.
Parameters find_parameters(const SafetensorsHeader& header);

/// The config that the shapes and config.json give together. Throws Error `bad_model` unless they agree,
/// `unsupported_model` unless the engine can run it.
Config find_config(const Parameters& found, const StatedConfig& stated, bool tied);

}  // namespace glassbox
