#include "bpe.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "error.hpp"
#include "json.hpp"
#include "unicode.hpp"

namespace glassbox {
namespace {

constexpr TokenId missing_token = -1;
constexpr std::size_t byte_count = 256;
constexpr std::size_t longest_special = 256;  // bytes; bounds the work at each place of a text
constexpr std::uint64_t ids_per_entry = 10;   // ids may have gaps, but a table by id must stay small

// ---- Messages

[[noreturn]] void refuse(std::initializer_list<TextPart> message) { fail("bad_tokenizer", message); }

std::string quote(std::string_view text) {
  constexpr std::size_t most = 60;
  const std::string shown = to_valid_utf8(text.substr(0, most));
  return "\"" + shown + (text.size() > most ? "…\"" : "\"");
}

std::string describe(const Json& value) {
  if (value.is_string()) return quote(value.get_ref<const std::string&>());
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  return value.type_name();
}

/// Each allowed value as describe() writes it.
void expect_one_of(const Json& value, std::initializer_list<const char*> allowed,
                   std::initializer_list<TextPart> place) {
  const std::string actual = describe(value);
  std::string names;
  for (const char* one : allowed) {
    if (actual == one) return;
    if (!names.empty()) names += " or ";
    names += one;
  }
  refuse({join(place), ": expected ", names, ", got ", actual});
}

/// A member of an object; null where there is no such member or no object.
const Json& member(const Json& object, const char* key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

// ---- The byte alphabet: the character that stands for each byte in a tokenizer's files

/// Printable Latin-1 stands for itself, the other 68 bytes are U+0100 and following, in order.
struct ByteAlphabet {
  static constexpr std::size_t first_shifted = 256;
  static constexpr std::size_t shifted_count = 68;
  std::array<std::int16_t, first_shifted + shifted_count> byte_of;  // by code point; -1 where none

  constexpr ByteAlphabet() : byte_of() {
    std::size_t next = first_shifted;
    for (std::size_t byte = 0; byte < byte_count; ++byte) {
      const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
      if (!printable) byte_of[byte] = -1;
      byte_of[printable ? byte : next++] = static_cast<std::int16_t>(byte);
    }
  }
};
constexpr ByteAlphabet byte_alphabet;

/// The bytes that a token's spelling stands for; nothing where a character is not of the alphabet.
std::optional<std::string> bytes_of_spelling(std::string_view spelling) {
  std::string bytes;
  for (std::size_t position = 0; position < spelling.size();) {
    const Utf8Unit unit = decode_utf8(spelling, position);
    if (!unit.well_formed || unit.code_point >= byte_alphabet.byte_of.size()) return std::nullopt;
    const std::int16_t byte = byte_alphabet.byte_of[unit.code_point];
    if (byte < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(byte));
    position += unit.length;
  }
  return bytes;
}

// ---- Reading the files

using MergeSpelling = std::pair<std::string, std::string>;

/// `a b`: two spellings with one space between them.
MergeSpelling read_merge(std::string_view text, const std::string& place) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || space == 0 || space + 1 == text.size() ||
      text.find(' ', space + 1) != std::string_view::npos) {
    refuse({place, ": expected two tokens with one space between them, got ", quote(text)});
  }
  return {std::string(text.substr(0, space)), std::string(text.substr(space + 1))};
}

std::vector<MergeSpelling> read_merges_txt(std::string_view text) {
  std::vector<MergeSpelling> merges;
  std::size_t number = 0;
  std::size_t empty_line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (number == 1 && line.substr(0, 8) == "#version") continue;
    if (line.empty()) {
      if (empty_line == 0) empty_line = number;
      continue;
    }
    // Empty lines are harmless at the end only: elsewhere something is lost.
    if (empty_line != 0) refuse({"merges.txt: line ", empty_line, " is empty"});
    merges.push_back(read_merge(line, join({"merges.txt: line ", number})));
  }
  return merges;
}

std::vector<MergeSpelling> read_merges_json(const Json& list) {
  const std::string name = "tokenizer.json: model.merges";
  if (!list.is_array()) refuse({name, ": expected an array, got ", describe(list)});
  std::vector<MergeSpelling> merges;
  merges.reserve(list.size());
  for (const Json& item : list) {
    const auto place = [&] { return join({name, "[", merges.size(), "]"}); };
    if (item.is_string()) {
      merges.push_back(read_merge(item.get_ref<const std::string&>(), place()));
    } else if (item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string()) {
      merges.emplace_back(item[0].get<std::string>(), item[1].get<std::string>());
    } else {
      refuse({place(), ": expected \"a b\" or [\"a\", \"b\"], got ", describe(item)});
    }
  }
  return merges;
}

TokenId read_id(const Json& value, std::size_t entries, const std::string& place) {
  const std::uint64_t limit = std::min<std::uint64_t>(
      ids_per_entry * entries, static_cast<std::uint64_t>(std::numeric_limits<TokenId>::max()));
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= limit) {
    refuse(
        {place, ": expected an id from 0 to ", limit - 1, " (", entries, " entries), got ", describe(value)});
  }
  return value.get<TokenId>();
}

bool looks_special(std::string_view spelling) {
  return spelling.size() > 2 && ((spelling.front() == '<' && spelling.back() == '>') ||
                                 (spelling.front() == '[' && spelling.back() == ']'));
}

}  // namespace

/// What the two kinds of files say alike.
struct Bpe::Files {
  std::string vocab_name;   // for messages
  std::string merges_name;  // for messages
  Json vocab;
  std::vector<MergeSpelling> merges;
  std::map<std::string, Json> specials;  // id by text; the text may be in `vocab` too, then with the same id
};

// ---- Cutting text into words

namespace {

/// Length of the contraction ('s 't 're 've 'm 'll 'd) at the text's begin; 0 where there is none.
std::size_t contraction_length(std::string_view text) {
  if (text.size() < 2 || text[0] != '\'') return 0;
  const char first = text[1];
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
  if (text.size() < 3) return 0;
  const char second = text[2];
  const bool found =
      (first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l');
  return found ? 3 : 0;
}

struct Character {
  CharacterClass kind;
  std::size_t length;  // bytes
};

Character character_at(std::string_view text, std::size_t position) {
  const Utf8Unit unit = decode_utf8(text, position);
  return {unit.well_formed ? classify(unit.code_point) : CharacterClass::other, unit.length};
}

/// Where the word that begins at `begin` ends.
std::size_t find_word_end(std::string_view text, std::size_t begin) {
  if (const std::size_t length = contraction_length(text.substr(begin)); length > 0) return begin + length;

  // A run of one class, with at most one space (U+0020) before it.
  Character character = character_at(text, begin);
  std::size_t position = begin;
  if (text[begin] == ' ' && begin + 1 < text.size()) {
    const Character after_space = character_at(text, begin + 1);
    if (after_space.kind != CharacterClass::white_space) {
      character = after_space;
      position = begin + 1;
    }
  }
  const CharacterClass kind = character.kind;
  std::size_t last = position;  // where the run's last character begins
  while (character.kind == kind) {
    last = position;
    position += character.length;
    if (position == text.size()) return position;
    character = character_at(text, position);
  }
  // White space before a word leaves its last character to that word, unless it has only one.
  return kind == CharacterClass::white_space && last > begin ? last : position;
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = find_word_end(text, begin);
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

// ---- Building

Bpe Bpe::from_vocab_and_merges(std::string_view vocab_json, std::string_view merges_txt) {
  Files files{"vocab.json",
              "merges.txt",
              parse_json(vocab_json, "vocab.json", "bad_tokenizer"),
              read_merges_txt(merges_txt),
              {}};
  if (!files.vocab.is_object()) refuse({"vocab.json: expected an object, got ", describe(files.vocab)});

  std::set<std::string> made;
  for (const auto& [left, right] : files.merges) made.insert(left + right);
  for (const auto& [spelling, id] : files.vocab.items()) {
    const std::optional<std::string> bytes = bytes_of_spelling(spelling);
    if ((bytes && bytes->size() == 1) || made.count(spelling) != 0) continue;
    // Nothing else tells a file of merges that was cut short.
    if (!looks_special(spelling)) {
      refuse({"merges.txt: no merge makes the token ", quote(spelling), " of vocab.json"});
    }
    files.specials.emplace(spelling, id);
  }
  return build(files);
}

Bpe Bpe::from_merges(std::string_view merges_txt, const std::vector<std::string>& special_tokens) {
  Bpe bpe;
  // Ids by spelling. Not by way of Files and its ordered maps: GPT-2's vocabulary is read while a reader
  // waits.
  std::unordered_map<std::string, TokenId> ids;
  const auto add = [&](const std::string& spelling, const std::string& bytes, const std::string& place) {
    const auto id = static_cast<TokenId>(ids.size());
    if (!ids.emplace(spelling, id).second)
      refuse({place, ": the token ", quote(spelling), " is there already"});
    bpe.add_token(id, bytes, place);
    return id;
  };
  for (std::size_t code_point = 0; code_point < byte_alphabet.byte_of.size(); ++code_point) {
    const std::int16_t byte = byte_alphabet.byte_of[code_point];
    if (byte < 0) continue;
    std::string spelling;
    append_utf8(spelling, static_cast<char32_t>(code_point));
    bpe.byte_tokens_[static_cast<std::size_t>(byte)] =
        add(spelling, std::string(1, static_cast<char>(byte)), "bytes");
  }
  for (const auto& [left, right] : read_merges_txt(merges_txt)) {
    const std::string place = join({"merges.txt: merge ", bpe.merges_.size()});
    const auto find = [&](const std::string& spelling) {
      const auto found = ids.find(spelling);
      if (found == ids.end()) refuse({place, ": no merge before it makes ", quote(spelling)});
      return found->second;
    };
    const std::pair<TokenId, TokenId> pair{find(left), find(right)};
    bpe.merges_.push_back({pair, add(left + right, bpe.bytes(pair.first) + bpe.bytes(pair.second), place)});
  }
  for (const std::string& text : special_tokens) {
    if (text.empty() || text.size() > longest_special)
      refuse({"special token ", quote(text), ": too short or too long"});
    auto& specials = bpe.specials_;
    specials.emplace_back(text, add(text, text, "special token"));
    // They are few, and each moves up to its place.
    for (std::size_t i = specials.size() - 1; i > 0 && specials[i] < specials[i - 1]; --i)
      std::swap(specials[i], specials[i - 1]);
    bpe.starts_special_[static_cast<unsigned char>(text.front())] = true;
  }
  bpe.index_merges();
  return bpe;
}

Bpe Bpe::from_tokenizer_json(std::string_view tokenizer_json) {
  const Json file = parse_json(tokenizer_json, "tokenizer.json", "bad_tokenizer");
  if (!file.is_object()) refuse({"tokenizer.json: expected an object, got ", describe(file)});
  const std::string name = "tokenizer.json: ";

  const Json& model = member(file, "model");
  if (!model.is_object()) refuse({name, "model: expected an object, got ", describe(model)});
  // The first files of GPT-2 name no type.
  expect_one_of(member(model, "type"), {"\"BPE\"", "null"}, {name, "model.type"});
  const Json& dropout = member(model, "dropout");
  const bool drops_nothing = dropout.is_number() && dropout.get<double>() == 0;  // also when written 0.0
  if (!drops_nothing) expect_one_of(dropout, {"null", "0"}, {name, "model.dropout"});
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    expect_one_of(member(model, key), {"null", "\"\""}, {name, "model.", key});
  }
  for (const char* key : {"byte_fallback", "ignore_merges"}) {
    expect_one_of(member(model, key), {"null", "false"}, {name, "model.", key});
  }

  expect_one_of(member(file, "normalizer"), {"null"}, {name, "normalizer"});
  const Json& pre_tokenizer = member(file, "pre_tokenizer");
  expect_one_of(member(pre_tokenizer, "type"), {"\"ByteLevel\""}, {name, "pre_tokenizer.type"});
  expect_one_of(member(pre_tokenizer, "add_prefix_space"), {"false"},
                {name, "pre_tokenizer.add_prefix_space"});
  expect_one_of(member(pre_tokenizer, "use_regex"), {"null", "true"}, {name, "pre_tokenizer.use_regex"});
  for (const char* key : {"post_processor", "decoder"}) {
    const Json& part = member(file, key);
    if (!part.is_null()) expect_one_of(member(part, "type"), {"\"ByteLevel\""}, {name, key, ".type"});
  }

  Files files{"tokenizer.json: model.vocab",
              "tokenizer.json: model.merges",
              member(model, "vocab"),
              read_merges_json(member(model, "merges")),
              {}};
  if (!files.vocab.is_object())
    refuse({files.vocab_name, ": expected an object, got ", describe(files.vocab)});

  const Json& added = member(file, "added_tokens");
  if (!added.is_null() && !added.is_array()) {
    refuse({name, "added_tokens: expected an array, got ", describe(added)});
  }
  for (std::size_t i = 0; i < added.size(); ++i) {
    const std::string place = join({name, "added_tokens[", i, "]"});
    const Json& content = member(added[i], "content");
    if (!content.is_string()) refuse({place, ".content: expected a string, got ", describe(content)});
    for (const char* key : {"single_word", "lstrip", "rstrip"}) {
      expect_one_of(member(added[i], key), {"null", "false"}, {place, ".", key});
    }
    if (!files.specials.emplace(content.get<std::string>(), member(added[i], "id")).second) {
      refuse({place, ".content: ", describe(content), " stands twice"});
    }
  }
  return build(files);
}

Bpe Bpe::build(const Files& files) {
  const auto& vocab = files.vocab.get_ref<const Json::object_t&>();
  std::size_t entries = vocab.size();
  for (const auto& special : files.specials) entries += vocab.count(special.first) == 0 ? 1 : 0;
  if (entries == 0) refuse({files.vocab_name, ": no tokens"});

  Bpe bpe;
  bpe.byte_tokens_.fill(missing_token);
  for (const auto& [text, value] : files.specials) {
    const std::string place = "special token " + quote(text);
    const TokenId id = read_id(value, entries, place);
    if (text.size() > longest_special) {
      refuse({place, ": expected at most ", longest_special, " bytes, got ", text.size()});
    }
    bpe.add_token(id, text, place);
    bpe.specials_.emplace_back(text, id);
    bpe.starts_special_[static_cast<unsigned char>(text.front())] = true;
  }
  for (const auto& [spelling, value] : vocab) {
    const std::string place = files.vocab_name + ": " + quote(spelling);
    const TokenId id = read_id(value, entries, place);
    const std::optional<std::string> bytes = bytes_of_spelling(spelling);
    const bool is_byte = bytes && bytes->size() == 1;
    if (const auto special = bpe.special(spelling)) {
      if (*special != id) {
        refuse({place, ": expected the special token's id ", *special, ", got ", id});
      }
      if (is_byte) refuse({place, ": a special token can't be a byte's"});
      continue;
    }
    if (!bytes) refuse({place, ": has a character that stands for no byte"});
    bpe.add_token(id, *bytes, place);
    if (is_byte) bpe.byte_tokens_[static_cast<unsigned char>(bytes->front())] = id;
  }

  bpe.merges_.reserve(files.merges.size());
  for (const auto& [left, right] : files.merges) {
    const auto find = [&, &left = left, &right = right](const std::string& spelling) {
      const auto found = vocab.find(spelling);
      const bool is_special = files.specials.count(spelling) != 0;
      if (found == vocab.end() || is_special) {
        refuse({files.merges_name, ": merge ", bpe.merges_.size(), " (", quote(left), ", ", quote(right),
                "): ", quote(spelling), is_special ? " is a special token" : " is not in the vocabulary"});
      }
      return found->second.get<TokenId>();
    };
    bpe.merges_.push_back({{find(left), find(right)}, find(left + right)});
  }
  bpe.index_merges();
  return bpe;
}

void Bpe::add_token(TokenId id, const std::string& bytes, const std::string& place) {
  if (bytes.empty()) refuse({place, ": a token has at least one byte"});
  const auto index = static_cast<std::size_t>(id);
  if (index >= tokens_.size()) tokens_.resize(index + 1);
  if (!tokens_[index].empty()) {
    refuse({place, ": the id ", id, " is taken by ", quote(tokens_[index])});
  }
  tokens_[index] = bytes;
}

/// Sorts the merges by their pair, so that looking one up is a binary search among one token's few followers.
void Bpe::index_merges() {
  first_follower_.assign(tokens_.size() + 1, 0);
  for (const Merge& merge : merges_) ++first_follower_[static_cast<std::size_t>(merge.pair.first) + 1];
  for (std::size_t i = 1; i < first_follower_.size(); ++i) first_follower_[i] += first_follower_[i - 1];

  followers_.resize(merges_.size());
  std::vector<std::uint32_t> free = first_follower_;
  for (std::uint32_t rank = 0; rank < merges_.size(); ++rank) {
    const auto& [left, right] = merges_[rank].pair;
    followers_[free[static_cast<std::size_t>(left)]++] = {right, rank};
  }
  for (std::size_t token = 0; token < tokens_.size(); ++token) {
    const auto begin = followers_.begin() + static_cast<std::ptrdiff_t>(first_follower_[token]);
    const auto end = followers_.begin() + static_cast<std::ptrdiff_t>(first_follower_[token + 1]);
    std::sort(begin, end, [](const Follower& a, const Follower& b) { return a.right < b.right; });
    const auto twice = std::adjacent_find(
        begin, end, [](const Follower& a, const Follower& b) { return a.right == b.right; });
    if (twice != end) {
      refuse({"merges: the pair ", quote(tokens_[token]), ", ",
              quote(tokens_[static_cast<std::size_t>(twice->right)]), " stands twice"});
    }
  }
}

// ---- Merging

const Bpe::Follower* Bpe::find_merge(TokenId left, TokenId right) const {
  const Follower* begin = followers_.data() + first_follower_[static_cast<std::size_t>(left)];
  const Follower* end = followers_.data() + first_follower_[static_cast<std::size_t>(left) + 1];
  const Follower* found = std::lower_bound(
      begin, end, right, [](const Follower& follower, TokenId id) { return follower.right < id; });
  return found != end && found->right == right ? found : nullptr;
}

/// The pieces of one word while they are merged: a linked list, and a queue of the pairs that can be merged.
/// The queue may hold pairs that are gone by now; they are passed over. A word of n bytes costs O(n log n).
class Bpe::Word {
 public:
  explicit Word(const Bpe& bpe) : bpe_(bpe) {}

  /// Begins with a word's bytes as pieces. Throws as encode.
  void start(std::string_view bytes) {
    if (bytes.size() >= nowhere) fail("bad_argument", {"a word of 4 GB or more"});
    const auto size = static_cast<std::uint32_t>(bytes.size());
    pieces_.resize(size);
    next_.resize(size);
    previous_.resize(size);
    queue_.clear();
    for (std::uint32_t place = 0; place < size; ++place) {
      pieces_[place] = bpe_.byte_tokens_[static_cast<unsigned char>(bytes[place])];
      if (pieces_[place] == missing_token) {
        fail("bad_argument", {"the tokenizer has no token for the byte ",
                              static_cast<unsigned char>(bytes[place]), " in ", quote(bytes)});
      }
      next_[place] = place + 1 < size ? place + 1 : nowhere;
      previous_[place] = place > 0 ? place - 1 : nowhere;
    }
    for (std::uint32_t place = 0; place < size; ++place) queue_pair(place);
    std::make_heap(queue_.begin(), queue_.end(), std::greater<>());
  }

  /// Merges every occurrence of the pair of lowest rank, from left to right. Returns that rank; nothing when
  /// no pair is left.
  std::optional<std::size_t> merge_next() {
    while (!queue_.empty()) {
      const std::uint64_t rank = queue_.front() >> 32;
      const Merge& merge = bpe_.merges_[rank];
      merged_.clear();
      while (!queue_.empty() && queue_.front() >> 32 == rank) {
        const auto place = static_cast<std::uint32_t>(queue_.front());
        std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
        queue_.pop_back();
        if (is_pair(place, merge.pair)) join(place, merge.result);
      }
      // Only now, as a new pair may have a lower rank in a file that was not learned but written.
      for (const std::uint32_t place : merged_) {
        queue_new_pair(place);
        if (previous_[place] != nowhere) queue_new_pair(previous_[place]);
      }
      if (!merged_.empty()) return static_cast<std::size_t>(rank);
    }
    return std::nullopt;
  }

  void append_pieces(std::vector<TokenId>& ids) const {
    for (std::uint32_t place = 0; place != nowhere; place = next_[place]) ids.push_back(pieces_[place]);
  }

 private:
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

  bool is_pair(std::uint32_t place, const std::pair<TokenId, TokenId>& pair) const {
    return pieces_[place] == pair.first && next_[place] != nowhere && pieces_[next_[place]] == pair.second;
  }

  /// Replaces the piece at `place` and the one after it by one; the first piece of a word stays at place 0.
  void join(std::uint32_t place, TokenId result) {
    const std::uint32_t gone = next_[place];
    pieces_[place] = result;
    pieces_[gone] = missing_token;
    next_[place] = next_[gone];
    if (next_[gone] != nowhere) previous_[next_[gone]] = place;
    merged_.push_back(place);
  }

  /// Appends the pair that begins at `place`, if it can be merged: rank above, place below, so that the
  /// lowest rank comes first and within it the leftmost.
  bool queue_pair(std::uint32_t place) {
    if (next_[place] == nowhere) return false;
    const Follower* found = bpe_.find_merge(pieces_[place], pieces_[next_[place]]);
    if (found == nullptr) return false;
    queue_.push_back((static_cast<std::uint64_t>(found->rank) << 32) | place);
    return true;
  }

  void queue_new_pair(std::uint32_t place) {
    if (queue_pair(place)) std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }

  const Bpe& bpe_;
  std::vector<TokenId> pieces_;  // by the place of the first byte; missing_token where joined to one before
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> previous_;
  std::vector<std::uint64_t> queue_;   // a heap
  std::vector<std::uint32_t> merged_;  // places, of one call of merge_next
};

// ---- Encoding and decoding

void Bpe::append_encoded(std::string_view text, Word& word, std::vector<TokenId>& ids) const {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = find_word_end(text, begin);
    word.start(text.substr(begin, end - begin));
    while (word.merge_next()) {
    }
    word.append_pieces(ids);
    begin = end;
  }
}

std::vector<TokenId> Bpe::encode(std::string_view utf8) const {
  Word word(*this);
  std::vector<TokenId> ids;
  append_encoded(utf8, word, ids);
  return ids;
}

std::vector<TokenId> Bpe::encode_with_special(std::string_view utf8) const {
  Word word(*this);
  std::vector<TokenId> ids;
  std::size_t begin = 0;
  for (std::size_t position = 0; position < utf8.size();) {
    TokenId id = missing_token;
    const std::size_t length = special_at(utf8, position, id);
    if (length == 0) {
      ++position;
      continue;
    }
    append_encoded(utf8.substr(begin, position - begin), word, ids);
    ids.push_back(id);
    position += length;
    begin = position;
  }
  append_encoded(utf8.substr(begin), word, ids);
  return ids;
}

Bpe::Encoded Bpe::encode_with_steps(std::string_view utf8) const {
  if (utf8.size() > longest_text_with_steps) {
    fail("bad_argument",
         {"text with steps: expected at most ", longest_text_with_steps, " bytes, got ", utf8.size()});
  }
  Word word(*this);
  Encoded encoded;
  std::vector<TokenId>& done = encoded.ids;
  for (std::size_t begin = 0; begin < utf8.size();) {
    const std::size_t end = find_word_end(utf8, begin);
    word.start(utf8.substr(begin, end - begin));
    while (const auto rank = word.merge_next()) {
      MergeStep step{*rank, merges_[*rank].pair, done};
      word.append_pieces(step.pieces);
      for (const char byte : utf8.substr(end)) {
        step.pieces.push_back(byte_tokens_[static_cast<unsigned char>(byte)]);
      }
      encoded.steps.push_back(std::move(step));
    }
    word.append_pieces(done);
    begin = end;
  }
  return encoded;
}

std::string Bpe::decode(std::span<const TokenId> ids) const {
  std::string text;
  for (const TokenId id : ids) text += bytes(id);
  return text;
}

const std::string& Bpe::bytes(TokenId id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= tokens_.size()) {
    fail("bad_token", {"token: expected 0 to ", tokens_.size() - 1, ", got ", id});
  }
  const std::string& bytes = tokens_[static_cast<std::size_t>(id)];
  if (bytes.empty()) fail("bad_token", {"token: the vocabulary has none of id ", id});
  return bytes;
}

std::optional<TokenId> Bpe::special(std::string_view text) const {
  const auto found =
      std::lower_bound(specials_.begin(), specials_.end(), text,
                       [](const auto& special, std::string_view wanted) { return special.first < wanted; });
  if (found == specials_.end() || found->first != text) return std::nullopt;
  return found->second;
}

/// Length of the longest special token at `position` and its id; 0 where there is none.
std::size_t Bpe::special_at(std::string_view text, std::size_t position, TokenId& id) const {
  if (!starts_special_[static_cast<unsigned char>(text[position])]) return 0;
  std::size_t longest = 0;
  auto first = specials_.begin();
  auto last = specials_.end();
  // Byte by byte, [first, last) narrows to the special tokens that begin as the text does.
  for (std::size_t depth = 0; first != last && position + depth < text.size(); ++depth) {
    const auto next = static_cast<unsigned char>(text[position + depth]);
    const auto byte_of = [depth](const auto& special) {
      return static_cast<unsigned char>(special.first[depth]);
    };
    first = std::lower_bound(
        first, last, next, [&](const auto& special, unsigned char byte) { return byte_of(special) < byte; });
    last = std::upper_bound(first, last, next,
                            [&](unsigned char byte, const auto& special) { return byte < byte_of(special); });
    if (first != last && first->first.size() == depth + 1) {
      longest = depth + 1;
      id = first->second;
      ++first;
    }
  }
  return longest;
}

}  // namespace glassbox
