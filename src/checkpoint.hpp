#pragma once
// GPT-2 checkpoints in safetensors files, read and written, in floats and in int8.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config.hpp"
#include "weights.hpp"

namespace glassbox {

/// Where the metadata of a self-contained file hold the texts of its config.json, vocab.json and merges.txt.
inline constexpr const char* config_metadata = "glassbox.config";
inline constexpr const char* vocab_metadata = "glassbox.vocab";
inline constexpr const char* merges_metadata = "glassbox.merges";

/// Reads a Hugging Face GPT-2 checkpoint that arrives in pieces of any size. Each parameter is converted to
/// Real as its bytes come in, so that the file itself is never held in memory.
///
/// Sizes come from the shapes, and must be those of config.json where it states them. Without config.json
/// heads are 64 wide and epsilon is 1e-5. Names may begin with `transformer.`; the mask buffers
/// `h.N.attn.bias` and `h.N.attn.masked_bias` of old checkpoints are skipped. The output head is tied to
/// `wte` when there is no `lm_head.weight`, when config.json says so (an `lm_head.weight` is then skipped, as
/// by Hugging Face), or when config.json is silent and `lm_head.weight` equals `wte.weight`.
///
/// In a file whose metadata say `glassbox.quant = "int8"`, a matrix NAME may be I8; its scales are the tensor
/// NAME.scale (F32), one for each output channel: rows of `wte`, `wpe` and `lm_head`, columns of all others.
/// Either may come first.
///
/// A self-contained file has the text of its config.json in its metadata as `glassbox.config`, which counts
/// before one from elsewhere, and its tokenizer's files as `glassbox.vocab` and `glassbox.merges`.
class CheckpointReader {
 public:
  /// `file_size` in bytes; `config_json` is the text of config.json, if there is one. Throws what
  /// parse_config throws, and `bad_model` for a file too short to be one.
  CheckpointReader(std::uint64_t file_size, std::optional<std::string_view> config_json);
  ~CheckpointReader();
  CheckpointReader(CheckpointReader&&) noexcept;
  CheckpointReader& operator=(CheckpointReader&&) noexcept;

  /// Takes the file's next bytes. Throws Error `bad_model` when the file is damaged (a parameter missing,
  /// twice, of wrong shape or type, not finite; see also parse_safetensors_header), `unsupported_model` when
  /// it holds another model than GPT-2 (naming the tensor), `no_memory`. After an error the reader is of no
  /// more use.
  void feed(std::span<const std::byte> chunk);

  /// Whether the whole file has been fed.
  bool complete() const;

  /// The header's, once it has come.
  const std::map<std::string, std::string>& metadata() const;

  /// Hands the model over, once. Throws Error `bad_model` when the file is not complete.
  std::pair<Config, Weights> take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a whole checkpoint at once; throws what CheckpointReader throws.
std::pair<Config, Weights> read_checkpoint(std::span<const std::byte> file,
                                           std::optional<std::string_view> config_json);

/// A checkpoint in F32 with Hugging Face's names, without prefix, weights (in, out). The number of heads and
/// epsilon have no place in it: they are in write_config's text. Throws Error `bad_shape` when the weights
/// don't have the config's shapes, `bad_argument` for metadata that is not UTF-8.
std::vector<std::byte> write_checkpoint(const Config& config, const Weights& weights,
                                        const std::map<std::string, std::string>& metadata = {});

/// A self-contained file: write_checkpoint with the config and the texts of the tokenizer's two files in its
/// metadata.
std::vector<std::byte> write_model(const Config& config, const Weights& weights,
                                   const std::string& vocab_json, const std::string& merges_txt);

/// As write_checkpoint, in a quarter of the bytes: matrices as I8 with their scales (see CheckpointReader and
/// quant.hpp), vectors as F32; `glassbox.quant` is added to the metadata. Throws what write_checkpoint and
/// quantize throw.
std::vector<std::byte> write_int8_checkpoint(const Config& config, const Weights& weights,
                                             std::map<std::string, std::string> metadata = {});

}  // namespace glassbox
