// A joint type from outside for the suites of all types, with derivatives written by hand.
#pragma once

#include <array>

#include <taut/custom_joint.h>

#include "math/so3.h"

namespace taut::test {

// Rows 0 to 2 say where frame 1 is, seen from frame 0, on curved coordinates; rows 3 to 5 how it stands:
//
//     φ_r = d·a_r + d·d/4,  d = p_1 − p_0, a_r fixed in frame 0;   φ_r = x·y, axes x of frame 0 and y of frame 1
class CurvedJoint : public CustomJoint {
public:
    explicit CurvedJoint(int rows) : rows_(rows) {}
    std::string_view name() const noexcept override { return "curved"; }
    int rows() const noexcept override { return rows_; }
    bool is_angle(int row) const noexcept override { return row >= 3; }

    void evaluate(const FramePair& X, CustomRows& out) const noexcept override
    {
        const Vec3 d = X[1].p - X[0].p;
        for (int r = 0; r < rows_ && r < 3; ++r) {
            const Vec3 a = slope(X, r), whole = a + d / 2;
            out.phi[r] = d.dot(a) + d.squaredNorm() / 4;
            out.J[0].row(r) << -whole.transpose(), a.cross(d).transpose();
            out.J[1].row(r) << whole.transpose(), 0, 0, 0;
        }
        for (int r = 3; r < rows_; ++r) {
            const Vec3 x = X[0].R.col(kAxes[r - 3][0]), y = X[1].R.col(kAxes[r - 3][1]);
            const Vec3 square = x.cross(y);
            out.phi[r] = x.dot(y);
            out.J[0].row(r) << 0, 0, 0, square.transpose();
            out.J[1].row(r) << 0, 0, 0, -square.transpose();
        }
    }

    void geometric_stiffness(const FramePair& X, std::span<const Real> lambda,
                             CustomStiffness& K) const noexcept override
    {
        for (auto& row : K)
            for (auto& block : row) block.setZero();
        const Vec3 d = X[1].p - X[0].p;
        Vec3 A = Vec3::Zero();
        Real sum = 0;
        for (int r = 0; r < rows_ && r < 3; ++r) {
            A += lambda[static_cast<std::size_t>(r)] * slope(X, r);
            sum += lambda[static_cast<std::size_t>(r)];
        }
        const Mat3 bend = Real(0.5) * sum * Mat3::Identity();
        for (int b = 0; b < 2; ++b)
            for (int c = 0; c < 2; ++c) K[b][c].topLeftCorner<3, 3>() = b == c ? bend : Mat3(-bend);
        K[0][0].topRightCorner<3, 3>() = skew(A);
        K[1][0].topRightCorner<3, 3>() = -skew(A);
        K[0][0].bottomLeftCorner<3, 3>() = -skew(A);
        K[0][1].bottomLeftCorner<3, 3>() = skew(A);
        K[0][0].bottomRightCorner<3, 3>() = skew(d) * skew(A);
        for (int r = 3; r < rows_; ++r) {
            const Real l = lambda[static_cast<std::size_t>(r)];
            const Vec3 x = X[0].R.col(kAxes[r - 3][0]), y = X[1].R.col(kAxes[r - 3][1]);
            const Mat3 of_0 = l * skew(y) * skew(x), of_1 = l * skew(x) * skew(y);
            K[0][0].bottomRightCorner<3, 3>() += of_0;
            K[0][1].bottomRightCorner<3, 3>() -= of_1;
            K[1][0].bottomRightCorner<3, 3>() -= of_0;
            K[1][1].bottomRightCorner<3, 3>() += of_1;
        }
    }

private:
    static constexpr int kAxes[3][2] = {{2, 0}, {2, 1}, {0, 1}};

    static Mat3 skew(const Vec3& a) { return math::skew(a); }
    static Vec3 slope(const FramePair& X, int r)
    {
        return X[0].R * (Vec3::Unit(r) + Vec3(0.3, -0.1 * r, 0.2));
    }

    int rows_;
};

inline const CustomJoint& curved_joint(int rows)
{
    static const std::array<CurvedJoint, kMostCustomRows> all = {CurvedJoint(1), CurvedJoint(2),
                                                                 CurvedJoint(3), CurvedJoint(4),
                                                                 CurvedJoint(5), CurvedJoint(6)};
    return all[static_cast<std::size_t>(rows - 1)];
}

}  // namespace taut::test
