// The closest points of two segments, each fixed in a body: what is nearest moves along a segment while the bodies move.
//
//     i ●══════●══════●   c_i = p_i + s_i + u_i a_i,   u_i in [low, high] about the given point
//              │ d        D(x) = min over u of |c_i − c_j|
//     j ●══════●══════●
//
// At the minimum D does not change with u, so that the gradient of D is that of the distance of points fixed at c_i and c_j
// (parts/distance.h). Its second derivative is not: points that slide give way,
//     ∂²D = ∂²D|_u − Σ_kl g_k (B⁻¹)_kl g_lᵀ,   B = AᵀA/D,  A = (a_i, −a_j) of the points within their ranges,
//     g_i = (a_i, s_i×a_i + D a_i×e, −a_i, −s_j×a_i)/D,     g_j = (−a_j, −s_i×a_j, a_j, s_j×a_j − D a_j×e)/D,   e = d/D.
// Parallel segments have no closest pair of their own: the point on i stays where it was given.
#pragma once

#include <algorithm>
#include <array>

#include "constraints/parts/distance.h"

namespace taut::constraints::parts {

// The part of a segment on which a point may slide: from `low` to `high` along `axis`, in body axes; none where both are zero.
struct Slide {
    Vec3 axis = Vec3::Zero();
    Real low = 0, high = 0;  // [m]
    bool any() const noexcept { return low < high; }
};

struct Closest {
    Points at;
    Vec3 a_i, a_j;                            // world axes
    bool slides_i = false, slides_j = false;  // whether the point is within its range
};

inline Closest closest_points(const Points& given, const BodyPose& X_i, const Slide& slide_i,
                              const BodyPose& X_j, const Slide& slide_j) noexcept
{
    Closest out;
    out.at = given;
    out.a_i = X_i.R * slide_i.axis;
    out.a_j = X_j.R * slide_j.axis;
    // the minimum of |d + u a_i − w a_j|²
    const Real along_i = given.d.dot(out.a_i), along_j = given.d.dot(out.a_j);
    const Real cosine = out.a_i.dot(out.a_j), square_sine = 1 - cosine * cosine;
    constexpr Real kParallel = 1e-12;  // [-] square of the sine
    const bool both = slide_i.any() && slide_j.any() && square_sine > kParallel;
    const bool only_i = slide_i.any() && !slide_j.any();
    const auto within = [](Real u, const Slide& s) { return std::clamp(u, s.low, s.high); };
    Real u = 0, w = 0;
    if (both) u = within((cosine * along_j - along_i) / square_sine, slide_i);
    if (only_i) u = within(-along_i, slide_i);
    if (slide_j.any()) w = within(along_j + u * cosine, slide_j);
    if (both) u = within(w * cosine - along_i, slide_i);
    out.slides_i = (both || only_i) && slide_i.low < u && u < slide_i.high;
    out.slides_j = slide_j.low < w && w < slide_j.high;
    out.at.s_i += u * out.a_i;
    out.at.s_j += w * out.a_j;
    out.at.d += u * out.a_i - w * out.a_j;
    return out;
}

// What sliding takes from λ ∂²D: Σ_k a_k b_kᵀ on the twists of i and j, stacked.
using Vec12 = Eigen::Matrix<Real, 12, 1>;
struct SlideTerms {
    int count = 0;
    std::array<Vec12, 2> a, b;
};

inline SlideTerms slide_terms(const Closest& closest, Real lambda) noexcept
{
    SlideTerms terms;
    const Points& at = closest.at;
    const Strut to = strut(at.d);
    if (to.length == 0) return terms;
    const Real D = to.length;
    const auto put = [&](const Vec3& a, Real sign, const Vec3& turn_i, const Vec3& turn_j) {
        Vec12& g = terms.b[terms.count++];
        g << a, at.s_i.cross(a) + turn_i, -a, -at.s_j.cross(a) + turn_j;
        g *= sign / D;
    };
    const Vec3 none = Vec3::Zero();
    if (closest.slides_i) put(closest.a_i, 1, D * closest.a_i.cross(to.e), none);
    if (closest.slides_j) put(closest.a_j, -1, none, D * closest.a_j.cross(to.e));
    // −λ B⁻¹ g, B = AᵀA/D with unit axes
    if (terms.count == 1) terms.a[0] = -lambda * D * terms.b[0];
    if (terms.count == 2) {
        const Real c = closest.a_i.dot(closest.a_j);
        const Real scale = -lambda * D / (1 - c * c);
        terms.a[0] = scale * (terms.b[0] + c * terms.b[1]);
        terms.a[1] = scale * (terms.b[1] + c * terms.b[0]);
    }
    return terms;
}

inline void add_terms(const SlideTerms& terms, StiffnessBlocks<2>& K) noexcept
{
    for (int k = 0; k < terms.count; ++k)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                K.block[i][j] +=
                    terms.a[k].segment<6>(6 * i) * terms.b[k].segment<6>(6 * j).transpose();
}

}  // namespace taut::constraints::parts
