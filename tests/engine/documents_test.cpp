// Corpora in both formats, and their ids; the fingerprint of a file.
#include <string>

#include "catch.hpp"
#include "data.hpp"
#include "documents.hpp"
#include "errors.hpp"
#include "sha256.hpp"

using namespace glassbox;
using test::contains;
using test::error_of;

namespace {

std::string corpus_error(const std::string& file, bool jsonl) {
  return error_of([&] { jsonl ? read_jsonl_corpus(file) : read_plain_corpus(file); });
}

/// GPT-2's byte tokens in a vocabulary of bytes and <|endoftext|>.
Bpe byte_tokenizer(const std::string& special) {
  std::string vocab = "{";
  for (int byte = 0, other = 256, id = 0; byte < 256; ++byte, ++id) {
    const bool printable = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
    const int code = printable ? byte : other++;
    char escape[32];
    std::snprintf(escape, sizeof escape, "\"\\u%04x\":%d,", static_cast<unsigned>(code), id);
    vocab += escape;
  }
  return Bpe::from_vocab_and_merges(vocab + "\"" + special + "\":256}", "#version: 0.2\n");
}

}  // namespace

TEST_CASE("a corpus of lines: families in order, texts with tags, empty ones left out") {
  const Corpus corpus = read_jsonl_corpus(
      "{\"family\": \"b\", \"text\": \"小猫\\n<calc>\"}\r\n\n"
      "{\"text\": \"two\", \"family\": \"a\", \"more\": 1}\n{\"family\": \"a\", \"text\": \"\"}\n"
      "{\"family\": \"b\", \"text\": \"three\"}");
  CHECK(corpus.families == std::vector<std::string>{"b", "a"});
  REQUIRE(corpus.documents.size() == 3);
  CHECK(corpus.documents[0].text == "小猫\n<calc>");
  CHECK(corpus.documents[0].family == 0);
  CHECK(corpus.documents[1].family == 1);
  CHECK(corpus.documents[2].text == "three");
}

TEST_CASE("a corpus of plain text") {
  const Corpus corpus = read_plain_corpus("\none\n\ntwo\n<|endoftext|>\n<|endoftext|>three <|endoftext|>");
  REQUIRE(corpus.documents.size() == 2);
  CHECK(corpus.documents[0].text == "one\n\ntwo");
  CHECK(corpus.documents[1].text == "three ");
  CHECK(corpus.families == std::vector<std::string>{"text"});
  CHECK(read_plain_corpus("just one").documents.size() == 1);
}

TEST_CASE("a bad corpus is refused by name and place") {
  CHECK(contains(corpus_error("ab\xff", false), "bad_argument"));
  CHECK(contains(corpus_error("ab\xff", false), "byte 2"));
  CHECK(contains(corpus_error("{\"family\":\"\xe4\xbd\",\"text\":\"x\"}", true), "byte 11"));
  for (bool jsonl : {false, true}) {
    CHECK(contains(corpus_error("", jsonl), "empty_text"));
    CHECK(contains(corpus_error("\n\r\n", jsonl), "empty_text"));
  }
  CHECK(contains(corpus_error("<|endoftext|>", false), "empty_text"));
  const std::string good = "{\"family\":\"a\",\"text\":\"x\"}\n";
  CHECK(contains(corpus_error(good + "{\"family\":\"a\"}", true), "line 2"));
  CHECK(contains(corpus_error(good + "\n[]", true), "line 3"));
  CHECK(contains(corpus_error(good + "{\"family\":3,\"text\":\"x\"}", true), "line 2"));
  CHECK(contains(corpus_error(good + "plain", true), "line 2"));
}

TEST_CASE("packed documents: each closed by the end, tags one token, long ones count as several") {
  const Bpe tokenizer = byte_tokenizer("<|endoftext|>");
  Corpus corpus{{"x", "y"}, {{0, "abc"}, {1, "0123456789"}, {0, "a<|endoftext|>b"}}};
  std::size_t calls = 0;
  const PackedDocuments packed = pack_documents(corpus, tokenizer, 4, [&](std::size_t) { ++calls; });
  CHECK(calls == 0);
  CHECK(packed.end == 256);
  CHECK(packed.starts == std::vector<std::size_t>{0, 4, 8, 12, 15});
  CHECK(packed.family == std::vector<std::uint32_t>{0, 1, 1, 1, 0});
  CHECK(packed.families == corpus.families);
  REQUIRE(packed.ids.size() == 19);
  CHECK(packed.ids[3] == 256);
  CHECK(packed.ids[14] == 256);
  CHECK(packed.ids[16] == 256);
  CHECK(tokenizer.decode(packed.ids) ==
        "abc<|endoftext|>0123456789<|endoftext|>a<|endoftext|>b<|endoftext|>");
  CHECK_THROWS_AS(pack_documents(corpus, byte_tokenizer("<end>"), 4), Error);
}

TEST_CASE("SHA-256 gives the standard's values at every length of the last block") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(sha256(std::string(55, 'x')) == "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
  CHECK(sha256(std::string(64, 'x')) == "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
}
