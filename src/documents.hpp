#pragma once
// A corpus: documents of several families, and the one long row of token ids that training reads.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bpe.hpp"
#include "token.hpp"

namespace glassbox {

struct Document {
  std::uint32_t family;  ///< index into Corpus::families
  std::string text;      ///< UTF-8
};

struct Corpus {
  std::vector<std::string> families;  ///< names in the order of their first document
  std::vector<Document> documents;    ///< none of them empty
};

/// What ends a document, in plain text and in ids.
inline constexpr std::string_view end_of_text = "<|endoftext|>";

/// Reads a corpus with one `{"family": "…", "text": "…"}` a line; empty lines are skipped. Throws Error
/// `bad_argument`, naming the byte or line, for text that is not UTF-8 or a line that is not such an object,
/// and `empty_text` when no document has a text.
Corpus read_jsonl_corpus(std::string_view file);

/// Reads plain text in which `<|endoftext|>` stands between documents; line breaks around it belong to none.
/// All are of the family "text". Throws Error `bad_argument` naming the byte for text that is not UTF-8, and
/// `empty_text` when there is none.
Corpus read_plain_corpus(std::string_view file);

/// The corpus as tokens.
struct PackedDocuments {
  std::vector<TokenId> ids;           ///< document after document, each closed by `end`
  std::vector<std::size_t> starts;    ///< where documents begin in `ids`, ascending
  std::vector<std::uint32_t> family;  ///< of each start: index into `families`
  std::vector<std::string> families;  ///< names
  TokenId end;                        ///< the id of `<|endoftext|>`
};

/// Encodes the documents, special tokens recognised. A document longer than `longest` tokens counts as
/// several, one every `longest` tokens, so that rows begin all over a long text. Calls progress(documents
/// done) after every thousand. Throws Error `bad_tokenizer` for a tokenizer without `<|endoftext|>`.
PackedDocuments pack_documents(const Corpus& corpus, const Bpe& tokenizer, std::size_t longest,
                               const std::function<void(std::size_t)>& progress = nullptr);

}  // namespace glassbox
