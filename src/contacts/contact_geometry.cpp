#include "contacts/contact_geometry.h"

#include <cmath>

#include "collision/core_shape.h"
#include "contacts/contact_settings.h"

namespace taut::contacts {
namespace {

namespace parts = constraints::parts;
using collision::Core;

// Radius of curvature where the surface is touched along n; 0: flat, an edge or a corner.
Real radius_at(const collision::Collider& collider, const Vec3& n_B) noexcept
{
    if (!collision::is_convex(collision::kind(collider.shape))) return 0;
    const Core core = collision::make_core(collider.shape, {});
    if (core.kind != Core::Kind::Cylinder) return core.radius;
    const Vec3 axis = collider.pose.q * Vec3::UnitZ();
    return std::abs(axis.dot(n_B)) < kContacts.lateral_normal ? core.half.x() : 0;
}

// The axis of a cylinder that is touched along n at a rim or its lateral surface, and the point of the axis nearest to the
// contact. None where the shape is no cylinder, or stands on an end face: its contact points hardly move on it then.
struct CylinderAxis {
    Real radius = 0;             // zero: none
    Vec3 centre = Vec3::Zero();  // body axes
    Mat3 R = Mat3::Identity();   // its z is the axis
};
CylinderAxis cylinder_axis_at(const collision::Collider& collider, const Vec3& p_B,
                              const Vec3& n_B) noexcept
{
    const auto* cylinder = std::get_if<Shape::Cylinder>(&collider.shape);
    if (!cylinder) return {};
    const Mat3 R = collider.pose.q.toRotationMatrix();
    const Vec3 axis = R.col(2);
    const Vec3 from = p_B - collider.pose.p;
    const Vec3 along = axis * axis.dot(from);
    const bool outside = (from - along).norm() > (1 - kContacts.rim) * cylinder->radius;
    if (!outside || axis.cross(n_B).norm() < kContacts.end_face) return {};
    return {cylinder->radius, collider.pose.p + along, R};
}

// Along the axis of a rounded segment or a cylinder, for a point on it. Where two colliders share a stretch, with a contact at each end, a
// point at an end of the axis stays there.
parts::Slide slide_at(const collision::Collider& collider, const Vec3& c_B, bool alone) noexcept
{
    Real half = 0;
    if (collision::is_convex(collision::kind(collider.shape))) {
        const Core core = collision::make_core(collider.shape, {});
        if (core.kind == Core::Kind::Segment || core.kind == Core::Kind::Cylinder)
            half = core.half.z();
    }
    const Vec3 axis = collider.pose.q * Vec3::UnitZ();
    const Real at = axis.dot(c_B - collider.pose.p);
    if (half == 0 || (!alone && std::abs(at) > (1 - kContacts.end) * half)) return {};
    return {axis, std::min(-half - at, Real(0)), std::max(half - at, Real(0))};
}

// Columns t_1, t_2, n: the same for the same n.
Mat3 frame_of(const Vec3& n) noexcept
{
    int least = 0;
    n.cwiseAbs().minCoeff(&least);
    const Vec3 t = (Vec3::Unit(least) - n * n[least]).normalized();
    Mat3 Q;
    Q << t, n.cross(t), n;
    return Q;
}

}  // namespace

PlacedContact place_contact(const State& state, const collision::ContactPoint& contact,
                            const collision::Collider& a, const collision::Collider& b, Real rest,
                            bool alone)
{
    const BodyIndex body_a(contact.body_a), body_b(contact.body_b);
    const BodyPose X_a = body_pose(state, body_a), X_b = body_pose(state, body_b);
    const Vec3 n_A = X_a.R.transpose() * contact.normal, n_B = X_b.R.transpose() * contact.normal;
    const CylinderAxis axis_a = cylinder_axis_at(a, contact.p_a, n_A),
                       axis_b = cylinder_axis_at(b, contact.p_b, n_B);
    Real r_a = radius_at(a, n_A), r_b = radius_at(b, n_B);
    // A cylinder counts as round, like a ball, beside a round body only; elsewhere it rolls on its rims.
    if (r_b == 0 && axis_a.radius > 0) r_a = 0;
    if (r_a == 0 && axis_b.radius > 0) r_b = 0;
    // The flat side carries the normal.
    const bool rolls_a = r_a > 0 || axis_a.radius > 0, rolls_b = r_b > 0 || axis_b.radius > 0;
    const bool by_a = rolls_a ? false : rolls_b ? true : contact.carried_by_a;
    const Vec3 c_a = contact.p_a + r_a * n_A, c_b = contact.p_b - r_b * n_B;

    PlacedContact out;
    Contact& item = out.item;
    out.bodies = by_a ? std::array{body_a, body_b} : std::array{body_b, body_a};
    item.frames[0] = by_a ? BodyFrame{c_a, frame_of(-n_A)} : BodyFrame{c_b, frame_of(n_B)};
    item.frames[1] = {by_a ? c_b : c_a, Mat3::Identity()};
    item.radius_0 = by_a ? r_a : r_b;
    item.radius_1 = by_a ? r_b : r_a;
    item.rim = 0;
    item.slides = {};
    if (item.radius_0 > 0)
        item.slides = {slide_at(by_a ? a : b, by_a ? c_a : c_b, alone),
                       slide_at(by_a ? b : a, by_a ? c_b : c_a, alone)};
    const CylinderAxis& axis = by_a ? axis_b : axis_a;
    if (item.radius_0 == 0 && item.radius_1 == 0 && axis.radius > 0) {
        item.rim = axis.radius;
        item.frames[1] = {axis.centre, axis.R};
    }
    item.rest = rest;
    return out;
}

}  // namespace taut::contacts
