#pragma once
// Files that the tests read: golden data in git, and models that the build puts together.

#include <string>

namespace glassbox::test {

/// The bytes of a file below tests/golden/data, or below build/models (`gpt2/vocab.json`,
/// `builtin/model.safetensors`). Throws std::runtime_error when neither has it.
std::string read_data(const std::string& name);

}  // namespace glassbox::test
