// Checks a map of the file against its table, evaluates formulas and replaces ${…} in texts.
// If no error is reported, all required keys are present and every value has the right form and lies in its range;
// readers only check conditions that involve several keys.
#pragma once

#include <string>

#include "scene/formula.h"
#include "scene/node.h"
#include "scene/vocabulary.h"

namespace taut::scene {

// `label` names the map in messages: "body 'load'".
void resolve_section(Node& map, const Section& section, const std::string& label, Names& names,
                     Problems& problems);

// The value of one scalar: a number or a formula. Empty after an error.
std::optional<Value> resolve_scalar(const Node& node, const std::string& subject, Names& names,
                                    Problems& problems);

}  // namespace taut::scene
