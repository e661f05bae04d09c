// The public interface of the engine: describe a mechanism, step it, read its state.
//
//     taut::World world;
//     taut::BodyDef load = taut::solid(taut::Shape::box({0.5, 0.5, 0.5}), 800).value();  // [m, kg/m³]
//     load.pose.p = {0, 0, -1};
//     auto body = world.add_body(load);
//     auto hook = world.add_joint(taut::ball(taut::kWorld, *body, {0, 0, 0}));
//     for (int i = 0; i < 600; ++i) world.step({.dt = 1.0 / 60});
//     double pull = world.joint(*hook).force.norm();
//
// Descriptions are validated when they are added: an invalid one returns an Error and leaves the world unchanged. The value of an
// Error (*load of a body that was refused) throws BadAccess, as readings of objects do that are not there.
// step() does not throw, and does not allocate after prepare() (or the first step) has allocated its memory; changing
// contacts and Eigen's solvers, which exist for comparison and for `exact`, do allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <taut/colliders.h>
#include <taut/defs.h>
#include <taut/events.h>
#include <taut/island_report.h>
#include <taut/queries.h>
#include <taut/report.h>
#include <taut/result.h>

namespace taut {

// How many of each were removed.
struct Removed {
    int bodies = 0, joints = 0, springs = 0, loads = 0, colliders = 0;
};

class World {
public:
    World();
    ~World();
    World(World&&) noexcept;  // the world that was moved from is empty
    World& operator=(World&&) noexcept;
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // --- building ---
    Result<BodyId> add_body(const BodyDef& def);
    Result<JointId> add_joint(const JointDef& def);
    // Limits, a motor or a servo on the axis of a joint, with its frames: of the angle [rad] or, for a prismatic joint, the slide
    // [m]; angles count from the one within half a turn of zero. Joints by description: taut/joints.h.
    Result<JointId> add_limits(JointId joint, Real lower, Real upper);
    Result<JointId> add_motor(JointId joint, const Schedule& speed,
                              Real max_force = std::numeric_limits<Real>::infinity());
    Result<JointId> add_servo(JointId joint, const Schedule& target, Real stiffness, Real damping,
                              Real max_force = std::numeric_limits<Real>::infinity());
    Result<SpringId> add_spring(const SpringDef& def);
    Result<LoadId> add_load(const LoadDef& def);
    // Bodies with colliders collide with each other unless a joint connects them. The ground belongs to kWorld.
    Result<ColliderId> add_collider(BodyId body, const ColliderDef& def);
    Status set_gravity(const Vec3& gravity);  // [m/s²], default (0, 0, −9.81)
    Vec3 gravity() const noexcept;

    // --- editing, at any time between two steps; see docs/commanding.md ---
    // What is attached to a body goes with it: joints, springs, loads and colliders. Ids of what was removed are stale. What is not
    // connected with it keeps its bits. A snapshot of before is refused, unless all that it describes is there again.
    Result<Removed> remove(BodyId id);
    Result<Removed> remove(std::span<const BodyId> ids);  // all or, where one is stale, none
    Status remove(JointId id);
    Status remove(SpringId id);
    Status remove(LoadId id);
    Status remove(ColliderId id);
    // [kg], [kg m²] about the centre of mass, which stays where it is; a particle has no inertia
    Status set_mass(BodyId id, Real mass, const Mat3& inertia = Mat3::Identity());
    // another shape or material; the user data stays
    Status set_collider(ColliderId id, const ColliderDef& def);
    // another type, bodies or frames; the user data stays
    Status set_joint(JointId id, const JointDef& def);

    // --- commands, at any time between two steps; see docs/commanding.md ---
    // They hold from the next step on, belong to snapshots, wake what sleeps, and allocate nothing but where said otherwise.
    Status set_target(JointId id, Real target);  // of a motor: speed; of a servo: angle or slide
    Status set_max_force(JointId id, Real max_force);  // of a drive that was described with one
    Status set_limits(JointId id, Real lower, Real upper);  // [rad] or [m]
    Status set_servo(JointId id, Real stiffness,
                     Real damping);                     // [N m/rad, N m s/rad] or [N/m, N s/m]
    Status set_stiffness(SpringId id, Real stiffness);  // [N/m] or [N m/rad]
    Status set_damping(SpringId id, Real damping);      // [N s/m] or [N m s/rad]
    Status set_rest(SpringId id, Real rest);            // [m] or [rad]
    // A kinematic body reaches the pose of its origin at the end of the next step, and stays there.
    Status set_kinematic_target(BodyId id, const Pose& target);
    // A kinematic body moves on with the velocity of its origin.
    Status set_kinematic_velocity(BodyId id, const Twist& velocity);
    Status follow_schedule(JointId id);  // the described target again
    Status follow_schedule(BodyId id);   // the described motion again; the body jumps to it
    // For the next step only; several add up. World axes; the point is in the world, the centre of mass without one.
    Status apply_force(BodyId id, const Vec3& force);
    Status apply_force(BodyId id, const Vec3& force, const Vec3& point);
    Status apply_torque(BodyId id, const Vec3& torque);
    // At once: the velocity is another one when the function returns.
    Status apply_impulse(BodyId id, const Vec3& impulse);  // [N s]
    Status apply_impulse(BodyId id, const Vec3& impulse, const Vec3& point);
    Status apply_angular_impulse(BodyId id, const Vec3& impulse);  // [N m s]
    // A joint that is disabled holds nothing. A body that is disabled stays where it is, meets nothing and holds nothing; it goes on
    // with its velocity when it is enabled. The step that follows allocates.
    Status set_enabled(JointId id, bool enabled);
    Status set_enabled(BodyId id, bool enabled);
    bool enabled(JointId id) const;
    bool enabled(BodyId id) const;
    // The island of the body. Sleeping is for steps with StepSettings::sleep; its kinetic energy is booked as numerical dissipation.
    Status wake(BodyId id);
    Status sleep(BodyId id);

    // --- stepping ---
    Status prepare(const StepSettings& settings);  // allocates memory; step() calls it if necessary
    StepReport step(const StepSettings& settings) noexcept;
    Real time() const noexcept;
    std::uint64_t steps() const noexcept;

    // --- contents ---
    // Whatever reads one object throws BadAccess where the id is stale or invalid, and says which. contains() asks without. kWorld
    // is a body that is fixed at the origin; its mass, damping and user data read 0.
    int body_count() const noexcept;
    int joint_count() const noexcept;
    int spring_count() const noexcept;
    int row_count() const noexcept;
    // In the order in which they were added; an invalid id beyond the last.
    BodyId body_at(int place) const noexcept;
    JointId joint_at(int place) const noexcept;
    SpringId spring_at(int place) const noexcept;
    // Whether it is there: false for stale and invalid ids, true for kWorld.
    bool contains(BodyId id) const noexcept;
    bool contains(JointId id) const noexcept;
    bool contains(SpringId id) const noexcept;
    bool contains(LoadId id) const noexcept;
    bool contains(ColliderId id) const noexcept;
    std::optional<BodyId> find_body(std::string_view name) const noexcept;
    std::optional<JointId> find_joint(std::string_view name) const noexcept;
    std::string_view name(BodyId id) const;
    std::string_view name(JointId id) const;
    std::string_view type(JointId id) const;
    std::string_view name(SpringId id) const;
    std::array<BodyId, 3> bodies(JointId id) const;
    std::array<BodyId, 2> bodies(SpringId id) const;
    // Frame `side` of the description of a joint or spring, relative to the origin and axes of its body.
    JointFrame frame(JointId id, int side) const;
    JointFrame frame(SpringId id, int side) const;
    BodyKind kind(BodyId id) const;
    SpringDef::Kind kind(SpringId id) const;
    Real mass(BodyId id) const;

    // --- state ---
    Pose pose(BodyId id) const;            // of the body's origin
    Vec3 centre_of_mass(BodyId id) const;  // in the world
    Twist velocity(BodyId id) const;       // of the centre of mass
    Status set_pose(BodyId id, const Pose& pose);
    Status set_velocity(BodyId id, const Twist& velocity);
    // Sets the time: schedules continue from there, and kinematic bodies are moved to their poses at this time.
    Status set_time(Real time);
    Status set_wrench(BodyId id,
                      const Wrench& wrench);  // applied at the centre of mass, until it is changed
    bool asleep(BodyId id) const;             // sleeping; see StepSettings::sleep
    bool frozen(
        BodyId id) const;  // not stepped until it is set from outside; see StepReport::frozen

    // --- readings ---
    Energy energy() const noexcept;
    Work work() const noexcept;
    Dissipation dissipation()
        const noexcept;  // since time 0: energy() − work() + dissipation() is constant
    Momentum momentum() const noexcept;
    Real kinetic_energy(BodyId id) const;  // [J]; zero for bodies that no force moves
    // The islands of the last step, counted from 0. island() is empty for bodies that it did not solve, and after a step that
    // failed or an edit.
    std::optional<int> island(BodyId id) const;
    IslandReport island_report(int island) const noexcept;
    JointReading joint(JointId id, Axes axes = Axes::World) const;
    bool broken(
        JointId id) const;  // the same as JointReading::broken, without computing the reading
    std::span<const Real> multipliers(JointId id) const;  // λ per row [N or N m]
    // Contact points of the last step, including those with a small positive gap; also after restore(). The vector is a copy
    // of what contact_points() shows without one.
    std::vector<ContactReading> contacts() const;
    Real joint_gap() const noexcept;    // largest |φ + Cλ| over all rows that measure length [m]
    Real angular_gap() const noexcept;  // … that measure angle [rad]
    // of the last step; zero if the method adds none
    BodyDamping damping(BodyId id) const;
    // b′ per row [N s/m or N m s/rad]; empty before the first step
    std::span<const Real> damping(JointId id) const;
    Real size() const noexcept;  // diagonal of the box around all bodies and joints at time 0 [m]

    // --- queries ---
    // Of the present poses, also before the first step. Constant, but the first one after a step or an edit reads all poses
    // and may allocate: after update_queries() they do neither, and may run on several threads at once. Numbers that are
    // not finite find nothing.
    void update_queries() const;
    // The first collider on the way from a point to that point + `way`; a ray that begins in a collider meets that one at
    // once. Meshes and height fields are surfaces, which are met from either side.
    std::optional<CastHit> cast_ray(const Vec3& from, const Vec3& way,
                                    const QueryFilter& filter = {}) const;
    // The same for a shape that moves along `way` without turning.
    std::optional<CastHit> cast_shape(const QueryShape& shape, const Pose& pose, const Vec3& way,
                                      const QueryFilter& filter = {}) const;
    // All colliders on the way: the nearest ones in order, as many as `hits` has room for. They return how many there are.
    std::size_t cast_ray_all(const Vec3& from, const Vec3& way, std::span<CastHit> hits,
                             const QueryFilter& filter = {}) const;
    std::size_t cast_shape_all(const QueryShape& shape, const Pose& pose, const Vec3& way,
                               std::span<CastHit> hits, const QueryFilter& filter = {}) const;
    // Colliders that the shape touches or overlaps, in the order in which they were added.
    std::size_t overlap(const QueryShape& shape, const Pose& pose, std::span<OverlapHit> hits,
                        const QueryFilter& filter = {}) const;
    // The collider nearest to a point or shape, up to `within` [m]. Where it is inside of some, the deepest.
    std::optional<NearestHit> nearest(const Vec3& point, Real within,
                                      const QueryFilter& filter = {}) const;
    std::optional<NearestHit> nearest(const QueryShape& shape, const Pose& pose, Real within,
                                      const QueryFilter& filter = {}) const;

    // --- events ---
    // What differs between the states at the ends of the last two steps; valid until the next step, restore or edit. After
    // restore(): between the state that was replaced and the new one. Empty after a step that failed.
    std::span<const Event> events() const noexcept;
    // The same as contacts(), valid as long as events(), ordered by colliders. Empty after a step that failed.
    std::span<const ContactReading> contact_points() const noexcept;
    // Which pairs of colliders may touch; null: all that groups and joints allow. It is not part of a snapshot.
    void set_contact_filter(ContactFilter filter, void* user = nullptr) noexcept;
    // The surface of one pair of colliders in place of what both descriptions combine to, from the next step on.
    Status set_surface_pair(ColliderId a, ColliderId b, const SurfacePair& surface);
    Status clear_surface_pair(ColliderId a, ColliderId b);
    BodyId body(ColliderId id) const;
    bool is_sensor(ColliderId id) const;
    int collider_count() const noexcept;

    // 64 bits for the caller, 0 at first; they are no part of the state.
    std::uint64_t user_data(BodyId id) const;
    std::uint64_t user_data(JointId id) const;
    std::uint64_t user_data(ColliderId id) const;
    Status set_user_data(BodyId id, std::uint64_t data);
    Status set_user_data(JointId id, std::uint64_t data);
    Status set_user_data(ColliderId id, std::uint64_t data);

    // --- snapshot ---
    // All that steps and setters change, gravity included: steps after restore() repeat every bit.
    std::vector<std::byte> snapshot() const;
    // Fails without any change, and says why, where the image is damaged, belongs to a world that was built in another
    // way, or holds a number that no state can have.
    Status restore(std::span<const std::byte> image);
    std::uint64_t hash() const noexcept;  // of all bits of the state

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace taut
