#pragma once
// The one exception of the engine.

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

#include "text.hpp"

namespace glassbox {

/// What went wrong, as a stable English word for programs (`code`) and a sentence for developers (`what()`)
/// that names the expected and the actual value. Sentences for readers live in web/i18n, in their language.
///
/// Codes: `bad_argument` (a call's argument is out of range or malformed), `bad_shape` (a tensor's shape does
/// not fit), `bad_model` (a model file is damaged), `unsupported_model` (a sound file that is not GPT-2's
/// architecture), `bad_tokenizer` (a tokenizer file is damaged), `no_model` (nothing loaded yet),
/// `no_tokenizer` (the model has none; use ids), `no_bigrams` (the model has no counts of pairs),
/// `empty_text` (nothing to run on), `bad_token` (an id outside the vocabulary), `no_file` (a file can't be
/// read or written), `no_memory`, `diverged` (training's loss is no number any more), `not_text` (bytes to
/// learn from that are no text), `text_too_long`, `bad_checkpoint` (no training that can be gone on with),
/// and the calculator's `bad_sum`, `division_by_zero` and `too_long`.
class Error : public std::runtime_error {
 public:
  Error(std::string code, const std::string& message) : std::runtime_error(message), code_(std::move(code)) {}
  const std::string& code() const noexcept { return code_; }

 private:
  std::string code_;
};

/// Throws Error with a message of these parts.
[[noreturn]] void fail(const char* code, std::initializer_list<TextPart> message);

}  // namespace glassbox
