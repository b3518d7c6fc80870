#pragma once
// A text that a reader brings to train on: checked, cut into documents, and taken apart by a tokenizer that
// is learned from it.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bpe.hpp"
#include "bpe_learner.hpp"
#include "documents.hpp"

namespace glassbox {

/// Turns a text into tokens, a slice of the work a call, so that a caller can show progress and stop.
/// Documents end at an empty line or at `<|endoftext|>`; a line break is `\n` however it was written.
class ReaderText {
 public:
  static constexpr std::size_t longest = 8'000'000;  ///< bytes
  /// A tokenizer is learned from at most so many bytes, pieces spread evenly over a longer text: that bounds
  /// the time it takes.
  static constexpr std::size_t longest_learned = 1'000'000;

  enum class Phase { tokenizer, tokens, done };
  struct Progress {
    Phase phase;
    std::size_t loaded, total;  ///< merges at most; then bytes
  };

  /// A text without a tokenizer: advance() learns one of at most `vocab_size` tokens, `<|endoftext|>` being
  /// the last. Throws Error `empty_text` for nothing but white space, `not_text` for bytes that are not
  /// UTF-8, that hold a zero byte, or of which more than every tenth character is U+FFFD, `text_too_long`
  /// above `longest` bytes, and `bad_argument` for a vocab_size below 257.
  ReaderText(std::string text, std::size_t vocab_size);

  /// The same with a tokenizer that was learned before, as GPT-2's two files. Throws Error `bad_tokenizer`
  /// too, also for one without `<|endoftext|>`.
  ReaderText(std::string text, std::string vocab_json, std::string merges_txt);
  ReaderText(const ReaderText&) = delete;
  ReaderText& operator=(const ReaderText&) = delete;

  /// Does a little of what is left. Throws Error `bad_argument` as Bpe::encode.
  Progress advance();

  const std::string& text() const { return text_; }  ///< with `\n` at the ends of lines
  const std::string& vocab_json() const { return vocab_json_; }
  const std::string& merges_txt() const { return merges_txt_; }
  const Bpe& tokenizer() const { return tokenizer_.value(); }  ///< once the first phase is over
  std::size_t tokens() const { return ids_.size(); }           ///< so far, with an end after each document

  /// The first token of the first document that begins at this byte of the text or after it, tokens() where
  /// none does. Before pack.
  std::size_t first_token_from(std::size_t byte) const;

  /// The tokens, with a start every `stride` tokens in each document. Once all is done, and only once.
  PackedDocuments pack(std::size_t stride);

 private:
  void prepare();
  void take_tokenizer();

  std::string text_;
  std::vector<std::string_view> documents_;  // of text_
  std::string vocab_json_, merges_txt_;
  std::size_t most_merges_ = 0, merges_ = 0;
  std::optional<BpeLearner> learner_;
  std::optional<Bpe> tokenizer_;
  TokenId end_ = 0;
  std::size_t document_ = 0, position_ = 0;  // what is encoded next
  std::size_t encoded_ = 0, total_ = 0;      // bytes
  std::vector<TokenId> ids_;
  std::vector<std::size_t> starts_;  // of documents, in ids_
};

}  // namespace glassbox
