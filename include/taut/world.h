// The engine as a user sees it: describe a mechanism, step it, read it.
//
//     taut::World world;
//     auto load = world.add_body({.name = "load", .mass = 100, .pose = {{0, 0, -1}, {}}});
//     auto hook = world.add_joint(taut::ball(taut::kWorld, *load, {0, 0, 0}));
//     for (int i = 0; i < 600; ++i) world.step({.dt = 1.0 / 60});
//     double pull = world.joint(*hook).force.norm();
//
// Descriptions are checked when they are added: a bad one is an Error and changes nothing.
// step() throws nothing, and allocates nothing once prepare() (or the first step) has laid out its memory;
// contacts that come and go are laid out anew, and Eigen's solvers, there for comparison and for `exact`, do allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <taut/colliders.h>
#include <taut/defs.h>
#include <taut/report.h>
#include <taut/result.h>

namespace taut {

class World {
public:
    World();
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // --- building ---
    Result<BodyId> add_body(const BodyDef& def);
    Result<JointId> add_joint(const JointDef& def);
    Result<SpringId> add_spring(const SpringDef& def);
    Result<LoadId> add_load(const LoadDef& def);
    // Bodies with colliders touch each other, unless a joint connects them. kWorld carries the ground.
    Result<ColliderId> add_collider(BodyId body, const ColliderDef& def);
    Status set_gravity(const Vec3& gravity);  // [m/s²], default (0, 0, −9.81)
    Vec3 gravity() const noexcept;

    // --- stepping ---
    Status prepare(const StepSettings& settings);  // lays out memory; step() does it when needed
    StepReport step(const StepSettings& settings) noexcept;
    Real time() const noexcept;
    std::uint64_t steps() const noexcept;

    // --- what is there ---
    int body_count() const noexcept;
    int joint_count() const noexcept;
    int spring_count() const noexcept;
    int row_count() const noexcept;
    std::optional<BodyId> find_body(std::string_view name) const noexcept;
    std::optional<JointId> find_joint(std::string_view name) const noexcept;
    std::string_view name(BodyId id) const noexcept;
    std::string_view name(JointId id) const noexcept;
    std::string_view type(JointId id) const noexcept;
    std::string_view name(SpringId id) const noexcept;
    std::array<BodyId, 3> bodies(JointId id) const noexcept;
    std::array<BodyId, 2> bodies(SpringId id) const noexcept;
    // Where a joint or spring sits: frame `side` as in its description, in the axes of its body from the body's origin.
    JointFrame frame(JointId id, int side) const noexcept;
    JointFrame frame(SpringId id, int side) const noexcept;
    BodyKind kind(BodyId id) const noexcept;
    SpringDef::Kind kind(SpringId id) const noexcept;
    Real mass(BodyId id) const noexcept;

    // --- state ---
    Pose pose(BodyId id) const noexcept;            // of the body's origin
    Vec3 centre_of_mass(BodyId id) const noexcept;  // in the world
    Twist velocity(BodyId id) const noexcept;       // of the centre of mass
    Status set_pose(BodyId id, const Pose& pose);
    Status set_velocity(BodyId id, const Twist& velocity);
    // Another moment: schedules go on from there, and bodies that move as told are put where they are then.
    Status set_time(Real time);
    Status set_wrench(BodyId id, const Wrench& wrench);  // at the centre of mass, until set again
    bool asleep(
        BodyId id) const noexcept;  // at rest, and left so by steps with StepSettings::sleep

    // --- readings ---
    Energy energy() const noexcept;
    Work work() const noexcept;
    Momentum momentum() const noexcept;
    JointReading joint(JointId id, Axes axes = Axes::World) const noexcept;
    bool broken(JointId id) const noexcept;  // has given way; as JointReading::broken, at no cost
    std::span<const Real> multipliers(JointId id) const noexcept;  // λ per row [N or N m]
    // Points that touch or nearly do, as the last step saw them.
    std::vector<ContactReading> contacts() const;
    Real joint_gap() const noexcept;    // largest |φ + Cλ| over all rows that measure length [m]
    Real angular_gap() const noexcept;  // … that measure angle [rad]
    BodyDamping damping(
        BodyId id) const noexcept;  // of the last step; zero where the method has none
    std::span<const Real> damping(
        JointId id) const noexcept;  // b′ per row [N s/m or N m s/rad]; empty before the first step
    Real size() const noexcept;  // diagonal of the box around all bodies and joints at time 0 [m]

    // --- snapshot ---
    // All that steps and setters change, gravity included: steps after restore() repeat every bit.
    std::vector<std::byte> snapshot() const;
    // Refused whole, with the reason, where the image is damaged, belongs to a world that was built in another way,
    // or holds a number that no state can have.
    Status restore(std::span<const std::byte> image);
    std::uint64_t hash() const noexcept;  // of the state, bit by bit

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace taut
