// Resistance of a contact to rolling and spinning: torques about its normal and its tangents.
//
//     relative spin   a_k·(ω_1 − ω_0) [rad/s],  a_0 = n, a_1, a_2 tangents, carried by body 0
//     |λ_0| ≤ spinning · λ_n,   |λ_1|, |λ_2| ≤ rolling · λ_n     [N m], both coefficients lengths [m]
//
// λ_n is the normal force of the contact that it belongs to, at the current iterate: the bounds converge with the step.
// Velocity rows without φ; K̃ is left out, as for friction. a_1 lies along the rolling as it was when the step began,
// so that the bound is the same for every direction.
#pragma once

#include "constraints/constraint.h"

namespace taut::constraints {

struct Rolling : ConstraintBase<3> {
    static constexpr std::string_view kName = "rolling";
    static constexpr std::string_view kSummary =
        "resists rolling and spinning of a contact; made by collision";
    static constexpr JointFamily kFamily = JointFamily::Contact;
    static constexpr RowKind kKind = RowKind::Velocity;
    static constexpr RowLaw kLaw = RowLaw::Interval;
    static constexpr std::array<RowUnit, 3> kUnits = {kAngle, kAngle, kAngle};
    static constexpr int kGeometricRows = 0;
    static constexpr bool kUsesAxis = true;
    static constexpr bool kHolonomic = false;
    static constexpr bool kStiffnessCouples = false;
    static constexpr std::array<Field<Rolling>, 0> fields() { return {}; }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<3, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>&, const RowVector<3>&,
                             StiffnessBlocks<2>&) const noexcept
    {}
};
static_assert(Constraint<Rolling>);

}  // namespace taut::constraints
