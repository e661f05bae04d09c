// Joints as stiff springs: every rigid row pulls with λ = −k(φ + τφ̇), τ its own damping time.
//
//     penalty            v⁺ = v + h M⁻¹(f + Jᵀλ),  x⁺ = x ⊕ h v⁺             symplectic Euler
//     implicit_penalty   (M − h ∂f/∂v − h² ∂f/∂x)(v⁺ − v) = h f + h² ∂f/∂x v    linearly implicit Euler
//
// A hanging mass stretches its joint by mg/k, whichever way it is integrated. The explicit form bears
// h²k/m < 4 where m is what the row feels, 1/(J M⁻¹ Jᵀ); the implicit one any k, and pays with damping.
// The Jacobian of the latter is the whole one, K̃ included, hence unsymmetric: dense LU. K̃ takes λ as it
// was solved for in the last step: −kφ of a stiff row is mostly the sagitta ½(hv)²/L of that step, which
// the springs have yet to take back, and would hold the motion like tar.
//
// Without a given stiffness each row gets k = κ/(h² J M⁻¹ Jᵀ), so that h²k/m = κ:
//     explicit   κ = 1/g, with g ≥ 1 for how much rows share bodies (largest row sum of the unit-diagonal
//                J M⁻¹ Jᵀ, a bound of its largest eigenvalue): a quarter of the bound at most
//     implicit   κ = 1e4: a joint yields by 1e-4 of what gravity moves a body in one step squared, g h²
// A given stiffness is that of rows of length. Rows of angle get the one that lets them swing as fast as
// the joint's bodies would on the former, k Σ(1/m)/(J M⁻¹ Jᵀ): one number, one bound for both.
// A motor is a damper of kh towards its speed, which has the same bound.
#include <Eigen/LU>

#include "math/so3.h"
#include "stepper/classical/held_rows.h"
#include "stepper/classical/method.h"

namespace taut::stepper::classical {
namespace {

constexpr Real kImplicit = 1e4;

// Springs in place of the held rows: stiffness and damping per row.
struct Springs {
    Vector stiffness, damping;
};

// Σ 1/m over the bodies of a row's joint.
Real lightness(const Mechanism& m, int row)
{
    const ConstraintRows& joint = m.model.rows.groups[m.joint[row]];
    Real sum = 0;
    for (int s = 0; s < joint.body_count; ++s) {
        const BodyModel& body = m.model.bodies[m.model.rows.bodies(joint)[s]];
        if (body.dynamic()) sum += 1 / body.mass;
    }
    return sum;
}

Springs springs_in_place(const Mechanism& m, const State& state, const RowValues& rows,
                         bool implicit)
{
    const Matrix J = rows_of(rows, m.held);
    Matrix W = J.transpose();
    divide_by_mass(m, state, W);
    const Matrix A = J * W;
    const Vector root = A.diagonal().cwiseSqrt();
    Real g = 1;
    for (Eigen::Index r = 0; r < A.rows() && !implicit; ++r) {
        Real sum = 0;
        for (Eigen::Index s = 0; s < A.cols(); ++s)
            if (A(r, s) != 0) sum += std::abs(A(r, s)) / (root[r] * root[s]);
        g = std::max(g, sum);
    }
    const Real kappa = implicit ? kImplicit : 1 / g;
    Springs out{Vector::Zero(m.rows), Vector::Zero(m.rows)};
    for (std::size_t i = 0; i < m.held.size(); ++i) {
        const int r = m.held[i];
        if (!(A(i, i) > 0)) continue;  // a row without direction holds nothing
        const Real given = m.settings.research.penalty_stiffness;
        const Real k = !(given > 0)                              ? kappa / (m.h * m.h * A(i, i))
                       : m.model.rows.units[r] == RowUnit::Angle ? given * lightness(m, r) / A(i, i)
                                                                 : given;
        const bool position = m.kind(r) == RowKind::Position;
        out.stiffness[r] = position ? k : 0;
        out.damping[r] = k * (position ? m.model.rows.softness[r].damping_time : m.h);
    }
    return out;
}

// λ of the held rows; motors already run for the end of the step.
void spring_forces(const Mechanism& m, const Springs& springs, const RowValues& rows, Real time,
                   Vector& lambda)
{
    for (const int r : m.held)
        lambda[r] = -springs.stiffness[r] * rows.phi[r] -
                    springs.damping[r] * (rows.rate[r] - m.target(r, time));
}

void keep_multipliers(const Mechanism& m, const Vector& lambda, State& next)
{
    next.lambda.assign(lambda.data(), lambda.data() + m.model.rows.count);
}

}  // namespace

Outcome step_penalty(const Mechanism& m, State& next)
{
    RowValues rows;
    evaluate(m, next, Detail::Rates, rows);
    const Springs springs = springs_in_place(m, next, rows, false);
    Vector lambda = Vector::Zero(m.rows);
    Vector f = applied_force(m, next, rows, lambda);
    spring_forces(m, springs, rows, next.time + m.h, lambda);
    for (const int r : m.held) f += lambda[r] * rows.J.row(r).transpose();
    advance_unconstrained(m, m.h * f, next);

    // work of the forces on the way that was gone; multipliers of the springs as they now stand
    evaluate(m, next, Detail::Rates, rows);
    add_work(next.last_step, power(m, next, rows, lambda), m.h);
    applied_force(m, next, rows, lambda);
    spring_forces(m, springs, rows, next.time, lambda);
    keep_multipliers(m, lambda, next);
    return {};
}

Outcome step_implicit_penalty(const Mechanism& m, State& next)
{
    Outcome outcome;
    RowValues rows;
    evaluate(m, next, Detail::Rates, rows);
    Springs springs = springs_in_place(m, next, rows, true);
    Vector lambda = Vector::Zero(m.rows);
    Vector f = applied_force(m, next, rows, lambda);
    spring_forces(m, springs, rows, next.time + m.h, lambda);
    for (const int r : m.held) f += lambda[r] * rows.J.row(r).transpose();
    for (const int r : m.laws) {
        const SpringLaw law = m.law(r, next.time);
        springs.stiffness[r] = law.stiffness;
        springs.damping[r] = law.damping;
    }

    // ∂f/∂x = K̃ − Jᵀ k J,  ∂f/∂v = −Jᵀ d J + [Iω]ₓ − [ω]ₓ I
    Matrix K;
    Vector Kv;
    Vector solved = lambda;  // springs have none from the last step
    for (int r = 0; r < m.model.rows.count; ++r) solved[r] = next.lambda[r];
    geometric_stiffness(m, next, solved, K, Kv);
    add_gyroscopic_torque(m, next, f);
    const Matrix M = mass_matrix(m, next);
    Matrix S = M - m.h * m.h * K;
    const Vector weight = m.h * m.h * springs.stiffness + m.h * springs.damping;
    S.noalias() += rows.J.transpose() * weight.asDiagonal() * rows.J;
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        if (m.model.bodies[b].kind != BodyKind::Rigid) continue;
        const int k = m.first[b] + 3;
        const Mat3 I = M.block<3, 3>(k, k);
        S.block<3, 3>(k, k) -= m.h * (skew(I * next.w[b]) - skew(next.w[b]) * I);
    }
    const Vector right =
        m.h * f + m.h * m.h * (Kv - rows.J.transpose() * springs.stiffness.cwiseProduct(rows.rate));
    const Vector gain = S.partialPivLu().solve(right);
    const Real size = right.lpNorm<Eigen::Infinity>() +
                      S.cwiseAbs().rowwise().sum().maxCoeff() * gain.lpNorm<Eigen::Infinity>();
    outcome.solves = 1;
    if (size > 0) outcome.residual = (S * gain - right).lpNorm<Eigen::Infinity>() / size;

    const Vector v = velocities(m, next) + gain;
    set_velocities(m, v, next);
    move(m, m.h * v, next);
    // λ⁺ = λ − (h k + d) …: the springs at the end of the step, in the metric of its start
    const Vector rate = rows.J * v + rows.kinematic_rate;
    lambda -=
        m.h * springs.stiffness.cwiseProduct(rate) + springs.damping.cwiseProduct(rate - rows.rate);
    rows.rate = rate;
    add_work(next.last_step, power(m, next, rows, lambda), m.h);
    set_prescribed(m, next.time + m.h, next);
    keep_multipliers(m, lambda, next);
    return outcome;
}

}  // namespace taut::stepper::classical
