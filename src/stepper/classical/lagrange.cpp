// Multipliers on the level of accelerations: what textbooks write down first.
//
//     M v̇ = f − ω×Iω + Jᵀλ,     J M⁻¹ Jᵀ λ = −J̇v − J M⁻¹ f − 2γ φ̇ − γ² φ          [Baumgarte1972]
//
// J̇v is exact (equations.h). Integrated by Runge-Kutta 4, so that what is seen is the drift of the
// formulation and not the error of an Euler step: with γ = 0 nothing ever corrects φ, an error of φ̇
// stays and φ grows with t times it (and with t² where forces keep feeding it). γ > 0 makes every row
// a critically damped oscillator of its own. Compliant rows, servos and springs are explicit forces.
// A motor holds J v itself: rows that are off their speed when a step begins get there by an impulse.
#include <cmath>

#include "math/so3.h"
#include "stepper/classical/held_rows.h"
#include "stepper/classical/method.h"
#include "stepper/classical/runge_kutta.h"

namespace taut::stepper::classical {
namespace {

struct Instant {
    Vector acceleration;
    Vector lambda;
    EnergyRates power;
};

// What must act at this state so that J v̇ is what it should be.
Instant accelerate(const Mechanism& m, const State& state, Real gamma, Outcome& outcome)
{
    RowValues rows;
    evaluate(m, state, Detail::Bias, rows);
    Instant now;
    now.lambda = Vector::Zero(m.rows);
    now.acceleration = applied_force(m, state, rows, now.lambda);
    add_gyroscopic_torque(m, state, now.acceleration);
    divide_by_mass(m, state, now.acceleration);

    HeldRows held(m, state, rows);
    Vector b = -held.J * now.acceleration;
    for (std::size_t k = 0; k < m.held.size(); ++k) {
        const int r = m.held[k];
        b[k] += m.target_rate(r, state.time) - rows.bias[r];
        if (m.kind(r) == RowKind::Position)
            b[k] -= gamma * (2 * rows.rate[r] + gamma * rows.phi[r]);
        else
            b[k] -= gamma * (rows.rate[r] - m.target(r, state.time));
    }
    const Vector lambda = held.solve(b);
    now.acceleration += held.mass_inverse_Jt * lambda;
    put_back(lambda, m.held, now.lambda);
    now.power = power(m, state, rows, now.lambda);
    outcome.solves += held.solves;
    outcome.residual = std::max(outcome.residual, held.residual);
    return now;
}

// Motors that are off their speed are brought to it; rows of joints keep the J v they have.
void start_motors(const Mechanism& m, State& state, Outcome& outcome)
{
    bool any = false;
    for (const int r : m.held) any = any || m.kind(r) == RowKind::Velocity;
    if (!any) return;
    RowValues rows;
    evaluate(m, state, Detail::Rates, rows);
    HeldRows held(m, state, rows);
    Vector miss = Vector::Zero(m.held.size());
    for (std::size_t k = 0; k < m.held.size(); ++k)
        if (m.kind(m.held[k]) == RowKind::Velocity)
            miss[k] = m.target(m.held[k], state.time) - rows.rate[m.held[k]];
    const Vector impulse = held.solve(miss);
    set_velocities(m, velocities(m, state) + held.mass_inverse_Jt * impulse, state);
    // an impulse works on the mean of the speeds before and after
    Vector all = Vector::Zero(m.rows);
    put_back(impulse, m.held, all);
    for (std::size_t k = 0; k < m.held.size(); ++k) rows.rate[m.held[k]] += miss[k] / 2;
    EnergyRates jerk = power(m, state, rows, all);
    jerk.work.loads = jerk.damping = 0;
    add_work(state.last_step, jerk, 1);
    outcome.solves += held.solves;
}

// θ of R = exp([θ]ₓ) R₀ follows ω by the inverse left Jacobian: exact, and plain vectors all the way.
Vector pose_rates(const Mechanism& m, const State& state, const Eigen::Ref<const Vector>& delta)
{
    Vector rates = velocities(m, state);
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b)
        if (m.model.bodies[b].kind == BodyKind::Rigid) {
            auto w = rates.segment<3>(m.first[b] + 3);
            w = left_jacobian_inverse(delta.segment<3>(m.first[b] + 3)) * w.eval();
        }
    return rates;
}

// y = (increment of the poses, velocities, work)
Outcome integrate(const Mechanism& m, State& next, Real gamma)
{
    Outcome outcome;
    start_motors(m, next, outcome);
    const int n = m.freedoms;
    const State start = next;
    const auto at = [&](Real t, const Vector& y) {
        State state = start;
        move(m, y.head(n), state);
        set_velocities(m, y.segment(n, n), state);
        set_prescribed(m, t, state);
        return state;
    };
    Vector y = Vector::Zero(2 * n + EnergyRates::kCount);
    y.segment(n, n) = velocities(m, start);
    y = runge_kutta_4(y, start.time, m.h, [&](Real t, const Vector& now) {
        State state = at(t, now);
        state.time = clamp_into_step(t, start.time, m.h);
        const Instant instant = accelerate(m, state, gamma, outcome);
        Vector slope(2 * n + EnergyRates::kCount);
        slope << pose_rates(m, state, now.head(n)), instant.acceleration, instant.power.vector();
        return slope;
    });
    next = at(start.time + m.h, y);
    add_work(next.last_step, EnergyRates::from(y.tail<EnergyRates::kCount>()), 1);
    return outcome;
}

// The multipliers that belong to the state the step arrives at.
void read_multipliers(const Mechanism& m, State& next, Real gamma, Outcome& outcome)
{
    const Instant end = accelerate(m, next, gamma, outcome);
    next.lambda.assign(end.lambda.data(), end.lambda.data() + m.model.rows.count);
}

}  // namespace

Outcome step_lagrange(const Mechanism& m, State& next)
{
    Outcome outcome = integrate(m, next, 0);
    read_multipliers(m, next, 0, outcome);
    return outcome;
}

Outcome step_baumgarte(const Mechanism& m, State& next)
{
    const Real gamma =
        m.settings.research.baumgarte_rate > 0 ? m.settings.research.baumgarte_rate : 1 / (5 * m.h);
    Outcome outcome = integrate(m, next, gamma);
    read_multipliers(m, next, gamma, outcome);
    return outcome;
}

Outcome step_post_stabilisation(const Mechanism& m, State& next)
{
    Outcome outcome = integrate(m, next, 0);
    if (!project_poses(m, next, outcome.solves, outcome.residual)) {
        outcome.failed =
            "the projection onto the joints did not converge; the world was left as it was";
        return outcome;
    }
    project_velocities(m, next, outcome.solves, outcome.residual);
    read_multipliers(m, next, 0, outcome);
    return outcome;
}

}  // namespace taut::stepper::classical
