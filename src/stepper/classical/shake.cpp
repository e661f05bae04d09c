// SHAKE with the velocities of RATTLE, for rigid bodies.                    [Ryckaert1977, Andersen1983]
//
//     v_½ = v + ½h M⁻¹ (f + J(x)ᵀλ),   x⁺ = flight of h with v_½,   λ such that φ(x⁺) = 0
//     v⁺ = v_½ + ½h M⁻¹ (f⁺ + J(x⁺)ᵀμ),                            μ such that J(x⁺) v⁺ = 0
//
// The gradient of the first half is that of the *start* of the step: that is what makes it symplectic
// and time-reversible, of second order, with an energy that swings but does not drift. Between the
// kicks bodies turn with their angular momentum kept (rotate_free, ½).
// Newton on λ with ½h² J(x⁺) M⁻¹ J(x)ᵀ, over the rows that no others imply. A motor's row asks for its speed
// in the middle of the step and at its end. Compliant rows, servos and springs are explicit forces.
#include <Eigen/LU>

#include "stepper/classical/held_rows.h"
#include "stepper/classical/method.h"

namespace taut::stepper::classical {
namespace {

// How far each held row is from where the first half wants it: φ(x⁺), or h(J v_½ − target).
Vector misses(const Mechanism& m, const RowValues& end, const Vector& speed, Real half_way)
{
    Vector miss(m.held.size());
    for (std::size_t k = 0; k < m.held.size(); ++k) {
        const int r = m.held[k];
        miss[k] =
            m.kind(r) == RowKind::Position ? end.phi[r] : m.h * (speed[k] - m.target(r, half_way));
    }
    return miss;
}

// ∂ miss/∂λ over the independent rows, as if bodies turned by ½h² of what their λ accelerates.
Matrix derivative(const Mechanism& m, const HeldRows& held, const RowValues& end)
{
    const std::vector<int>& free = held.independent();
    Matrix J(free.size(), m.freedoms), W(m.freedoms, free.size());
    for (std::size_t k = 0; k < free.size(); ++k) {
        const int r = m.held[free[k]];
        if (m.kind(r) == RowKind::Position)
            J.row(k) = end.J.row(r);
        else
            J.row(k) = held.J.row(free[k]);
        W.col(k) = held.mass_inverse_Jt.col(free[k]);
    }
    return m.h * m.h / 2 * (J * W);
}

}  // namespace

Outcome step_shake(const Mechanism& m, State& next)
{
    Outcome outcome;
    const State start = next;
    RowValues rows, end;
    evaluate(m, start, Detail::Rates, rows);
    Vector lambda = Vector::Zero(m.rows);
    const Vector f = applied_force(m, start, rows, lambda);
    HeldRows held(m, start, rows);
    const std::vector<int>& free = held.independent();
    const Vector kinematic_rate = pick(rows.kinematic_rate, m.held);

    // first half: λ from the poses that it leads to
    Vector push = Vector::Zero(m.held.size());
    for (const int k : free) push[k] = start.lambda[m.held[k]];
    ConvergenceTest convergence(m);
    while (true) {
        const Vector impulse = m.h / 2 * (f + held.J.transpose() * push);
        next = start;
        advance_unconstrained(m, impulse, next);
        Vector half = impulse;
        divide_by_mass(m, start, half);
        half += velocities(m, start);
        evaluate(m, next, Detail::Rates, end);
        const Vector speed = held.J * half + kinematic_rate;
        const Vector miss = misses(m, end, speed, start.time + m.h / 2);
        if (convergence.has_converged(miss)) break;
        if (convergence.has_failed()) {
            outcome.failed =
                "no multipliers close the joints at the end of the step; the world was "
                "left as it was";
            return outcome;
        }

        const Matrix G = derivative(m, held, end);
        const Vector b = -miss(free);
        const Vector change = G.partialPivLu().solve(b);
        for (std::size_t k = 0; k < free.size(); ++k) push[free[k]] += change[k];
        ++outcome.solves;
    }
    put_back(push, m.held, lambda);
    add_work(next.last_step, power(m, next, end, lambda), m.h / 2);

    // second half: velocities onto the joints
    lambda.setZero();
    Vector kick = m.h / 2 * applied_force(m, next, end, lambda);
    divide_by_mass(m, next, kick);
    set_velocities(m, velocities(m, next) + kick, next);
    const Vector impulse = project_velocities(m, next, outcome.solves, outcome.residual);
    put_back(2 / m.h * impulse, m.held, lambda);
    evaluate(m, next, Detail::Rates, end);
    add_work(next.last_step, power(m, next, end, lambda), m.h / 2);
    next.lambda.assign(lambda.data(), lambda.data() + m.model.rows.count);
    return outcome;
}

}  // namespace taut::stepper::classical
