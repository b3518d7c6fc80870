#pragma once
// The calculator that a model may call: exact arithmetic on decimal numbers.

#include <string>
#include <string_view>

namespace glassbox {

/// The value of a sum such as `12+35` or `-(1.5−2)×4÷3`: numbers are digits with or without a fraction
/// (`12`, `0.5`), operators `+ - − × * ÷ /`, parentheses and a sign before any part; spaces don't count.
/// Products come before sums, and what is alike is worked out from the left.
///
/// Every value is exact, but a quotient that does not end within the limit: it is rounded (half away from
/// zero) where it has at least 10 digits after the point and at least 10 after its leading zeros. The text
/// that is returned has no needless zeros, and 0 has no sign.
///
/// Throws Error `bad_sum` for anything else (`1e308` and `abc` are no numbers here, nor is an empty text a
/// sum) and for more than 100 open parentheses and signs; `division_by_zero`; `too_long` when a number, in
/// between too, is written with more than 1,000 digits, or the text has more than 4,000 bytes.
std::string calculate(std::string_view sum);

}  // namespace glassbox
