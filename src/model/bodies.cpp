// Bodies and loads: checks, and what is added to model and state.
#include <cmath>

#include <Eigen/Eigenvalues>

#include "core/text.h"
#include "model/builder.h"
#include "model/kinematic.h"
#include "model/thresholds.h"

namespace taut::model {
namespace {

std::string who(const BodyDef& def)
{
    return def.name.empty() ? std::string("body") : text("body '", def.name, "'");
}

// Principal moments of a real body: positive, and none above the sum of the other two.
Status check_inertia(const BodyDef& def)
{
    const Mat3& I = def.inertia;
    if (!I.allFinite()) return Error{text(who(def), ": inertia must be finite")};
    const Real scale = I.cwiseAbs().maxCoeff();
    if ((I - I.transpose()).cwiseAbs().maxCoeff() > kDescription.inertia_rounding * scale)
        return Error{text(who(def), ": inertia must be symmetric")};
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(I, Eigen::EigenvaluesOnly);
    const Vec3 m = eigen.eigenvalues();  // ascending
    if (!(m.x() > 0))
        return Error{text(who(def), ": principal moments are ", m.x(), ", ", m.y(), ", ", m.z(),
                          " kg m²; all must be above zero")};
    if (m.z() > (m.x() + m.y()) * (1 + kDescription.inertia_rounding))
        return Error{text(
            who(def), ": principal moments ", m.x(), ", ", m.y(), ", ", m.z(),
            " kg m² belong to no real body; the largest may not exceed the sum of the others")};
    return Done{};
}

Status check_body(const Model& model, const BodyDef& def)
{
    if (!def.name.empty() && model.body_names.contains(def.name))
        return Error{text(who(def), ": there is a body of that name already")};
    if (def.name == "world") return Error{"body 'world': that is the name of the ground"};
    const Quat& q = def.pose.q;
    if (!def.pose.p.allFinite() || !q.coeffs().allFinite())
        return Error{text(who(def), ": pose must be finite")};
    if (std::abs(q.norm() - 1) > kDescription.unit_length)
        return Error{
            text(who(def), ": rotation quaternion has length ", q.norm(), "; it must be 1")};
    if (!def.velocity.linear.allFinite() || !def.velocity.angular.allFinite())
        return Error{text(who(def), ": velocity must be finite")};
    if (!def.centre_of_mass.allFinite())
        return Error{text(who(def), ": centre of mass must be finite")};

    const bool dynamic = def.kind == BodyKind::Rigid || def.kind == BodyKind::Particle;
    if (dynamic && !(def.mass > 0 && std::isfinite(def.mass)))
        return Error{
            text(who(def), ": mass is ", def.mass, " kg; it must be above zero and finite")};
    if (def.kind == BodyKind::Rigid) TAUT_TRY(check_inertia(def));
    if (def.kind == BodyKind::Particle && !def.centre_of_mass.isZero())
        return Error{
            text(who(def), ": a particle is its own centre of mass; the offset must be zero")};
    if (def.kind == BodyKind::Kinematic) {
        const Motion& m = def.motion;
        for (const Schedule& s : m.shift) TAUT_TRY(check_schedule(who(def), s));
        TAUT_TRY(check_schedule(who(def), m.angle));
        if (!m.axis.allFinite() || m.axis.norm() < kDescription.least_length)
            return Error{text(who(def), ": axis of its motion must have a length")};
    }
    return Done{};
}

// Principal moments decide which of the cheaper forms of I a body has.
void set_inertia(const Mat3& given, BodyModel& body)
{
    body.inertia = (given + given.transpose()) / 2;
    body.inverse_inertia = body.inertia.inverse();
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(body.inertia);
    const Vec3& moments = principal.eigenvalues();  // ascending
    body.anisotropy = (moments.z() - moments.x()) / moments.x();
    if (body.anisotropy < kInertia.rounding) body.anisotropy = 0;
    const int differs = moments.y() - moments.x() > moments.z() - moments.y() ? 0 : 2;
    if (body.anisotropy > kInertia.round) body.spin_axis = principal.eigenvectors().col(differs);
    body.along = moments[differs];
    body.across = moments[2 - differs];
    body.axial = body.anisotropy == 0 ||
                 (body.anisotropy > kInertia.round &&
                  std::abs(moments.y() - body.across) <= kInertia.rounding * body.across);
}

}  // namespace

Status check_schedule(const std::string& me, const Schedule& schedule)
{
    if (schedule.valid()) return Done{};
    if (schedule.kind() == Schedule::Kind::Sine &&
        !(std::abs(schedule.frequency()) <= kDescription.largest_frequency))
        return Error{text(me, ": frequency of its schedule is ", schedule.frequency(),
                          " Hz; allowed is up to ", kDescription.largest_frequency, " Hz")};
    return Error{text(me, ": the times of its schedule must ascend, and all its numbers be below ",
                      kDescription.largest_scheduled, " in size")};
}

Result<BodyIndex> add_body(Model& model, State& state, const BodyDef& def)
{
    TAUT_TRY(check_body(model, def));
    BodyDetails details{def.name, {def.pose.p, def.pose.q.normalized()}, def.motion};
    BodyModel body;
    body.kind = def.kind;
    body.com = def.centre_of_mass;
    if (def.kind == BodyKind::Kinematic) details.motion.axis.normalize();
    if (body.dynamic()) body.mass = def.mass;
    if (def.kind == BodyKind::Rigid) set_inertia(def.inertia, body);

    const Pose at =
        def.kind == BodyKind::Kinematic ? prescribed_pose(details, state.time) : details.start;
    const Vec3 p = at.p + at.q * body.com;
    const BodyIndex index = static_cast<BodyIndex>(model.bodies.size());
    if (!def.name.empty()) model.body_names.emplace(def.name, index);
    if (def.kind == BodyKind::Kinematic) {
        details.motion_command = static_cast<int>(state.commands.motions.size());
        state.commands.motions.emplace_back();
    }
    append_body(state, p, at.q, body.dynamic() ? def.velocity.linear : Vec3(Vec3::Zero()),
                def.kind == BodyKind::Rigid ? def.velocity.angular : Vec3(Vec3::Zero()));
    model.bodies.push_back(body);
    model.body_details.push_back(std::move(details));
    extend(model, index, at.p);
    extend(model, index, p);
    ++model.topology;
    return index;
}

Status set_mass(Model& model, BodyIndex b, Real mass, const Mat3& inertia)
{
    BodyModel& body = model.bodies[b];
    BodyDef def;
    def.name = model.body_details[b].name;
    def.inertia = inertia;
    if (!(mass > 0 && std::isfinite(mass)))
        return Error{text(who(def), ": mass is ", mass, " kg; it must be above zero and finite")};
    if (body.kind == BodyKind::Rigid) {
        TAUT_TRY(check_inertia(def));
        body.spin_axis.setZero();
        set_inertia(inertia, body);
    }
    body.mass = mass;
    ++model.topology;
    return Done{};
}

Result<int> add_load(Model& model, const LoadDef& def)
{
    const std::string me = def.name.empty() ? "load" : text("load '", def.name, "'");
    const BodyIndex b = index_of(def.body);
    if (!def.body.valid() || b >= static_cast<int>(model.bodies.size()))
        return Error{text(me, ": acts on no body of this world")};
    const BodyModel& body = model.bodies[b];
    const std::string& name = model.body_details[b].name;
    if (!body.dynamic()) return Error{text(me, ": body '", name, "' cannot be moved by forces")};
    if (!def.force.allFinite() || !def.torque.allFinite() || !def.point.allFinite())
        return Error{text(me, ": force, torque and point must be finite")};
    TAUT_TRY(check_schedule(me, def.scale));
    if (body.kind == BodyKind::Particle && (!def.torque.isZero() || !def.point.isZero()))
        return Error{text(me, ": '", name, "' is a particle: force at its centre only, no torque")};

    model.loads.push_back(
        {def.name, b, def.point - body.com, def.force, def.torque, def.coordinates, def.scale});
    return static_cast<int>(model.loads.size()) - 1;
}

}  // namespace taut::model
