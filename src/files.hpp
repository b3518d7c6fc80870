#pragma once
// Files as the native command reads and writes them.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glassbox {

/// The whole file. Throws Error `no_file`.
std::string read_file(const std::filesystem::path& path);

/// The whole file, or nothing where there is none. Throws Error `no_file` when it is there but can't be read.
std::optional<std::string> read_file_if_there(const std::filesystem::path& path);

/// Writes a file so that at any moment, power failure included, either the old or the new one is there whole:
/// into `path` with `.new` behind it, flushed to the disk, then renamed. Throws Error `no_file` with the
/// system's reason, such as a full disk; the old file is then untouched and no part of the new one left.
void replace_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void replace_file(const std::filesystem::path& path, std::string_view text);

}  // namespace glassbox
