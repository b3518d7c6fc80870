#include "documents.hpp"

#include <map>
#include <optional>

#include "error.hpp"
#include "json.hpp"
#include "unicode.hpp"

namespace glassbox {

namespace {

void expect_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Unit unit = decode_utf8(text, i);
    if (!unit.well_formed) {
      throw Error("bad_argument", "corpus: expected UTF-8, but byte " + std::to_string(i) + " is not");
    }
    i += unit.length;
  }
}

void expect_documents(const Corpus& corpus) {
  if (corpus.documents.empty()) throw Error("empty_text", "corpus: no document with a text");
}

/// A string field of a line's object.
std::string read_field(const Json& object, const char* key, std::size_t line) {
  const auto field = object.is_object() ? object.find(key) : object.end();
  if (field == object.end() || !field->is_string()) {
    throw Error("bad_argument",
                "corpus, line " + std::to_string(line) + R"(: expected {"family": "…", "text": "…"})");
  }
  return field->get<std::string>();
}

}  // namespace

Corpus read_jsonl_corpus(std::string_view file) {
  expect_utf8(file);
  Corpus corpus;
  std::map<std::string, std::uint32_t> known;
  for (std::size_t begin = 0, line = 1; begin < file.size(); ++line) {
    const std::size_t end = std::min(file.find('\n', begin), file.size());
    const std::string_view text = file.substr(begin, end - begin);
    begin = end + 1;
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string place = "corpus, line " + std::to_string(line);
    const Json object = parse_json(text, place.c_str(), "bad_argument");
    const std::string family = read_field(object, "family", line);
    Document document{0, read_field(object, "text", line)};
    if (document.text.empty()) continue;
    const auto [entry, added] = known.emplace(family, static_cast<std::uint32_t>(known.size()));
    if (added) corpus.families.push_back(family);
    document.family = entry->second;
    corpus.documents.push_back(std::move(document));
  }
  expect_documents(corpus);
  return corpus;
}

Corpus read_plain_corpus(std::string_view file) {
  expect_utf8(file);
  Corpus corpus;
  corpus.families.push_back("text");
  for (std::size_t begin = 0; begin <= file.size();) {
    const std::size_t end = std::min(file.find(end_of_text, begin), file.size());
    std::string_view text = file.substr(begin, end - begin);
    begin = end + end_of_text.size();
    const std::size_t first = text.find_first_not_of("\r\n"), last = text.find_last_not_of("\r\n");
    if (first == std::string_view::npos) continue;
    corpus.documents.push_back({0, std::string(text.substr(first, last + 1 - first))});
  }
  expect_documents(corpus);
  return corpus;
}

PackedDocuments pack_documents(const Corpus& corpus, const Bpe& tokenizer, std::size_t longest,
                               const std::function<void(std::size_t)>& progress) {
  const std::optional<TokenId> end = tokenizer.special(end_of_text);
  if (!end) throw Error("bad_tokenizer", "tokenizer: expected the special token <|endoftext|>");
  PackedDocuments packed;
  packed.families = corpus.families;
  packed.end = *end;
  for (std::size_t d = 0; d < corpus.documents.size(); ++d) {
    const Document& document = corpus.documents[d];
    const std::vector<TokenId> ids = tokenizer.encode_with_special(document.text);
    for (std::size_t at = 0; at < ids.size(); at += longest) {
      packed.starts.push_back(packed.ids.size() + at);
      packed.family.push_back(document.family);
    }
    packed.ids.insert(packed.ids.end(), ids.begin(), ids.end());
    packed.ids.push_back(*end);
    if (progress && (d + 1) % 1000 == 0) progress(d + 1);
  }
  return packed;
}

}  // namespace glassbox
