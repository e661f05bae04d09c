#include "constraints/contact/contact.h"

namespace taut {
namespace {

parts::Points centres(const Contact& c, const Poses<2>& X) noexcept
{
    return parts::points(X[0], c.frames[0], X[1], c.frames[1]);
}

}  // namespace

Mat3 Contact::axes(const Poses<2>& X) const noexcept
{
    Mat3 Q = X[0].R * frames[0].R;
    if (radius_0 == 0) return Q;
    const Vec3 n = -parts::strut(centres(*this, X).d).e;
    if (n.isZero(0)) return Q;
    // the tangent that was, turned into the new plane; another one where it stands upright in it
    Vec3 t = Q.col(0) - n * n.dot(Q.col(0));
    if (t.squaredNorm() < 0.25) t = Q.col(1) - n * n.dot(Q.col(1));
    t.normalize();
    Q << t, n.cross(t), n;
    return Q;
}

void Contact::evaluate(const Poses<2>& X, const Memory<0>&, Rows<3, 2>& out) const noexcept
{
    using parts::put_row;
    const parts::Points at = centres(*this, X);
    const Mat3 Q = axes(X);
    const Vec3 n = Q.col(2);
    out.phi[0] = -n.dot(at.d) - radius_0 - radius_1;
    put_row(out.J[0], 0, -n, n.cross(at.s_i - at.d));
    put_row(out.J[1], 0, n, at.s_j.cross(n));
    const Vec3 lever_1 = at.s_j - radius_1 * n, lever_0 = at.s_i - at.d - radius_1 * n;
    for (int k = 0; k < 2; ++k) {
        const Vec3 t = Q.col(k);
        out.phi[k + 1] = 0;
        put_row(out.J[0], k + 1, -t, -lever_0.cross(t));
        put_row(out.J[1], k + 1, t, lever_1.cross(t));
    }
}

void Contact::geometric_stiffness(const Poses<2>& X, const RowVector<3>& lambda,
                                  StiffnessBlocks<2>& K) const noexcept
{
    const parts::Points at = centres(*this, X);
    if (radius_0 > 0)
        parts::distance_stiffness(at, lambda[0], K);
    else
        parts::dot_2_stiffness(at, -lambda[0] * axes(X).col(2), K);
}

void Contact::tension(const Poses<2>& X, const RowVector<3>& lambda,
                      TensionDiagonal<2>& G) const noexcept
{
    const parts::Points at = centres(*this, X);
    const Vec3 f = -lambda[0] * axes(X).col(2);
    if (radius_0 > 0)
        parts::ball_tension(at, f, G[0], G[1]);
    else
        parts::dot_2_tension(at, f, G[0], G[1]);
}

}  // namespace taut
