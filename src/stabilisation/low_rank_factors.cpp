#include "stabilisation/low_rank_factors.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"

namespace taut::stabilisation {
namespace {

using parts::axes;
using parts::axis;
using parts::Pair;
using parts::Points;

constexpr Pair kFirst{0, 1};   // carrier and first body
constexpr Pair kSecond{0, 2};  // carrier and second body

Vec12 stacked(const Vec3& p_i, const Vec3& theta_i, const Vec3& p_j, const Vec3& theta_j) noexcept
{
    Vec12 out;
    out << p_i, theta_i, p_j, theta_j;
    return out;
}

// Two unit vectors across e, with r × t = e. No direction of e is special [Duff et al. 2017].
struct Across {
    Vec3 r, t;
};

Across across_of(const Vec3& e) noexcept
{
    const Real sign = std::copysign(Real(1), e.z());
    const Real a = -1 / (sign + e.z());
    const Real b = e.x() * e.y() * a;
    return {Vec3(1 + sign * e.x() * e.x() * a, sign * b, -sign * e.x()),
            Vec3(b, sign + e.y() * e.y() * a, -e.y())};
}

// --- parts ---

// [f]ₓ[s]ₓ on the rotation of one side.
void lever_factors(const Vec3& f, const Vec3& s, bool on_j, Pair pair, RankFactors& out) noexcept
{
    const Real length = s.norm();
    if (length == 0) return;
    const Vec3 e = s / length, zero = Vec3::Zero();
    const auto [r, t] = across_of(e);
    for (const Vec3& side : {r, t}) {
        const Vec3 a = length * (f.dot(side) * e - f.dot(e) * side);
        if (on_j)
            out.add(pair, stacked(zero, zero, zero, a), stacked(zero, zero, zero, side));
        else
            out.add(pair, stacked(zero, a, zero, zero), stacked(zero, side, zero, zero));
    }
}

void ball_factors(const Points& at, const Vec3& f, RankFactors& out, Pair pair = {}) noexcept
{
    lever_factors(f, at.s_i, false, pair, out);
    lever_factors(-f, at.s_j, true, pair, out);
}

// The torque rows of a joint are summed before they are factorised: three terms for all of them.
struct Torques {
    StiffnessBlocks<2> K;
    Torques() noexcept { K.set_zero(); }
};

// The dot-2 rows of a pair are one force f on body i, which acts at the point of body j. With unit
// vectors v × n = f/|f| and w = s_i − d, the lever on body i:
//     K̃/|f| =  (v, w×v, −v, −s_j×v)(0, n, 0, 0)ᵀ − (n, w×n, −n, −s_j×n)(0, v, 0, 0)ᵀ
//            + (0, v, 0, 0)(−n, 0, n, s_j×n)ᵀ   − (0, n, 0, 0)(−v, 0, v, s_j×v)ᵀ
//            + (0, 0, 0, n)(0, 0, 0, s_j×v)ᵀ   − (0, 0, 0, v)(0, 0, 0, s_j×n)ᵀ
// No basis along d, which vanishes where the joint is closed.
void dot_2_factors(const Points& at, const Vec3& f, RankFactors& out, Pair pair = {}) noexcept
{
    const Real size = f.norm();
    if (size == 0) return;
    const auto [v, n] = across_of(f / size);
    const Vec3 w = at.s_i - at.d, zero = Vec3::Zero();
    const Vec3 x_v = at.s_j.cross(v), x_n = at.s_j.cross(n);
    out.add(pair, size * stacked(v, w.cross(v), -v, -x_v), stacked(zero, n, zero, zero));
    out.add(pair, -size * stacked(n, w.cross(n), -n, -x_n), stacked(zero, v, zero, zero));
    out.add(pair, size * stacked(zero, v, zero, zero), stacked(-n, zero, n, x_n));
    out.add(pair, -size * stacked(zero, n, zero, zero), stacked(-v, zero, v, x_v));
    out.add(pair, size * stacked(zero, zero, zero, n), stacked(zero, zero, zero, x_v));
    out.add(pair, -size * stacked(zero, zero, zero, v), stacked(zero, zero, zero, x_n));
}

template <class T>
Points points_of(const T& c, const Poses<2>& X) noexcept
{
    return parts::points(X[0], c.frames[0], X[1], c.frames[1]);
}

// λ_u u + λ_v v of a frame, in world axes.
Vec3 mixed(const BodyPose& X, const BodyFrame& F, Real lambda_u, Real lambda_v) noexcept
{
    return X.R * (lambda_u * F.R.col(0) + lambda_v * F.R.col(1));
}

// Rows n_0·u_1 and n_0·v_1 together.
template <class T>
void add_tilt(const T& c, const Poses<2>& X, Real lambda_u, Real lambda_v,
              Torques& torques) noexcept
{
    parts::dot_1_stiffness(axis(X[0], c.frames[0], 2), mixed(X[1], c.frames[1], lambda_u, lambda_v),
                           1, torques.K);
}

}  // namespace

void append_term(const linalg::SaddlePattern& pattern, std::span<const int> nodes,
                 const RankFactor& factor, Real scale, std::vector<linalg::RankTerm>& out)
{
    TAUT_ASSERT(factor.pair.i >= 0 && factor.pair.i < static_cast<int>(nodes.size()));
    TAUT_ASSERT(factor.pair.j >= 0 && factor.pair.j < static_cast<int>(nodes.size()));
    // each movable side, and whether a or b is non-zero there
    linalg::RankTerm term;
    std::array<bool, 2> a_there{}, b_there{};
    const std::array<int, 2> node = {nodes[factor.pair.i], nodes[factor.pair.j]};
    for (int side = 0; side < 2; ++side) {
        if (node[side] < 0) continue;
        for (int c = 0; c < pattern.primals[node[side]].size; ++c) {
            const int at = 6 * side + c;
            term.a[at] = scale * factor.a[at];
            term.b[at] = factor.b[at];
            a_there[side] = a_there[side] || term.a[at] != 0;
            b_there[side] = b_there[side] || term.b[at] != 0;
        }
    }
    if (!(a_there[0] || a_there[1]) || !(b_there[0] || b_there[1])) return;
    const bool on_i = a_there[0] || b_there[0], on_j = a_there[1] || b_there[1];
    term.i = on_i ? node[0] : node[1];
    if (on_i && on_j) {
        term.j = node[1];
    } else if (on_j) {
        std::copy_n(&term.a[6], 6, &term.a[0]);
        std::copy_n(&term.b[6], 6, &term.b[0]);
    }
    out.push_back(term);
}

void add_torque_factors(const StiffnessBlocks<2>& K, RankFactors& out, Pair pair) noexcept
{
    // K̃_ji = −K̃_ii, K̃_jj = −K̃_ij
    const Vec3 zero = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vec3 e = Vec3::Unit(k);
        const Vec3 b_i = K.block[0][0].row(3 + k).tail<3>().transpose();
        const Vec3 b_j = K.block[0][1].row(3 + k).tail<3>().transpose();
        out.add(pair, stacked(zero, e, zero, -e), stacked(zero, b_i, zero, b_j));
    }
}

void add_row_factors(const StiffnessBlocks<2>& K, RankFactors& out) noexcept
{
    for (int s = 0; s < 2; ++s)
        for (int r = 0; r < 6; ++r) {
            Vec12 row;
            row << K.block[s][0].row(r).transpose(), K.block[s][1].row(r).transpose();
            out.add({}, Vec12::Unit(6 * s + r), row);
        }
}

// --- primitives ---

// λ > 0 pushes apart.
static void distance_factors(const Points& at, Real lambda, RankFactors& out) noexcept
{
    const auto [length, e] = parts::strut(at.d);
    if (length == 0) return;
    const auto [r, t] = across_of(e);
    for (const Vec3& side : {r, t}) {
        const Vec12 g = stacked(side, at.s_i.cross(side), -side, -at.s_j.cross(side));
        out.add({}, lambda / length * g, g);
    }
    ball_factors(at, lambda * e, out);
}

void add_factors(const DistanceRow& c, const Poses<2>& X, const RowVector<1>& lambda,
                 RankFactors& out) noexcept
{
    distance_factors(points_of(c, X), lambda[0], out);
}

void add_factors(const AxialLock& c, const Poses<2>& X, const RowVector<1>& lambda,
                 RankFactors& out) noexcept
{
    const Vec3 u = axis(X[0], c.frames[0], 0), v = axis(X[0], c.frames[0], 1), zero = Vec3::Zero();
    out.add({}, lambda[0] * stacked(zero, u, zero, -u), stacked(zero, v, zero, zero));
    out.add({}, -lambda[0] * stacked(zero, v, zero, -v), stacked(zero, u, zero, zero));
}

void add_factors(const Dot2& c, const Poses<2>& X, const RowVector<1>& lambda,
                 RankFactors& out) noexcept
{
    dot_2_factors(points_of(c, X), lambda[0] * axis(X[0], c.frames[0], 0), out);
}

// --- joints ---

void add_factors(const Ball& c, const Poses<2>& X, const RowVector<3>& lambda,
                 RankFactors& out) noexcept
{
    ball_factors(points_of(c, X), lambda, out);
}

void add_factors(const Universal& c, const Poses<2>& X, const RowVector<4>& lambda,
                 RankFactors& out) noexcept
{
    Torques torques;
    ball_factors(points_of(c, X), lambda.head<3>(), out);
    parts::dot_1_stiffness(axis(X[0], c.frames[0], 2), axis(X[1], c.frames[1], 0), lambda[3],
                           torques.K);
    add_torque_factors(torques.K, out);
}

void add_factors(const Hinge& c, const Poses<2>& X, const RowVector<5>& lambda,
                 RankFactors& out) noexcept
{
    Torques torques;
    ball_factors(points_of(c, X), lambda.head<3>(), out);
    add_tilt(c, X, lambda[3], lambda[4], torques);
    add_torque_factors(torques.K, out);
}

void add_factors(const Prismatic& c, const Poses<2>& X, const RowVector<5>& lambda,
                 RankFactors& out) noexcept
{
    Torques torques;
    add_tilt(c, X, lambda[0], lambda[1], torques);
    parts::dot_1_stiffness(axis(X[0], c.frames[0], 0), axis(X[1], c.frames[1], 1), lambda[2],
                           torques.K);
    add_torque_factors(torques.K, out);
    dot_2_factors(points_of(c, X), mixed(X[0], c.frames[0], lambda[3], lambda[4]), out);
}

void add_factors(const Cylindrical& c, const Poses<2>& X, const RowVector<4>& lambda,
                 RankFactors& out) noexcept
{
    Torques torques;
    add_tilt(c, X, lambda[0], lambda[1], torques);
    add_torque_factors(torques.K, out);
    dot_2_factors(points_of(c, X), mixed(X[0], c.frames[0], lambda[2], lambda[3]), out);
}

void add_factors(const Planar& c, const Poses<2>& X, const RowVector<3>& lambda,
                 RankFactors& out) noexcept
{
    Torques torques;
    add_tilt(c, X, lambda[0], lambda[1], torques);
    add_torque_factors(torques.K, out);
    dot_2_factors(points_of(c, X), lambda[2] * axis(X[0], c.frames[0], 2), out);
}

void add_factors(const Weld& c, const Poses<2>& X, const RowVector<6>& lambda,
                 RankFactors& out) noexcept
{
    Torques torques;
    const Mat3 Q_0 = axes(X[0], c.frames[0]);
    parts::rotation_vector_stiffness(Q_0, axes(X[1], c.frames[1]), lambda.tail<3>(), torques.K);
    add_torque_factors(torques.K, out);
    dot_2_factors(points_of(c, X), Q_0 * lambda.head<3>(), out);
}

void add_factors(const PointOnLine& c, const Poses<2>& X, const RowVector<2>& lambda,
                 RankFactors& out) noexcept
{
    dot_2_factors(points_of(c, X), mixed(X[0], c.frames[0], lambda[0], lambda[1]), out);
}

void add_factors(const PointOnPlane& c, const Poses<2>& X, const RowVector<1>& lambda,
                 RankFactors& out) noexcept
{
    dot_2_factors(points_of(c, X), lambda[0] * axis(X[0], c.frames[0], 2), out);
}

// --- transmissions ---

void add_factors(const Screw& c, const Poses<2>& X, const RowVector<5>& lambda,
                 RankFactors& out) noexcept
{
    const Real per_radian = c.pitch / (2 * std::numbers::pi_v<Real>);
    Torques torques;
    add_tilt(c, X, lambda[0], lambda[1], torques);
    parts::twist_stiffness(axis(X[0], c.frames[0], 2), axis(X[1], c.frames[1], 2),
                           per_radian * lambda[4], torques.K);
    add_torque_factors(torques.K, out);
    dot_2_factors(points_of(c, X), axes(X[0], c.frames[0]) * lambda.tail<3>(), out);
}

void add_factors(const Gear& c, const Poses<3>& X, const RowVector<1>& lambda,
                 RankFactors& out) noexcept
{
    Torques first, second;
    parts::twist_stiffness(axis(X[0], c.frames[0], 2), axis(X[1], c.frames[1], 2),
                           c.radius_1 * lambda[0], first.K);
    parts::twist_stiffness(axis(X[0], c.frames[2], 2), axis(X[2], c.frames[3], 2),
                           c.radius_2 * lambda[0], second.K);
    add_torque_factors(first.K, out, kFirst);
    add_torque_factors(second.K, out, kSecond);
}

void add_factors(const RackAndPinion& c, const Poses<3>& X, const RowVector<1>& lambda,
                 RankFactors& out) noexcept
{
    Torques torques;
    parts::twist_stiffness(axis(X[0], c.frames[0], 2), axis(X[1], c.frames[1], 2),
                           c.radius * lambda[0], torques.K);
    add_torque_factors(torques.K, out, kFirst);
    dot_2_factors(parts::points(X[0], c.frames[2], X[2], c.frames[3]),
                  lambda[0] * axis(X[0], c.frames[2], 2), out, kSecond);
}

// --- drives ---

void add_factors(const SlideDrive& c, const Poses<2>& X, const RowVector<1>& lambda,
                 RankFactors& out) noexcept
{
    dot_2_factors(points_of(c, X), -lambda[0] * axis(X[0], c.frames[0], 2), out);
}

void add_factors(const SlideLimits& c, const Poses<2>& X, const RowVector<2>& lambda,
                 RankFactors& out) noexcept
{
    dot_2_factors(points_of(c, X), (lambda[1] - lambda[0]) * axis(X[0], c.frames[0], 2), out);
}

void add_factors(const Contact& c, const Poses<2>& X, const RowVector<3>& lambda,
                 RankFactors& out) noexcept
{
    const parts::Closest centre = c.centres(X);
    if (c.radius_0 > 0) {
        distance_factors(centre.at, lambda[0], out);
        const parts::SlideTerms sliding = parts::slide_terms(centre, lambda[0]);
        for (int k = 0; k < sliding.count; ++k) out.add({}, sliding.a[k], sliding.b[k]);
    } else {
        dot_2_factors(centre.at, -lambda[0] * c.axes(X).col(2), out);
    }
    if (c.rim == 0) return;
    Torques torques;
    c.rim_stiffness(X, lambda[0], torques.K);
    add_torque_factors(torques.K, out);
}

void add_factors(const Rope& c, const Poses<2>& X, const RowVector<1>& lambda,
                 RankFactors& out) noexcept
{
    distance_factors(points_of(c, X), -lambda[0], out);
}

}  // namespace taut::stabilisation
