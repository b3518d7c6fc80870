# Sourced by the scripts beside it, which stand at the top of the tree.

# Emscripten's linker needs acorn, which Debian keeps where only Debian's own Node looks.
export NODE_PATH=/usr/share/nodejs

# configure PRESET: makes build/PRESET unless it is there; cmake itself notices changed lists.
configure() {
  [ -f "build/$1/build.ninja" ] || cmake --preset "$1"
}
