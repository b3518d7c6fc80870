#include "bpe_learner.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bpe.hpp"
#include "catch.hpp"
#include "errors.hpp"
#include "random.hpp"

namespace {

using glassbox::Bpe;
using glassbox::BpeLearner;
using glassbox::BpeLearnOptions;
using glassbox::LearnedMerge;
using glassbox::plain_bpe_options;
using glassbox::TokenId;
using glassbox::test::error_of;
using glassbox::test::random_bytes;

using Strings = std::vector<std::string>;

std::vector<LearnedMerge> learn_all(BpeLearner& learner) {
  std::vector<LearnedMerge> merges;
  while (auto merge = learner.step()) merges.push_back(std::move(*merge));
  return merges;
}

Bpe read_back(const BpeLearner& learner) {
  return Bpe::from_vocab_and_merges(learner.vocab_json(), learner.merges_txt());
}

Strings pieces_of(const Bpe& bpe, std::string_view text) {
  Strings pieces;
  for (const TokenId id : bpe.encode(text)) pieces.push_back(bpe.bytes(id));
  return pieces;
}

/// Algorithm 1 of Sennrich et al. as it reads: count all pairs, join the best, begin again.
struct NaiveLearner {
  std::vector<std::vector<std::string>> words;
  std::vector<std::string> order;  // ids, for ties
  std::set<std::string> passed_over;

  explicit NaiveLearner(const std::string& text) {
    for (const std::string_view word : glassbox::split_words(text)) {
      words.emplace_back();
      for (const char byte : word) words.back().emplace_back(1, byte);
    }
    for (const bool printable : {true, false}) {
      for (int byte = 0; byte < 256; ++byte) {
        const bool is_printable = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
        if (is_printable == printable) order.emplace_back(1, static_cast<char>(byte));
      }
    }
  }

  TokenId id_of(const std::string& token) const {
    return static_cast<TokenId>(std::find(order.begin(), order.end(), token) - order.begin());
  }

  bool step(std::uint64_t& best_count, TokenId& best_left, TokenId& best_right) {
    std::map<std::pair<std::string, std::string>, std::uint64_t> counts;
    for (const auto& word : words) {
      for (std::size_t i = 0; i + 1 < word.size(); ++i) ++counts[{word[i], word[i + 1]}];
    }
    best_count = 1;
    std::pair<std::string, std::string> best;
    for (const auto& [pair, count] : counts) {
      if (count < 2 || std::find(order.begin(), order.end(), pair.first + pair.second) != order.end())
        continue;
      const auto rank = std::make_pair(id_of(pair.first), id_of(pair.second));
      if (count > best_count || (count == best_count && rank < std::make_pair(best_left, best_right))) {
        best_count = count;
        best = pair;
        std::tie(best_left, best_right) = rank;
      }
    }
    if (best_count < 2) return false;
    order.push_back(best.first + best.second);
    for (auto& word : words) {
      std::vector<std::string> joined;
      for (std::size_t i = 0; i < word.size(); ++i) {
        const bool is_pair = i + 1 < word.size() && word[i] == best.first && word[i + 1] == best.second;
        joined.push_back(is_pair ? word[i] + word[i + 1] : word[i]);
        i += is_pair ? 1 : 0;
      }
      word = joined;
    }
    return true;
  }
};

}  // namespace

TEST_CASE("the merges of a small text, computed by hand", "[bpe_learner]") {
  // Words: low, ␣low, ␣lower, ␣low. l-o, o-w: 4 each; ␣-l: 3. Of equal counts the lower left id: l before o.
  BpeLearner learner("low low lower low", plain_bpe_options(100));
  CHECK(learner.text_tokens() == 17);
  const std::vector<LearnedMerge> merges = learn_all(learner);
  REQUIRE(merges.size() == 3);
  const char* const bytes[] = {"lo", "low", " low"};
  const std::uint64_t counts[] = {4, 4, 3};
  for (std::size_t i = 0; i < merges.size(); ++i) {
    CAPTURE(i);
    CHECK(merges[i].rank == i);
    CHECK(merges[i].id == static_cast<TokenId>(256 + i));
    CHECK(merges[i].bytes == bytes[i]);
    CHECK(merges[i].count == counts[i]);
    CHECK(learner.bytes(merges[i].left) + learner.bytes(merges[i].right) == bytes[i]);
  }
  CHECK(learner.bytes(merges[1].left) == "lo");
  CHECK(learner.text_tokens() == 6);  // low, ␣low, ␣low e r, ␣low
  CHECK(learner.merges_txt() == "#version: 0.2\nl o\nlo w\n\xC4\xA0 low\n");
  CHECK(learner.vocab_size() == 259);
  CHECK(pieces_of(read_back(learner), "lower slow") == Strings{"low", "e", "r", " ", "s", "low"});
}

TEST_CASE("the textbook's aaabdaaabac", "[bpe_learner]") {
  BpeLearner learner("aaabdaaabac", plain_bpe_options(100));
  const std::vector<LearnedMerge> merges = learn_all(learner);
  // aa stands at four places, two of them overlapping; then aa-a and a-b stand twice, and a has the lower id.
  REQUIRE(merges.size() == 3);
  CHECK(merges[0].bytes == "aa");
  CHECK(merges[0].count == 4);
  CHECK(merges[1].bytes == "ab");
  CHECK(merges[1].count == 2);
  CHECK(merges[2].bytes == "aaab");
  CHECK(merges[2].count == 2);
  CHECK(learner.text_tokens() == 5);
}

TEST_CASE("the ids of the bytes are GPT-2's", "[bpe_learner]") {
  const BpeLearner learner("", plain_bpe_options(0));
  const std::pair<TokenId, char> known[] = {{0, '!'},      {93, '~'},   {94, '\xA1'}, {187, '\xFF'},
                                            {188, '\x00'}, {198, '\n'}, {220, ' '},   {255, '\xAD'}};
  for (const auto& [id, byte] : known) CHECK(learner.bytes(id) == std::string(1, byte));
  CHECK(error_of([&] { learner.bytes(256); }) == "bad_token: token: expected 0 to 255, got 256");
  CHECK(error_of([&] { learner.bytes(-1); }) == "bad_token: token: expected 0 to 255, got -1");
  const Bpe bpe = read_back(learner);
  for (TokenId id = 0; id < 256; ++id) CHECK(bpe.bytes(id) == learner.bytes(id));
}

TEST_CASE("random texts give what the naive learner gives", "[bpe_learner]") {
  std::mt19937 generator(20);
  const Strings alphabets[] = {{"a", "b"}, {"a", "b", "c", " "}, {"小", "大", "猫", "。", " ", "a", "\xFF"}};
  for (int round = 0; round < 60; ++round) {
    const Strings& alphabet = alphabets[round % 3];
    std::string text;
    const std::size_t size = generator() % 200;
    for (std::size_t i = 0; i < size; ++i) text += alphabet[generator() % alphabet.size()];
    CAPTURE(text);
    BpeLearner learner(text, plain_bpe_options(50));
    NaiveLearner naive(text);
    for (std::size_t rank = 0; rank < 50; ++rank) {
      std::uint64_t count = 0;
      TokenId left = 0, right = 0;
      const bool expected = naive.step(count, left, right);
      const auto merge = learner.step();
      REQUIRE(merge.has_value() == expected);
      if (!merge) break;
      REQUIRE(merge->left == left);
      REQUIRE(merge->right == right);
      REQUIRE(merge->count == count);
      REQUIRE(merge->bytes == naive.order.back());
    }
    const Bpe bpe = read_back(learner);
    REQUIRE(bpe.encode(text).size() == learner.text_tokens());
    REQUIRE(bpe.decode(bpe.encode(text)) == text);
  }
}

TEST_CASE("text that can't be learned from gives no merge", "[bpe_learner]") {
  for (const char* text : {"", "a", "猫", "abcdefg", " ", "a b c", "\xFF\xFE"}) {
    CAPTURE(text);
    BpeLearner learner(text, plain_bpe_options(10));
    CHECK_FALSE(learner.step().has_value());
    CHECK_FALSE(learner.step().has_value());
    CHECK(learner.text_tokens() == std::string_view(text).size());
    CHECK(learner.merges_txt() == "#version: 0.2\n");
  }
  BpeLearner none(std::span<const std::string_view>(), plain_bpe_options(10));
  CHECK_FALSE(none.step().has_value());
}

TEST_CASE("learning ends at vocab_size and at least_count", "[bpe_learner]") {
  BpeLearner two("abcabcabc", plain_bpe_options(2));
  CHECK(learn_all(two).size() == 2);
  CHECK(two.vocab_size() == 258);
  BpeLearnOptions rare = plain_bpe_options(10);
  rare.least_count = 4;
  BpeLearner none("abcabcabc", rare);
  CHECK(learn_all(none).empty());
  rare.least_count = 3;
  BpeLearner some("abcabcabc", rare);
  CHECK(learn_all(some).size() == 2);
}

TEST_CASE("a long text without words is learned at once", "[bpe_learner]") {
  std::string same(1 << 20, 'a');
  BpeLearner runs(same, plain_bpe_options(100));
  CHECK(learn_all(runs).size() == 19);  // each doubles the token before; two of 2^19 are the last pair
  CHECK(runs.text_tokens() == 2);

  std::mt19937 generator(3);
  std::string letters;
  for (std::size_t i = 0; i < same.size(); ++i) letters += "ACGT"[generator() % 4];
  BpeLearner learner(letters, plain_bpe_options(300));
  CHECK(learn_all(learner).size() == 300);
}

TEST_CASE("the same texts in another order or in one give the same merges", "[bpe_learner]") {
  const std::string_view one[] = {"the cat sat. ", "the dog sat. ", "小猫和小狗。"};
  const std::string_view other[] = {"小猫和小狗。", "the dog sat. ", "the cat sat. "};
  BpeLearner a(one, plain_bpe_options(20)), b(other, plain_bpe_options(20));
  learn_all(a);
  learn_all(b);
  CHECK(a.merges_txt() == b.merges_txt());
  CHECK(a.vocab_json() == b.vocab_json());
}

namespace {

BpeLearnOptions model_options() {
  BpeLearnOptions options;
  options.vocab_size = 400;
  options.special_tokens = {"<|endoftext|>", "<calc>", "</calc>"};
  return options;
}

}  // namespace

TEST_CASE("digits stay single", "[bpe_learner]") {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "12 12加35等于47。 room12 v1.12 ";
  BpeLearner learner(text, model_options());
  for (const LearnedMerge& merge : learn_all(learner)) {
    CHECK(merge.bytes.find_first_of("0123456789") == std::string::npos);
  }
  CHECK(pieces_of(read_back(learner), "12 35") == Strings{"1", "2", " ", "3", "5"});
  BpeLearnOptions joined = model_options();
  joined.single_digits = false;
  BpeLearner other(text, joined);
  learn_all(other);
  CHECK(pieces_of(read_back(other), " 12") == Strings{" 12"});
}

TEST_CASE("merges make whole characters or a part of one", "[bpe_learner]") {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "小猫和小狗，大猫和大狗。é😀é😀 \x80\x80\x80\x80 \xC3\x28";
  BpeLearner learner(text, model_options());
  const std::vector<LearnedMerge> merges = learn_all(learner);
  CHECK(merges.size() > 20);
  for (const LearnedMerge& merge : merges) {
    CAPTURE(merge.bytes);
    std::size_t beginnings = 0, continued = 0;
    for (const char byte : merge.bytes)
      ((static_cast<unsigned char>(byte) & 0xC0) == 0x80 ? continued : beginnings) += 1;
    const bool part =
        beginnings == 0 || (beginnings == 1 && (static_cast<unsigned char>(merge.bytes[0]) & 0xC0) == 0xC0);
    bool whole = true;
    for (const std::string_view word : {std::string_view(merge.bytes)}) {
      std::size_t at = 0;
      while (at < word.size()) {
        const auto lead = static_cast<unsigned char>(word[at]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        whole = whole && length > 0 && at + length <= word.size();
        at += std::max<std::size_t>(length, 1);
      }
    }
    CHECK((whole || (part && merge.bytes.size() <= 3)));
  }
}

TEST_CASE("the lexicon's words are single tokens, and no merge spans two", "[bpe_learner]") {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "小猫没有跳上桌子，因为小猫太累了。The cat sat on the table. ";
  BpeLearnOptions options = model_options();
  options.lexicon = {"小猫", "桌子", "因为", "小猫咪", " cat", "cat", "table", "沙发", "小猫"};
  BpeLearner learner(text, options);
  const std::vector<LearnedMerge> merges = learn_all(learner);
  CHECK(learner.unmade_words().empty());
  const Bpe bpe = read_back(learner);
  for (const std::string& word : options.lexicon) {
    CAPTURE(word);
    CHECK(bpe.encode(word).size() == 1);
  }
  CHECK(pieces_of(bpe, "小猫跳上沙发") == Strings{"小猫", "跳", "上", "沙发"});
  for (const LearnedMerge& merge : merges) {
    CAPTURE(merge.bytes);
    CHECK(merge.bytes != "没有");  // often beside each other, but no word of the lexicon
  }
  // What the texts hold is counted without the lexicon's own weight.
  const auto sofa =
      std::find_if(merges.begin(), merges.end(), [](const auto& m) { return m.bytes == "沙发"; });
  REQUIRE(sofa != merges.end());
  CHECK(sofa->count == 0);
  const auto kitten =
      std::find_if(merges.begin(), merges.end(), [](const auto& m) { return m.bytes == "小猫"; });
  REQUIRE(kitten != merges.end());
  CHECK(kitten->count == 60);
}

TEST_CASE("lexicon words that can't be single tokens are told", "[bpe_learner]") {
  BpeLearnOptions options = model_options();
  options.lexicon = {"it's", "two words", "r2d2", "", "\xE5\xB0", "7", "cat", "<calc>"};
  BpeLearner learner("the cat", options);
  CHECK(learner.unmade_words() == Strings{"it's", "two words", "r2d2", "", "\xE5\xB0", "cat", "<calc>"});
  learn_all(learner);
  CHECK(learner.unmade_words() == Strings{"it's", "two words", "r2d2", "", "\xE5\xB0", "<calc>"});
}

TEST_CASE("a vocabulary too small for the lexicon is refused with what it needs", "[bpe_learner]") {
  BpeLearnOptions options = model_options();
  options.lexicon = {"小猫", "cat", "dog"};
  std::string text;
  for (int i = 0; i < 9; ++i) text += "them then this that ";
  options.vocab_size = 259 + 9;  // 2 + 2 for the characters, 1 for the word; 2 + 2
  BpeLearner enough(text, options);
  CHECK(learn_all(enough).size() == 9);
  CHECK(enough.unmade_words().empty());
  options.vocab_size = 259 + 7;
  BpeLearner small(text, options);
  CHECK(error_of([&] { learn_all(small); }) ==
        "bad_argument: vocab_size: the lexicon needs 9 merges, there are 7");
}

TEST_CASE("special tokens come after the merges and cut the texts", "[bpe_learner]") {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "<calc>ab</calc> calc calc<|endoftext|>ab<calc";
  BpeLearner learner(text, model_options());
  const std::vector<LearnedMerge> merges = learn_all(learner);
  const Bpe bpe = read_back(learner);
  const auto first = static_cast<TokenId>(256 + merges.size());
  CHECK(learner.vocab_size() == 259 + merges.size());
  CHECK(bpe.size() == learner.vocab_size());
  for (TokenId i = 0; i < 3; ++i) {
    const std::string special = model_options().special_tokens[static_cast<std::size_t>(i)];
    CHECK(bpe.special(special) == first + i);
    CHECK(learner.bytes(first + i) == special);
  }
  CHECK(bpe.encode("<calc>").size() > 1);
  CHECK(bpe.decode(bpe.encode(text)) == text);
  CHECK(bpe.encode_with_special(text).size() == learner.text_tokens() + 30 * 3);
  for (const LearnedMerge& merge : merges) CHECK(merge.bytes.find('>') == std::string::npos);
}

TEST_CASE("a merge that would be written as a special token is passed over", "[bpe_learner]") {
  BpeLearnOptions options = plain_bpe_options(20);
  options.vocab_size += 1;
  options.special_tokens = {"<é>"};  // the spelling of the bytes 3C E9 3E
  std::string text;
  for (int i = 0; i < 9; ++i) text += " <\xE9> ";
  BpeLearner learner(text, options);
  for (const LearnedMerge& merge : learn_all(learner)) CHECK(merge.bytes != "<\xE9>");
  const Bpe bpe = read_back(learner);
  CHECK(bpe.decode(bpe.encode(text)) == text);
}

TEST_CASE("options that make no vocabulary are refused", "[bpe_learner]") {
  const auto error = [](BpeLearnOptions options) { return error_of([&] { BpeLearner("ab", options); }); };
  BpeLearnOptions options = model_options();
  CHECK(error(options) == "none");
  options.vocab_size = 259;
  CHECK(error(options) == "none");
  options.vocab_size = 258;
  CHECK(error(options) == "bad_argument: vocab_size: expected 259 to 2147483647, got 258");
  for (const char* text : {"", "<>", "calc", "<calc", "[x>", "<\xFF>"}) {
    CAPTURE(text);
    options = model_options();
    options.special_tokens.push_back(text);
    CHECK(error(options).substr(0, 28) == "bad_argument: special token ");
  }
  options = model_options();
  options.special_tokens.push_back("<calc>");
  CHECK(error(options) == "bad_argument: special token \"<calc>\": stands twice");
  options.special_tokens.back() = "<" + std::string(300, 'x') + ">";
  CHECK(error(options).substr(0, 28) == "bad_argument: special token ");
}

TEST_CASE("any bytes are learned from, written and encoded", "[bpe_learner]") {
  std::mt19937 generator(7);
  for (int round = 0; round < 40; ++round) {
    std::string text = random_bytes(generator, 300);
    text += text.substr(0, 200) + text.substr(100, 150);
    BpeLearnOptions options = round % 2 == 0 ? plain_bpe_options(60) : model_options();
    if (round % 4 == 1) options.lexicon = {"小猫", text.substr(3, 5)};
    BpeLearner learner(text, options);
    const std::vector<LearnedMerge> merges = learn_all(learner);
    const Bpe bpe = read_back(learner);
    for (TokenId id = 0; id < static_cast<TokenId>(learner.vocab_size()); ++id) {
      REQUIRE(bpe.bytes(id) == learner.bytes(id));
    }
    REQUIRE(bpe.decode(bpe.encode(text)) == text);
    const std::string other = random_bytes(generator, 200);
    REQUIRE(bpe.decode(bpe.encode(other)) == other);
  }
}
