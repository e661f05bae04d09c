#include "view/carry_over.h"

#include <algorithm>
#include <cmath>

#include "view/bodies.h"

namespace taut::view {

namespace {

constexpr Real kClosed = 1e-3;  // relative to the size of the scene, and as an angle [rad]

bool same_bodies(const World& a, const World& b)
{
    if (a.body_count() != b.body_count()) return false;
    for (int i = 0; i < a.body_count(); ++i) {
        const BodyId id = a.body_at(i);
        const auto other = b.find_body(a.name(id));
        if (!other || b.kind(*other) != a.kind(id)) return false;
    }
    return true;
}

// Whether the joint frames are unchanged; otherwise the old poses would violate the constraints.
bool same_frames(const World& a, const World& b)
{
    const Real near = kClosed * b.size();
    if (a.joint_count() != b.joint_count()) return false;
    for (int i = 0; i < a.joint_count(); ++i) {
        const JointId id = a.joint_at(i);
        const auto other = b.find_joint(a.name(id));
        if (!other || b.type(*other) != a.type(id)) return false;
        for (int side = 0; side < 2; ++side) {
            const JointFrame f = a.frame(id, side), g = b.frame(*other, side);
            if ((f.p - g.p).norm() > near || f.q.angularDistance(g.q) > kClosed) return false;
        }
    }
    return true;
}

bool copy_motion(const World& from, World& to)
{
    if (!to.set_time(from.time()).ok()) return false;
    for (int i = 0; i < from.body_count(); ++i) {
        const BodyId old{i};
        if (!moves(from.kind(old))) continue;
        const BodyId now = *to.find_body(from.name(old));
        if (!to.set_pose(now, from.pose(old)).ok()) return false;
        if (!to.set_velocity(now, from.velocity(old)).ok()) return false;
    }
    return true;
}

// Whether the joint gaps have not grown and the joint angles have kept their full turns.
bool fits(const World& from, const World& to)
{
    constexpr Real kTurned = 1;  // [rad]
    if (!(to.joint_gap() <= std::max(kClosed * to.size(), 2 * from.joint_gap()))) return false;
    for (int i = 0; i < to.joint_count(); ++i) {
        const JointId now{i};
        const auto old = from.find_joint(to.name(now));
        if (!old) continue;
        if (from.broken(*old)) return false;
        if (std::abs(from.joint(*old).angle - to.joint(now).angle) > kTurned) return false;
    }
    return true;
}

}  // namespace

Carried carry_over(const World& from, World& to, bool with_commands)
{
    if (with_commands && to.restore(from.snapshot()).ok()) return Carried::Whole;
    if (!same_bodies(from, to) || !same_frames(from, to)) return Carried::Nothing;
    const auto start = to.snapshot();
    if (copy_motion(from, to) && fits(from, to)) return Carried::Motion;
    (void)to.restore(start);
    return Carried::Nothing;
}

}  // namespace taut::view
