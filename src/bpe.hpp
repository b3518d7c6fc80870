#pragma once
// GPT-2's byte-level byte-pair encoding: text is cut into words by a pattern, a word into bytes, and the
// bytes are merged pair by pair, the pair that was learned first (the lowest rank) before all others.
//
// Source: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.2; Sennrich
// et al. 2016, "Neural Machine Translation of Rare Words with Subword Units".

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "token.hpp"

namespace glassbox {

/// One merge in one word of a text: every occurrence of a pair in that word became one token.
struct MergeStep {
  std::size_t rank;                  // of the merge, counted from 0 in the order of learning
  std::pair<TokenId, TokenId> pair;  // what was joined
  std::vector<TokenId> pieces;       // the whole text after this step
};

/// The words that text is cut into before merging; no token spans two of them. They cover the text. GPT-2's
/// pattern:
/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.
/// An ill-formed byte is neither white space nor letter nor number.
std::vector<std::string_view> split_words(std::string_view text);

/// A tokenizer: the bytes of each token, the merges, and special tokens such as `<|endoftext|>`, whose text
/// is one token only where the caller asks for it. Immutable.
class Bpe {
 public:
  struct Encoded {
    std::vector<TokenId> ids;
    std::vector<MergeStep> steps;
  };

  /// Longest text that encode_with_steps takes, in bytes: every step holds the whole text's pieces.
  static constexpr std::size_t longest_text_with_steps = 8192;

  /// From GPT-2's two files: `vocab.json` maps each token's spelling to its id, `merges.txt` has a pair a
  /// line. A token that is neither a byte nor made by a merge is special if it is written `<…>` or `[…]`.
  /// Throws Error `bad_tokenizer` when the files are damaged or don't fit each other.
  static Bpe from_vocab_and_merges(std::string_view vocab_json, std::string_view merges_txt);

  /// From `merges.txt` alone, where the ids follow from the order of learning as they do in GPT-2: the 256
  /// bytes in the order of their characters in the files, then one token a merge, then the special tokens.
  /// Throws Error `bad_tokenizer` when the file is damaged or two merges make the same token.
  static Bpe from_merges(std::string_view merges_txt, const std::vector<std::string>& special_tokens);

  /// From Hugging Face's `tokenizer.json`: model type BPE, pre-tokenizer ByteLevel with GPT-2's pattern; all
  /// `added_tokens` are special here. Truncation and padding are not for a tokenizer to decide and are
  /// ignored. Throws Error `bad_tokenizer` when the file is damaged or asks for what this class doesn't do
  /// (by name).
  static Bpe from_tokenizer_json(std::string_view tokenizer_json);

  /// Highest id + 1. Ids may have gaps.
  std::size_t size() const { return tokens_.size(); }

  /// Ids of a text of any bytes, so that decode gives the same bytes. Never yields a special token: its text
  /// is encoded as plain text. Throws Error `bad_argument` when the tokenizer has no token for one of the
  /// bytes.
  std::vector<TokenId> encode(std::string_view utf8) const;

  /// As encode, but special tokens are recognised: the leftmost first, of those the longest.
  std::vector<TokenId> encode_with_special(std::string_view utf8) const;

  /// As encode, with every merge on the way, word by word from left to right. Before the first step the
  /// pieces are the text's bytes. Throws as encode, and `bad_argument` for a text above
  /// longest_text_with_steps bytes.
  Encoded encode_with_steps(std::string_view utf8) const;

  /// The exact bytes of the tokens in a row, special tokens as their text; not always well-formed UTF-8.
  /// Throws Error `bad_token` at an id that no token has.
  std::string decode(std::span<const TokenId> ids) const;

  /// The exact bytes of one token. Throws Error `bad_token`.
  const std::string& bytes(TokenId id) const;

  /// The id of the special token with exactly this text.
  std::optional<TokenId> special(std::string_view text) const;

 private:
  struct Files;
  struct Merge {
    std::pair<TokenId, TokenId> pair;
    TokenId result;
  };
  struct Follower {
    TokenId right;
    std::uint32_t rank;
  };
  class Word;

  Bpe() = default;
  static Bpe build(const Files& files);
  void add_token(TokenId id, const std::string& bytes, const std::string& place);
  void index_merges();
  const Follower* find_merge(TokenId left, TokenId right) const;
  std::size_t special_at(std::string_view text, std::size_t position, TokenId& id) const;
  void append_encoded(std::string_view text, Word& word, std::vector<TokenId>& ids) const;

  std::vector<std::string> tokens_;         // bytes by id; empty where no token has the id
  std::array<TokenId, 256> byte_tokens_{};  // by byte; missing_token where there is none
  std::vector<Merge> merges_;               // by rank
  std::vector<Follower> followers_;  // of token t: [first_follower_[t], first_follower_[t + 1]), by `right`
  std::vector<std::uint32_t> first_follower_;
  std::vector<std::pair<std::string, TokenId>> specials_;  // by text
  std::array<bool, 256> starts_special_{};                 // by first byte
};

}  // namespace glassbox
