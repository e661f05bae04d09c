// Formulas of controls in a scene: read into the draft, and joined to the world when that is built.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <taut/controls.h>
#include "scene/draft.h"
#include "scene/node.h"

namespace taut::scene {

// Compiles a formula of controls, logic and readings; their names are entered into the draft.
control::Program read_formula(const Node& node, const std::string& subject, SceneDraft& draft,
                              Problems& problems);

// The formula in place of a schedule; null if the key has a number or a schedule.
const Node* find_formula(const Node& map, std::string_view key);

// An error if the draft commands the same quantity of the same object already.
void add_command(control::Command command, const std::string& owner, const std::string& quantity,
                 const Where& where, SceneDraft& draft, Problems& problems);

// Ids of the draft's springs, in its order; bodies and joints are found by name.
Controls build_controls(const SceneDraft& draft, World& world, const std::vector<SpringId>& springs,
                        Problems& problems);

}  // namespace taut::scene
