// Contact of one point of body 1 with the surface of body 0, with friction: three rows under a cone.
//
//          body 1   ● c_1        n   outward normal of body 0's surface, carried by body 0
//                  ╱│ r_1        φ = n·(c_1 − c_0) − r_1 ≥ 0 [m],  λ_n ≥ 0 pushes body 1 along n
//     ────────────×─┼───────     x = c_1 − r_1 n, where they touch
//       body 0   c_0             slip = (t_1, t_2)·(v_1(x) − v_0(x)) [m/s], of the material there
//
// c_1 is a corner (r_1 = 0), or the centre of a round surface, of a sphere or on the axis of a capsule: the contact point
// then moves over the body as it rolls, and n·(c_1 − c_0) stays exact. Where both are
// round (r_0 > 0) the normal is the line of centres, φ = |c_1 − c_0| − r_0 − r_1. A centre on the axis of a capsule or a cylinder slides
// along it to where the two are nearest (parts/closest.h): capsules that move along each other would penetrate else.
//     J_n = (−n, −(c_1 − p_0)×n, n, (c_1 − p_1)×n),   J_t = (−t, −(x − p_0)×t, t, (x − p_1)×t)
//
// Where body 1 touches with the rim or the lateral surface of a cylinder, c_1 is the nearest point of its axis a, and
//     φ = n·(c_1 − c_0) − rim·s,   s = √(1 − (a·n)²),   x = c_1 − rim (n − a (a·n))/s
// at any rolling speed: a point fixed in the body would leave the ground and allow penetration.
// J is that of the material point x. Singular where a is along n: the cylinder stands on its end.
//
// K̃ and tension form are those of the normal force alone: parts/dot.h with u = −n, parts/distance.h.
// Friction has no φ: it is a velocity row. Singular where the centres of two round bodies meet.
#pragma once

#include <array>

#include "constraints/parts/closest.h"
#include "constraints/parts/dot.h"

namespace taut::constraints {

struct Contact : ConstraintBase<3> {
    static constexpr SingularPoses kSingular{.meeting_points = true};
    static constexpr std::string_view kName = "contact";
    static constexpr std::string_view kSummary =
        "a point of body 1 on the surface of body 0, with friction; made by collision";
    static constexpr JointFamily kFamily = JointFamily::Contact;
    static constexpr RowLaw kLaw = RowLaw::Cone;
    static constexpr std::array<RowKind, 3> kRowKinds = {RowKind::Position, RowKind::Velocity,
                                                         RowKind::Velocity};
    static constexpr int kGeometricRows = 1;  // K̃ is that of the first row
    static constexpr std::array<RowUnit, 3> kUnits = {kLength, kLength, kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kHolonomic = false;
    static constexpr bool kStiffnessCouples = true;
    static constexpr std::array<Field<Contact>, 2> fields()
    {
        return {
            {{&Contact::radius_0, "radius_0", "m", "of body 0 where it is round", 0, 1e9, false},
             {&Contact::radius_1, "radius_1", "m", "of body 1 where it is round", 0, 1e9, false}}};
    }

    Real radius_0 = 0;
    Real radius_1 = 0;
    Real rim = 0;  // of body 1, about the z axis of its frame [m]; radii are zero then
    // Along the axes of bodies 0 and 1 where both are round.
    std::array<parts::Slide, 2> slides;
    // Velocities of the surfaces against bodies 0 and 1, in body axes: belts [m/s].
    std::array<Vec3, 2> surface_velocity = {Vec3::Zero(), Vec3::Zero()};
    bool surface_moves = false;  // whether one of them is not zero
    // Penetration at the start of the step that is not recovered within it [m], ≤ 0: φ is measured from there.
    Real rest = 0;

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<3, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<3>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<3>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
    // c_0 and c_1, where they are nearest if they slide; d is from body 1 to body 0.
    parts::Closest centres(const Poses<2>& X) const noexcept;
    // The part of K̃ that the rim adds: torques, on body 1 and against them on body 0.
    void rim_stiffness(const Poses<2>& X, Real push, StiffnessBlocks<2>& K) const noexcept;
    // Columns t_1, t_2, n in world axes.
    Mat3 axes(const Poses<2>& X) const noexcept;
    // What moving surfaces add to J v of the three rows: slip is that of the surfaces, not of the bodies [m/s].
    RowVector<3> surface_rates(const Poses<2>& X) const noexcept;
};
static_assert(Constraint<Contact>);

}  // namespace taut::constraints
