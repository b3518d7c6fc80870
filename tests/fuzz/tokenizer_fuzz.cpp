// Any bytes may be a tokenizer's files or a text: loading gives a tokenizer or an Error, and whatever it
// encodes it decodes to the same bytes. The first byte of the input chooses the door.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "bpe.hpp"
#include "error.hpp"
#include "unicode.hpp"

namespace {

using glassbox::Bpe;
using glassbox::TokenId;

void require(bool law) {
  if (!law) std::abort();
}

void check_text(const Bpe& bpe, std::string_view text) {
  try {
    const std::vector<TokenId> ids = bpe.encode(text);
    require(bpe.decode(ids) == text);
    require(bpe.decode(bpe.encode_with_special(text)) == text);
    for (const TokenId id : ids) require(bpe.special(bpe.bytes(id)) != id);
    if (text.size() > 200) return;
    const Bpe::Encoded encoded = bpe.encode_with_steps(text);
    require(encoded.ids == ids);
    for (const glassbox::MergeStep& step : encoded.steps) require(bpe.decode(step.pieces) == text);
    require(encoded.steps.empty() || encoded.steps.back().pieces == ids);
  } catch (const glassbox::Error& error) {
    require(error.code() == "bad_argument");  // a byte that the vocabulary lacks
  }
}

template <class Load>
void check_files(Load load, std::string_view text) {
  try {
    const Bpe bpe = load();
    check_text(bpe, text);
    check_text(bpe, "abab cab <a> '' \xFF");
  } catch (const glassbox::Error& error) {
    require(error.code() == "bad_tokenizer");
  }
}

/// All bytes, "<|x|>", and merges that several ways lead through.
Bpe make_small_tokenizer() {
  std::string vocab = "{";
  int id = 0;
  const auto add = [&](const std::string& spelling) {
    if (id > 0) vocab += ", ";
    vocab += '"' + (spelling == "\"" || spelling == "\\" ? "\\" + spelling : spelling) + "\": ";
    vocab += std::to_string(id++);
  };
  for (char32_t code_point = 0x21; code_point < 0x100 + 68; ++code_point) {
    if ((code_point >= 0x7F && code_point <= 0xA0) || code_point == 0xAD) continue;
    std::string spelling;
    glassbox::append_utf8(spelling, code_point);
    add(spelling);
  }
  for (const char* made : {"aa", "aab", "ab", "aba", "abaab", "Ġa", "<|x|>"}) add(made);
  return Bpe::from_vocab_and_merges(vocab + "}", "aba ab\na a\naa b\na b\nab a\na ab\nab aab\nĠ a\n");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view first = input.substr(0, input.find('\0'));
  const std::string_view second = first.size() < input.size() ? input.substr(first.size() + 1) : "";
  switch (data[0] % 3) {
    case 0:
      check_files([&] { return Bpe::from_vocab_and_merges(first, second); }, second);
      break;
    case 1:
      check_files([&] { return Bpe::from_tokenizer_json(first); }, second);
      break;
    default: {
      static const Bpe small = make_small_tokenizer();
      check_text(small, input);
      const std::string valid = glassbox::to_valid_utf8(input);
      require(glassbox::to_valid_utf8(valid) == valid);
      break;
    }
  }
  return 0;
}
