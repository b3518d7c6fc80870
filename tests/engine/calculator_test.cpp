// Sums whose value is known by construction, and laws of arithmetic over long random numbers.
#include "calculator.hpp"

#include <random>
#include <string>

#include "catch.hpp"
#include "error.hpp"

using namespace glassbox;

namespace {

std::string value_or_code(const std::string& sum) {
  try {
    return "value " + calculate(sum);
  } catch (const Error& error) {
    return error.code();
  }
}

/// A whole number of so many digits, the first not 0.
std::string random_digits(std::mt19937& generator, std::size_t count) {
  std::string digits;
  for (std::size_t i = 0; i < count; ++i)
    digits += static_cast<char>('0' + (i == 0 ? 1 + generator() % 9 : generator() % 10));
  return digits;
}

std::string repeat(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("the calculator works out sums, products first, from the left") {
  const std::pair<const char*, const char*> sums[] = {
      {"12+35", "47"},       {"35-12", "23"},     {"12-35", "-23"}, {"12×35", "420"},
      {"12*35", "420"},      {"420÷35", "12"},    {"420/35", "12"}, {"5−7", "-2"},
      {"2+3*4-5", "9"},      {"(2+3)*4", "20"},   {"8-3-2", "3"},   {"8/4/2", "1"},
      {"3 - 5 × -2", "13"},  {"-(1.5−2)×4", "2"}, {"--5", "5"},     {"（1＋2）×3", "9"},
      {" 7 ", "7"},          {"007", "7"},        {"1.50", "1.5"},  {"0.1+0.2", "0.3"},
      {"100-0.01", "99.99"}, {"0.001×1000", "1"}, {"0.5-0.5", "0"}, {"7÷0.0007", "10000"},
  };
  for (const auto& [sum, value] : sums) {
    INFO(sum);
    CHECK(calculate(sum) == value);
  }
}

TEST_CASE("nothing is negative zero") {
  for (const char* sum : {"-0", "0", "0-0", "-0.0", "0×-5", "-(3-3)", "0÷-7", "-0+-0"}) {
    INFO(sum);
    CHECK(calculate(sum) == "0");
  }
}

TEST_CASE("a quotient is exact if it ends, else rounded after 10 digits") {
  CHECK(calculate("1÷8") == "0.125");
  CHECK(calculate("1÷1024") == "0.0009765625");
  CHECK(calculate("10÷3") == "3.3333333333");
  CHECK(calculate("2÷3") == "0.6666666667");
  CHECK(calculate("-2÷3") == "-0.6666666667");
  CHECK(calculate("1000000÷7") == "142857.1428571429");
  CHECK(calculate("1÷30000000000000") == "0.00000000000003333333333");
  CHECK(calculate("29.9999999999÷3") == "10");
  CHECK(calculate("0.00000000000123÷1.1") == "0.000000000001118181818");
  // 2^-n has n digits after the point: exact up to the limit, and the limit is told.
  std::string power = "1";
  for (int i = 0; i < 600; ++i) power += "÷2";
  const std::string exact = calculate(power);
  CHECK(exact.size() == 602);
  CHECK(exact.substr(exact.size() - 3) == "625");
  for (int i = 0; i < 600; ++i) power += "×2";
  CHECK(calculate(power) == "1");
}

TEST_CASE("laws hold for long random numbers, to the last digit") {
  std::mt19937 generator(1);
  for (std::size_t count : {1u, 2u, 9u, 10u, 19u, 20u, 65u, 300u, 490u}) {
    for (int round = 0; round < 4; ++round) {
      const std::string a = random_digits(generator, count),
                        b = random_digits(generator, 1 + generator() % count),
                        c = random_digits(generator, 1 + generator() % 9);
      INFO(a << " " << b << " " << c);
      CHECK(calculate("(" + a + "+" + b + ")-" + b) == a);
      CHECK(calculate(b + "-" + a + "+" + a) == b);
      CHECK(calculate(a + "×" + b + "÷" + b) == a);
      CHECK(calculate(a + "-" + a) == "0");
      CHECK(calculate(a + "÷" + a) == "1");
      CHECK(calculate(a + "×" + b) == calculate(b + "×" + a));
      CHECK(calculate(a + "×(" + b + "+" + c + ")") == calculate(a + "×" + b + "+" + a + "×" + c));
      CHECK(calculate("-" + a + "×-" + b) == calculate(a + "×" + b));
      CHECK(calculate(a + "." + b + "1-" + a) == "0." + b + "1");
      CHECK(calculate("(" + a + "-" + b + ")×(" + a + "+" + b + ")") ==
            calculate(a + "×" + a + "-" + b + "×" + b));
    }
  }
  // Small ones against the processor's own.
  for (int round = 0; round < 2000; ++round) {
    const long long a = static_cast<long long>(generator() % 20001) - 10000,
                    b = static_cast<long long>(generator() % 20001) - 10000;
    const std::string left = std::to_string(a), right = std::to_string(b);
    REQUIRE(calculate(left + "+" + right) == std::to_string(a + b));
    REQUIRE(calculate(left + "-" + right) == std::to_string(a - b));
    REQUIRE(calculate(left + "*" + right) == std::to_string(a * b));
    if (b != 0) REQUIRE(calculate(std::to_string(a * b) + "/" + right) == left);
  }
}

TEST_CASE("carries run through") {
  const std::string nines = repeat("9", 999);
  CHECK(calculate(nines + "+1") == "1" + repeat("0", 999));
  CHECK(calculate("1" + repeat("0", 999) + "-1") == nines);
}

TEST_CASE("what is no sum is an error with a code, and nothing hangs") {
  for (const char* sum : {"",
                          " ",
                          "abc",
                          "1e308",
                          "1 2",
                          "5)",
                          "(5",
                          "()",
                          "1.",
                          ".5",
                          "1..2",
                          "+5",
                          "1+",
                          "×2",
                          "1+×2",
                          "12加35",
                          "0x10",
                          "1,000",
                          "<result>1</result>",
                          "1\n+1",
                          "\xff",
                          "NaN",
                          "1=1"}) {
    INFO(sum);
    CHECK(value_or_code(sum) == "bad_sum");
  }
  CHECK(value_or_code(std::string("1\0+1", 4)) == "bad_sum");
  CHECK(value_or_code("1÷0") == "division_by_zero");
  CHECK(value_or_code("1÷(0.5-0.5)") == "division_by_zero");
  CHECK(value_or_code("0÷0") == "division_by_zero");
  CHECK(value_or_code(repeat("9", 1001)) == "too_long");
  CHECK(value_or_code(repeat("9", 10000)) == "too_long");
  CHECK(value_or_code(repeat("9", 1000)) == "value " + repeat("9", 1000));
  CHECK(value_or_code(repeat("9", 600) + "×" + repeat("9", 600)) == "too_long");
  CHECK(value_or_code("0." + repeat("0", 999) + "1") == "too_long");
  CHECK(value_or_code("0." + repeat("0", 600) + "1×0." + repeat("0", 600) + "1") == "too_long");
  CHECK(value_or_code(repeat("9", 988) + "÷7").substr(0, 6) == "value ");
  CHECK(value_or_code(repeat("9", 995) + "÷7") == "too_long");
  CHECK(value_or_code(repeat("(", 90) + "1" + repeat(")", 90)) == "value 1");
  CHECK(value_or_code(repeat("(", 1000) + "1" + repeat(")", 1000)) == "bad_sum");
  CHECK(value_or_code(repeat("-", 1000) + "1") == "bad_sum");
  CHECK(value_or_code(repeat("(", 4000)) == "bad_sum");
  CHECK(value_or_code(repeat("9×", 1900) + "9") == "too_long");
  CHECK(value_or_code(repeat("1+", 1900) + "1") == "value 1901");
  CHECK(value_or_code("1" + repeat("÷7", 1300)) == "too_long");  // it gets ever smaller
}
