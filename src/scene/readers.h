// One reader per section of a resolved scene; each adds to the draft and reports errors.
#pragma once

#include "scene/draft.h"
#include "scene/node.h"

namespace taut::scene {

void read_materials(const Node& section, SceneDraft& draft, Problems& problems);
void read_contacts(const Node& section, SceneDraft& draft, Problems& problems);
void read_ground(const Node& section, SceneDraft& draft, Problems& problems);
void read_bodies(const Node& section, SceneDraft& draft, Problems& problems);
void read_joints(const Node& section, SceneDraft& draft, Problems& problems);
void read_springs(const Node& section, SceneDraft& draft, Problems& problems);
void read_loads(const Node& section, SceneDraft& draft, Problems& problems);
void read_controls(const Node& section, SceneDraft& draft, Problems& problems);
void read_logic(const Node& section, SceneDraft& draft, Problems& problems);
void read_commands(const Node& section, SceneDraft& draft, Problems& problems);
void read_stop(const Node& section, SceneDraft& draft, Problems& problems);
// name, title, gravity, step, duration, record, expect
void read_run(const Node& scene, SceneDraft& draft, Problems& problems);

// Generators, one file each.
void generate_chain(const Node& chain, const Where& where, SceneDraft& draft, Problems& problems);
void generate_grid(const Node& grid, const Where& where, SceneDraft& draft, Problems& problems);
void generate_copies(const Node& repeat, const Where& where, SceneDraft& draft, Problems& problems);

// Whether `more` additional bodies may be generated; reports an error at `where` otherwise.
bool allow_generated(Real more, const std::string& label, const Where& where,
                     const SceneDraft& draft, Problems& problems);

// Density from `density` or `material` of a map; empty if it has neither. Sets `colour` to that of the material
// unless it is set.
std::optional<Real> read_density(const Node& map, const std::string& label, SceneDraft& draft,
                                 std::string& colour, Problems& problems);
// One entry of `shapes`, without its colour.
DrawnShape read_shape(const Node& item, const std::string& label, SceneDraft& draft,
                      Problems& problems);

// Friction and restitution of a map: its own values, or those of its material, or those of `fallback`.
Surface read_surface(const Node& map, const SceneDraft& draft, const Surface& fallback);
GroupRules read_groups(const Node& map);
DraftCollider make_collider(const DrawnShape& drawn, const Surface& surface, const Where& where);
// Adds colliders to a generated body if the map has `contact: true` or contact is enabled by default.
void add_colliders(const Node& map, const SceneDraft& draft, DraftBody& body);
// Converts names of collision groups to bits, after all bodies have been read.
void assign_groups(SceneDraft& draft, Problems& problems);

}  // namespace taut::scene
