// Joints that tie one motion to another: screw, gear, rack and pinion. Ω is the twist of
// parts/twist.h, counted over whole turns; slides are −d·n_0, of the second body along n of the
// first.
//
//     screw            rows 0–3 as cylindrical;  φ₄ = d·n_0 + (pitch/2π) Ω − const   [m]
//                      slide = pitch × turns: a right-hand thread where pitch > 0
//     gear             φ = r₁ Ω_01 + r₂ Ω_02 − const [m]; carrier 0, wheels 1 and 2, each on its own
//         (1)(2)       axis: frames 0, 1 for the first and 2, 3 for the second. Outside teeth: both
//                      radii positive, wheels on parallel axes turn against each other; a ring has
//                      r₂ < 0
//     rack_and_pinion  φ = d·n_0 + r Ω_01 − const [m]; carrier 0, pinion 1 (frames 0, 1), rack 2
//         (1)          (frames 2, 3), d and n_0 those of frames 2, 3: slide of the rack = r × angle
//         ▔▔▔▔ 2       of the pinion. r < 0 puts the rack on the other side
// const closes the row at the starting poses. The rows of gear and rack constrain nothing else: wheels
// and rack need their own hinges and slides on the carrier. λ is the force between the teeth [N].
// Linear compositions, so J and K̃ are sums of the parts'. Singular where twist is: an axis folded
// back by half a turn.
#pragma once

#include <limits>

#include "constraints/parts/dot.h"
#include "constraints/parts/twist.h"

namespace taut::constraints {

struct Screw : ConstraintBase<5, 2, 1> {
    static constexpr SingularPoses kSingular{.opposed_axes = true};
    static constexpr int kMeanRows = 4;
    static constexpr std::string_view kName = "screw";
    static constexpr std::string_view kSummary = "slides along n by one pitch per turn about n";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 5> kUnits = {kAngle, kAngle, kLength, kLength, kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kDrivable = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Screw>, 1> fields()
    {
        return {{{&Screw::pitch, "pitch", "m/turn",
                  "slide along n per turn about n; right-hand if positive", -1e6, 1e6, true}}};
    }

    Real pitch = 0;
    Real constant = std::numeric_limits<Real>::quiet_NaN();  // from the start [m]

    void close(const Poses<2>& X, const Memory<1>& memory) noexcept;
    void evaluate(const Poses<2>& X, const Memory<1>& memory, Rows<5, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<5>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<5>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
    void remember(const Poses<2>& X, Memory<1>& memory) const noexcept;
};
static_assert(Constraint<Screw>);

struct Gear : ConstraintBase<1, 3, 2> {
    static constexpr SingularPoses kSingular{.opposed_axes = true};
    static constexpr std::string_view kName = "gear";
    static constexpr std::string_view kSummary = "ties the turns of two wheels on a common carrier";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 1> kUnits = {kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Gear>, 2> fields()
    {
        return {{{&Gear::radius_1, "radius_1", "m", "of the first wheel", 1e-9, 1e6, true},
                 {&Gear::radius_2, "radius_2", "m",
                  "of the second wheel; negative for inside teeth", -1e6, 1e6, true}}};
    }

    Real radius_1 = 1;
    Real radius_2 = 1;
    Real constant = std::numeric_limits<Real>::quiet_NaN();  // from the start [m]

    void close(const Poses<3>& X, const Memory<2>& memory) noexcept;
    void evaluate(const Poses<3>& X, const Memory<2>& memory, Rows<1, 3>& out) const noexcept;
    void geometric_stiffness(const Poses<3>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<3>& K) const noexcept;
    void remember(const Poses<3>& X, Memory<2>& memory) const noexcept;
};
static_assert(Constraint<Gear>);

struct RackAndPinion : ConstraintBase<1, 3, 1> {
    static constexpr SingularPoses kSingular{.opposed_axes = true};
    static constexpr std::string_view kName = "rack_and_pinion";
    static constexpr std::string_view kSummary =
        "ties the slide of a rack to the turns of a pinion on a common carrier";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 1> kUnits = {kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<RackAndPinion>, 1> fields()
    {
        return {{{&RackAndPinion::radius, "radius", "m",
                  "of the pinion; slide of the rack per radian", -1e6, 1e6, true}}};
    }

    Real radius = 1;
    Real constant = std::numeric_limits<Real>::quiet_NaN();  // from the start [m]

    void close(const Poses<3>& X, const Memory<1>& memory) noexcept;
    void evaluate(const Poses<3>& X, const Memory<1>& memory, Rows<1, 3>& out) const noexcept;
    void geometric_stiffness(const Poses<3>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<3>& K) const noexcept;
    void tension(const Poses<3>& X, const RowVector<1>& lambda,
                 TensionDiagonal<3>& G) const noexcept;
    void remember(const Poses<3>& X, Memory<1>& memory) const noexcept;
};
static_assert(Constraint<RackAndPinion>);

}  // namespace taut::constraints
