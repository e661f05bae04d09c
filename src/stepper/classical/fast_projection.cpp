// Free flight, then the nearest closed pose.                                          [Goldenthal2007]
//
//     x* = flight of h under f alone;   x ← x ⊕ −M⁻¹Jᵀ(J M⁻¹ Jᵀ)⁻¹ φ   at the iterate until φ = 0
//     v⁺ = (x⁺ − x)/h                   for rotations ω⁺ = ω* + log(R⁺R*ᵀ)/h, which is the same thing
//                                       and leaves the free rotation of x* alone
//
// First order, and it damps what moves across the joints: the projected direction turns with the iterate,
// and no projection puts J v⁺ = 0. λ is the sum of the corrections over h². A motor's row counts as
// h(J v − target) with v read from the poses. A compliant row asks for φ + τφ̇ + Cλ = 0, which adds
// C/(h²(1 + τ/h)) to the diagonal of the projection [Macklin2016]. Servos and springs are explicit forces.
#include "math/so3.h"
#include "stepper/classical/held_rows.h"
#include "stepper/classical/method.h"

namespace taut::stepper::classical {
namespace {

void velocities_from_poses(const Mechanism& m, const State& flight, State& state)
{
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        const int n = m.model.bodies[b].freedoms();
        if (n > 0) state.v[b] = flight.v[b] + (state.p[b] - flight.p[b]) / m.h;
        if (n == 6) state.w[b] = flight.w[b] + log_so3(state.q[b] * flight.q[b].conjugate()) / m.h;
    }
}

// The same mechanism with its compliant joints held, too.
Mechanism with_compliant_rows(const Mechanism& mechanism)
{
    Mechanism out = mechanism;
    std::erase_if(out.laws, [&](int r) {
        return !mechanism.is_spring(r) && mechanism.kind(r) == RowKind::Position;
    });
    for (const int r : mechanism.laws)
        if (!mechanism.is_spring(r) && mechanism.kind(r) == RowKind::Position)
            out.held.push_back(r);
    return out;
}

// What a held row is off by, over 1 + τ/h, and what its softness adds to the diagonal.
struct RowErrors {
    Vector miss, softness;
};

RowErrors row_errors(const Mechanism& m, const RowValues& rows, const Vector& push, Real time)
{
    RowErrors out{Vector(m.held.size()), Vector::Zero(m.held.size())};
    for (std::size_t k = 0; k < m.held.size(); ++k) {
        const int r = m.held[k];
        if (m.kind(r) == RowKind::Velocity) {
            out.miss[k] = m.h * (rows.rate[r] - m.target(r, time));
            continue;
        }
        const auto [compliance, damping_time] = m.model.rows.softness[r];
        const Real lag = compliance > 0 ? 1 + damping_time / m.h : 1;
        out.miss[k] = (rows.phi[r] + (lag - 1) * m.h * rows.rate[r] + compliance * push[k]) / lag;
        out.softness[k] = compliance / (m.h * m.h * lag);
    }
    return out;
}

}  // namespace

Outcome step_fast_projection(const Mechanism& mechanism, State& next)
{
    Outcome outcome;
    const Mechanism m = with_compliant_rows(mechanism);
    RowValues rows;
    evaluate(m, next, Detail::Rates, rows);
    Vector lambda = Vector::Zero(m.rows);
    const Vector f = applied_force(m, next, rows, lambda);
    advance_unconstrained(m, m.h * f, next);
    const State flight = next;

    Vector push = Vector::Zero(m.held.size());
    ConvergenceTest convergence(m);
    while (true) {
        velocities_from_poses(m, flight, next);
        evaluate(m, next, Detail::Rates, rows);
        const auto [miss, softness] = row_errors(m, rows, push, next.time);
        if (convergence.has_converged(miss)) break;
        if (convergence.has_failed()) {
            outcome.failed =
                "the projection onto the joints did not converge; the world was left as it was";
            return outcome;
        }
        HeldRows held(m, next, rows, softness);
        const Vector change = held.solve(-miss);
        move(m, held.mass_inverse_Jt * change, next);
        push += change / (m.h * m.h);
        outcome.solves += held.solves;
        outcome.residual = std::max(outcome.residual, held.residual);
    }
    put_back(push, m.held, lambda);
    add_work(next.last_step, power(m, next, rows, lambda), m.h);
    next.lambda.assign(lambda.data(), lambda.data() + m.model.rows.count);
    return outcome;
}

}  // namespace taut::stepper::classical
