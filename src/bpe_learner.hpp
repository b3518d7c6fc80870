#pragma once
// Learning a byte-level BPE from texts: the pair of neighbouring tokens that stands there most often becomes
// a token, again and again. What is learned is written as GPT-2's two files.
//
// Source: Sennrich et al. 2016, "Neural Machine Translation of Rare Words with Subword Units", algorithm 1.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "token.hpp"

namespace glassbox {

struct BpeLearnOptions {
  /// Tokens at most: 256 bytes, one per merge, and the special tokens.
  std::size_t vocab_size = 0;
  /// Their ids follow the merges' in this order. Wherever one stands in a text, the text is cut there. Each
  /// is written `<…>` or `[…]`, at least 3 bytes long, so that a reader of the files knows it for special.
  std::vector<std::string> special_tokens;
  /// Words that become single tokens, before anything else is learned. GPT-2's pattern takes a run of Chinese
  /// as one word; where a lexicon word has a Chinese character, such runs are cut into lexicon words (from
  /// the left, the longest first) and single characters, so that no merge spans two of them. A word with a
  /// space before it is another word.
  std::vector<std::string> lexicon;
  /// No merge holds a digit (0–9), so that any GPT-2 encoder gives one token a digit.
  bool single_digits = true;
  /// A pair that occurs more rarely is not learned.
  std::size_t least_count = 2;
  /// Merges make whole characters, or a part of one: no token ends amid a character that it didn't begin
  /// with.
  bool whole_characters = true;
};

/// Options for plain BPE as GPT-2's own was learned, with at most so many merges: nothing but counts decides.
BpeLearnOptions plain_bpe_options(std::size_t most_merges);

struct LearnedMerge {
  std::size_t rank;     ///< from 0
  TokenId left, right;  ///< the pair
  TokenId id;           ///< what it became: 256 + rank
  std::uint64_t count;  ///< places where the pair stood in the texts (`aaa` has two of `aa`, which overlap)
  std::string bytes;    ///< of the new token
};

/// Learns one merge a step. Pairs are counted inside the words of split_words. The pair of highest count
/// wins, of equal ones that with the lower left id, then the lower right id. A pair whose bytes are a token
/// already is passed over: each token has one way to be made.
///
/// Ids: 0–255 the bytes in GPT-2's order (printable Latin-1 first), 256 + rank the merges, then the special
/// tokens. Words are counted once, and a merge touches only the places where its pair stands.
class BpeLearner {
 public:
  /// Throws Error `bad_argument` when vocab_size leaves no room for the bytes and the special tokens, for
  /// special tokens that a reader of the files would not know, and for more than 4 GB of different words.
  BpeLearner(std::span<const std::string_view> texts, const BpeLearnOptions& options);
  BpeLearner(std::string_view text, const BpeLearnOptions& options);

  /// The next merge; nothing when vocab_size is reached or no pair occurs least_count times. Throws Error
  /// `bad_argument` when vocab_size is too small for the lexicon, saying how many merges that needs.
  std::optional<LearnedMerge> step();

  /// Tokens so far, the special ones among them.
  std::size_t vocab_size() const { return tokens_.size() + special_tokens_.size(); }

  /// How many tokens the texts are cut into so far; special tokens are not counted.
  std::uint64_t text_tokens() const { return text_tokens_; }

  /// The bytes of a token, special tokens as their text. Throws Error `bad_token`.
  const std::string& bytes(TokenId id) const;

  /// The lexicon's words that are not single tokens so far. Once step() has returned nothing, these are the
  /// words that can't be: GPT-2's pattern cuts them, or they hold a digit or ill-formed bytes.
  std::vector<std::string> unmade_words() const;

  /// GPT-2's two files; Bpe::from_vocab_and_merges reads them back with the same ids.
  std::string vocab_json() const;
  std::string merges_txt() const;

 private:
  /// A token's bytes as the rules about merges see them.
  struct Kind {
    bool digit;           // holds one
    bool whole;           // well-formed characters
    std::uint8_t begins;  // bytes of the character that its first byte begins; 0 where it continues one
  };
  struct Pair {
    std::int64_t count = 0;
    std::vector<std::uint32_t> places;  // of its left token; some may be gone
  };
  struct Candidate {
    std::int64_t count;
    std::uint64_t pair;
  };

  static bool is_worse(const Candidate& a, const Candidate& b);
  void add_token(std::string bytes);
  void add_word(std::string_view word, std::int64_t count);
  bool may_join(TokenId left, TokenId right) const;
  void add_place(std::uint32_t place, std::int64_t count, std::vector<std::uint64_t>& added);
  void remove_place(std::uint32_t place, std::int64_t count);
  void push(std::uint64_t pair, std::int64_t count);
  std::optional<Candidate> find_best();
  LearnedMerge learn(const Candidate& best);

  std::vector<std::string> special_tokens_;
  std::size_t most_merges_;
  std::int64_t least_count_;
  bool single_digits_, whole_characters_;

  std::vector<std::string> tokens_;  // bytes by id, without the special ones
  std::vector<Kind> kinds_;          // by id
  std::unordered_map<std::string, TokenId> made_;
  std::vector<std::pair<TokenId, TokenId>> merges_;  // by rank

  // The different words, one after another; a place is that of a token's first byte.
  std::vector<TokenId> pieces_;  // gone where a token was joined to the one before
  std::vector<std::uint32_t> next_, previous_, word_of_;
  std::vector<std::int64_t> word_counts_;

  std::unordered_map<std::uint64_t, Pair> pairs_;
  std::vector<Candidate> queue_;  // a heap; counts may have sunk since
  std::uint64_t text_tokens_ = 0;

  std::vector<std::pair<std::string, std::uint32_t>> lexicon_;  // with the place of the word; none if unfit
};

}  // namespace glassbox
