// Joint types of users among those of the list: an entry per number of rows, which holds a pointer to the user's object.
//
// The user writes in terms of the joint frames; here the levers s_b from the centres of mass are put in:
//
//     J_b  = J_F (I, −[s_b]ₓ; 0, I)          forces move to the centre of mass
//     K̃    = T_bᵀ K̃_F T_c + [f_b]ₓ[s_b]ₓ     the second term as for a ball: parts/point.h
//
// Tension form: that of the levers alone; what the user's own geometry has of it is left out, because it need not be definite.
#pragma once

#include <taut/custom_joint.h>

#include "constraints/parts/point.h"

namespace taut::constraints {

namespace custom {

using Frames = std::array<BodyFrame, 2>;

// J of the frames in `rows` becomes J of the bodies.
void evaluate(const CustomJoint& joint, const Frames& frames, const Poses<2>& X, CustomRows& rows);

// K += geometric stiffness; G += tension form.
void add_stiffness(const CustomJoint& joint, const Frames& frames, const Poses<2>& X,
                   std::span<const Real> lambda, StiffnessBlocks<2>& K) noexcept;
void add_tension(const CustomJoint& joint, const Frames& frames, const Poses<2>& X,
                 std::span<const Real> lambda, TensionDiagonal<2>& G) noexcept;

// For check_derivatives() and the default of geometric_stiffness(): a frame moved along direction k by t.
FramePair moved(const FramePair& frames, int frame, int k, Real t) noexcept;

constexpr std::string_view type_name(int rows) noexcept
{
    constexpr std::array<std::string_view, kMostCustomRows> kNames = {
        "custom_1", "custom_2", "custom_3", "custom_4", "custom_5", "custom_6"};
    return kNames[static_cast<std::size_t>(rows - 1)];
}

}  // namespace custom

template <int kRowCount>
struct Custom : ConstraintBase<kRowCount> {
    static constexpr bool kFromOutside = true;
    static constexpr std::string_view kName = custom::type_name(kRowCount);
    static constexpr std::string_view kSummary = "a joint type of the program that uses the engine";
    static constexpr JointFamily kFamily = JointFamily::Joint;
    // of those that are lengths; units() says which are angles
    static constexpr std::array<RowUnit, kRowCount> kUnits{};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Custom>, 0> fields() { return {}; }

    const CustomJoint* joint = nullptr;  // JointModel::custom owns it

    std::array<RowUnit, kRowCount> units() const noexcept
    {
        std::array<RowUnit, kRowCount> all{};
        for (int r = 0; r < kRowCount; ++r)
            all[static_cast<std::size_t>(r)] = joint->is_angle(r) ? kAngle : kLength;
        return all;
    }
    RowLaw law() const noexcept { return joint->law(); }

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<kRowCount, 2>& out) const noexcept
    {
        CustomRows rows;
        custom::evaluate(*joint, this->frames, X, rows);
        out.phi = rows.phi.head<kRowCount>();
        for (int b = 0; b < 2; ++b) out.J[b] = rows.J[b].topRows<kRowCount>();
    }
    void geometric_stiffness(const Poses<2>& X, const RowVector<kRowCount>& lambda,
                             StiffnessBlocks<2>& K) const noexcept
    {
        custom::add_stiffness(*joint, this->frames, X, {lambda.data(), kRowCount}, K);
    }
    void tension(const Poses<2>& X, const RowVector<kRowCount>& lambda,
                 TensionDiagonal<2>& G) const noexcept
    {
        custom::add_tension(*joint, this->frames, X, {lambda.data(), kRowCount}, G);
    }
};
static_assert(Constraint<Custom<1>>);

}  // namespace taut::constraints
