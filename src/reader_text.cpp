#include "reader_text.hpp"

#include <algorithm>
#include <utility>

#include "error.hpp"
#include "unicode.hpp"

namespace glassbox {

namespace {

constexpr std::size_t slice_bytes = 1 << 15;  // encoded in one call
constexpr std::size_t slice_merges = 8;       // learned in one call

/// `\n` for every way to end a line, and no byte order mark.
std::string with_plain_line_ends(std::string text) {
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
  std::size_t to = 0;
  for (std::size_t from = 0; from < text.size(); ++from) {
    if (text[from] != '\r') {
      text[to++] = text[from];
    } else if (from + 1 == text.size() || text[from + 1] != '\n') {
      text[to++] = '\n';
    }
  }
  text.resize(to);
  return text;
}

void check_text(std::string_view text) {
  if (text.size() > ReaderText::longest) {
    fail("text_too_long",
         {"text: expected at most ", ReaderText::longest, " bytes of UTF-8, got ", text.size()});
  }
  std::size_t characters = 0, replaced = 0, visible = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Unit unit = decode_utf8(text, i);
    if (!unit.well_formed) fail("not_text", {"text: expected UTF-8, but byte ", i, " is not"});
    if (unit.code_point == 0) fail("not_text", {"text: byte ", i, " is zero: no text, but a binary file"});
    ++characters;
    replaced += unit.code_point == 0xFFFD;
    visible += classify(unit.code_point) != CharacterClass::white_space;
    i += unit.length;
  }
  if (replaced * 10 > characters) {
    fail("not_text",
         {"text: ", replaced, " of ", characters, " characters are U+FFFD: no text, but a binary file"});
  }
  if (visible == 0) fail("empty_text", {"text: nothing but white space"});
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

/// The stretches between empty lines, without the line breaks around them.
void cut_at_empty_lines(std::string_view text, std::vector<std::string_view>& documents) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t begin = none, end = 0;
  const auto take = [&] {
    if (begin != none) documents.push_back(text.substr(begin, end - begin));
    begin = none;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stop = std::min(text.find('\n', at), text.size());
    if (is_blank(text.substr(at, stop - at))) {
      take();
    } else {
      if (begin == none) begin = at;
      end = stop;
    }
    at = stop + 1;
  }
  take();
}

std::vector<std::string_view> cut_into_documents(std::string_view text) {
  std::vector<std::string_view> documents;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(end_of_text, begin), text.size());
    cut_at_empty_lines(text.substr(begin, end - begin), documents);
    begin = end + end_of_text.size();
  }
  if (documents.empty()) fail("empty_text", {"text: no document with a text"});
  return documents;
}

/// The bytes from `begin` on up to about `length`, ending after a line break, or else between characters.
std::string_view cut_piece(std::string_view text, std::size_t begin, std::size_t length) {
  if (text.size() - begin <= length) return text.substr(begin);
  const std::size_t last_break = text.rfind('\n', begin + length - 1);
  std::size_t end = begin + length;
  if (last_break != std::string_view::npos && last_break >= begin) {
    end = last_break + 1;
  } else {
    while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  }
  return text.substr(begin, end - begin);
}

/// Pieces of the documents, spread evenly, of at most about `most` bytes together; all when they are not
/// more.
std::vector<std::string_view> spread_sample(const std::vector<std::string_view>& documents, std::size_t total,
                                            std::size_t most) {
  if (total <= most) return documents;
  constexpr std::size_t piece = 4096;
  std::vector<std::string_view> sample;
  std::size_t seen = 0, taken = 0;
  for (const std::string_view document : documents) {
    for (std::size_t at = 0; at < document.size();) {
      const std::string_view part = cut_piece(document, at, piece);
      at += part.size();
      seen += part.size();
      // Takes part while what was taken is less than its share of what was seen.
      if (static_cast<double>(taken) * static_cast<double>(total) <
          static_cast<double>(seen) * static_cast<double>(most)) {
        sample.push_back(part);
        taken += part.size();
      }
    }
  }
  return sample;
}

}  // namespace

ReaderText::ReaderText(std::string text, std::size_t vocab_size) : text_(std::move(text)) {
  prepare();
  BpeLearnOptions options;
  options.vocab_size = vocab_size;
  options.special_tokens = {std::string(end_of_text)};
  const std::vector<std::string_view> sample = spread_sample(documents_, total_, longest_learned);
  learner_.emplace(sample, options);
  most_merges_ = vocab_size - learner_->vocab_size();
}

ReaderText::ReaderText(std::string text, std::string vocab_json, std::string merges_txt)
    : text_(std::move(text)), vocab_json_(std::move(vocab_json)), merges_txt_(std::move(merges_txt)) {
  prepare();
  take_tokenizer();
}

void ReaderText::prepare() {
  check_text(text_);
  text_ = with_plain_line_ends(std::move(text_));
  documents_ = cut_into_documents(text_);
  for (const std::string_view document : documents_) total_ += document.size();
}

void ReaderText::take_tokenizer() {
  tokenizer_ = Bpe::from_vocab_and_merges(vocab_json_, merges_txt_);
  const std::optional<TokenId> end = tokenizer_->special(end_of_text);
  if (!end) fail("bad_tokenizer", {"tokenizer: expected the special token ", end_of_text});
  end_ = *end;
}

ReaderText::Progress ReaderText::advance() {
  if (learner_) {
    for (std::size_t i = 0; i < slice_merges; ++i) {
      if (learner_->step()) {
        ++merges_;
        continue;
      }
      vocab_json_ = learner_->vocab_json();
      merges_txt_ = learner_->merges_txt();
      learner_.reset();
      take_tokenizer();
      return {Phase::tokens, 0, total_};
    }
    return {Phase::tokenizer, merges_, most_merges_};
  }
  for (const std::size_t until = encoded_ + slice_bytes; document_ < documents_.size() && encoded_ < until;) {
    const std::string_view document = documents_[document_];
    if (position_ == 0) starts_.push_back(ids_.size());
    const std::string_view piece = cut_piece(document, position_, slice_bytes);
    const std::vector<TokenId> ids = tokenizer_->encode(piece);
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    encoded_ += piece.size();
    position_ += piece.size();
    if (position_ < document.size()) continue;
    ids_.push_back(end_);
    ++document_;
    position_ = 0;
  }
  return {document_ < documents_.size() ? Phase::tokens : Phase::done, encoded_, total_};
}

std::size_t ReaderText::first_token_from(std::size_t byte) const {
  for (std::size_t d = 0; d < starts_.size(); ++d) {
    if (static_cast<std::size_t>(documents_[d].data() - text_.data()) >= byte) return starts_[d];
  }
  return ids_.size();
}

PackedDocuments ReaderText::pack(std::size_t stride) {
  PackedDocuments packed{std::move(ids_), {}, {}, {"text"}, end_};
  for (std::size_t d = 0; d < starts_.size(); ++d) {
    const std::size_t end = (d + 1 < starts_.size() ? starts_[d + 1] : packed.ids.size()) - 1;
    for (std::size_t at = starts_[d]; at < end; at += stride) packed.starts.push_back(at);
  }
  packed.family.assign(packed.starts.size(), 0);
  return packed;
}

}  // namespace glassbox
