#include "bpe.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "data.hpp"
#include "errors.hpp"
#include "json.hpp"
#include "random.hpp"
#include "unicode.hpp"

namespace {

using glassbox::Bpe;
using glassbox::Error;
using glassbox::Json;
using glassbox::MergeStep;
using glassbox::TokenId;
using glassbox::test::contains;
using glassbox::test::error_of;
using glassbox::test::random_bytes;
using glassbox::test::read_data;

using Ids = std::vector<TokenId>;
using Strings = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

const Bpe& gpt2() {
  static const Bpe bpe =
      Bpe::from_vocab_and_merges(read_data("gpt2/vocab.json"), read_data("gpt2/merges.txt"));
  return bpe;
}

/// The bytes of `text` as characters of the byte alphabet.
std::string spell(std::string_view text) {
  std::string spelling;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    // By the three gaps of printable Latin-1: 0x00–0x20, 0x7F–0xA0, 0xAD.
    char32_t code_point = byte;
    if (byte <= 0x20) {
      code_point = 0x100u + byte;
    } else if (byte >= 0x7F && byte <= 0xA0) {
      code_point = 0x100u + 0x21 + (byte - 0x7Fu);
    } else if (byte == 0xAD) {
      code_point = 0x100u + 0x21 + 0x22;
    }
    glassbox::append_utf8(spelling, code_point);
  }
  return spelling;
}

/// All bytes with their value as id, then what each merge makes, where that is new.
struct SmallTokenizer {
  std::map<std::string, TokenId> vocab;  // by spelling
  Pairs merges;                          // spellings

  explicit SmallTokenizer(const Pairs& pairs = {}) {
    for (int byte = 0; byte < 256; ++byte) vocab[spell(std::string(1, static_cast<char>(byte)))] = byte;
    for (const auto& [left, right] : pairs) {
      merges.emplace_back(spell(left), spell(right));
      vocab.emplace(spell(left + right), static_cast<TokenId>(vocab.size()));
    }
  }
  std::string vocab_json() const { return Json(vocab).dump(); }
  std::string merges_txt() const {
    std::string text = "#version: 0.2\n";
    for (const auto& [left, right] : merges) text += left + " " + right + "\n";
    return text;
  }
  Json tokenizer_json() const {
    Json file;
    file["model"]["type"] = "BPE";
    file["model"]["vocab"] = vocab;
    file["model"]["merges"] = Json::array();
    for (const auto& [left, right] : merges) file["model"]["merges"].push_back(left + " " + right);
    file["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
    file["added_tokens"] = Json::array();
    return file;
  }
  Bpe make() const { return Bpe::from_vocab_and_merges(vocab_json(), merges_txt()); }
};

/// The definition of BPE, word by word in the plainest way.
std::vector<Strings> merge_naively(Strings pieces, const Pairs& merges) {
  std::vector<Strings> rounds;
  for (;;) {
    std::size_t best = merges.size();
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto found = std::find(merges.begin(), merges.end(), std::pair(pieces[i], pieces[i + 1]));
      best = std::min(best, static_cast<std::size_t>(found - merges.begin()));
    }
    if (best == merges.size()) return rounds;
    Strings joined;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i + 1 < pieces.size() && merges[best] == std::pair(pieces[i], pieces[i + 1])) {
        joined.push_back(pieces[i] + pieces[i + 1]);
        ++i;
      } else {
        joined.push_back(pieces[i]);
      }
    }
    pieces = joined;
    rounds.push_back(pieces);
  }
}

Strings to_strings(const Bpe& bpe, const Ids& ids) {
  Strings pieces;
  for (const TokenId id : ids) pieces.push_back(bpe.bytes(id));
  return pieces;
}

Strings to_bytes(std::string_view text) {
  Strings bytes;
  for (const char byte : text) bytes.emplace_back(1, byte);
  return bytes;
}

Strings words(std::string_view text) {
  Strings copies;
  for (const std::string_view word : glassbox::split_words(text)) copies.emplace_back(word);
  return copies;
}

std::string refusal(const std::string& vocab, const std::string& merges) {
  return error_of([&] { Bpe::from_vocab_and_merges(vocab, merges); });
}

std::string refusal(const Json& file) {
  return error_of([&] { Bpe::from_tokenizer_json(file.dump()); });
}

}  // namespace

TEST_CASE("GPT-2's merges alone give the same tokenizer as its two files") {
  const Bpe bpe = Bpe::from_merges(read_data("gpt2/merges.txt"), {"<|endoftext|>"});
  REQUIRE(bpe.size() == gpt2().size());
  for (TokenId id = 0; static_cast<std::size_t>(id) < bpe.size(); ++id) {
    if (bpe.bytes(id) != gpt2().bytes(id)) CHECK(bpe.bytes(id) == gpt2().bytes(id));
  }
  CHECK(bpe.special("<|endoftext|>") == 50256);
  CHECK(bpe.encode("Thank you very much") == Ids{10449, 345, 845, 881});
}

TEST_CASE("merges alone: what they can't mean is refused") {
  CHECK(Bpe::from_merges("", {}).size() == 256);
  CHECK(Bpe::from_merges("a b\n", {"<x>"}).special("<x>") == 257);
  CHECK_THROWS_AS(Bpe::from_merges("a b\nb c\na bc\nab c\n", {}), Error);
  CHECK_THROWS_AS(Bpe::from_merges("a bc\n", {}), Error);
  CHECK_THROWS_AS(Bpe::from_merges("a\n", {}), Error);
  CHECK_THROWS_AS(Bpe::from_merges("a b\n", {"ab", "ab"}), Error);
}

TEST_CASE("GPT-2: texts have the ids of the published tokenizer", "[bpe]") {
  const Json goldens =
      glassbox::parse_json(read_data("gpt2_bpe_goldens.json"), "gpt2_bpe_goldens.json", "bad_argument");
  REQUIRE(goldens.size() > 40);
  for (const Json& golden : goldens) {
    const std::string text = golden["text"].get<std::string>();
    CAPTURE(text);
    CHECK(gpt2().encode(text) == golden["ids"].get<Ids>());
    CHECK(gpt2().decode(golden["ids"].get<Ids>()) == text);
  }
}

TEST_CASE("GPT-2: size and special token", "[bpe]") {
  CHECK(gpt2().size() == 50257);
  CHECK(gpt2().special("<|endoftext|>") == 50256);
  CHECK_FALSE(gpt2().special("<|endoftext|").has_value());
  CHECK_FALSE(gpt2().special("hello").has_value());
  CHECK(gpt2().bytes(50256) == "<|endoftext|>");
  CHECK(gpt2().bytes(220) == " ");
  CHECK(gpt2().bytes(188) == std::string(1, '\0'));
}

TEST_CASE("A special token is one only when asked for", "[bpe]") {
  const std::string text = "a<|endoftext|> b<|endoftext|>";
  const Ids plain = gpt2().encode(text);
  CHECK(std::count(plain.begin(), plain.end(), 50256) == 0);
  CHECK(gpt2().encode_with_special(text) == Ids{64, 50256, 275, 50256});
  CHECK(gpt2().decode(plain) == text);
  CHECK(gpt2().decode(Ids{64, 50256, 275, 50256}) == text);
  CHECK(gpt2().encode_with_special("a<|endoftext|") == gpt2().encode("a<|endoftext|"));
  CHECK(gpt2().encode_with_steps(text).ids == plain);
  CHECK(gpt2().encode_with_special("").empty());
}

TEST_CASE("Of special tokens at one place the longest counts", "[bpe]") {
  Json file = SmallTokenizer().tokenizer_json();
  int id = 300;
  for (const char* text : {"<a>", "<a><b>", "<a", "\u6211"}) {
    file["added_tokens"].push_back({{"content", text}, {"id", id++}});
  }
  const Bpe bpe = Bpe::from_tokenizer_json(file.dump());
  CHECK(bpe.size() == 304);
  CHECK(bpe.encode_with_special("<a><b><a>x<a\u6211<\xC3") == Ids{301, 300, 'x', 302, 303, '<', 0xC3});
  CHECK(bpe.encode("<a>") == Ids{'<', 'a', '>'});
  CHECK(bpe.special("\u6211") == 303);
  CHECK(contains(error_of([&] { bpe.bytes(299); }), "bad_token"));
}

TEST_CASE("Words: contractions, spaces, classes", "[bpe]") {
  CHECK(words("").empty());
  CHECK(words("I'm can't they've we'll you'd he's it're") == Strings{"I", "'m", " can", "'t", " they", "'ve",
                                                                     " we", "'ll", " you", "'d", " he", "'s",
                                                                     " it", "'re"});
  CHECK(words("I'M 'tis 'l 'r") == Strings{"I", "'", "M", " '", "tis", " '", "l", " '", "r"});
  CHECK(words("'tis") == Strings{"'t", "is"});
  CHECK(words("!'s 's's") == Strings{"!'", "s", " '", "s", "'s"});
  CHECK(words("'") == Strings{"'"});
  CHECK(words("'l") == Strings{"'", "l"});

  CHECK(words("a  b") == Strings{"a", " ", " b"});
  CHECK(words("a   b") == Strings{"a", "  ", " b"});
  CHECK(words("a\n\nb") == Strings{"a", "\n", "\n", "b"});
  CHECK(words("a \n b") == Strings{"a", " \n", " b"});
  CHECK(words(" \n ") == Strings{" \n "});
  CHECK(words("a ") == Strings{"a", " "});
  CHECK(words("  'll") == Strings{" ", " '", "ll"});
  CHECK(words("\t'll") == Strings{"\t", "'ll"});
  CHECK(words(" 12ab!? c") == Strings{" 12", "ab", "!?", " c"});
}

TEST_CASE("Words: white space is what Unicode says", "[bpe]") {
  CHECK(words("a\u0085\u0085b") == Strings{"a", "\u0085", "\u0085", "b"});  // next line: white space
  CHECK(words("a\uFEFF\uFEFF b") == Strings{"a", "\uFEFF\uFEFF", " b"});    // byte order mark: none
  CHECK(words(" \uFEFF!a") == Strings{" \uFEFF!", "a"});
  CHECK(words("a\u3000\u00A0b") == Strings{"a", "\u3000", "\u00A0", "b"});
  CHECK(words("a\u200B\u180E\x1C!b") == Strings{"a", "\u200B\u180E\x1C!", "b"});
}

TEST_CASE("Words: scripts, marks, emoji", "[bpe]") {
  CHECK(words("\u0663\u0664\u2167\u00B2\u00BDx") == Strings{"\u0663\u0664\u2167\u00B2\u00BD", "x"});
  CHECK(words("我是\u3002日本 語") == Strings{"我是", "\u3002", "日本", " 語"});
  // A combining mark is no letter, so it cuts a word; nor is a joiner between emoji.
  CHECK(words("ne\u0301e") == Strings{"ne", "\u0301", "e"});
  CHECK(words(" \U0001F468\u200D\U0001F469a") == Strings{" \U0001F468\u200D\U0001F469", "a"});
  CHECK(words("\u0939\u093F") == Strings{"\u0939", "\u093F"});
}

TEST_CASE("Words: ill-formed bytes are neither letter nor number nor white space", "[bpe]") {
  CHECK(words("a\xFF\x80!b") == Strings{"a", "\xFF\x80!", "b"});
  CHECK(words(" \xE2\x82") == Strings{" \xE2\x82"});
  CHECK(words("\xED\xA0\x80"
              "a\xC2") == Strings{"\xED\xA0\x80", "a", "\xC2"});
}

TEST_CASE("Decoding gives back any bytes", "[bpe]") {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_bytes(random, random() % 200);
    CHECK(gpt2().decode(gpt2().encode(text)) == text);
    CHECK(gpt2().decode(gpt2().encode_with_special(text)) == text);
    std::string joined;
    for (const std::string& word : words(text)) joined += word;
    CHECK(joined == text);
  }
}

TEST_CASE("Encoding equals BPE by its definition, also for merges that nobody learned", "[bpe]") {
  std::mt19937 random(2);
  const auto letter = [&] { return std::string(1, static_cast<char>('a' + random() % 3)); };
  for (int round = 0; round < 200; ++round) {
    Pairs merges;
    Strings known = {"a", "b", "c"};
    while (merges.size() < 1 + random() % 20) {
      const std::pair merge(known[random() % known.size()], known[random() % known.size()]);
      if (merge.first.size() + merge.second.size() > 6) continue;
      if (std::find(merges.begin(), merges.end(), merge) != merges.end()) continue;
      merges.push_back(merge);
      known.push_back(merge.first + merge.second);
    }
    std::shuffle(merges.begin(), merges.end(), random);
    const Bpe bpe = SmallTokenizer(merges).make();
    for (int i = 0; i < 10; ++i) {
      std::string text;
      for (std::size_t size = random() % 40; size > 0; --size) text += letter();
      CAPTURE(text);
      const std::vector<Strings> expected = merge_naively(to_bytes(text), merges);
      const Bpe::Encoded actual = bpe.encode_with_steps(text);
      REQUIRE(actual.steps.size() == expected.size());
      for (std::size_t step = 0; step < expected.size(); ++step) {
        REQUIRE(to_strings(bpe, actual.steps[step].pieces) == expected[step]);
      }
      REQUIRE(to_strings(bpe, bpe.encode(text)) == (expected.empty() ? to_bytes(text) : expected.back()));
    }
  }
}

TEST_CASE("Steps lead from the bytes to the ids", "[bpe]") {
  for (const std::string text : {"Thank you very much", "我非常渴望", "aaaa aaaa", "x", " \xFF\xFEhello"}) {
    CAPTURE(text);
    const Bpe::Encoded encoded = gpt2().encode_with_steps(text);
    CHECK(encoded.ids == gpt2().encode(text));
    std::size_t pieces = text.size();
    for (const MergeStep& step : encoded.steps) {
      CHECK(gpt2().decode(step.pieces) == text);
      CHECK(step.pieces.size() < pieces);
      pieces = step.pieces.size();
      const std::string made = gpt2().bytes(step.pair.first) + gpt2().bytes(step.pair.second);
      CHECK(std::count(step.pieces.begin(), step.pieces.end(), static_cast<TokenId>(256 + step.rank)) > 0);
      CHECK(made == gpt2().bytes(static_cast<TokenId>(256 + step.rank)));
    }
    CHECK(pieces == encoded.ids.size());
    if (!encoded.steps.empty()) CHECK(encoded.steps.back().pieces == encoded.ids);
  }
  CHECK(gpt2().encode_with_steps("").ids.empty());
  CHECK(contains(error_of([] { gpt2().encode_with_steps(std::string(8193, 'a')); }), "bad_argument"));
}

TEST_CASE("Long words and long texts take no time", "[bpe]") {
  for (const char* unit : {"a", " ", "ab", "0", "\xE6\x88\x91", "-=", "\xFF"}) {
    std::string text;
    while (text.size() < 300000) text += unit;
    CAPTURE(unit);
    CHECK(gpt2().decode(gpt2().encode(text)) == text);
  }
  const std::string text(10000, 'a');
  CHECK(gpt2().encode(text) == Ids(2500, 24794));  // 24794 is "aaaa"
}

TEST_CASE("tokenizer.json says the same as the two files", "[bpe]") {
  const Json vocab = Json::parse(read_data("gpt2/vocab.json"));
  const std::string merges = read_data("gpt2/merges.txt");
  Json file;
  file["version"] = "1.0";
  file["added_tokens"] =
      Json::array({{{"id", 50256}, {"content", "<|endoftext|>"}, {"special", true}, {"lstrip", false}}});
  file["normalizer"] = nullptr;
  file["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}};
  file["post_processor"] = {{"type", "ByteLevel"}, {"add_prefix_space", true}};
  file["decoder"] = {{"type", "ByteLevel"}};
  file["model"] = {{"dropout", nullptr},       {"unk_token", nullptr}, {"continuing_subword_prefix", ""},
                   {"end_of_word_suffix", ""}, {"fuse_unk", false},    {"vocab", vocab}};
  Json& list = file["model"]["merges"] = Json::array();
  for (std::size_t begin = merges.find('\n') + 1; begin < merges.size();) {
    const std::size_t end = merges.find('\n', begin);
    const std::string line = merges.substr(begin, end - begin);
    const std::size_t space = line.find(' ');
    // Both spellings of a merge are in use.
    if (list.size() % 2 == 0) {
      list.push_back(line);
    } else {
      list.push_back({line.substr(0, space), line.substr(space + 1)});
    }
    begin = end + 1;
  }
  const Bpe bpe = Bpe::from_tokenizer_json(file.dump());
  CHECK(bpe.size() == 50257);
  CHECK(bpe.special("<|endoftext|>") == 50256);
  for (const char* text : {"Thank you very much, it's 12345!", "我非常渴望", "  a\n\nb<|endoftext|>"}) {
    CHECK(bpe.encode(text) == gpt2().encode(text));
    CHECK(bpe.encode_with_special(text) == gpt2().encode_with_special(text));
  }
}

TEST_CASE("merges.txt: CRLF and a missing version line are fine", "[bpe]") {
  const SmallTokenizer small({{"a", "b"}, {"ab", "c"}, {"#", "#"}});
  const std::string spelled = "a b\r\nab c\r\n# #\r\n\r\n";
  for (const std::string& merges : {spelled, "#version: 0.2\r\n" + spelled, std::string("a b\nab c\n# #")}) {
    const Bpe bpe = Bpe::from_vocab_and_merges(small.vocab_json(), merges);
    CHECK(bpe.encode("abc##") == Ids{257, 258});
  }
  CHECK(SmallTokenizer().make().encode("ab") == Ids{'a', 'b'});
}

TEST_CASE("Two merges may make the same token", "[bpe]") {
  const Bpe bpe = SmallTokenizer({{"a", "b"}, {"b", "c"}, {"ab", "c"}, {"a", "bc"}}).make();
  CHECK(bpe.size() == 259);
  CHECK(bpe.encode("abc") == Ids{258});
}

TEST_CASE("A byte without a token is an error only where it stands in the text", "[bpe]") {
  const Bpe bpe = Bpe::from_vocab_and_merges(R"({"a": 0, "b": 1, "ab": 2})", "a b\n");
  CHECK(bpe.encode("abba") == Ids{2, 1, 0});
  CHECK(error_of([&] { bpe.encode("abc"); }) ==
        "bad_argument: the tokenizer has no token for the byte 99 in \"abc\"");
  CHECK(contains(error_of([&] { bpe.encode_with_steps("ab \xFF"); }), "bad_argument"));
  CHECK(contains(error_of([&] { bpe.encode_with_special("c"); }), "bad_argument"));
}

TEST_CASE("Ids outside the vocabulary are refused", "[bpe]") {
  CHECK(error_of([] { gpt2().bytes(50257); }) == "bad_token: token: expected 0 to 50256, got 50257");
  CHECK(contains(error_of([] { gpt2().decode(Ids{0, -1}); }), "bad_token"));
  CHECK(contains(error_of([] { gpt2().decode(Ids{INT32_MAX}); }), "bad_token"));
  CHECK(gpt2().decode(Ids{}).empty());
}

TEST_CASE("Damaged vocab.json is refused", "[bpe]") {
  const auto check = [](const std::string& vocab, const std::string& part) {
    const std::string message = refusal(vocab, "");
    CAPTURE(vocab, message);
    CHECK(contains(message, "bad_tokenizer: "));
    CHECK(contains(message, part));
  };
  check("", "vocab.json");
  check("{\"a\": 0", "vocab.json");
  check("{\"a\xFF\": 0}", "vocab.json");
  check("[]", "expected an object, got array");
  check("null", "expected an object");
  check("{}", "no tokens");
  check(R"({"a": "0"})", "expected an id from 0 to 9 (1 entries), got \"0\"");
  check(R"({"a": 0.5})", "expected an id");
  check(R"({"a": null})", "expected an id");
  check(R"({"a": {}})", "expected an id");
  check(R"({"a": -1})", "got -1");
  check(R"({"a": 10})", "got 10");
  check(R"({"a": 1000000000})", "expected an id");
  check(R"({"a": 2147483648})", "expected an id");
  check(R"({"a": 18446744073709551616})", "expected an id");
  check(R"({"a": 0, "b": 0})", "the id 0 is taken by \"a\"");
  check(R"({"a": 0, "a": 1})", "stands twice");
  check(R"({"": 0})", "");
  check(R"({"a b": 0})", "");
  check(R"({"ab": 0})", "no merge makes the token \"ab\"");
  check(R"({"<|tag|>": -5})", "expected an id");
  check("{\"<" + std::string(300, 'x') + ">\": 0}", "expected at most 256 bytes");
}

TEST_CASE("Damaged merges.txt is refused", "[bpe]") {
  const std::string vocab = R"({"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4, "<x>": 5})";
  REQUIRE(refusal(vocab, "a b\nab c\n") == "none");
  const auto check = [&](const std::string& merges, const std::string& part) {
    const std::string message = refusal(vocab, merges);
    CAPTURE(merges, message);
    CHECK(contains(message, "bad_tokenizer: "));
    CHECK(contains(message, part));
  };
  check("", "no merge makes the token");
  check("a b\n", "no merge makes the token \"abc\"");
  check("a b\nab ", "line 2");
  check("a b\nab", "line 2");
  check("a b\n c\n", "line 2");
  check("a b\n\nab c\n", "line 2 is empty");
  check("a b\nab  c\n", "line 2");
  check("a b c\n", "line 1");
  check("a b\nab c\na b\n", "stands twice");
  check("a b\nab c\nb c\n", "\"bc\" is not in the vocabulary");
  check("a b\nab c\nd a\n", "\"d\" is not in the vocabulary");
  check("a b\nab c\n<x> a\n", "\"<x>\" is a special token");
  check("a b\nab c\n\xFF \xFE\n", "is not in the vocabulary");
  check("a b\n#version: 0.2\nab c\n", "not in the vocabulary");
}

TEST_CASE("GPT-2's files that don't fit each other are refused", "[bpe]") {
  const std::string vocab = read_data("gpt2/vocab.json");
  const std::string merges = read_data("gpt2/merges.txt");
  Json changed = Json::parse(vocab);
  changed.erase("hello");
  CHECK(contains(refusal(changed.dump(), merges), "\"hello\" is not in the vocabulary"));
  const std::string half = merges.substr(0, merges.find('\n', merges.size() / 2) + 1);
  CHECK(contains(refusal(vocab, half), "merges.txt: no merge makes the token"));
}

TEST_CASE("A tokenizer.json of another kind is refused by name", "[bpe]") {
  const Json sound = SmallTokenizer(Pairs{{"a", "b"}}).tokenizer_json();
  REQUIRE(refusal(sound) == "none");
  const auto check = [&](const char* path, const Json& value, const std::string& part) {
    Json file = sound;
    file[Json::json_pointer(path)] = value;
    const std::string message = refusal(file);
    CAPTURE(path, message);
    CHECK(contains(message, "bad_tokenizer: tokenizer.json: "));
    CHECK(contains(message, part));
  };
  check("/model", nullptr, "model: expected an object, got null");
  check("/model/type", "WordPiece", "model.type: expected \"BPE\" or null, got \"WordPiece\"");
  check("/model/vocab", Json::array(), "model.vocab: expected an object, got array");
  check("/model/merges", Json::object(), "model.merges: expected an array, got object");
  check("/model/merges/0", 5, "model.merges[0]: expected");
  check("/model/merges/0", Json::array({"a"}), "model.merges[0]: expected");
  check("/model/merges/0", Json::array({"a", 5}), "model.merges[0]: expected");
  check("/model/merges/0", "ab", "model.merges[0]: expected two tokens");
  check("/model/merges/0", Json::array({"a", ""}), "model.merges: merge 0");
  check("/model/dropout", 0.1, "model.dropout");
  check("/model/byte_fallback", true, "model.byte_fallback");
  check("/model/ignore_merges", true, "model.ignore_merges");
  check("/model/continuing_subword_prefix", "##", "model.continuing_subword_prefix");
  check("/model/end_of_word_suffix", "</w>", "got \"</w>\"");
  check("/normalizer", {{"type", "NFC"}}, "normalizer: expected null, got object");
  check("/pre_tokenizer", nullptr, "pre_tokenizer.type: expected \"ByteLevel\", got null");
  check("/pre_tokenizer/type", "Metaspace", "got \"Metaspace\"");
  check("/pre_tokenizer/add_prefix_space", true, "add_prefix_space: expected false, got true");
  check("/pre_tokenizer/use_regex", false, "use_regex");
  check("/post_processor", {{"type", "TemplateProcessing"}}, "got \"TemplateProcessing\"");
  check("/decoder", {{"type", "WordPiece"}}, "got \"WordPiece\"");
  check("/added_tokens", 5, "added_tokens: expected an array, got 5");
  check("/added_tokens", Json::array({5}), "added_tokens[0].content");
  check("/added_tokens", Json::array({{{"content", 5}, {"id", 257}}}), "added_tokens[0].content");
  check("/added_tokens", Json::array({{{"content", "x"}, {"id", 257}, {"lstrip", true}}}),
        "added_tokens[0].lstrip");
  check("/added_tokens", Json::array({{{"content", "<x>"}, {"id", 257}}, {{"content", "<x>"}, {"id", 258}}}),
        "stands twice");
  CHECK(contains(refusal(Json::array()), "expected an object"));
  CHECK(contains(error_of([] { Bpe::from_tokenizer_json(""); }), "bad_tokenizer"));
  CHECK(contains(error_of([] { Bpe::from_tokenizer_json(std::string(5000, '[')); }), "bad_tokenizer"));
  const std::string whole = sound.dump();
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    CHECK(contains(error_of([&] { Bpe::from_tokenizer_json(whole.substr(0, size)); }), "bad_tokenizer"));
  }
}

TEST_CASE("Added tokens that contradict the vocabulary are refused", "[bpe]") {
  const auto refuse_added = [](const char* text, const Json& id) {
    Json file = SmallTokenizer(Pairs{{"a", "b"}}).tokenizer_json();
    file["added_tokens"].push_back({{"content", text}, {"id", id}});
    return refusal(file);
  };
  CHECK(refuse_added("<x>", 257) == "none");
  CHECK(contains(refuse_added("<x>", 5), "is taken by"));
  CHECK(contains(refuse_added("<x>", nullptr), "expected an id"));
  CHECK(contains(refuse_added("<x>", -1), "expected an id"));
  CHECK(contains(refuse_added("<x>", 1000000000), "expected an id"));
  CHECK(contains(refuse_added("", 257), "at least one byte"));
  CHECK(contains(refuse_added("ab", 257), "expected the special token's id 257, got 256"));
  CHECK(contains(refuse_added("ab", 256), "\"ab\" is a special token"));  // and a merge makes it
  CHECK(contains(refuse_added("a", 'a'), "a special token can't be a byte's"));
}

TEST_CASE("Ill-formed UTF-8 becomes U+FFFD by maximal subparts", "[unicode]") {
  using glassbox::to_valid_utf8;
  const std::string sign = "\uFFFD";
  CHECK(to_valid_utf8("") == "");
  CHECK(to_valid_utf8("a\u00E9\u6211\U0001F44D\uFEFF") == "a\u00E9\u6211\U0001F44D\uFEFF");
  // The examples of the Unicode standard, chapter 3.9, tables 3-8 to 3-11.
  CHECK(to_valid_utf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82"
                      "A") == sign + sign + sign + sign + sign + sign + sign + sign + "A");
  CHECK(to_valid_utf8("\xED\xA0\x80\xED\xBF\xBF\xED\xAF"
                      "A") == sign + sign + sign + sign + sign + sign + sign + sign + "A");
  CHECK(to_valid_utf8("\xF4\x91\x92\x93\xFF"
                      "A\x80\xBF"
                      "B") == sign + sign + sign + sign + sign + "A" + sign + sign + "B");
  CHECK(to_valid_utf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF"
                      "A") == sign + sign + sign + sign + "A");
  CHECK(to_valid_utf8("\xF0\x9F\x91") == sign);
  CHECK(to_valid_utf8("\xE6\x88") == sign);
}

TEST_CASE("Every code point survives UTF-8", "[unicode]") {
  bool same = true;
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point >= 0xD800 && code_point <= 0xDFFF) continue;
    std::string text;
    glassbox::append_utf8(text, code_point);
    const glassbox::Utf8Unit unit = glassbox::decode_utf8(text, 0);
    same = same && unit.well_formed && unit.code_point == code_point && unit.length == text.size();
  }
  CHECK(same);
}

TEST_CASE("Classes of characters", "[unicode]") {
  using glassbox::CharacterClass;
  using glassbox::classify;
  std::size_t white_space = 0;
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    white_space += classify(code_point) == CharacterClass::white_space ? 1 : 0;
  }
  CHECK(white_space == 25);  // Unicode's PropList.txt
  CHECK(classify(0x85) == CharacterClass::white_space);
  CHECK(classify(0xFEFF) == CharacterClass::other);
  CHECK(classify(0x0301) == CharacterClass::other);
  CHECK(classify(0x6211) == CharacterClass::letter);
  CHECK(classify(0x0663) == CharacterClass::number);
  CHECK(classify(0x2167) == CharacterClass::number);
  CHECK(classify('_') == CharacterClass::other);
  CHECK(classify(0x10FFFF) == CharacterClass::other);
}
