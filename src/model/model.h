// The constant side of a simulation: bodies, pools of constraints, springs, loads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <taut/defs.h>

#include "constraints/constraint_types.h"
#include "core/name_map.h"

namespace taut::model {

// Index into Model::bodies; 0 is the ground. Public BodyId k is index k + 1, kWorld is 0.
using BodyIndex = int;
inline constexpr BodyIndex kGround = 0;

struct BodyModel {
    // what every step reads comes first, side by side in memory
    BodyKind kind = BodyKind::Fixed;
    Real mass = 0;
    Mat3 inertia = Mat3::Zero();  // about the centre of mass, body axes
    Vec3 spin_axis =
        Vec3::Zero();  // the principal axis that stands out, body axes; zero: none does
    // Equal moments across that axis, the usual rod, wheel or ball: I = across·1 + (along − across) ŝŝᵀ.
    bool axial = false;
    Real across = 0, along = 0;
    Real anisotropy = 0;  // (largest − smallest)/smallest principal moment; 0: no gyroscopic torque
    Mat3 inverse_inertia = Mat3::Zero();
    Vec3 com = Vec3::Zero();  // from the body's origin to its centre of mass, body axes
    Pose start;               // of the body's origin; where a kinematic motion begins
    Motion motion;
    std::string name;

    bool dynamic() const noexcept { return kind == BodyKind::Rigid || kind == BodyKind::Particle; }
    int freedoms() const noexcept
    {
        return kind == BodyKind::Rigid ? 6 : kind == BodyKind::Particle ? 3 : 0;
    }
};

// How softly one row is held. Servos have their own stiffness and damping instead.
struct RowSoftness {
    Real compliance = 0;
    Real damping_time = 0;
};

// One constraint as everybody but its own type sees it.
struct JointModel {
    int type = 0;  // position in ConstraintTypes
    int slot = 0;  // position in its pool
    RowKind kind = RowKind::Position;
    int first_row = 0;
    int rows = 0;
    int first_memory = 0;
    int memories = 0;
    int body_count = 2;
    std::array<BodyIndex, 3> bodies{};
    RowLaw law = RowLaw::Equal;
    bool damped = false;     // a row has a damping time
    bool compliant = false;  // a position row has a compliance
    Schedule target;
    Real stiffness = 0;         // servo
    Real damping = 0;           // servo
    Real friction = 0;          // of a contact, while it sticks [-]
    Real sliding_friction = 0;  // … and while it slides, ≤ friction [-]
    Real restitution = 0;       // of a contact [-]
    int normal_row = -1;        // of the contact that a rolling resistance belongs to; −1: none
    Real spinning = 0, rolling = 0;  // its torques over the normal force [m]
    Real max_force = std::numeric_limits<Real>::infinity();    // of a drive
    Real break_force = std::numeric_limits<Real>::infinity();  // infinite: holds for ever
    Real break_torque = std::numeric_limits<Real>::infinity();
    std::string name;
};

// All constraints of one type, side by side in memory.
template <class T>
struct Pool {
    std::vector<T> items;
    std::vector<std::array<BodyIndex, T::kBodies>> bodies;
    std::vector<int> joints;  // into Model::joints
};

template <class List>
struct PoolsOf;
template <class... Ts>
struct PoolsOf<TypeList<Ts...>> {
    using type = std::tuple<Pool<Ts>...>;
};

// A spring-damper: a one-row constraint in the stiffness formulation.
struct SpringModel {
    std::string name;
    SpringDef::Kind kind = SpringDef::Kind::Linear;
    int slot = 0;
    std::array<BodyIndex, 2> bodies{};
    Real stiffness = 0;
    Real damping = 0;
    Real rest = 0;
    int first_memory = 0;  // torsional springs remember their angle
};

struct LoadModel {
    std::string name;
    BodyIndex body = kGround;
    Vec3 point = Vec3::Zero();  // from the centre of mass, body axes
    Vec3 force = Vec3::Zero();
    Vec3 torque = Vec3::Zero();
    Coordinates coordinates = Coordinates::World;
    Schedule scale = 1;
};

struct Model {
    Vec3 gravity = Vec3(0, 0, -9.81);
    std::vector<BodyModel> bodies;
    std::vector<JointModel> joints;
    PoolsOf<ConstraintTypes>::type pools;
    std::vector<RowSoftness> softness;  // per row
    std::vector<int> lawful;            // joints whose law is not Equal
    bool breakable = false;             // some joint can give way
    std::vector<RowUnit> units;         // per row
    std::vector<SpringModel> springs;
    Pool<Rod> linear_springs;  // geometry of the springs; `joints` indexes Model::springs
    Pool<TwistAngle> torsional_springs;
    std::vector<LoadModel> loads;
    NameMap body_names;
    NameMap joint_names;
    Eigen::AlignedBox<Real, 3> extent;  // around bodies and joints as they were added
    int rows = 0;
    int memories = 0;
    int lasting_joints = 0;  // those of the user; contacts follow, and come and go
    int lasting_rows = 0;
    std::uint64_t topology = 0;  // grows with every change; layouts are made for one value

    Model();

    template <class T>
    const T& item(const JointModel& joint) const noexcept
    {
        return std::get<Pool<T>>(pools).items[joint.slot];
    }
};

// Diagonal of the box around bodies and joints as they were added; one metre where all is in one point [m].
Real scene_size(const Model& model) noexcept;

// The part of a row's φ that carries force: one-sided rows carry none while they are open.
inline Real loaded_stretch(const JointModel& joint, Real phi) noexcept
{
    return joint.law == RowLaw::NonNegative || joint.law == RowLaw::Cone ? std::min(phi, Real(0))
                                                                         : phi;
}

// Calls visit(const T&) for the constraint behind a joint, whatever its type.
template <class Visit>
void visit_joint(const Model& model, const JointModel& joint, Visit&& visit)
{
    int type = 0;
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if (type++ == joint.type) visit(model.item<T>(joint));
    });
}

}  // namespace taut::model
