// A point or a box on its way along a straight line, as trees of boxes see it.
#pragma once

#include <algorithm>
#include <cmath>

#include "collision/aabb.h"
#include "collision/query_settings.h"

namespace taut::collision {

// From `from` to `from + translation`; lengths along the way are fractions of `translation`. A box of half edges `half`
// meets another one where its centre meets that one grown by `half`.
struct Sweep {
    Vec3 from = Vec3::Zero();
    Vec3 translation = Vec3::Zero();
    Vec3 half = Vec3::Zero();
    Vec3 inverse = Vec3::Zero();

    Sweep(const Vec3& from_in, const Vec3& translation_in, const Vec3& half_in) noexcept
        : from(from_in), translation(translation_in)
    {
        const Real largest =
            std::max(from.cwiseAbs().maxCoeff(), translation.cwiseAbs().maxCoeff());
        half = half_in + Vec3::Constant(kQuery.box_margin * (largest + half_in.maxCoeff()));
        for (int k = 0; k < 3; ++k) {
            const Real d = translation[k];
            inverse[k] = std::abs(d) * kQuery.largest_inverse > 1
                             ? 1 / d
                             : std::copysign(kQuery.largest_inverse, d);
        }
    }

    // Whether the box is met within [0, most], and where it is entered.
    bool meets(const Aabb& box, Real most, Real& enter) const noexcept
    {
        const Vec3 a = (box.low - half - from).cwiseProduct(inverse);
        const Vec3 b = (box.high + half - from).cwiseProduct(inverse);
        enter = std::max(a.cwiseMin(b).maxCoeff(), Real(0));
        return enter <= std::min(a.cwiseMax(b).minCoeff(), most);
    }
};

}  // namespace taut::collision
