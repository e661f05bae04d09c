#include "constraints/contact/contact.h"

#include <algorithm>

namespace taut::constraints {
namespace {

// The axis a of a rim against the normal n: where it touches.
struct Rim {
    Vec3 a, w;     // axis, a × n
    Real c, s;     // a·n, |w|
    Vec3 to_edge;  // from c_1 to the point that touches
};

Rim rim_at(const Contact& contact, const Poses<2>& X, const Vec3& n) noexcept
{
    Rim rim;
    rim.a = parts::axis(X[1], contact.frames[1], 2);
    rim.w = rim.a.cross(n);
    rim.c = rim.a.dot(n);
    constexpr Real kUpright = 1e-6;
    rim.s = std::max(rim.w.norm(), kUpright);
    rim.to_edge = -contact.rim / rim.s * (n - rim.c * rim.a);
    return rim;
}

// Columns t_1, t_2, n, with c_0 − c_1.
Mat3 axes_at(const Contact& contact, const Poses<2>& X, const Vec3& d) noexcept
{
    Mat3 Q = X[0].R * contact.frames[0].R;
    if (contact.radius_0 == 0) return Q;
    const Vec3 n = -parts::strut(d).e;
    if (n.isZero(0)) return Q;
    // the previous tangent projected into the new plane; another one where it is along the normal
    Vec3 t = Q.col(0) - n * n.dot(Q.col(0));
    if (t.squaredNorm() < 0.25) t = Q.col(1) - n * n.dot(Q.col(1));
    t.normalize();
    Q << t, n.cross(t), n;
    return Q;
}

}  // namespace

parts::Closest Contact::centres(const Poses<2>& X) const noexcept
{
    const parts::Points given = parts::points(X[0], frames[0], X[1], frames[1]);
    if (!slides[0].any() && !slides[1].any()) return {given, {}, {}};
    return parts::closest_points(given, X[0], slides[0], X[1], slides[1]);
}

Mat3 Contact::axes(const Poses<2>& X) const noexcept
{
    return axes_at(*this, X, radius_0 > 0 ? centres(X).at.d : Vec3::Zero());
}

RowVector<3> Contact::surface_rates(const Poses<2>& X) const noexcept
{
    const Mat3 Q = axes(X);
    const Vec3 slip = X[1].R * surface_velocity[1] - X[0].R * surface_velocity[0];
    RowVector<3> out;
    out << 0, Q.col(0).dot(slip), Q.col(1).dot(slip);
    return out;
}

void Contact::evaluate(const Poses<2>& X, const Memory<0>&, Rows<3, 2>& out) const noexcept
{
    using parts::put_row;
    const parts::Points at = centres(X).at;
    const Mat3 Q = axes_at(*this, X, at.d);
    const Vec3 n = Q.col(2);
    Vec3 to_edge = -radius_1 * n;
    out.phi[0] = -n.dot(at.d) - radius_0 - radius_1 - rest;
    if (rim > 0) {
        const Rim edge = rim_at(*this, X, n);
        to_edge = edge.to_edge;
        out.phi[0] -= rim * edge.s;
    }
    const Vec3 lever_1 = at.s_j + to_edge, lever_0 = at.s_i - at.d + to_edge;
    put_row(out.J[0], 0, -n, n.cross(lever_0));
    put_row(out.J[1], 0, n, lever_1.cross(n));
    for (int k = 0; k < 2; ++k) {
        const Vec3 t = Q.col(k);
        out.phi[k + 1] = 0;
        put_row(out.J[0], k + 1, -t, -lever_0.cross(t));
        put_row(out.J[1], k + 1, t, lever_1.cross(t));
    }
}

// The torque τ = λ rim (c/s) w on body 1, and −τ on body 0: with
// dc = w·(θ_1 − θ_0),  dw = (a nᵀ − c) θ_1 + (c − n aᵀ) θ_0,  d(c/s)/dc = 1/s³.
void Contact::rim_stiffness(const Poses<2>& X, Real push, StiffnessBlocks<2>& K) const noexcept
{
    using parts::angular_angular;
    const Vec3 n = axes(X).col(2);
    const Rim edge = rim_at(*this, X, n);
    const Real slope = edge.c / edge.s;
    const Mat3 turning = edge.w * edge.w.transpose() / (edge.s * edge.s * edge.s);
    const Mat3 upright = edge.c * Mat3::Identity();
    const Mat3 by_1 = push * rim * (turning + slope * (edge.a * n.transpose() - upright));
    const Mat3 by_0 = push * rim * (slope * (upright - n * edge.a.transpose()) - turning);
    angular_angular(K.block[1][1]) += by_1;
    angular_angular(K.block[1][0]) += by_0;
    angular_angular(K.block[0][1]) -= by_1;
    angular_angular(K.block[0][0]) -= by_0;
}

void Contact::geometric_stiffness(const Poses<2>& X, const RowVector<3>& lambda,
                                  StiffnessBlocks<2>& K) const noexcept
{
    const parts::Closest centre = centres(X);
    const parts::Points& at = centre.at;
    if (radius_0 > 0) {
        parts::distance_stiffness(at, lambda[0], K);
        parts::add_terms(parts::slide_terms(centre, lambda[0]), K);
    } else {
        parts::dot_2_stiffness(at, -lambda[0] * axes_at(*this, X, at.d).col(2), K);
    }
    if (rim > 0) rim_stiffness(X, lambda[0], K);
}

void Contact::tension(const Poses<2>& X, const RowVector<3>& lambda,
                      TensionDiagonal<2>& G) const noexcept
{
    const parts::Points at = centres(X).at;
    const Vec3 f = -lambda[0] * axes_at(*this, X, at.d).col(2);
    if (radius_0 > 0)
        parts::ball_tension(at, f, G[0], G[1]);
    else
        parts::dot_2_tension(at, f, G[0], G[1]);
}

}  // namespace taut::constraints
