// Rotations alone: axial lock, bend, twist, rotation vector. No force, hence no tension form.
//
//     axial_lock       n_0·(ω_0 − ω_1) = target       velocity row, not holonomic: it has no φ, and
//                                                     may drift around a closed path
//     bend             β = swing of n_1 off n_0       2 rows [rad], |β| = angle between them
//     twist            Ω = angle about n, of frame 1 against frame 0, any number of turns [rad]
//     rotation_vector  log(Q_0ᵀQ_1)                   3 rows [rad], up to half a turn
// λ are torques [N m]. Q = R · joint frame with columns (u, v, n). Derivations in parts/.
// axial_lock: J = (0, n_0, 0, −n_0), K̃ = −λ[n_0]ₓ, +λ[n_0]ₓ in the column of body 0's rotation.
#pragma once

#include "constraints/parts/bend.h"
#include "constraints/parts/rotation_vector.h"
#include "constraints/parts/twist.h"

namespace taut::constraints {

struct AxialLock : ConstraintBase<1> {
    static constexpr std::string_view kName = "axial_lock";
    static constexpr std::string_view kSummary =
        "no relative spin about n of frame 0 (velocity row; may drift)";
    static constexpr JointFamily kFamily = JointFamily::Primitive;
    static constexpr RowKind kKind = RowKind::Velocity;
    static constexpr std::array<RowUnit, 1> kUnits = {kAngle};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kHolonomic = false;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<AxialLock>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
};
static_assert(Constraint<AxialLock>);

struct Bend : ConstraintBase<2> {
    static constexpr SingularPoses kSingular{.opposed_axes = true};
    static constexpr std::string_view kName = "bend";
    static constexpr std::string_view kSummary =
        "keeps the axes n of both frames parallel; true angles";
    static constexpr JointFamily kFamily = JointFamily::Primitive;
    static constexpr std::array<RowUnit, 2> kUnits = {kAngle, kAngle};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Bend>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<2, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<2>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
};
static_assert(Constraint<Bend>);

struct TwistAngle : ConstraintBase<1, 2, 1> {
    static constexpr SingularPoses kSingular{.opposed_axes = true};
    static constexpr std::string_view kName = "twist";
    static constexpr std::string_view kSummary =
        "keeps the angle about n at zero, counting whole turns";
    static constexpr JointFamily kFamily = JointFamily::Primitive;
    static constexpr std::array<RowUnit, 1> kUnits = {kAngle};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<TwistAngle>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<1>& memory, Rows<1, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void remember(const Poses<2>& X, Memory<1>& memory) const noexcept;
};
static_assert(Constraint<TwistAngle>);

struct RotationVector : ConstraintBase<3> {
    static constexpr SingularPoses kSingular{.half_turn = true};
    static constexpr std::string_view kName = "rotation_vector";
    static constexpr std::string_view kSummary =
        "keeps both frames parallel; an isotropic rotational spring if compliant";
    static constexpr JointFamily kFamily = JointFamily::Primitive;
    static constexpr std::array<RowUnit, 3> kUnits = {kAngle, kAngle, kAngle};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kKeepsOrientation = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<RotationVector>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<3, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<3>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
};
static_assert(Constraint<RotationVector>);

}  // namespace taut::constraints
