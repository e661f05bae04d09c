// K̃ of one joint into H, in the form of the stabilisation.
#pragma once

#include "assembly/damping.h"
#include "assembly/element_blocks.h"
#include "assembly/joint_rows.h"
#include "assembly/rank_collection.h"
#include "assembly/thresholds.h"
#include "stabilisation/geometric.h"

namespace taut::assembly {

// The common case of the tension form: rotational diagonal blocks only, straight into H.
template <class T>
void add_tension_diagonal(const T& item, const JointPlace& place, const Poses<T::kBodies>& X,
                          const RowVector<T::kRows>& lambda, Real implicit, Real* H) noexcept
{
    TensionDiagonal<T::kBodies> G;
    for (Mat3& g : G) g.setZero();
    item.tension(X, lambda, G);
    for (int s = 0; s < T::kBodies; ++s) {
        if (place.bodies[s].freedoms != 6) continue;
        Real* const block = H + place.bodies[s].block;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) block[6 * (r + 3) + c + 3] += implicit * G[s](r, c);
    }
}

// What the tension form adds for the schemes of one solve, and for solvers that want H taken apart.
template <class T>
void add_tension_extras(const SchemeWeights& scheme, const Layout& layout, const T& item,
                        const std::array<BodyIndex, T::kBodies>& bodies, const JointPlace& place,
                        const Poses<T::kBodies>& X, const RowVector<T::kRows>& lambda,
                        Linearisation& work) noexcept
{
    TensionDiagonal<T::kBodies> G;
    for (Mat3& g : G) g.setZero();
    item.tension(X, lambda, G);
    for (int s = 0; s < T::kBodies; ++s) {
        if (place.bodies[s].freedoms != 6) continue;
        if (work.system.rank.wanted)
            add_rotation_to_base(layout, bodies[s], scheme.implicit_stiffness() * G[s],
                                 work.system.rank);
        if (scheme.newton || scheme.beta == 1) continue;
        const Vec3 known = scheme.explicit_stiffness() * (G[s] * work.bodies[bodies[s]].drift_w);
        Real* f = &work.system.f[place.bodies[s].offset];
        for (int r = 0; r < 3; ++r) f[r + 3] -= known[r];
    }
}

// A force through a point on the spin axis of a body has no torque about that axis, wherever the body turns. The symmetric part
// of K̃ couples the two all the same, by half the force across the axis, and under a heavy load that swamps the small moment of a
// slender link: the matrix loses its definiteness and its digits. The equations of spin and swing (stepper/packs/body_kernels.h) have
// no such term, and neither has what is left here: (f·s)(I − ŝŝᵀ).
inline void drop_spin_coupling(const StepModel& model, const Ball& joint,
                               const std::array<BodyIndex, 2>& bodies, const Poses<2>& X,
                               const RowVector<3>& lambda, StiffnessBlocks<2>& S) noexcept
{
    for (int s = 0; s < 2; ++s) {
        const BodyModel& body = model.bodies[bodies[s]];
        const Vec3& p = joint.frames[s].p;
        const Real square = p.squaredNorm();
        if (!body.axial || !(p.cross(body.spin_axis).squaredNorm() <= kAssembly.aligned * square))
            continue;
        const Vec3 arm = X[s].R * p;
        const Real pull = (s == 0 ? 1 : -1) * lambda.dot(arm);
        parts::angular_angular(S.block[s][s]) =
            square > 0 ? Mat3(pull * Mat3::Identity() - (pull / square * arm) * arm.transpose())
                       : Mat3(Mat3::Zero());
    }
}

// Any form but that: blocks between bodies, or K̃ assembled first. Not inlined, so that the loop below stays lean.
template <class T>
[[gnu::noinline]] void add_stiffness(const StepModel& model, const SchemeWeights& scheme,
                                     Stabilisation stabilisation, const Layout& layout,
                                     const Pool<T>& pool, std::size_t k,
                                     const RowVector<T::kRows>& lambda,
                                     Linearisation& work) noexcept
{
    const T& item = pool.items[k];
    const auto& bodies = pool.bodies[k];
    const int index = pool.groups[k];
    const JointPlace& place = layout.joints[index];
    const Poses<T::kBodies> X = gather<T>(work.bodies.data(), bodies);
    if (judges_assembled(stabilisation)) {
        StiffnessBlocks<T::kBodies> K;
        K.set_zero();
        item.geometric_stiffness(X, lambda, K);
        add_to_assembled<T::kBodies>(model, layout, bodies, layout.stiffness_pairs[index], K,
                                     work.damping.K);
        return;
    }
    StiffnessBlocks<T::kBodies> S;
    stabilised_stiffness<T>(stabilisation, item, X, lambda, S);
    if constexpr (std::is_same_v<T, Ball>)
        if (scheme.newton && stabilisation == Stabilisation::Symmetric)
            drop_spin_coupling(model, item, bodies, X, lambda, S);
    ElementScatter<T::kBodies>(model, layout, scheme, work, bodies, place.pairs).add_stiffness(S);
    if (work.system.rank.wanted)
        collect_terms<T>(stabilisation, layout, item, bodies, X, lambda, S,
                         scheme.implicit_stiffness(), work.system.rank);
}

}  // namespace taut::assembly
