#include "error.hpp"

namespace glassbox {

void fail(const char* code, std::initializer_list<TextPart> message) { throw Error(code, join(message)); }

}  // namespace glassbox
