#include "files.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include "error.hpp"

namespace glassbox {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw Error("no_file", "can't read " + path.string());
  std::string bytes;
  std::error_code unknown;  // a pipe has no size
  const auto size = std::filesystem::file_size(path, unknown);
  if (!unknown) bytes.reserve(static_cast<std::size_t>(size));
  char piece[1 << 16];
  while (file.read(piece, sizeof piece) || file.gcount() > 0) {
    bytes.append(piece, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw Error("no_file", "can't read " + path.string());
  return bytes;
}

std::optional<std::string> read_file_if_there(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  return read_file(path);
}

namespace {

/// Writes and flushes; returns errno, 0 when all went well.
int write_all(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) error = errno;
  }
  if (error == 0 && ::fsync(file) != 0) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

void replace_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::filesystem::path fresh = path;
  fresh += ".new";
  int error = write_all(fresh, bytes);
  if (error == 0 && ::rename(fresh.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(fresh.c_str());
    throw Error("no_file", "can't write " + path.string() + ": " + std::strerror(error));
  }
  // The new name is on the disk only when its folder is.
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
  replace_file(path, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace glassbox
