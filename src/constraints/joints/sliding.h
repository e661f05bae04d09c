// Joints that let a point of body 1 travel in the frame of body 0.
//
//        n_0 ↑  ● s_1          d = p_0 + s_0 − p_1 − s_1;   the slide reading is −d·n_0
//            │                 tilt rows  n_0·u_1, n_0·v_1  keep n_1 along n_0, as in a hinge
//     u_0 ←──● s_0
//
//     prismatic       n_0·u_1, n_0·v_1, u_0·v_1, d·u_0, d·v_0   slides along n
//     cylindrical     n_0·u_1, n_0·v_1,          d·u_0, d·v_0   slides along n, turns about n
//     planar          n_0·u_1, n_0·v_1, d·n_0                   slides across n, turns about n
//     point_on_line   d·u_0, d·v_0                              point of 1 on a line along n of 0
//     point_on_plane  d·n_0                                     point of 1 in a plane across n of 0
// Dot-1 rows are sines, rad near zero, with torques [N m]; dot-2 rows are lengths [m] with forces
// [N]. The third prismatic row is u_0·v_1: the u_0·n_1 printed in [GS, App. A] follows from the
// first two and leaves the turn about n free. All dot-2 rows of a pair are one force: parts/dot.h.
// Second zeros half a turn away as for the hinge; never singular near zero.
#pragma once

#include "constraints/parts/dot.h"
#include "constraints/parts/twist.h"

namespace taut::constraints {

struct Prismatic : ConstraintBase<5> {
    static constexpr int kMeanRows = 5;
    static constexpr std::string_view kName = "prismatic";
    static constexpr std::string_view kSummary = "slides along n; everything else is held";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 5> kUnits = {kAngle, kAngle, kAngle, kLength, kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kDrivable = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Prismatic>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<5, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<5>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<5>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
};
static_assert(Constraint<Prismatic>);

struct Cylindrical : ConstraintBase<4, 2, 1> {
    static constexpr int kMeanRows = 4;
    static constexpr std::string_view kName = "cylindrical";
    static constexpr std::string_view kSummary = "slides along n and turns about n";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 4> kUnits = {kAngle, kAngle, kLength, kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kDrivable = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Cylindrical>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<1>&, Rows<4, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<4>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<4>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
    void remember(const Poses<2>& X, Memory<1>& memory) const noexcept;
};
static_assert(Constraint<Cylindrical>);

struct Planar : ConstraintBase<3, 2, 1> {
    static constexpr int kMeanRows = 3;
    static constexpr std::string_view kName = "planar";
    static constexpr std::string_view kSummary = "slides in the plane across n and turns about n";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 3> kUnits = {kAngle, kAngle, kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kDrivable = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Planar>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<1>&, Rows<3, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<3>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<3>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
    void remember(const Poses<2>& X, Memory<1>& memory) const noexcept;
};
static_assert(Constraint<Planar>);

struct PointOnLine : ConstraintBase<2> {
    static constexpr int kMeanRows = 2;
    static constexpr std::string_view kName = "point_on_line";
    static constexpr std::string_view kSummary =
        "keeps a point of body 1 on the line along n of body 0";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 2> kUnits = {kLength, kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<PointOnLine>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<2, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<2>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<2>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
};
static_assert(Constraint<PointOnLine>);

struct PointOnPlane : ConstraintBase<1> {
    static constexpr int kMeanRows = 1;
    static constexpr std::string_view kName = "point_on_plane";
    static constexpr std::string_view kSummary =
        "keeps a point of body 1 in the plane of body 0 across n";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<RowUnit, 1> kUnits = {kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<PointOnPlane>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<1>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
};
static_assert(Constraint<PointOnPlane>);

}  // namespace taut::constraints
