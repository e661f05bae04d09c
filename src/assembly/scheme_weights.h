// All that rows and forces need to know of the time scheme.
//
//     v⁺ = v + h M⁻¹ (α f⁺ + (1−α) f),     x⁺ = x ⊕ h (β v⁺ + (1−β) v)
//
// Backward Euler is α = β = 1. Eliminating f⁺ = f + ∂f/∂x (x⁺−x) gives M̃ = M − h²αβ ∂f/∂x, and a
// position row with compliance C and damping time d becomes, with l = α(hβ + d) and μ = hλ̄,
//
//     J v⁺ + C/(h l) μ = −[φ + ((1−α) d + αh(1−β)) J v] / l .
//
// The guarded schemes solve the same system for a correction u of an iterate that already sits at the end
// of the step (`newton`): h is then the h̄ of the scheme, v the iterate's velocity, and a row reads
//
//     J u + C/(h̄ (h̄+d)) μ = −[φ + d J v] / (h̄+d) .
//
// There −(h̄+d) times (right-hand side − Σμ) is the row's residual φ + d φ̇ + Cλ.
//
// The midpoint scheme corrects mean velocities: h is the h̄ = h/2 of its forces, poses move by `move` u with move the whole
// step, and rows weight φ at both ends (midpoint_row()).
#pragma once

#include <algorithm>

#include <taut/types.h>

#include "model/model.h"

namespace taut::assembly {

struct SchemeWeights {
    Real h = 0;  // [s]
    Real alpha = 1;
    Real beta = 1;
    Real time = 0;        // at the start of the step
    bool newton = false;  // the unknown is a correction of an iterate, not v⁺
    Real end = 0;         // newton: time at the end of the step
    // newton: joints that carry no torque take the tension form, whatever the others do
    bool mixed = false;
    // newton: right-hand sides only; H and J stay those of an earlier iterate, whose factor is used once more
    bool values_only = false;
    bool midpoint = false;  // newton: rows of the midpoint scheme
    Real move =
        0;  // newton: way of a pose per unit of the correction [s]; h, or the whole step of midpoint
    // midpoint: per row, 1 where the step resolves its oscillation, else 0; and whether there are such rows
    const Real* resolved = nullptr;
    bool any_resolved = false;

    Real implicit_stiffness() const noexcept { return h * h * alpha * beta; }        // on v⁺
    Real explicit_stiffness() const noexcept { return h * h * alpha * (1 - beta); }  // on v
    Real end_time() const noexcept { return newton ? end : time + h; }
    bool needs_old_velocity() const noexcept { return alpha < 1 || beta < 1; }
};

// J v⁺ + sigma μ = rhs
struct RowEquation {
    Real sigma;
    Real rhs;
};

// `drift` is J v̂, the velocity that carries φ through the first 1−β of the step; `rate` is J v.
//
// A row without compliance does not follow α: averaged over the step it would only ask that J v⁺ = −J v,
// and at α = ½ flip its sign in every step (or worse, where a fast spin or K̃ feeds on it). It is held at the
// end of the step instead, φ⁺ + d J v⁺ = 0, with a damping time of at least (1−β)h/2: a flip then
// shrinks to a third at every step, φ stays of second order, and α = β = 1 is the row above.
// Compliant rows keep α: there it is what conserves their energy.
inline RowEquation position_row(const SchemeWeights& s, const RowSoftness& soft, Real phi,
                                Real rate, Real drift) noexcept
{
    const Real d = soft.damping_time;
    if (s.newton) return {soft.compliance / (s.h * (s.h + d)), -(phi + d * rate) / (s.h + d)};
    if (soft.compliance == 0)
        return {0, -(phi + s.h * (1 - s.beta) * drift) /
                       (s.h * s.beta + std::max(d, s.h * (1 - s.beta) / 2))};
    const Real l = s.alpha * (s.h * s.beta + d);
    return {soft.compliance / (s.h * l),
            -(phi + (1 - s.alpha) * d * rate + s.alpha * s.h * (1 - s.beta) * drift) / l};
}

// Weights of φ at the end and at the start of the step in a row of the midpoint scheme, w⁺φ⁺ + wφ + Cλ = 0. A row whose
// oscillation the step resolves takes the mean, which stores φ²/2C exactly and loses (d/C)(Δφ)²/h exactly; one that is stiffer
// takes the end, or it would alternate in sign without end.
struct MidpointRow {
    Real end, start;
};
inline MidpointRow midpoint_weights(bool resolved, Real d, Real h) noexcept
{
    const Real share = resolved ? Real(0.5) : Real(1);
    return {share + d / h, 1 - share - d / h};
}

inline RowEquation midpoint_row(const SchemeWeights& s, const RowSoftness& soft, bool resolved,
                                Real phi, Real phi_start) noexcept
{
    const MidpointRow w = midpoint_weights(resolved, soft.damping_time, s.move);
    const Real l = w.end * s.move;
    return {soft.compliance / (s.h * l), -(w.end * phi + w.start * phi_start) / l};
}

// Motors run at the speed that their schedule asks for at the end of the step.
inline RowEquation velocity_row(const SchemeWeights& s, Real target, Real rate) noexcept
{
    return {0, s.newton ? target - rate : target};
}

// Force −k(φ − φ_t) − d(φ̇ − φ̇_t): the row above with C = 1/k, damping time d/k, times k, so that
// k = 0 is a pure damper.
inline RowEquation servo_row(const SchemeWeights& s, const JointModel& servo, Real phi, Real rate,
                             Real drift) noexcept
{
    const Real k = servo.stiffness, d = servo.damping;
    if (s.midpoint) {
        // `phi` and `drift` are φ as the row weights it, and the share of the end in it
        const Real l = drift * s.move * k + d, t = s.end - (1 - drift) * s.move;
        return {1 / (s.h * l), -(k * (phi - servo.target_value(t)) +
                                 d * (rate - servo.target_rate(s.end - s.move / 2))) /
                                   l};
    }
    if (s.newton) {
        const Real l = s.h * k + d;
        return {
            1 / (s.h * l),
            -(k * (phi - servo.target_value(s.end)) + d * (rate - servo.target_rate(s.end))) / l};
    }
    const Real l = s.alpha * (s.h * s.beta * k + d);
    const Real t0 = s.time, t1 = s.time + s.h;
    const Real target = s.alpha * servo.target_value(t1) + (1 - s.alpha) * servo.target_value(t0);
    const Real target_rate =
        s.alpha * servo.target_rate(t1) + (1 - s.alpha) * servo.target_rate(t0);
    return {1 / (s.h * l), -(k * (phi - target) + d * ((1 - s.alpha) * rate - target_rate) +
                             s.alpha * s.h * (1 - s.beta) * k * drift) /
                               l};
}

}  // namespace taut::assembly
