// From file to World: read, merge, override, resolve, draft, check, build.
#include <taut/scene.h>

#include <exception>
#include <filesystem>

#include "scene/controls.h"
#include "scene/document.h"
#include "scene/file_bounds.h"
#include "scene/overrides.h"
#include "scene/parameters.h"
#include "scene/physics_check.h"
#include "scene/readers.h"
#include "scene/resolve.h"
#include "scene/text_format.h"

namespace taut::scene {
namespace {

void generate(const Node& section, SceneDraft& draft, Problems& problems)
{
    for (const NodePtr& item : section.items) {
        const Node::Entry& entry = item->entries.front();
        if (entry.key == "chain") generate_chain(*entry.value, entry.where, draft, problems);
        if (entry.key == "grid") generate_grid(*entry.value, entry.where, draft, problems);
        if (entry.key == "repeat") generate_copies(*entry.value, entry.where, draft, problems);
    }
}

SceneDraft read_draft(const Node& root, Names& names, Problems& problems)
{
    SceneDraft draft;
    draft.names = &names;
    draft.gravity_where = draft.step_where = {root.where.file, 0, 0};
    read_run(root, draft, problems);
    const auto section = [&](std::string_view key, auto reader) {
        const Node* node = root.find(key);
        if (node) reader(*node, draft, problems);
    };
    // bodies first, because the others refer to them: generators to bodies, joints to generated bodies
    section("controls", read_controls);
    section("logic", read_logic);
    section("stop", read_stop);
    section("materials", read_materials);
    section("contacts", read_contacts);
    section("ground", read_ground);
    section("bodies", read_bodies);
    section("generate", generate);
    section("joints", read_joints);
    section("springs", read_springs);
    section("loads", read_loads);
    section("commands", read_commands);
    assign_groups(draft, problems);
    if (draft.bodies.empty() && !problems.any_error())
        problems.error(root.where, "the scene has no bodies; 'bodies' or 'generate' is required");
    return draft;
}

// Adds one description; a refusal by the world is reported at the place of the description.
template <class Id, class Def>
Id place(World& world, Result<Id> (World::*add)(const Def&), const Def& def, const Where& where,
         Problems& problems)
{
    auto id = (world.*add)(def);
    if (id.ok()) return *id;
    problems.error(where, id.error().message);
    return Id{};
}

class Builder {
public:
    Builder(const SceneDraft& draft, Problems& problems) : draft_(draft), problems_(problems) {}

    Scene build()
    {
        Scene scene;
        scene.name = draft_.name;
        scene.title = draft_.title;
        scene.settings = draft_.settings;
        scene.duration = draft_.duration;
        scene.expectations = draft_.expectations;
        scene.columns = draft_.columns;
        if (auto done = scene.world.set_gravity(draft_.gravity); !done.ok())
            problems_.error(draft_.gravity_where, done.error().message);
        add_bodies(scene);
        if (!problems_.any_error()) add_joints_and_forces(scene);
        if (problems_.any_error()) return scene;
        // checked on an empty world, to avoid the memory allocation of a large one
        if (auto done = World().prepare(scene.settings); !done.ok())
            problems_.error(draft_.step_where, done.error().message);
        check_start(draft_, scene.world, joints_, problems_);
        scene.controls = build_controls(draft_, scene.world, springs_, problems_);
        return scene;
    }

private:
    void add_bodies(Scene& scene)
    {
        for (const DraftBody& body : draft_.bodies) {
            const BodyId id = place(scene.world, &World::add_body, body.def, body.where, problems_);
            bodies_.push_back(id);
            for (const DrawnShape& shape : body.shapes) scene.shapes.emplace_back(id, shape);
        }
    }

    void add_collider(Scene& scene, BodyId body, const DraftCollider& collider)
    {
        if (auto done = scene.world.add_collider(body, collider.def); !done.ok())
            problems_.error(collider.where, done.error().message);
    }

    void add_joints_and_forces(Scene& scene)
    {
        if (draft_.ground) {
            add_collider(scene, kWorld, draft_.ground->collider);
            scene.shapes.emplace_back(kWorld, draft_.ground->shape);
        }
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            for (const DraftCollider& collider : draft_.bodies[i].colliders)
                add_collider(scene, bodies_[i], collider);
        for (const DraftJoint& joint : draft_.joints) {
            JointDef def = joint.def;
            for (BodyId& body : def.bodies) body = in_world(body);
            joints_.push_back(place(scene.world, &World::add_joint, def, joint.where, problems_));
        }
        for (const DraftSpring& spring : draft_.springs) {
            SpringDef def = spring.def;
            for (BodyId& body : def.bodies) body = in_world(body);
            springs_.push_back(
                place(scene.world, &World::add_spring, def, spring.where, problems_));
        }
        for (const DraftLoad& load : draft_.loads) {
            LoadDef def = load.def;
            def.body = in_world(def.body);
            place(scene.world, &World::add_load, def, load.where, problems_);
        }
    }

    BodyId in_world(BodyId id) const
    {
        return id.valid() ? bodies_[static_cast<std::size_t>(id.index)] : kWorld;
    }

    const SceneDraft& draft_;
    Problems& problems_;
    std::vector<BodyId> bodies_;
    std::vector<JointId> joints_;
    std::vector<SpringId> springs_;
};

Result<Scene> read(std::string_view text, const std::string& file, const Overrides& overrides,
                   Problems& problems)
{
    const auto failed = [&] { return Error{problems.report()}; };

    Document document = read_document(text, file, problems);
    if (problems.any_error()) return failed();
    const auto values = apply_overrides(overrides, document, problems);
    if (problems.any_error()) return failed();
    ParameterTable parameters = read_parameters(*document.parameters, values, problems);
    if (problems.any_error()) return failed();
    resolve_section(*document.root, scene_section(), std::string(kSceneLabel), parameters,
                    problems);
    if (problems.any_error()) return failed();
    const SceneDraft draft = read_draft(*document.root, parameters, problems);
    if (problems.any_error()) return failed();
    check_physics(draft, parameters, problems);
    Scene scene = Builder(draft, problems).build();
    if (problems.any_error()) return failed();
    if (scene.name.empty()) scene.name = std::filesystem::path(file).stem().string();

    for (const Parameter& parameter : parameters.parameters())
        scene.parameters.push_back(parameter.info);
    scene.warnings = problems.warnings();
    scene.files = std::move(document.files);
    return scene;
}

// Catches std::bad_alloc and exceptions of yaml-cpp; the code itself does not throw.
template <class Reader>
Result<Scene> guarded(const std::string& file, Reader reader)
{
    try {
        return reader();
    } catch (const std::exception& error) {
        return Error{file + ": could not be read: " + error.what()};
    }
}

}  // namespace

bool allow_generated(Real more, const std::string& label, const Where& where,
                     const SceneDraft& draft, Problems& problems)
{
    const Real after = static_cast<Real>(draft.bodies.size()) + more;
    if (after <= file_bounds::generated_bodies) return true;
    problems.error(where, label + " would increase the scene to " + to_short_text(after) +
                              " bodies; the limit for generators is " +
                              std::to_string(file_bounds::generated_bodies));
    return false;
}

}  // namespace taut::scene

namespace taut {

Result<Scene> read_scene(std::string_view text, const std::string& file_name,
                         const Overrides& overrides)
{
    return scene::guarded(file_name, [&] {
        scene::Problems problems;
        return scene::read(text, file_name, overrides, problems);
    });
}

Result<Scene> load_scene(const std::string& file, const Overrides& overrides)
{
    return scene::guarded(file, [&]() -> Result<Scene> {
        scene::Problems problems;
        const scene::Where where{std::make_shared<const std::string>(file), 0, 0};
        const auto text = scene::read_text_file(file, where, problems);
        if (!text) return Error{problems.report()};
        return scene::read(*text, file, overrides, problems);
    });
}

}  // namespace taut
