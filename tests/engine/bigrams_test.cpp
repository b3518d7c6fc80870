// Counts of pairs, and their file.
#include "bigrams.hpp"

#include <map>
#include <random>
#include <string>

#include "catch.hpp"
#include "errors.hpp"

using namespace glassbox;
using test::code_of;

namespace {

/// Ids with a few frequent and many rare ones.
std::vector<TokenId> uneven_ids(std::size_t count, std::size_t vocab_size, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = static_cast<double>(generator()) / 4294967296.0;
    ids.push_back(static_cast<TokenId>(u * u * u * static_cast<double>(vocab_size)));
  }
  return ids;
}

std::string read_error_code(const std::vector<std::byte>& file, std::size_t vocab_size) {
  return code_of([&] { Bigrams::read(file, vocab_size); });
}

std::vector<std::byte> bytes(std::initializer_list<int> numbers) {
  std::vector<std::byte> file;
  for (char letter : std::string("bigrams1")) file.push_back(static_cast<std::byte>(letter));
  for (int number : numbers) file.push_back(static_cast<std::byte>(number));
  return file;
}

}  // namespace

TEST_CASE("bigrams are what a naive counter counts") {
  const std::size_t V = 50;
  const std::vector<TokenId> ids = uneven_ids(5000, V, 1);
  std::map<TokenId, std::map<TokenId, std::uint64_t>> naive;
  for (std::size_t i = 1; i < ids.size(); ++i) ++naive[ids[i - 1]][ids[i]];
  const Bigrams bigrams = Bigrams::count(ids, V);
  REQUIRE(bigrams.vocab_size() == V);
  std::uint64_t all = 0;
  for (std::size_t token = 0; token < V; ++token) {
    const auto id = static_cast<TokenId>(token);
    const Bigrams::Row& row = bigrams.row(id);
    REQUIRE(row.followers.size() == naive[id].size());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < row.followers.size(); ++i) {
      const auto& [follower, count] = row.followers[i];
      CHECK(count == naive[id].at(follower));
      sum += count;
      if (i > 0) {
        const auto& before = row.followers[i - 1];
        CHECK((before.count > count || (before.count == count && before.id < follower)));
      }
    }
    CHECK(row.total == sum);
    all += sum;
  }
  CHECK(all == ids.size() - 1);
}

TEST_CASE("of no pair nothing is counted, and what is no token is refused") {
  for (const std::vector<TokenId>& ids : {std::vector<TokenId>{}, {2}})
    CHECK(Bigrams::count(ids, 3).row(2).total == 0);
  CHECK_THROWS_AS(Bigrams::count(std::vector<TokenId>{0, 3}, 3), Error);
  CHECK_THROWS_AS(Bigrams::count(std::vector<TokenId>{-1}, 3), Error);
  CHECK_THROWS_AS(Bigrams::count({}, 3).row(3), Error);
  CHECK_THROWS_AS(Bigrams::count({}, 3).row(-1), Error);
}

TEST_CASE("a file gives back the most frequent followers and the totals") {
  const std::size_t V = 300;
  const Bigrams whole = Bigrams::count(uneven_ids(40000, V, 2), V);
  for (std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{7}, V}) {
    const Bigrams read = Bigrams::read(whole.write(most), V);
    for (std::size_t token = 0; token < V; ++token) {
      Bigrams::Row expected = whole.row(static_cast<TokenId>(token));
      if (expected.followers.size() > most) expected.followers.resize(most);
      REQUIRE(read.row(static_cast<TokenId>(token)) == expected);
    }
  }
}

TEST_CASE("a limit in bytes is kept, and used as far as it goes") {
  const std::size_t V = 300;
  const Bigrams whole = Bigrams::count(uneven_ids(40000, V, 3), V);
  const std::size_t all = whole.write(V).size(), none = whole.write(0).size();
  CHECK(whole.write_within(all) == whole.write(V));
  CHECK(whole.write_within(all + 1000) == whole.write(V));
  CHECK(whole.write_within(none) == whole.write(0));
  CHECK_THROWS_AS(whole.write_within(none - 1), Error);
  const std::vector<std::byte> some = whole.write_within(all / 3);
  CHECK(some.size() <= all / 3);
  std::size_t kept = 0;
  for (std::size_t token = 0; token < V; ++token)
    kept = std::max(kept, Bigrams::read(some, V).row(static_cast<TokenId>(token)).followers.size());
  CHECK(whole.write(kept) == some);
  CHECK(whole.write(kept + 1).size() > all / 3);
}

TEST_CASE("a file by hand") {
  // V 2; token 0: 200 times, then 1 in 150 of them (50 less) and 0 in 30 (120 less); token 1: never.
  const Bigrams read = Bigrams::read(bytes({2, 0xc8, 1, 2, 1, 50, 0, 120, 0, 0}), 2);
  CHECK(read.row(0) == Bigrams::Row{200, {{1, 150}, {0, 30}}});
  CHECK(read.row(1) == Bigrams::Row{});
}

TEST_CASE("damaged and hostile files are refused") {
  const auto good = bytes({2, 10, 2, 1, 4, 0, 2, 0, 0});
  REQUIRE(read_error_code(good, 2) == "none");
  CHECK(read_error_code(good, 3) == "bad_model");
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK(read_error_code({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}, 2) ==
          "bad_model");
  for (const auto& file : {
           bytes({2, 10, 2, 1, 4, 0, 2, 0, 0, 0}),  // a byte too many
           bytes({2, 10, 1, 2, 4, 0, 0}),           // an id that is no token
           bytes({2, 10, 1, 1, 10, 0, 0}),          // a follower that never followed
           bytes({2, 10, 1, 1, 11, 0, 0}),          // less often than never
           bytes({2, 10, 2, 1, 4, 1, 2, 0, 0}),     // one follower twice
           bytes({2, 10, 2, 1, 5, 0, 0, 0, 0}),     // equals in the wrong order
           bytes({2, 10, 2, 0, 4, 1, 1, 0, 0}),     // more than the total together
           bytes({2, 10, 3, 1, 4, 0, 2, 0, 0}),     // more followers than there are bytes for
           bytes({2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0, 0, 0}),  // a total above 2^53
           bytes({2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0,
                  0}),                                               // a number without end
           bytes({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}),  // a vocabulary beyond the file
       }) {
    CHECK(read_error_code(file, 2) == "bad_model");
  }
  auto other = good;
  other[7] = std::byte{'2'};
  CHECK(read_error_code(other, 2) == "bad_model");

  std::mt19937 generator(4);
  const Bigrams whole = Bigrams::count(uneven_ids(2000, 40, 5), 40);
  const std::vector<std::byte> file = whole.write(40);
  for (int round = 0; round < 2000; ++round) {
    auto broken = file;
    for (unsigned i = 0; i <= generator() % 3; ++i)
      broken[8 + generator() % (broken.size() - 8)] = static_cast<std::byte>(generator());
    const std::string code = read_error_code(broken, 40);
    CHECK((code == "none" || code == "bad_model"));
  }
}
