#pragma once
// The settings file of `glassbox train`: vocabulary, sizes and training in one JSON object.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "trainer.hpp"

namespace glassbox {

/// Everything that leads from a corpus to a model.
struct TrainRecipe {
  std::vector<std::string> special_tokens;  ///< the first is `<|endoftext|>`
  Config config;                            ///< n_inner is four times n_embd, the head is tied
  TrainSettings training;
};

/// Reads a settings file. `vocab_size`, `n_positions`, `n_embd`, `n_head`, `n_layer` and `stages` (each with
/// `steps` and `row_tokens`) must be there; the other fields are those of TrainSettings and TrainStage under
/// their names, and `special_tokens`. A `no_start` outside the stages holds for those that have none of their
/// own. Throws Error `bad_argument`, naming the field, for an unknown field or a value of wrong type or
/// range, and for text that is no JSON object.
TrainRecipe parse_train_settings(std::string_view json);

}  // namespace glassbox
