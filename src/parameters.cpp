#include "parameters.hpp"

#include <algorithm>
#include <cstring>

#include "error.hpp"
#include "tensor.hpp"
#include "text.hpp"

namespace glassbox {

ParameterName split_name(const std::string& name) {
  if (!name.starts_with("h.")) return {name, std::nullopt};
  std::size_t end = 2;
  while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
  const std::size_t digits = end - 2;
  // Just one spelling of each number, and none that could overflow.
  if (digits == 0 || digits > 8 || (digits > 1 && name[2] == '0')) return {name, std::nullopt};
  std::size_t block = 0;
  for (std::size_t i = 2; i < end; ++i) block = block * 10 + static_cast<std::size_t>(name[i] - '0');
  return {"h.*" + name.substr(end), block};
}

namespace {

std::string join_name(const std::string& kind, std::size_t block) {
  return join({"h.", block, std::string_view(kind).substr(std::strlen("h.*"))});
}

bool is_block_kind(const std::string& kind) { return kind.starts_with("h.*."); }

bool is_mask_buffer(const std::string& kind) {
  return kind == "h.*.attn.bias" || kind == "h.*.attn.masked_bias";
}

}  // namespace

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

Channels channels_of(const std::string& kind) {
  return is_block_kind(kind) ? Channels::columns : Channels::rows;
}

std::vector<std::size_t> scale_shape(const std::string& kind, const std::vector<std::size_t>& shape) {
  return {channels_of(kind) == Channels::rows ? shape[0] : shape[1]};
}

namespace {

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

}  // namespace

Parameters find_parameters(const SafetensorsHeader& header) {
  const auto shapes = parameter_shapes({});
  Parameters found;
  EntryByName& parameters = found.tensors;
  std::size_t blocks = 0;
  for (const TensorEntry& entry : header.tensors) {
    constexpr std::string_view prefix = "transformer.";
    const bool prefixed = entry.name.starts_with(prefix);
    std::string name = prefixed ? entry.name.substr(prefix.size()) : entry.name;
    const bool is_scale = name.ends_with(scale_suffix);
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

}  // namespace glassbox
