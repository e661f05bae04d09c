// The distance of two points keeps its length: `distance`, the link between particles, and `rod`,
// the massless strut between points of rigid bodies. One row, two names, one derivation.
//
//     0 ●───────L───────● 1      φ = |d| − L [m],  d = p_0 + s_0 − p_1 − s_1
//                                λ > 0 pushes the points apart, λ < 0 pulls [N]
//                                J = (e, s_0×e, −e, −s_1×e),  e = d/|d|      see parts/distance.h
// A particle's point is the particle (s = 0), so J has no rotational part there and K̃ skips it.
// Singular when the points meet: the row is zero there and has no effect.
// The smooth variant (d·d − L²)/2L is cheaper, but is not metres beside other rows when stretched.
#pragma once

#include <limits>

#include "constraints/parts/distance.h"

namespace taut::constraints {

struct DistanceRow : ConstraintBase<1> {
    static constexpr SingularPoses kSingular{.meeting_points = true};
    static constexpr int kMeanRows = 1;
    static constexpr bool kMeanIsExact = false;
    static constexpr std::array<RowUnit, 1> kUnits = {kLength};
    static constexpr bool kUsesAxis = false;
    static constexpr bool kStiffnessCouples = true;
    static constexpr bool kTensionCouples = true;

    Real length = std::numeric_limits<Real>::quiet_NaN();  // L ≥ 0 [m]

    void close(const Poses<2>& X, const Memory<0>&) noexcept;
    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<1>& lambda,
                 StiffnessBlocks<2>& G) const noexcept;
};

struct Distance : DistanceRow {
    static constexpr std::string_view kName = "distance";
    static constexpr std::string_view kSummary = "keeps the distance of two particles or points";
    static constexpr JointFamily kFamily = JointFamily::Primitive;
    static constexpr std::array<Field<Distance>, 1> fields()
    {
        return {{{&Distance::length, "length", "m",
                  "distance to keep; as at the start if not given", 0, 1e9, false}}};
    }
};
static_assert(Constraint<Distance>);

struct Rod : DistanceRow {
    static constexpr std::string_view kName = "rod";
    static constexpr std::string_view kSummary =
        "massless rigid strut between a point of each body";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    static constexpr std::array<Field<Rod>, 1> fields()
    {
        return {{{&Rod::length, "length", "m", "of the rod; as at the start if not given", 0, 1e9,
                  false}}};
    }
};
static_assert(Constraint<Rod>);

}  // namespace taut::constraints
