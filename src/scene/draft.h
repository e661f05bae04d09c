// The intermediate form of a scene between file and World: descriptions with their places in the file. Ids are
// indices into the lists of the draft.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <taut/catalogue.h>
#include <taut/scene.h>
#include "control/network.h"
#include "geometry/shape_solids.h"
#include "scene/formula.h"
#include "scene/problems.h"
#include "scene/surface.h"

namespace taut::scene {

struct DraftCollider {
    ColliderDef def;
    Where where;
};

// Collision groups by name; they are converted to bits when all names are known.
struct GroupName {
    std::string name;
    Where where;
};
struct GroupRules {
    std::vector<GroupName> groups, ignores;
    std::optional<std::vector<GroupName>> collides_with;
};

struct DraftGround {
    DrawnShape shape;
    DraftCollider collider;
    GroupRules rules;
};

struct DraftBody {
    BodyDef def;
    Where where;
    std::vector<DrawnShape> shapes;
    std::vector<DraftCollider> colliders = {};  // of the shapes with contact
    GroupRules rules = {};
    MassProperties solid;  // of the shapes at density 1 and, where they have one, their own density
    Real volume = 0;       // of the shapes with mass [m³]
    bool inertia_given = false;
};

struct DraftJoint {
    JointDef def;
    Where where;
    const JointTypeInfo* type = nullptr;
};

struct DraftSpring {
    SpringDef def;
    Where where;
};

struct DraftLoad {
    LoadDef def;
    Where where;
};

// A name in a formula of controls; it is found when the world is built.
struct DraftInput {
    std::string name;
    Where where;
};

struct DraftCommand {
    control::Command command;  // without its ids
    std::string owner;         // name of the joint, spring or body
    std::string quantity;      // "target"
    Where where;
};

// Inputs of programs are indices into `inputs`.
struct DraftControls {
    std::vector<ControlInfo> controls;
    std::vector<control::Logic> logic;
    std::vector<DraftCommand> commands;
    std::optional<control::Program> stop;
    std::string stop_reason;
    std::vector<DraftInput> inputs;
    std::unordered_map<std::string, Where> names;  // of controls and logic

    bool empty() const { return controls.empty() && logic.empty() && commands.empty() && !stop; }
};

struct DraftMaterial {
    Real density = 0;
    SurfaceOverrides surface;
    std::string colour;
    Where where;
    bool used = false;
};

struct SceneDraft {
    std::string name;
    std::string title;
    Vec3 gravity = Vec3(0, 0, -9.81);
    Where gravity_where;
    StepSettings settings;
    Where step_where;
    Real duration = 10;
    std::vector<std::string> columns;
    std::vector<Expectation> expectations;

    bool contact_by_default = false;  // whether bodies without the key `contact` collide
    Surface surface;                  // of shapes without material
    std::optional<DraftGround> ground;
    Names* names = nullptr;  // parameters, for readers that resolve formulas with additional names

    std::unordered_map<std::string, DraftMaterial> materials;
    std::vector<DraftBody> bodies;
    std::vector<DraftJoint> joints;
    std::vector<DraftSpring> springs;
    std::vector<DraftLoad> loads;
    DraftControls control;

    std::unordered_map<std::string, int> body_index;
    std::unordered_map<std::string, Where> joint_names;

    // Names are unique: the error for a duplicate gives the place of the first.
    BodyId add(DraftBody body, Problems& problems);
    void add(DraftJoint joint, Problems& problems);

    // The body of this name, kWorld for "world"; otherwise an error with suggestions.
    std::optional<BodyId> find_body(const std::string& wanted, const Where& where,
                                    const std::string& label, Problems& problems) const;
    // The material of this name, which is marked as used.
    const DraftMaterial* use_material(const std::string& wanted, const Where& where,
                                      const std::string& label, Problems& problems);

    const DraftBody* body(BodyId id) const
    {
        return id.valid() ? &bodies[static_cast<std::size_t>(id.index)] : nullptr;
    }
    // Pose of a body at time 0; identity for the ground.
    Pose pose(BodyId id) const { return id.valid() ? body(id)->def.pose : Pose{}; }
};

}  // namespace taut::scene
