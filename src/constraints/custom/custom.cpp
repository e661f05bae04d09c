#include "constraints/custom/custom.h"

#include "constraints/custom/settings.h"
#include "math/so3.h"

namespace taut::constraints::custom {

namespace {

struct Placed {
    FramePair frames;
    std::array<Vec3, 2> levers;  // from the centres of mass, world axes
};

Placed place(const Frames& frames, const Poses<2>& X) noexcept
{
    Placed out;
    for (int b = 0; b < 2; ++b) {
        out.levers[b].noalias() = X[b].R * frames[b].p;
        out.frames[b].p = X[b].p + out.levers[b];
        out.frames[b].R.noalias() = X[b].R * frames[b].R;
    }
    return out;
}

// Force on frame b.
Vec3 force_on(const CustomRows& rows, int b, std::span<const Real> lambda) noexcept
{
    Vec3 f = Vec3::Zero();
    for (std::size_t r = 0; r < lambda.size(); ++r)
        f += lambda[r] * rows.J[b].row(static_cast<Eigen::Index>(r)).head<3>().transpose();
    return f;
}

// T = (I, −[s]ₓ; 0, I): the twist of a frame at lever s from that of its body.
Mat6 lever_matrix(const Vec3& s) noexcept
{
    Mat6 T = Mat6::Identity();
    T.topRightCorner<3, 3>() << 0, s.z(), -s.y(), -s.z(), 0, s.x(), s.y(), -s.x(), 0;
    return T;
}

}  // namespace

void evaluate(const CustomJoint& joint, const Frames& frames, const Poses<2>& X, CustomRows& rows)
{
    const Placed at = place(frames, X);
    joint.evaluate(at.frames, rows);
    for (int b = 0; b < 2; ++b)
        for (int r = 0; r < joint.rows(); ++r) {
            const Vec3 linear = rows.J[b].row(r).head<3>();
            const Vec3 turn = at.levers[b].cross(linear);
            rows.J[b].row(r).tail<3>() += turn.transpose();
        }
}

void add_stiffness(const CustomJoint& joint, const Frames& frames, const Poses<2>& X,
                   std::span<const Real> lambda, StiffnessBlocks<2>& K) noexcept
{
    const Placed at = place(frames, X);
    CustomStiffness of_frames;
    joint.geometric_stiffness(at.frames, lambda, of_frames);
    CustomRows rows;
    joint.evaluate(at.frames, rows);
    const std::array<Mat6, 2> T = {lever_matrix(at.levers[0]), lever_matrix(at.levers[1])};
    for (int b = 0; b < 2; ++b) {
        for (int c = 0; c < 2; ++c) {
            const Mat6 half = of_frames[b][c] * T[c];
            K.block[b][c].noalias() += T[b].transpose() * half;
        }
        parts::angular_angular(K.block[b][b]) += skew_skew(force_on(rows, b, lambda), at.levers[b]);
    }
}

void add_tension(const CustomJoint& joint, const Frames& frames, const Poses<2>& X,
                 std::span<const Real> lambda, TensionDiagonal<2>& G) noexcept
{
    const Placed at = place(frames, X);
    CustomRows rows;
    joint.evaluate(at.frames, rows);
    for (int b = 0; b < 2; ++b) parts::lever_tension(force_on(rows, b, lambda), at.levers[b], G[b]);
}

FramePair moved(const FramePair& frames, int frame, int k, Real t) noexcept
{
    FramePair out = frames;
    if (k < 3)
        out[frame].p[k] += t;
    else
        out[frame].R = (exp_so3(t * Vec3::Unit(k - 3)) * out[frame].R).eval();
    return out;
}

}  // namespace taut::constraints::custom

namespace taut {

void CustomJoint::geometric_stiffness(const FramePair& frames, std::span<const Real> lambda,
                                      CustomStiffness& K) const noexcept
{
    constexpr Real h = constraints::kCustom.stiffness_step;
    CustomRows rows;
    // Jᵀλ on both frames
    const auto forces = [&](const FramePair& at) {
        evaluate(at, rows);
        std::array<Eigen::Matrix<Real, 6, 1>, 2> f;
        for (int b = 0; b < 2; ++b) {
            f[b].setZero();
            for (std::size_t r = 0; r < lambda.size(); ++r)
                f[b] += lambda[r] * rows.J[b].row(static_cast<Eigen::Index>(r)).transpose();
        }
        return f;
    };
    for (int c = 0; c < 2; ++c)
        for (int k = 0; k < 6; ++k) {
            const auto ahead = forces(constraints::custom::moved(frames, c, k, h));
            const auto behind = forces(constraints::custom::moved(frames, c, k, -h));
            for (int b = 0; b < 2; ++b) K[b][c].col(k) = (ahead[b] - behind[b]) / (2 * h);
        }
}

}  // namespace taut
