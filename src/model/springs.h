// Forces of spring-dampers and remembered angles, as functions of a state.
#pragma once

#include "model/builder.h"

namespace taut::model {

struct SpringForce {
    Real phi = 0;              // length or angle
    Real pull = 0;             // along φ: −k(φ − rest) − d φ̇
    std::array<Wrench, 2> on;  // at the centres of mass
};

template <class T>
SpringForce spring_force(const State& state, const T& item, const SpringModel& spring) noexcept
{
    Poses<2> X;
    for (int s = 0; s < 2; ++s) X[s] = body_pose(state, spring.bodies[s]);
    Memory<T::kMemory> memory;
    for (int k = 0; k < T::kMemory; ++k) memory[k] = state.memory[spring.first_memory + k];
    Rows<1, 2> rows;
    item.evaluate(X, memory, rows);

    SpringForce out;
    out.phi = rows.phi[0];
    Real rate = 0;
    for (int s = 0; s < 2; ++s)
        rate += rows.J[s].template head<3>().dot(state.v[spring.bodies[s]]) +
                rows.J[s].template tail<3>().dot(state.w[spring.bodies[s]]);
    out.pull = -spring.stiffness * (out.phi - spring.rest) - spring.damping * rate;
    for (int s = 0; s < 2; ++s)
        out.on[s] = {out.pull * rows.J[s].template head<3>().transpose(),
                     out.pull * rows.J[s].template tail<3>().transpose()};
    return out;
}

// The remembered angles of one element brought up to date with the state's poses.
template <class T>
void refresh_memory(const State& state, const T& item,
                    const std::array<BodyIndex, T::kBodies>& bodies, Real* memory) noexcept
{
    Poses<T::kBodies> X;
    for (int s = 0; s < T::kBodies; ++s) X[s] = body_pose(state, bodies[s]);
    Memory<T::kMemory> m;
    for (int k = 0; k < T::kMemory; ++k) m[k] = memory[k];
    item.remember(X, m);
    for (int k = 0; k < T::kMemory; ++k) memory[k] = m[k];
}

}  // namespace taut::model
