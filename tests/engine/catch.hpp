#pragma once
// Catch2, version 2 (one header) or 3 (a library), whichever the system has.

#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_all.hpp>
using Catch::Approx;
#endif
