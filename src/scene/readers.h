// One reader per section of a resolved scene; each adds to the draft and reports what is wrong.
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
// name, title, gravity, step, duration, record, expect
void read_run(const Node& scene, SceneDraft& draft, Problems& problems);

// Generators, one file each.
void generate_chain(const Node& chain, const Where& where, SceneDraft& draft, Problems& problems);
void generate_grid(const Node& grid, const Where& where, SceneDraft& draft, Problems& problems);
void generate_copies(const Node& repeat, const Where& where, SceneDraft& draft, Problems& problems);

// Whether `more` bodies may still be generated; an error at `where` otherwise.
bool allow_generated(Real more, const std::string& label, const Where& where,
                     const SceneDraft& draft, Problems& problems);

// Density from `density` or `material` of a map; empty if it has neither. The material's colour
// goes to `colour` unless that is set.
std::optional<Real> read_density(const Node& map, const std::string& label, SceneDraft& draft,
                                 std::string& colour, Problems& problems);
// One entry of `shapes`, and what it weighs at density 1 in its own frame; nothing if it has no volume.
Shape read_shape(const Node& item, const std::string& label, SceneDraft& draft, Problems& problems);
MassProperties shape_properties(const Shape& shape);

// Friction and restitution of a map: its own, those of its material, those of `fallback`.
Surface read_surface(const Node& map, const SceneDraft& draft, const Surface& fallback);
GroupRules read_groups(const Node& map);
DraftCollider make_collider(const Shape& shape, const Surface& surface, const Where& where);
// Of a body that a generator made: its shapes touch if the map says `contact`, or all bodies do.
void add_colliders(const Node& map, const SceneDraft& draft, DraftBody& body);
// Names of groups into bits, once everybody has named theirs.
void assign_groups(SceneDraft& draft, Problems& problems);

}  // namespace taut::scene
