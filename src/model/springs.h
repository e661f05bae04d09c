// Forces of spring-dampers and remembered angles, as functions of a state.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/so3.h"
#include "model/builder.h"
#include "model/thresholds.h"

namespace taut::model {

struct SpringForce {
    Real phi = 0;              // length or angle
    Real pull = 0;             // along φ: −k(φ − rest) − d φ̇
    std::array<Wrench, 2> on;  // at the centres of mass
};

template <class T>
Rows<1, 2> spring_rows(const State& state, const T& item, const SpringModel& spring) noexcept
{
    Poses<2> X;
    for (int s = 0; s < 2; ++s) X[s] = body_pose(state, spring.bodies[s]);
    Memory<T::kMemory> memory;
    for (int k = 0; k < T::kMemory; ++k) memory[k] = state.memory[spring.first_memory + k];
    Rows<1, 2> rows;
    item.evaluate(X, memory, rows);
    return rows;
}

inline Real spring_rate(const Rows<1, 2>& rows, const State& velocity,
                        const SpringModel& spring) noexcept
{
    Real rate = 0;
    for (int s = 0; s < 2; ++s)
        rate += rows.J[s].head<3>().dot(velocity.v[spring.bodies[s]]) +
                rows.J[s].tail<3>().dot(velocity.w[spring.bodies[s]]);
    return rate;
}

// φ̇ at the poses of one state with the velocities of another.
template <class T>
Real spring_rate(const State& at, const State& velocity, const T& item,
                 const SpringModel& spring) noexcept
{
    return spring_rate(spring_rows(at, item, spring), velocity, spring);
}

template <class T>
SpringForce spring_force(const State& state, const T& item, const SpringModel& spring) noexcept
{
    const Rows<1, 2> rows = spring_rows(state, item, spring);
    SpringForce out;
    out.phi = rows.phi[0];
    const Real rate = spring_rate(rows, state, spring);
    out.pull = -spring.stiffness * (out.phi - spring.rest) - spring.damping * rate;
    for (int s = 0; s < 2; ++s)
        out.on[s] = {out.pull * rows.J[s].template head<3>().transpose(),
                     out.pull * rows.J[s].template tail<3>().transpose()};
    return out;
}

// The remembered angles of one element after its bodies have turned with the velocities of `next` for a time h, starting at the
// poses of `from`. An angle is found on the turn nearest to the remembered one, so that a body that turns by more than half a
// turn in a step is followed on the way, in pieces of at most a quarter of a turn.
template <class T>
void follow_rotation(const State& from, const State& next, Real h, const T& item,
                     const std::array<BodyIndex, T::kBodies>& bodies, Real* memory) noexcept
{
    Real turned = 0;
    for (const BodyIndex b : bodies) turned = std::max(turned, h * next.w[b].norm());
    if (!(turned > kAngles.piece)) return;
    const int pieces =
        static_cast<int>(std::min(std::ceil(turned / kAngles.piece), kAngles.most_pieces));
    Memory<T::kMemory> m;
    for (int k = 0; k < T::kMemory; ++k) m[k] = memory[k];
    for (int piece = 1; piece <= pieces; ++piece) {
        const Real part = static_cast<Real>(piece) / pieces;
        Poses<T::kBodies> X;
        for (int s = 0; s < T::kBodies; ++s) {
            const BodyIndex b = bodies[s];
            X[s].p = from.p[b] + part * (next.p[b] - from.p[b]);
            X[s].R = (exp_quat(part * h * next.w[b]) * from.q[b]).toRotationMatrix();
        }
        item.remember(X, m);
    }
    for (int k = 0; k < T::kMemory; ++k) memory[k] = m[k];
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
