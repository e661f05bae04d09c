#include "model/kinematic.h"

#include "math/so3.h"

namespace taut::model {

static Pose knot_pose(const MotionKnot& from, const MotionKnot& to, Real time) noexcept
{
    if (!(to.time > from.time)) return {to.p, to.q};
    const Real s = (time - from.time) / (to.time - from.time);
    if (s == 1) return {to.p, to.q};
    const Vec3 turn = log_so3((to.q * from.q.conjugate()).normalized());
    return {from.p + s * (to.p - from.p), (exp_quat(s * turn) * from.q).normalized()};
}

// Even motion between the knots, and on after the last; at rest before the first.
static Pose commanded_pose(const MotionKnots& knots, Real time) noexcept
{
    if (time <= knots[0].time) return {knots[0].p, knots[0].q};
    return time <= knots[1].time ? knot_pose(knots[0], knots[1], time)
                                 : knot_pose(knots[1], knots[2], time);
}

Pose prescribed_pose(const BodyDetails& body, Real time) noexcept
{
    if (body.commanded) return commanded_pose(body.knots, time);
    const Motion& m = body.motion;
    const Vec3 shift(m.shift[0].value(time), m.shift[1].value(time), m.shift[2].value(time));
    const Quat turn(Eigen::AngleAxis<Real>(m.angle.value(time), m.axis));
    return {body.start.p + shift, (turn * body.start.q).normalized()};
}

Vec3 commanded_turn(const BodyDetails& body, Real from, Real to) noexcept
{
    const Quat q =
        commanded_pose(body.knots, to).q * commanded_pose(body.knots, from).q.conjugate();
    return log_so3(q.normalized());
}

Twist kinematic_velocity(const Model& model, BodyIndex b, const Vec3& from, Real time,
                         Real dt) noexcept
{
    const BodyDetails& body = model.body_details[b];
    const Motion& m = body.motion;
    const Pose to = prescribed_pose(body, time + dt);
    Twist out;
    out.linear = (to.p + to.q * model.bodies[b].com - from) / dt;
    if (body.commanded) {
        out.angular = commanded_turn(body, time, time + dt) / dt;
        return out;
    }
    out.angular = m.axis * ((m.angle.value(time + dt) - m.angle.value(time)) / dt);
    return out;
}

}  // namespace taut::model
