// Reads springs and loads, which are forces and not constraint rows.
#include "scene/controls.h"
#include "scene/joint_frames.h"
#include "scene/readers.h"
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {

void read_springs(const Node& section, SceneDraft& draft, Problems& problems)
{
    for (const Node::Entry& entry : section.entries) {
        const Node& node = *entry.value;
        const std::string label = "spring " + quote(entry.key);
        DraftSpring spring;
        spring.where = entry.where;
        SpringDef& def = spring.def;
        def.name = entry.key;
        const bool torsional = text_or(node, "type", "linear") == "torsional";
        def.kind = torsional ? SpringDef::Kind::Torsional : SpringDef::Kind::Linear;

        std::array<BodyId, 3> bodies;
        if (!read_between(node, label, draft, bodies, problems)) continue;
        def.bodies = {bodies[0], bodies[1]};
        def.coordinates = read_coordinates(node);
        const FrameRequest request{
            .node = node,
            .label = label,
            .needs_axis = torsional,
            .default_points = default_points(
                bodies, torsional ? DefaultPoints::Particles : DefaultPoints::AllBodies,
                def.coordinates, draft)};
        const auto frames = read_frames(request, problems);
        def.frames = {frames[0], frames[1]};
        def.stiffness = number_or(node, "stiffness", 0);
        def.damping = number_or(node, "damping", 0);

        const Vec3 span = world_point(def.frames[1].p, def.coordinates, bodies[1], draft) -
                          world_point(def.frames[0].p, def.coordinates, bodies[0], draft);
        def.rest = number_or(node, "rest", torsional ? 0 : span.norm());
        if (!torsional && !(span.norm() > 0))
            problems.error(
                entry.where,
                label + " is linear and its points coincide, so its direction is undefined");
        if (!torsional && def.rest < 0)
            problems.error(node.find("rest")->where, "'rest' of " + label + " is " +
                                                         to_short_text(def.rest) +
                                                         "; it must be at least 0 m");
        draft.springs.push_back(std::move(spring));
    }
}

// A load whose scale is a formula is applied anew before every step.
static void add_commanded(const DraftLoad& load, const Node& node, const std::string& body,
                          const std::string& label, SceneDraft& draft, Problems& problems)
{
    control::Command command;
    command.kind = control::Command::Kind::Load;
    command.name = "'scale' of " + label;
    command.wrench = {load.def.force, load.def.torque};
    command.axes = load.def.coordinates;
    command.has_point = node.has("point");
    command.point = load.def.point;
    command.numbers.push_back(
        read_formula(*find_formula(node, "scale"), command.name, draft, problems));
    add_command(std::move(command), body, "scale", load.where, draft, problems);
}

void read_loads(const Node& section, SceneDraft& draft, Problems& problems)
{
    for (const Node::Entry& entry : section.entries) {
        const Node& node = *entry.value;
        const std::string label = "load " + quote(entry.key);
        const Node& name = *node.find("body");
        const auto body = draft.find_body(name.filled, name.where, label, problems);
        if (!body) continue;
        const DraftBody* target = draft.body(*body);
        const bool free = target && (target->def.kind == BodyKind::Rigid ||
                                     target->def.kind == BodyKind::Particle);
        if (!free) {
            problems.error(
                name.where,
                label + " acts on " + quote(name.filled) +
                    ", which forces do not move; a rigid body or a particle is required");
            continue;
        }
        DraftLoad load;
        load.where = entry.where;
        load.def.name = entry.key;
        load.def.body = *body;
        load.def.point = vector_or(node, "point", target->def.centre_of_mass);
        load.def.force = vector_or(node, "force", Vec3::Zero());
        load.def.torque = vector_or(node, "torque", Vec3::Zero());
        load.def.coordinates = read_coordinates(node);
        load.def.scale = schedule_or(node, "scale", 1, label, problems);
        if (target->def.kind == BodyKind::Particle && (node.has("torque") || node.has("point")))
            problems.error(entry.where, label + " acts on the particle " + quote(name.filled) +
                                            ", which has no orientation; only a force is allowed");
        if (find_formula(node, "scale"))
            add_commanded(load, node, name.filled, label, draft, problems);
        else
            draft.loads.push_back(std::move(load));
    }
}

}  // namespace taut::scene
