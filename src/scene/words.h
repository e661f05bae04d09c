// Small matters of text: numbers to and from text whatever the locale, quoting, listing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::scene {

// The number that the whole of `text` spells (decimal, optional exponent); empty if it does not, or
// if it is too large to be represented.
std::optional<Real> parse_real(std::string_view text);

// Shortest text that reads back as the same number.
std::string to_text(Real value);
// Six digits, for messages.
std::string to_short_text(Real value);

// 'text', cut if it is long.
std::string quote(std::string_view text);

// "a, b, c", cut after `most` entries.
std::string listed(const std::vector<std::string>& words, std::size_t most = 24);

}  // namespace taut::scene
