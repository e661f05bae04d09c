// Free flight, then the nearest closed pose.                                          [Goldenthal2007]
//
//     x* = flight of h under f alone;   x ← x ⊕ −M⁻¹Jᵀ(J M⁻¹ Jᵀ)⁻¹ φ   at the iterate until φ = 0
//     v⁺ = (x⁺ − x)/h                   for rotations ω⁺ = ω* + log(R⁺R*ᵀ)/h, which is the same thing
//                                       and leaves the free rotation of x* alone
//
// First order, and it damps what moves across the joints: the projected direction turns with the iterate,
// and no projection puts J v⁺ = 0. λ is the sum of the corrections over h². A motor's row counts as
// h(J v − target) with v read from the poses. Compliant rows, servos and springs are explicit forces.
#include "math/so3.h"
#include "stepper/classical/held_rows.h"
#include "stepper/classical/method.h"

namespace taut::classical {
namespace {

constexpr int kMostIterations = 50;

void velocities_from_poses(const Mechanism& m, const State& flight, State& state)
{
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        const int n = m.model.bodies[b].freedoms();
        if (n > 0) state.v[b] = flight.v[b] + (state.p[b] - flight.p[b]) / m.h;
        if (n == 6) state.w[b] = flight.w[b] + log_so3(state.q[b] * flight.q[b].conjugate()) / m.h;
    }
}

}  // namespace

Outcome step_fast_projection(const Mechanism& m, State& next)
{
    Outcome outcome;
    RowValues rows;
    evaluate(m, next, Detail::Rates, rows);
    Vector lambda = Vector::Zero(m.rows);
    const Vector f = applied_force(m, next, rows, lambda);
    fly(m, m.h * f, next);
    const State flight = next;

    Vector push = Vector::Zero(m.held.size());
    Real before = std::numeric_limits<Real>::infinity();
    bool arrived = false;
    for (int i = 0; i < kMostIterations; ++i) {
        velocities_from_poses(m, flight, next);
        evaluate(m, next, Detail::Rates, rows);
        Vector miss(m.held.size());
        for (std::size_t k = 0; k < m.held.size(); ++k) {
            const int r = m.held[k];
            miss[k] = m.kind(r) == RowKind::Position
                          ? rows.phi[r]
                          : m.h * (rows.rate[r] - m.target(r, next.time));
        }
        const Real error = miss.size() > 0 ? miss.lpNorm<Eigen::Infinity>() : 0;
        arrived = error <= closed(m) || (error < 1e3 * closed(m) && error >= before);
        if (arrived || !std::isfinite(error)) break;
        before = error;
        HeldRows held(m, next, rows);
        const Vector change = held.solve(-miss);
        move(m, held.mass_inverse_Jt * change, next);
        push += change / (m.h * m.h);
        outcome.solves += held.solves;
        outcome.residual = std::max(outcome.residual, held.residual);
    }
    if (!arrived) {
        outcome.failed =
            "the projection onto the joints did not arrive; the world was left as it was";
        return outcome;
    }
    put_back(push, m.held, lambda);
    add_work(next.work, power(m, next, rows, lambda), m.h);
    next.lambda.assign(lambda.data(), lambda.data() + m.model.rows);
    return outcome;
}

}  // namespace taut::classical
