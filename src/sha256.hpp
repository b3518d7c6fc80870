#pragma once
// The fingerprint of a file.

#include <string>
#include <string_view>

namespace glassbox {

/// SHA-256 (FIPS 180-4) of the bytes, as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace glassbox
