// Holds the derivatives that a user wrote against differences.
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "constraints/custom/custom.h"
#include "constraints/custom/settings.h"
#include "core/text.h"
#include "math/differences.h"
#include "math/so3.h"

namespace taut {

namespace {

using constraints::kCustom;
using Column = Eigen::Matrix<Real, kMostCustomRows, 1>;
using Forces = Eigen::Matrix<Real, 12, 1>;
using Lambda = std::array<Real, kMostCustomRows>;

// What evaluate() does not write is not a number; rows that the joint lacks are zero.
CustomRows rows_at(const CustomJoint& joint, const FramePair& frames)
{
    constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
    CustomRows rows;
    rows.phi.setConstant(kNan);
    for (auto& J : rows.J) J.setConstant(kNan);
    joint.evaluate(frames, rows);
    const int unused = kMostCustomRows - joint.rows();
    rows.phi.tail(unused).setZero();
    for (auto& J : rows.J) J.bottomRows(unused).setZero();
    return rows;
}

Forces forces_at(const CustomJoint& joint, const FramePair& frames, const Lambda& lambda)
{
    const CustomRows rows = rows_at(joint, frames);
    Forces f = Forces::Zero();
    for (int b = 0; b < 2; ++b)
        for (int r = 0; r < joint.rows(); ++r)
            f.segment<6>(6 * b) +=
                lambda[static_cast<std::size_t>(r)] * rows.J[b].row(r).transpose();
    return f;
}

std::string direction_name(int k)
{
    constexpr const char* kAxes[] = {"x", "y", "z"};
    return std::string(k < 3 ? "displacement along " : "rotation about ") + kAxes[k % 3];
}

Error wrong(const CustomJoint& joint, const std::string& what, int frame, int k, Real written,
            Real measured)
{
    return Error{core::text("joint type '", joint.name(), "': ", what, ", frame ", frame, ", ",
                            direction_name(k), ": ", written, " is written, differences give ",
                            measured)};
}

Status check_jacobian(const CustomJoint& joint, const FramePair& frames, DerivativeErrors& errors)
{
    const CustomRows rows = rows_at(joint, frames);
    for (int frame = 0; frame < 2; ++frame) {
        Eigen::Matrix<Real, kMostCustomRows, 6> measured;
        for (int k = 0; k < 6; ++k)
            measured.col(k) = math::first_derivative<Column>(
                [&](Real t) {
                    return rows_at(joint, constraints::custom::moved(frames, frame, k, t)).phi;
                },
                kCustom.check_step);
        for (int r = 0; r < joint.rows(); ++r) {
            const Real scale =
                std::max(measured.row(r).cwiseAbs().maxCoeff(), kCustom.smallest_scale);
            for (int k = 0; k < 6; ++k) {
                const Real error = std::abs(rows.J[frame](r, k) - measured(r, k)) / scale;
                if (!(error <= kCustom.allowed_jacobian))
                    return wrong(joint, core::text("J of row ", r), frame, k, rows.J[frame](r, k),
                                 measured(r, k));
                errors.jacobian = std::max(errors.jacobian, error);
            }
        }
    }
    return Done{};
}

Status check_stiffness(const CustomJoint& joint, const FramePair& frames, const Lambda& lambda,
                       DerivativeErrors& errors)
{
    CustomStiffness K;
    joint.geometric_stiffness(frames, {lambda.data(), static_cast<std::size_t>(joint.rows())}, K);
    Eigen::Matrix<Real, 12, 12> measured;
    for (int c = 0; c < 12; ++c)
        measured.col(c) = math::first_derivative<Forces>(
            [&](Real t) {
                return forces_at(joint, constraints::custom::moved(frames, c / 6, c % 6, t),
                                 lambda);
            },
            kCustom.check_step);
    const Real scale = std::max(measured.cwiseAbs().maxCoeff(), kCustom.smallest_scale);
    for (int r = 0; r < 12; ++r)
        for (int c = 0; c < 12; ++c) {
            const Real written = K[r / 6][c / 6](r % 6, c % 6);
            const Real error = std::abs(written - measured(r, c)) / scale;
            if (!(error <= kCustom.allowed_stiffness))
                return wrong(joint,
                             core::text("geometric stiffness, force ", r % 6, " on frame ", r / 6),
                             c / 6, c % 6, written, measured(r, c));
            errors.stiffness = std::max(errors.stiffness, error);
        }
    return Done{};
}

Status check_rows(const CustomJoint& joint)
{
    if (joint.rows() < 1 || joint.rows() > kMostCustomRows)
        return Error{core::text("joint type '", joint.name(), "': has ", joint.rows(),
                                " rows; allowed are 1 to ", kMostCustomRows)};
    return Done{};
}

}  // namespace

Result<DerivativeErrors> check_derivatives(const CustomJoint& joint, const FramePair& frames)
{
    TAUT_TRY(check_rows(joint));
    DerivativeErrors errors;
    TAUT_TRY(check_jacobian(joint, frames, errors));
    TAUT_TRY(check_stiffness(joint, frames, kCustom.multipliers, errors));
    return errors;
}

Result<DerivativeErrors> check_derivatives(const CustomJoint& joint, Real reach)
{
    std::mt19937 engine(kCustom.seed);
    std::uniform_real_distribution<Real> in(-1, 1);
    const auto vector = [&] { return Vec3(in(engine), in(engine), in(engine)); };
    DerivativeErrors worst;
    for (int i = 0; i < kCustom.random_poses; ++i) {
        FramePair frames;
        for (FramePose& frame : frames) frame = {reach / 2 * vector(), math::exp_so3(3 * vector())};
        const auto errors = check_derivatives(joint, frames);
        if (!errors.ok()) return errors.error();
        worst.jacobian = std::max(worst.jacobian, errors->jacobian);
        worst.stiffness = std::max(worst.stiffness, errors->stiffness);
    }
    return worst;
}

}  // namespace taut
