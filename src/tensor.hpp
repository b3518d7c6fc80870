#pragma once
// The tensor types and the dimension letters that every file uses.
//
//   B batch   T tokens (queries)   S keys   C channels (width)   H heads   D head size (C / H)
//   V vocabulary   L layers   F inner width of the MLP (4C in GPT-2)
//
// Tensors are row-major. Never name an xtensor expression `auto`: it would keep references to its operands.
// Name a concrete tensor, and return tensors from functions.

#include <cstddef>
#include <initializer_list>
#include <string>

#include <xtensor/xtensor.hpp>

#include "error.hpp"

namespace glassbox {

/// The scalar of all activations and weights. One test target compiles the engine with double.
#ifdef GLASSBOX_DOUBLE
using Real = double;
#else
using Real = float;
#endif

using Vector = xt::xtensor<Real, 1>;
using Matrix = xt::xtensor<Real, 2>;
using Tensor3 = xt::xtensor<Real, 3>;

/// Writes a shape as in messages: `(3, 2)`. Works for anything with begin() and end().
template <class Shape>
std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (auto it = shape.begin(); it != shape.end(); ++it) {
    if (it != shape.begin()) text += ", ";
    TextPart(*it).append_to(text);
  }
  return text + ")";
}

/// Throws Error `bad_shape` such as `wte: expected (50257, 768), got (50257, 512)` unless the shapes agree.
template <class Tensor>
void expect_shape(const char* name, const Tensor& tensor, std::initializer_list<std::size_t> expected) {
  bool same = tensor.dimension() == expected.size();
  if (same) {
    auto actual = tensor.shape().begin();
    for (std::size_t want : expected) same = same && static_cast<std::size_t>(*actual++) == want;
  }
  if (!same) {
    fail("bad_shape", {name, ": expected ", shape_text(expected), ", got ", shape_text(tensor.shape())});
  }
}

}  // namespace glassbox
