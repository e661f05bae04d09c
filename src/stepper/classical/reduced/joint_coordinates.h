// Joint coordinates of a tree, and the poses and twists that they stand for.
//
//     parent ──s_p──P ~~d~~> C ──s_c── child       p_c = p_p + s_p + d − s_c,  d = Σ t_k ξ_k  (t in P)
//                                                  R_c = R_p P · Rel(ξ) · Cᵀ
// Speeds u: slides' rates, then the turn of C against P — its angle rates, or for a free turn its
// components in P. One joint gives, with ω_rel = Σ e u over its turning axes, r = p_c − p_p:
//
//     twist_c = X twist_p + S u,    X = ⎡1 −[r]ₓ⎤    S: slide (t, 0), turn (s_c × e, e)
//                                       ⎣0   1  ⎦
// A free turn is followed inside a step by a rotation vector from where it was at the start of the step.
#pragma once

#include "stepper/classical/reduced/tree.h"

namespace taut::stepper::classical {

using Columns = Eigen::Matrix<Real, 6, Eigen::Dynamic, 0, 6, 6>;

class JointCoordinates {
public:
    // Reads coordinates and speeds off the poses and twists of a state.
    JointCoordinates(const Mechanism& mechanism, const Tree& tree, const State& state);

    const Vector& positions() const { return position_; }
    const Vector& speeds() const { return speed_; }

    // Poses and twists of all branches from coordinates and speeds; the rest of the state stays.
    void place(const Vector& position, const Vector& speed, State& state) const;

    // dξ/dt for given speeds: the same, but for the rotation vectors of free turns.
    Vector rates(const Vector& position, const Vector& speed) const;

    // S of a branch, and c = dS/dt u + dX/dt twist_p, at a placed state.
    void motion(const Branch& branch, const State& state, const Vector& speed, Columns& S,
                Vec6& c) const;

private:
    const Mechanism& mechanism_;
    const Tree& tree_;
    Vector position_, speed_;
    std::vector<Mat3> start_;  // per branch: Rel at the start, where it turns freely
};

}  // namespace taut::stepper::classical
