// Where the numbers of a part go: one row of J, or one 3×3 corner of a stiffness block.
#pragma once

#include "constraints/constraint.h"

namespace taut::constraints::parts {

// Row r of the block of one body.
template <int kRows>
inline void put_row(RowBlock<kRows>& J, int r, const Vec3& linear, const Vec3& angular) noexcept
{
    // two at a time, as they are read right after: a read of two must not wait for two writes
    typedef Real Two __attribute__((vector_size(16), aligned(8), may_alias));
    const auto put = [&](int c, Real a, Real b) {
        *reinterpret_cast<Two*>(J.data() + 6 * r + c) = Two{a, b};
    };
    put(0, linear.x(), linear.y());
    put(2, linear.z(), angular.x());
    put(4, angular.y(), angular.z());
}

// Corners of a 6×6 block (force on one body) × (motion of another).
inline auto linear_linear(Mat6& K) noexcept { return K.topLeftCorner<3, 3>(); }
inline auto linear_angular(Mat6& K) noexcept { return K.topRightCorner<3, 3>(); }
inline auto angular_linear(Mat6& K) noexcept { return K.bottomLeftCorner<3, 3>(); }
inline auto angular_angular(Mat6& K) noexcept { return K.bottomRightCorner<3, 3>(); }

// Axis k (0, 1, 2 for u, v, n) of a joint frame, and all three, in world axes.
inline Vec3 axis(const BodyPose& X, const BodyFrame& F, int k) noexcept { return X.R * F.R.col(k); }
inline Mat3 axes(const BodyPose& X, const BodyFrame& F) noexcept { return X.R * F.R; }

// Which two bodies of a constraint a part stands between; its rows measure i against j.
struct Pair {
    int i = 0;
    int j = 1;
};

}  // namespace taut::constraints::parts
