#include "model/kinematic.h"

namespace taut::model {

Pose prescribed_pose(const BodyDetails& body, Real time) noexcept
{
    const Motion& m = body.motion;
    const Vec3 shift(m.shift[0].value(time), m.shift[1].value(time), m.shift[2].value(time));
    const Quat turn(Eigen::AngleAxis<Real>(m.angle.value(time), m.axis));
    return {body.start.p + shift, (turn * body.start.q).normalized()};
}

Twist kinematic_velocity(const Model& model, BodyIndex b, const Vec3& from, Real time,
                         Real dt) noexcept
{
    const Motion& m = model.body_details[b].motion;
    const Pose to = prescribed_pose(model.body_details[b], time + dt);
    Twist out;
    out.linear = (to.p + to.q * model.bodies[b].com - from) / dt;
    out.angular = m.axis * ((m.angle.value(time + dt) - m.angle.value(time)) / dt);
    return out;
}

}  // namespace taut::model
