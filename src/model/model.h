// The constant side of a simulation: bodies, pools of constraints, springs, loads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <taut/defs.h>

#include "constraints/constraint_types.h"
#include "core/assert.h"
#include "core/name_map.h"
#include "model/commands.h"
#include "model/row_table.h"

namespace taut::model {

// What every step reads of a body, 232 bytes; name and motion are in BodyDetails.
struct BodyModel {
    BodyKind kind = BodyKind::Fixed;
    // Two of the principal moments are equal, as of a rod, a wheel or a ball: I = across·1 + (along − across) ŝŝᵀ with
    // the spin axis ŝ.
    bool axial = false;
    bool surface_moves = false;  // one of its colliders is a belt
    bool disabled = false;  // by command: no force moves it, it meets nothing and holds nothing
    Real mass = 0;
    Mat3 inertia = Mat3::Zero();  // about the centre of mass, body axes
    Vec3 spin_axis =
        Vec3::Zero();  // principal axis of the moment that differs most, body axes; zero: none
    Real across = 0, along = 0;  // moments across and along the spin axis
    Real anisotropy = 0;  // (largest − smallest)/smallest principal moment; 0: no gyroscopic torque
    Mat3 inverse_inertia = Mat3::Zero();
    Vec3 com = Vec3::Zero();  // from the body's origin to its centre of mass, body axes

    bool dynamic() const noexcept
    {
        return (kind == BodyKind::Rigid || kind == BodyKind::Particle) && !disabled;
    }
    int freedoms() const noexcept
    {
        if (!dynamic()) return 0;
        return kind == BodyKind::Rigid ? 6 : 3;
    }
};
static_assert(sizeof(BodyModel) == 232, "inner loops walk over these");

using Extent = Eigen::AlignedBox<Real, 3>;

// What a body has besides: inner loops do not touch it.
struct BodyDetails {
    std::string name;
    Pose start;  // of the body's origin; where a kinematic motion begins
    Motion motion;
    Extent
        extent{};  // of the body, its colliders and, if it can move, its joints, as they were added
    int motion_command = -1;  // kinematic bodies: index into Commands::motions
    bool commanded = false;   // it follows `knots`, not its motion
    MotionKnots knots{};
};

// What a joint has besides its rows (RowTable) and its geometry (Pool): inner loops do not touch it.
struct JointModel {
    std::string name;
    std::shared_ptr<const CustomJoint> custom;               // its type, where that is from outside
    Schedule target;                                         // of motors and servos
    Real stiffness = 0;                                      // servo
    Real damping = 0;                                        // servo
    Real max_force = std::numeric_limits<Real>::infinity();  // of a drive
    Real break_force = std::numeric_limits<Real>::infinity();  // infinite: it never breaks
    Real break_torque = std::numeric_limits<Real>::infinity();

    // What was commanded takes the place of what was described: `target`, and the numbers in `described`.
    bool commanded = false;  // `command` is the target
    Real command = 0;
    bool disabled = false;
    struct Described {
        Real max_force = std::numeric_limits<Real>::infinity();
        std::array<Real, 2> parameters{};  // of CommandParameters
    } described;

    Real target_value(Real time) const noexcept { return commanded ? command : target.value(time); }
    Real target_rate(Real time) const noexcept { return commanded ? 0 : target.rate(time); }
    bool breakable() const noexcept
    {
        return std::isfinite(break_force) || std::isfinite(break_torque);
    }
};

// All constraints of one type, side by side in memory.
template <class T>
struct Pool {
    std::vector<T> items;
    std::vector<std::array<BodyIndex, T::kBodies>> bodies;
    std::vector<int> groups;  // into RowTable::groups

    void clear() noexcept
    {
        items.clear();
        bodies.clear();
        groups.clear();
    }
};

// Contacts are made by the collision search for one step; all other types are joints, which the model has.
template <class T>
inline constexpr bool kIsContact = T::kFamily == JointFamily::Contact;

// One pool per type of the list that is a joint.
template <class List>
struct JointPools;
template <class... Ts>
struct JointPools<TypeList<Ts...>> {
    template <class T>
    using PoolIf = std::conditional_t<kIsContact<T>, std::tuple<>, std::tuple<Pool<T>>>;
    using type = decltype(std::tuple_cat(std::declval<PoolIf<Ts>>()...));
};

// Position of a type in the list.
template <class T>
constexpr int type_index() noexcept
{
    int index = 0, found = -1;
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        if (std::is_same_v<T, typename decltype(tag)::type>) found = index;
        ++index;
    });
    return found;
}

struct SpringNumbers {
    Real stiffness = 0;
    Real damping = 0;
    Real rest = 0;
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
    int first_memory = 0;       // torsional springs remember their angle
    SpringNumbers described{};  // before any command
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
    std::vector<BodyDetails> body_details;  // per body
    std::vector<JointModel> joints;
    RowTable rows;  // of the joints
    JointPools<ConstraintTypes>::type pools;
    bool breakable = false;      // some joint can break
    bool any_disabled = false;   // some joint or body is
    std::uint64_t commands = 0;  // grows with every command that changes a number here
    std::vector<SpringModel> springs;
    Pool<Rod> linear_springs;  // geometry of the springs; `groups` indexes Model::springs
    Pool<TwistAngle> torsional_springs;
    std::vector<LoadModel> loads;
    NameMap body_names;
    NameMap joint_names;
    Extent extent;  // around bodies, joints and colliders as they were added
    int memories = 0;
    std::uint64_t topology = 0;  // grows with every change; layouts are made for one value

    Model();

    template <class T>
    const Pool<T>& pool() const noexcept
    {
        return std::get<Pool<T>>(pools);
    }
    template <class T>
    Pool<T>& pool() noexcept
    {
        return std::get<Pool<T>>(pools);
    }
};

// Lets the extents of a body and of the scene contain a point.
void extend(Model& model, BodyIndex b, const Vec3& point);

// Calls visit(TypeTag<T>{}) for every type that is a joint, in the order of ConstraintTypes.
template <class Visit>
void for_each_joint_type(Visit&& visit)
{
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        if constexpr (!kIsContact<typename decltype(tag)::type>) visit(tag);
    });
}

// Calls visit(const T&) for the constraint behind a joint, whatever its type.
template <class Visit>
void visit_joint(const Model& model, const ConstraintRows& joint, Visit&& visit)
{
    for_each_joint_type([&](auto tag) {
        using T = typename decltype(tag)::type;
        if (type_index<T>() != joint.type) return;
        TAUT_ASSERT(joint.slot >= 0 &&
                    static_cast<std::size_t>(joint.slot) < model.pool<T>().items.size());
        visit(model.pool<T>().items[joint.slot]);
    });
}

}  // namespace taut::model
