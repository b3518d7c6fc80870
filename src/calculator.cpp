#include "calculator.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "error.hpp"

namespace glassbox {

namespace {

constexpr std::size_t most_digits = 1000, most_bytes = 4000, deepest = 100;
constexpr std::size_t rounded_digits = 10;  // of a quotient that does not end

/// A whole number ≥ 0 as its digits, values 0 to 9, the ones first; 0 has none.
using Digits = std::string;

void trim(Digits& digits) { digits.erase(digits.find_last_not_of('\0') + 1); }

bool less(const Digits& a, const Digits& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

/// a + sign · b · 10^shift, which must not be below 0.
void add(Digits& a, const Digits& b, int sign, std::size_t shift = 0) {
  a.resize(std::max(a.size(), b.size() + shift) + 1, '\0');
  int carry = 0;
  for (std::size_t i = shift; i < a.size(); ++i) {
    const int sum = a[i] + carry + (i - shift < b.size() ? sign * b[i - shift] : 0);
    carry = sum < 0 ? -1 : sum / 10;
    a[i] = static_cast<char>(sum - 10 * carry);
  }
  trim(a);
}

[[noreturn]] void refuse_length() {
  fail("too_long", {"expected numbers of at most ", most_digits, " digits"});
}

/// ± digits / 10^scale.
struct Decimal {
  Digits digits;
  std::size_t scale = 0;
  bool negative = false;

  /// Drops what says nothing, and refuses what is too long.
  void settle() {
    trim(digits);
    const std::size_t zeros = std::min({digits.find_first_not_of('\0'), digits.size(), scale});
    digits.erase(0, zeros);
    scale = digits.empty() ? 0 : scale - zeros;
    if (digits.empty()) negative = false;
    if (std::max(digits.size(), scale + 1) > most_digits) refuse_length();
  }
};

void add(Decimal& a, Decimal& b) {
  Decimal& finer = a.scale > b.scale ? a : b;
  Decimal& coarser = a.scale > b.scale ? b : a;
  coarser.digits.insert(0, finer.scale - coarser.scale, '\0');
  coarser.scale = finer.scale;
  trim(a.digits);
  trim(b.digits);
  if (a.negative != b.negative && less(a.digits, b.digits)) std::swap(a, b);
  add(a.digits, b.digits, a.negative == b.negative ? 1 : -1);
}

void multiply(Decimal& a, const Decimal& b) {
  Digits product;
  for (std::size_t i = 0; i < b.digits.size(); ++i) {
    for (int times = b.digits[i]; times > 0; --times) add(product, a.digits, 1, i);
  }
  a = {std::move(product), a.scale + b.scale, a.negative != b.negative};
}

/// Long division: a digit of the quotient at a time, from the first.
void divide(Decimal& a, const Decimal& b) {
  if (b.digits.empty()) fail("division_by_zero", {"division by zero"});
  Digits rest, quotient;  // the quotient's first digit first, so far
  for (std::size_t left = a.digits.size(); left > 0 || a.scale < b.scale || !rest.empty();) {
    if (a.scale >= b.scale && std::max(quotient.size(), a.scale - b.scale + 1) >= most_digits) break;
    if (left == 0) ++a.scale;
    rest.insert(0, 1, left > 0 ? a.digits[--left] : '\0');
    trim(rest);
    char digit = 0;
    for (; !less(rest, b.digits); ++digit) add(rest, b.digits, -1);
    if (digit > 0 || !quotient.empty()) quotient += digit;
  }
  std::reverse(quotient.begin(), quotient.end());
  a = {std::move(quotient), a.scale - b.scale, a.negative != b.negative};
  const std::size_t known = std::min(a.digits.size(), a.scale);
  if (rest.empty()) return;
  if (known <= rounded_digits) refuse_length();
  const bool up = a.digits[known - rounded_digits - 1] >= 5;
  a.digits.erase(0, known - rounded_digits);
  a.scale -= known - rounded_digits;
  if (up) add(a.digits, Digits(1, '\1'), 1);
}

/// Reads a sum from its beginning and works it out as it goes.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  /// A sum, or a product, which is a part of one.
  Decimal read(bool product = false) {
    Decimal value = product ? part() : read(true);
    while (const char sign = take(product ? "*/" : "+-")) {
      Decimal other = product ? part() : read(true);
      if (sign == '*') {
        multiply(value, other);
      } else if (sign == '/') {
        divide(value, other);
      } else {
        other.negative ^= sign == '-';
        add(value, other);
      }
      value.settle();
    }
    return value;
  }

  /// Refuses what is no sum, at the place that was reached, unless all is well.
  void require(bool well) const {
    if (!well)
      fail("bad_sum",
           {"expected a sum such as 12+35; it makes no sense ", rest_.size(), " bytes before its end"});
  }

  /// Whether nothing is left but spaces.
  bool at_end() { return take("") == 0 && rest_.empty(); }

 private:
  Decimal part() {
    require(++depth_ <= deepest);
    Decimal value;
    if (const char sign = take("-(")) {
      value = sign == '-' ? part() : read();
      if (sign == '(') require(take(")") != 0);
      value.negative ^= sign == '-' && !value.digits.empty();
    } else {
      value.digits = digits();
      if (rest_.starts_with('.')) {
        rest_.remove_prefix(1);
        const Digits fraction = digits();
        value.scale = fraction.size();
        value.digits.insert(0, fraction);
      }
      value.settle();
    }
    --depth_;
    return value;
  }

  Digits digits() {
    const std::size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    require(count > 0);
    Digits found(rest_.substr(0, count));
    for (char& digit : found) digit = static_cast<char>(digit - '0');
    std::reverse(found.begin(), found.end());
    rest_.remove_prefix(count);
    return found;
  }

  /// Takes the next sign if it is one of those wanted, however it is written → the sign, or 0.
  char take(std::string_view wanted) {
    constexpr std::pair<std::string_view, char> signs[] = {
        {"+", '+'}, {"＋", '+'}, {"-", '-'}, {"−", '-'},  {"－", '-'}, {"×", '*'}, {"*", '*'},
        {"÷", '/'}, {"/", '/'},  {"(", '('}, {"（", '('}, {")", ')'},  {"）", ')'}};
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    for (const auto& [written, sign] : signs) {
      if (!rest_.starts_with(written) || wanted.find(sign) == wanted.npos) continue;
      rest_.remove_prefix(written.size());
      rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
      return sign;
    }
    return 0;
  }

  std::string_view rest_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string calculate(std::string_view sum) {
  if (sum.size() > most_bytes)
    fail("too_long", {"expected a sum of at most ", most_bytes, " bytes, got ", sum.size()});
  Reader reader(sum);
  Decimal value = reader.read();
  reader.require(reader.at_end());
  Digits& digits = value.digits;
  if (digits.size() <= value.scale) digits.resize(value.scale + 1, '\0');
  for (char& digit : digits) digit = static_cast<char>(digit + '0');
  std::reverse(digits.begin(), digits.end());
  if (value.scale > 0) digits.insert(digits.size() - value.scale, 1, '.');
  return (value.negative ? "-" : "") + digits;
}

}  // namespace glassbox
