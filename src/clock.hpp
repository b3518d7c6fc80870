#pragma once

namespace glassbox {

/// Milliseconds since some moment; never goes back. (The standard library's clock would bring the texts of
/// all errors of a system into the page's engine.)
double clock_ms();

}  // namespace glassbox
