#include "bpe_learner.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include "bpe.hpp"
#include "error.hpp"
#include "json.hpp"
#include "unicode.hpp"

namespace glassbox {
namespace {

constexpr std::size_t byte_count = 256;
constexpr std::size_t longest_special = 256;  // bytes, as Bpe has it
constexpr TokenId gone = -1;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// A lexicon word counts as if it stood more often than any text can hold it, so that the lexicon comes first
/// and within it the texts decide. The rest of a count is what the texts say.
constexpr std::int64_t lexicon_count = std::int64_t{1} << 40;

/// Also where a set would do: each kind of table adds to the page's engine.
using WordCounts = std::unordered_map<std::string_view, std::int64_t>;

[[noreturn]] void refuse(std::initializer_list<TextPart> message) { fail("bad_argument", message); }

std::string quote(std::string_view text) { return "\"" + to_valid_utf8(text) + "\""; }

/// GPT-2's order of the bytes, and the character that each is written as.
struct ByteOrder {
  std::array<std::uint8_t, byte_count> byte_of_id;
  std::array<std::uint8_t, byte_count> id_of_byte;
  static constexpr std::size_t printable_count = 188;

  constexpr ByteOrder() : byte_of_id(), id_of_byte() {
    std::size_t next[] = {printable_count, 0};
    for (std::size_t byte = 0; byte < byte_count; ++byte) {
      const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
      const std::size_t id = next[printable]++;
      byte_of_id[id] = static_cast<std::uint8_t>(byte);
      id_of_byte[byte] = static_cast<std::uint8_t>(id);
    }
  }
};
constexpr ByteOrder byte_order;

std::string spell(std::string_view bytes) {
  std::string spelling;
  for (const char character : bytes) {
    const auto byte = static_cast<unsigned char>(character);
    const std::size_t id = byte_order.id_of_byte[byte];
    const bool printable = id < ByteOrder::printable_count;
    append_utf8(spelling, static_cast<char32_t>(printable ? byte : 256 + id - ByteOrder::printable_count));
  }
  return spelling;
}

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool is_well_formed(std::string_view bytes) {
  for (std::size_t position = 0; position < bytes.size();) {
    const Utf8Unit unit = decode_utf8(bytes, position);
    if (!unit.well_formed) return false;
    position += unit.length;
  }
  return true;
}

/// Bytes of the character that this byte begins; 0 for one that continues, 1 for one that UTF-8 never has.
std::uint8_t character_length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte >= 0x80 && byte < 0xC0) return 0;
  if (byte < 0xC2 || byte > 0xF4) return 1;
  return byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// Chinese characters: the unified ideographs with extensions, the compatibility ideographs, 々 and 〇.
bool is_chinese(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x323AF) ||
         (c >= 0xF900 && c <= 0xFAFF) || c == 0x3005 || c == 0x3007;
}

bool has_chinese(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    const Utf8Unit unit = decode_utf8(text, position);
    if (is_chinese(unit.code_point)) return true;
    position += unit.length;
  }
  return false;
}

/// Cuts running Chinese into words.
class ChineseCutter {
 public:
  explicit ChineseCutter(const std::vector<std::string>& lexicon) {
    for (const std::string& word : lexicon) {
      if (!has_chinese(word)) continue;
      words_.emplace(word, 0);
      lengths_.push_back(static_cast<std::uint32_t>(word.size()));
    }
    std::sort(lengths_.begin(), lengths_.end());
    lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
    std::reverse(lengths_.begin(), lengths_.end());
  }

  bool empty() const { return words_.empty(); }

  /// Calls take(part) for the lexicon words in a run, its other Chinese characters, and what is between.
  template <class Take>
  void cut(std::string_view run, const Take& take) const {
    std::size_t between = 0;
    for (std::size_t position = 0; position < run.size();) {
      const Utf8Unit unit = decode_utf8(run, position);
      std::size_t length = find_word(run.substr(position));
      if (length == 0 && is_chinese(unit.code_point)) length = unit.length;
      if (length == 0) {
        position += unit.length;
        continue;
      }
      if (between < position) take(run.substr(between, position - between));
      take(run.substr(position, length));
      between = position += length;
    }
    if (between < run.size()) take(run.substr(between));
  }

 private:
  std::size_t find_word(std::string_view text) const {
    for (const std::uint32_t length : lengths_) {
      if (length <= text.size() && words_.count(text.substr(0, length)) != 0) return length;
    }
    return 0;
  }

  WordCounts words_;
  std::vector<std::uint32_t> lengths_;  // of the words, in bytes, the longest first
};

/// Calls take(part) for what stands between the special tokens of a text, of which the leftmost counts, of
/// those the longest.
template <class Take>
void cut_at_special(std::string_view text, const std::vector<std::string>& special_tokens, const Take& take) {
  std::size_t begin = 0;
  for (std::size_t position = 0; !special_tokens.empty() && position < text.size();) {
    position = text.find_first_of("<[", position);
    if (position == std::string_view::npos) break;
    std::size_t length = 0;
    for (const std::string& special : special_tokens) {
      if (special.size() > length && text.substr(position, special.size()) == special)
        length = special.size();
    }
    if (length == 0) {
      ++position;
      continue;
    }
    take(text.substr(begin, position - begin));
    begin = position += length;
  }
  take(text.substr(begin));
}

void check_special_tokens(const std::vector<std::string>& special_tokens) {
  for (std::size_t i = 0; i < special_tokens.size(); ++i) {
    const std::string& text = special_tokens[i];
    const std::string name = "special token " + quote(text) + ": ";
    const bool enclosed = text.size() > 2 && ((text.front() == '<' && text.back() == '>') ||
                                              (text.front() == '[' && text.back() == ']'));
    if (!enclosed) refuse({name, "expected <…> or […]"});
    if (text.size() > longest_special) refuse({name, "expected at most 256 bytes"});
    if (!is_well_formed(text)) refuse({name, "expected UTF-8"});
    if (std::find(special_tokens.begin(), special_tokens.begin() + static_cast<std::ptrdiff_t>(i), text) !=
        special_tokens.begin() + static_cast<std::ptrdiff_t>(i)) {
      refuse({name, "stands twice"});
    }
  }
}

std::uint64_t pair_of(TokenId left, TokenId right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}
TokenId left_of(std::uint64_t pair) { return static_cast<TokenId>(pair >> 32); }
TokenId right_of(std::uint64_t pair) { return static_cast<TokenId>(pair & 0xFFFFFFFF); }

}  // namespace

BpeLearnOptions plain_bpe_options(std::size_t most_merges) {
  BpeLearnOptions options;
  options.vocab_size = byte_count + most_merges;
  options.single_digits = false;
  options.whole_characters = false;
  return options;
}

BpeLearner::BpeLearner(std::string_view text, const BpeLearnOptions& options)
    : BpeLearner(std::span<const std::string_view>(&text, 1), options) {}

BpeLearner::BpeLearner(std::span<const std::string_view> texts, const BpeLearnOptions& options)
    : special_tokens_(options.special_tokens),
      least_count_(static_cast<std::int64_t>(
          std::clamp<std::size_t>(options.least_count, 1, std::numeric_limits<std::int32_t>::max()))),
      single_digits_(options.single_digits),
      whole_characters_(options.whole_characters) {
  check_special_tokens(special_tokens_);
  const std::size_t least = byte_count + special_tokens_.size();
  constexpr std::size_t most = std::numeric_limits<TokenId>::max();
  if (options.vocab_size < least || options.vocab_size > most) {
    refuse({"vocab_size: expected ", least, " to ", most, ", got ", options.vocab_size});
  }
  most_merges_ = options.vocab_size - least;
  for (const std::uint8_t byte : byte_order.byte_of_id) add_token(std::string(1, static_cast<char>(byte)));

  WordCounts runs;
  for (const std::string_view text : texts) {
    cut_at_special(text, special_tokens_, [&](std::string_view part) {
      for (const std::string_view word : split_words(part)) ++runs[word];
    });
  }
  const ChineseCutter cutter(options.lexicon);
  WordCounts words;
  if (cutter.empty()) {
    words.swap(runs);
  } else {
    for (const auto& [run, count] : runs) {
      if (has_chinese(run)) {
        cutter.cut(run, [&, n = count](std::string_view word) { words[word] += n; });
      } else {
        words[run] += count;
      }
    }
  }
  for (const auto& [word, count] : words) text_tokens_ += word.size() * static_cast<std::uint64_t>(count);

  WordCounts known;
  for (const std::string& word : options.lexicon) {
    if (!known.emplace(word, 0).second) continue;
    const bool fits =
        split_words(word).size() == 1 &&
        !(single_digits_ && word.size() > 1 && std::any_of(word.begin(), word.end(), is_digit)) &&
        !(whole_characters_ && word.size() > 1 && !is_well_formed(word));
    lexicon_.emplace_back(word, nowhere);
    if (!fits) continue;
    lexicon_.back().second = static_cast<std::uint32_t>(pieces_.size());
    const auto found = words.find(word);
    add_word(word, lexicon_count + (found == words.end() ? 0 : found->second));
    if (found != words.end()) words.erase(found);
  }
  for (const auto& [word, count] : words) add_word(word, count);

  std::vector<std::uint64_t> added;
  for (std::size_t place = 0; place < pieces_.size(); ++place) {
    add_place(static_cast<std::uint32_t>(place), word_counts_[word_of_[place]], added);
  }
  for (const std::uint64_t pair : added) push(pair, pairs_[pair].count);
}

void BpeLearner::add_token(std::string bytes) {
  kinds_.push_back({std::any_of(bytes.begin(), bytes.end(), is_digit), is_well_formed(bytes),
                    character_length(bytes.front())});
  made_.emplace(bytes, static_cast<TokenId>(tokens_.size()));
  tokens_.push_back(std::move(bytes));
}

void BpeLearner::add_word(std::string_view word, std::int64_t count) {
  const std::size_t begin = pieces_.size();
  if (word.size() >= nowhere - begin) refuse({"the texts hold 4 GB or more of different words"});
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto place = static_cast<std::uint32_t>(begin + i);
    pieces_.push_back(byte_order.id_of_byte[static_cast<unsigned char>(word[i])]);
    previous_.push_back(i > 0 ? place - 1 : nowhere);
    next_.push_back(i + 1 < word.size() ? place + 1 : nowhere);
    word_of_.push_back(static_cast<std::uint32_t>(word_counts_.size()));
  }
  word_counts_.push_back(count);
}

/// Whether the options let the two become one.
bool BpeLearner::may_join(TokenId left, TokenId right) const {
  const Kind& a = kinds_[static_cast<std::size_t>(left)];
  const Kind& b = kinds_[static_cast<std::size_t>(right)];
  if (single_digits_ && (a.digit || b.digit)) return false;
  if (!whole_characters_ || (a.whole && b.whole)) return true;
  if (a.whole || b.whole || b.begins != 0) return false;
  const std::string& first = tokens_[static_cast<std::size_t>(left)];
  const std::string& second = tokens_[static_cast<std::size_t>(right)];
  const std::size_t size = first.size() + second.size();
  constexpr std::size_t most_continuing = 3;
  if (a.begins == 0) return size <= most_continuing;
  return size < a.begins || (size == a.begins && is_well_formed(first + second));
}

/// Counts the pair that begins at a place; it is appended to `added` when it stood nowhere before.
void BpeLearner::add_place(std::uint32_t place, std::int64_t count, std::vector<std::uint64_t>& added) {
  if (next_[place] == nowhere) return;
  const TokenId left = pieces_[place], right = pieces_[next_[place]];
  if (!may_join(left, right)) return;
  const std::uint64_t key = pair_of(left, right);
  const auto [found, is_new] = pairs_.try_emplace(key);
  if (is_new) added.push_back(key);
  found->second.count += count;
  found->second.places.push_back(place);
}

void BpeLearner::remove_place(std::uint32_t place, std::int64_t count) {
  const auto found = pairs_.find(pair_of(pieces_[place], pieces_[next_[place]]));
  if (found != pairs_.end()) found->second.count -= count;
}

bool BpeLearner::is_worse(const Candidate& a, const Candidate& b) {
  return a.count != b.count ? a.count < b.count : a.pair > b.pair;
}

void BpeLearner::push(std::uint64_t pair, std::int64_t count) {
  if (count < least_count_) return;
  queue_.push_back({count, pair});
  std::push_heap(queue_.begin(), queue_.end(), is_worse);
}

/// Takes the pair to learn next from the queue.
std::optional<BpeLearner::Candidate> BpeLearner::find_best() {
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), is_worse);
    const Candidate best = queue_.back();
    queue_.pop_back();
    const auto found = pairs_.find(best.pair);
    if (found == pairs_.end()) continue;
    if (found->second.count != best.count) {
      push(best.pair, found->second.count);
      continue;
    }
    const std::string bytes = tokens_[static_cast<std::size_t>(left_of(best.pair))] +
                              tokens_[static_cast<std::size_t>(right_of(best.pair))];
    const bool is_special = std::find(special_tokens_.begin(), special_tokens_.end(), spell(bytes)) !=
                            special_tokens_.end();  // in the files the two would be one
    if (made_.count(bytes) == 0 && !is_special) return best;
    pairs_.erase(found);
  }
  return std::nullopt;
}

LearnedMerge BpeLearner::learn(const Candidate& best) {
  const TokenId left = left_of(best.pair), right = right_of(best.pair);
  const auto id = static_cast<TokenId>(tokens_.size());
  add_token(tokens_[static_cast<std::size_t>(left)] + tokens_[static_cast<std::size_t>(right)]);
  LearnedMerge merge{merges_.size(), left, right, id, static_cast<std::uint64_t>(best.count % lexicon_count),
                     tokens_.back()};
  merges_.emplace_back(left, right);

  std::vector<std::uint32_t> places = std::move(pairs_[best.pair].places);
  pairs_.erase(best.pair);
  std::sort(places.begin(), places.end());  // so that `aaa` is joined from the left, as by an encoder
  std::vector<std::uint64_t> added;
  for (const std::uint32_t place : places) {
    const std::uint32_t second = next_[place];
    if (pieces_[place] != left || second == nowhere || pieces_[second] != right) continue;
    const std::int64_t count = word_counts_[word_of_[place]];
    if (previous_[place] != nowhere) remove_place(previous_[place], count);
    if (next_[second] != nowhere) remove_place(second, count);
    pieces_[place] = id;
    pieces_[second] = gone;
    next_[place] = next_[second];
    if (next_[place] != nowhere) previous_[next_[place]] = place;
    if (previous_[place] != nowhere) add_place(previous_[place], count, added);
    add_place(place, count, added);
    text_tokens_ -= static_cast<std::uint64_t>(count % lexicon_count);
  }
  for (const std::uint64_t pair : added) push(pair, pairs_[pair].count);
  return merge;
}

std::optional<LearnedMerge> BpeLearner::step() {
  const bool full = merges_.size() >= most_merges_;
  if (full && (queue_.empty() || queue_.front().count < lexicon_count)) return std::nullopt;
  std::optional<Candidate> best = find_best();
  if (!best) return std::nullopt;
  if (!full) return learn(*best);
  if (best->count < lexicon_count) return std::nullopt;

  BpeLearner further = *this;
  do {
    further.learn(*best);
    best = further.find_best();
  } while (best && best->count >= lexicon_count);
  refuse({"vocab_size: the lexicon needs ", further.merges_.size(), " merges, there are ", most_merges_});
}

const std::string& BpeLearner::bytes(TokenId id) const {
  const auto index = static_cast<std::size_t>(id);
  if (id < 0 || index >= vocab_size()) {
    fail("bad_token", {"token: expected 0 to ", vocab_size() - 1, ", got ", id});
  }
  return index < tokens_.size() ? tokens_[index] : special_tokens_[index - tokens_.size()];
}

std::vector<std::string> BpeLearner::unmade_words() const {
  std::vector<std::string> unmade;
  for (const auto& [word, place] : lexicon_) {
    if (place == nowhere || next_[place] != nowhere) unmade.push_back(word);
  }
  return unmade;
}

std::string BpeLearner::vocab_json() const {
  std::string json = "{";
  const auto add = [&](std::string_view spelling, std::size_t id) {
    json += (id > 0 ? "," : "") + quote_json(spelling) + ":" + std::to_string(id);
  };
  for (std::size_t id = 0; id < tokens_.size(); ++id) add(spell(tokens_[id]), id);
  for (std::size_t i = 0; i < special_tokens_.size(); ++i) add(special_tokens_[i], tokens_.size() + i);
  return json + "}\n";
}

std::string BpeLearner::merges_txt() const {
  std::string text = "#version: 0.2\n";
  for (const auto& [left, right] : merges_) {
    text += spell(tokens_[static_cast<std::size_t>(left)]) + " " +
            spell(tokens_[static_cast<std::size_t>(right)]) + "\n";
  }
  return text;
}

}  // namespace glassbox
