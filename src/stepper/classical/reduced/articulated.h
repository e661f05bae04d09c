// Accelerations of a tree by the articulated-body algorithm.                     [Featherstone2008, ch. 7]
//
// Twists and wrenches are those of the engine, (linear, angular) at each body's own centre of mass in world
// axes, so a joint shifts them by X (joint_coordinates.h) and nothing has to be turned. Inward,
//
//     I ← I + Xᵀ(I_c − U D⁻¹ Uᵀ)X,   p ← p + Xᵀ(p_c + I_a c + U D⁻¹ (−Sᵀp_c)),   U = I_c S, D = SᵀU
//
// outward a_c = X a_p + c + S u̇ with u̇ = D⁻¹(−Sᵀp_c − Uᵀ(X a_p + c)). Linear in the number of bodies.
#pragma once

#include "stepper/classical/reduced/joint_coordinates.h"

namespace taut::stepper::classical {

struct TreeAccelerations {
    Vector speed_rates;  // u̇
    std::vector<Vec6>
        twist;  // per branch: acceleration of its centre of mass, angular acceleration
    std::vector<Vec6> wrench;  // per branch: what its joint does to it, at its centre of mass
    bool solved = true;
};

// `force` is what acts on the bodies besides the joints, on the columns of the mechanism, without
// gyroscopic torque. `state` is placed at the speeds given.
TreeAccelerations articulated_bodies(const Mechanism& mechanism, const Tree& tree,
                                     const JointCoordinates& coordinates, const State& state,
                                     const Vector& speed, const Vector& force);

}  // namespace taut::stepper::classical
