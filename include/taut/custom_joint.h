// A joint type of one's own: derive from CustomJoint, state φ and J in terms of the two joint frames, and hand it to a world by
// JointDef::custom. examples/own_joint.cpp is one; docs/extending.md explains what the engine asks for.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include <taut/catalogue.h>
#include <taut/result.h>
#include <taut/types.h>

namespace taut {

// Most rows of a joint type of one's own.
inline constexpr int kMostCustomRows = 6;

// A joint frame in the world: its origin [m], and its axes u, v, n as columns of R.
struct FramePose {
    Vec3 p = Vec3::Zero();
    Mat3 R = Mat3::Identity();
};

// The frames JointDef::frames[0] on body 0 and frames[1] on body 1, wherever the bodies are.
using FramePair = std::array<FramePose, 2>;

// φ and J = ∂φ/∂(frame 0), ∂φ/∂(frame 1). Columns of J are the displacement δp of the frame's origin and its rotation δθ, in world
// axes: p ← p + δp, R ← exp([δθ]ₓ) R. A joint with fewer rows writes the first ones only.
struct CustomRows {
    Eigen::Matrix<Real, kMostCustomRows, 1> phi;
    std::array<Eigen::Matrix<Real, kMostCustomRows, 6, Eigen::RowMajor>, 2> J;
};

// Blocks (b, c) of ∂(force and torque on frame b)/∂(displacement of frame c) with the multipliers held.
using CustomStiffness = std::array<std::array<Eigen::Matrix<Real, 6, 6, Eigen::RowMajor>, 2>, 2>;

// Forces on the frames are +Jᵀλ. All functions are pure: they return the same for the same frames, from any thread, and neither
// throw nor allocate, because the step calls them.
class CustomJoint {
public:
    virtual ~CustomJoint() = default;

    // In messages and World::type(), and part of what makes a snapshot fit.
    virtual std::string_view name() const noexcept = 0;
    // From 1 to kMostCustomRows, always the same.
    virtual int rows() const noexcept = 0;
    // True: row r measures an angle [rad], and λ is a torque [N m]; false: a length [m] and a force [N].
    virtual bool is_angle(int) const noexcept { return false; }
    // RowLaw::Equal holds φ = 0, RowLaw::NonNegative keeps φ ≥ 0 in every row.
    virtual RowLaw law() const noexcept { return RowLaw::Equal; }
    // The numbers that make this joint differ from others of its name. A snapshot is refused where they differ.
    virtual std::span<const Real> parameters() const noexcept { return {}; }

    // Writes phi[r] and J[0].row(r), J[1].row(r) for every row r.
    virtual void evaluate(const FramePair& frames, CustomRows& out) const noexcept = 0;

    // Writes the geometric stiffness K̃ = ∂(Jᵀλ)/∂(displacements of the frames). By default central differences of J, which take 24
    // evaluations. The levers from the bodies' centres of mass to the frames are not its business.
    virtual void geometric_stiffness(const FramePair& frames, std::span<const Real> lambda,
                                     CustomStiffness& K) const noexcept;
};

// What check_derivatives() found: largest differences over the largest entry of the same row of J, and of K̃.
struct DerivativeErrors {
    Real jacobian = 0;
    Real stiffness = 0;
};

// Compares J with extrapolated central differences of φ, and K̃ with those of Jᵀλ, as the engine's own joint types are compared. An
// error states the row, the frame and the direction, the written derivative and the measured one. Frames must be away from
// poses where φ has no derivative.
Result<DerivativeErrors> check_derivatives(const CustomJoint& joint, const FramePair& frames);

// The same at 100 random poses of both frames, origins within `reach` of each other in every coordinate [m].
Result<DerivativeErrors> check_derivatives(const CustomJoint& joint, Real reach = 1);

}  // namespace taut
