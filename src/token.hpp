#pragma once

#include <cstdint>

namespace glassbox {

/// A token's number in the vocabulary, from 0 to V − 1. Signed, so that a wrong −1 can be refused by name.
using TokenId = std::int32_t;

}  // namespace glassbox
