// Text helpers: conversion of numbers independent of the locale, quoting, lists.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::scene {

// Parses all of `text` as a decimal number with optional exponent; empty if it is not one or is out of range.
std::optional<Real> parse_real(std::string_view text);

// Shortest text that is parsed as the same number.
std::string to_text(Real value);
// Six significant digits, for messages.
std::string to_short_text(Real value);

// 'text', truncated if it is long.
std::string quote(std::string_view text);

// "a, b, c", truncated after `most` entries.
std::string listed(const std::vector<std::string>& words, std::size_t most = 24);

}  // namespace taut::scene
