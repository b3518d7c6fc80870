#include "bigrams.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "error.hpp"

namespace glassbox {

namespace {

constexpr std::string_view mark = "bigrams1";
constexpr std::uint64_t most_total = std::uint64_t{1} << 53;  // exact as a double, which the page has

void append(std::vector<std::byte>& file, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) file.push_back(static_cast<std::byte>(number | 0x80));
  file.push_back(static_cast<std::byte>(number));
}

[[noreturn]] void damaged(std::initializer_list<TextPart> why) {
  fail("bad_model", {"bigrams: ", join(why)});
}

/// Takes numbers from a file that may be hostile.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> file) : file_(file) {}

  std::size_t left() const { return file_.size() - at_; }

  void skip_mark() {
    for (char letter : mark) {
      if (left() == 0 || file_[at_++] != static_cast<std::byte>(letter)) damaged({"not such a file"});
    }
  }

  /// The next number; throws unless it is at most `most`.
  std::uint64_t number(const char* name, std::uint64_t most) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      if (left() == 0) damaged({"the file ends too early"});
      const auto byte = static_cast<std::uint64_t>(file_[at_++]);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (value <= most) return value;
        break;
      }
    }
    damaged({name, ": expected at most ", most});
  }

 private:
  std::span<const std::byte> file_;
  std::size_t at_ = 0;
};

bool comes_before(const Bigrams::Follower& a, const Bigrams::Follower& b) {
  return a.count != b.count ? a.count > b.count : a.id < b.id;
}

}  // namespace

Bigrams Bigrams::count(std::span<const TokenId> ids, std::size_t vocab_size) {
  for (TokenId id : ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= vocab_size) {
      fail("bad_token", {"id: expected 0 to ", vocab_size, " less 1, got ", id});
    }
  }
  // Sorted, equal pairs stand together; a table of all pairs would be V² numbers.
  std::vector<std::uint64_t> pairs;
  for (std::size_t i = 0; i + 1 < ids.size(); ++i)
    pairs.push_back(static_cast<std::uint64_t>(ids[i]) << 32 | static_cast<std::uint64_t>(ids[i + 1]));
  std::sort(pairs.begin(), pairs.end());
  Bigrams bigrams;
  bigrams.rows_.resize(vocab_size);
  for (std::size_t i = 0; i < pairs.size();) {
    std::size_t end = i;
    while (end < pairs.size() && pairs[end] == pairs[i]) ++end;
    Row& row = bigrams.rows_[pairs[i] >> 32];
    row.total += end - i;
    row.followers.push_back({static_cast<TokenId>(pairs[i] & 0xffffffff), end - i});
    i = end;
  }
  for (Row& row : bigrams.rows_) std::sort(row.followers.begin(), row.followers.end(), comes_before);
  return bigrams;
}

std::vector<std::byte> Bigrams::write(std::size_t most_followers) const {
  std::vector<std::byte> file;
  for (char letter : mark) file.push_back(static_cast<std::byte>(letter));
  append(file, rows_.size());
  for (const Row& row : rows_) {
    const std::size_t kept = std::min(row.followers.size(), most_followers);
    append(file, row.total);
    append(file, kept);
    std::uint64_t above = row.total;
    for (std::size_t i = 0; i < kept; ++i) {
      append(file, static_cast<std::uint64_t>(row.followers[i].id));
      append(file, above - row.followers[i].count);
      above = row.followers[i].count;
    }
  }
  return file;
}

std::vector<std::byte> Bigrams::write_within(std::size_t most_bytes) const {
  std::size_t fits = 0, too_many = 1;
  for (const Row& row : rows_) too_many = std::max(too_many, row.followers.size() + 1);
  std::vector<std::byte> best = write(0);
  if (best.size() > most_bytes) {
    fail("bad_argument", {"bigrams: the totals alone are ", best.size(), " bytes, more than ", most_bytes});
  }
  while (fits + 1 < too_many) {
    const std::size_t middle = fits + (too_many - fits) / 2;
    std::vector<std::byte> file = write(middle);
    if (file.size() <= most_bytes) {
      fits = middle;
      best = std::move(file);
    } else {
      too_many = middle;
    }
  }
  return best;
}

Bigrams Bigrams::read(std::span<const std::byte> file, std::size_t vocab_size) {
  Reader reader(file);
  reader.skip_mark();
  const std::uint64_t V = reader.number("V", reader.left());  // each token takes at least two bytes
  if (V != vocab_size) {
    damaged({"expected a vocabulary of ", vocab_size, ", got ", V});
  }
  Bigrams bigrams;
  bigrams.rows_.resize(vocab_size);
  std::vector<std::size_t> listed(vocab_size);  // in which row a token was last seen, counted from 1
  for (std::size_t token = 0; token < vocab_size; ++token) {
    Row& row = bigrams.rows_[token];
    row.total = reader.number("total", most_total);
    const std::uint64_t kept = reader.number("kept", std::min<std::uint64_t>(reader.left() / 2, V));
    std::uint64_t above = row.total, rest = row.total;
    for (std::uint64_t i = 0; i < kept; ++i) {
      const auto id = static_cast<std::size_t>(reader.number("id", V - 1));
      const std::uint64_t count = above - reader.number("difference", above);
      const Follower follower{static_cast<TokenId>(id), count};
      const bool in_order = i == 0 || comes_before(row.followers.back(), follower);
      if (count == 0 || count > rest || listed[id] == token + 1 || !in_order) {
        damaged({"token ", token, ": a follower that can't be"});
      }
      listed[id] = token + 1;
      rest -= count;
      above = count;
      row.followers.push_back(follower);
    }
  }
  if (reader.left() != 0) damaged({reader.left(), " bytes too many"});
  return bigrams;
}

const Bigrams::Row& Bigrams::row(TokenId id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= rows_.size()) {
    fail("bad_token", {"id: expected 0 to ", rows_.size(), " less 1, got ", id});
  }
  return rows_[static_cast<std::size_t>(id)];
}

}  // namespace glassbox
