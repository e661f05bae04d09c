// What an iterate leaves of its equations (newton.h).
#include <algorithm>
#include <cmath>

#include "model/energy.h"
#include "stepper/midpoint.h"
#include "stepper/packs/each_part.h"
#include "stepper/solve_rows.h"

namespace taut::stepper {

// Energy that a spring of a row gains where it is stretched by `error` more. The force of a damped row is small while its damper
// balances the spring; the energy of the spring is not.
static Real elastic_work(Real stretch, Real error, Real compliance) noexcept
{
    return (stretch + error / 2) * error / compliance;
}

// Adds what is left of a limit, a rope, a force limit or a contact.
static void measure_inequality(const StepModel& model, const Attempt& attempt, int index,
                               const SolveContext& context, const State& next, Real gap_rounding,
                               Residuals& out) noexcept
{
    const ConstraintRows& joint = model.rows.groups[index];
    const InequalityResidual left =
        inequality_residual(model, index, context.law_settings.shape, attempt.h_bar, next.lambda,
                            context.linear.system);
    out.work += attempt.move() / attempt.h_bar * left.work;
    for (int k = joint.first_row; k < joint.first_row + joint.rows; ++k)
        out.rounding += gap_rounding * std::abs(next.lambda[k]);
    const Real scale = model.rows.units[joint.first_row] == RowUnit::Length ? 1 : model.size();
    const Real slip = scale * attempt.move() * left.slip;
    if (joint.law == RowLaw::Cone) {
        out.penetration = std::max(out.penetration, slip);
        const Real half_width = model.contacts.coefficients_of(index).half_width;
        out.relative_penetration = std::max(out.relative_penetration, slip / half_width);
        out.relative_depth =
            std::max(out.relative_depth, attempt.move() * left.approach / half_width);
    } else {
        out.gap = std::max(out.gap, slip);
        out.drift = std::max(out.drift, slip);
    }
}

namespace {

// Adds what is left of rows other than the plain ones: ψ = g − Σμ, a velocity.
void measure_general_rows(const StepModel& model, const Attempt& attempt, Real rounding_of_phi,
                          Workspace& work, const SolveContext& context, Residuals& out) noexcept
{
    const State& next = work.next;
    const linalg::SaddleSystem& system = context.linear.system;
    const Real size = model.size(), h_bar = attempt.h_bar, move = attempt.move();
    const Real of_gaps = gap_rounding(model, work);
    const Real *lambda = next.lambda.data(), *g = system.g.data(), *sigma = system.sigma.data();
    const Real* row_time = context.linear.damping.row_time.data();
    const bool adds_damping = !context.linear.damping.K.empty();
    Real work_left = 0, force = 0;  // of the rows of joints
    Real* const defect = work.defect_g.data();
    for (const int index : work.general_groups) {
        const ConstraintRows& joint = model.rows.groups[index];
        if (joint.law != RowLaw::Equal) {
            measure_inequality(model, attempt, index, context, next, of_gaps, out);
            continue;
        }
        const bool damped = joint.damped || adds_damping;
        for (int k = joint.first_row; k < joint.first_row + joint.rows; ++k) {
            const Real mu = h_bar * lambda[k];
            const Real psi = g[k] - sigma[k] * mu;
            defect[k] = psi;
            work_left += std::abs(mu * psi);
            force += std::abs(lambda[k]);
            if (joint.kind != RowKind::Position) continue;
            const Real left =
                model.rows.units[k] == RowUnit::Length ? std::abs(psi) : size * std::abs(psi);
            out.drift = std::max(out.drift, left * move);
            if (!damped) continue;
            const RowSoftness& soft = model.rows.softness[k];
            const Real damping_time = soft.damping_time + row_time[k];
            if (damping_time == 0) continue;
            out.gap = std::max(out.gap, left * (move + damping_time));
            if (!(soft.compliance > 0) || soft.damping_time == 0) continue;
            const Real stretch = std::abs(context.linear.rows[k].phi);
            out.work += elastic_work(stretch, std::abs(move * psi), soft.compliance);
            out.rounding += elastic_work(stretch, rounding_of_phi, soft.compliance);
        }
    }
    out.work += move / h_bar * work_left;
    out.rounding += rounding_of_phi * force;
}

}  // namespace

Residuals measure(const StepModel& model, const Attempt& attempt, Workspace& work,
                  const SolveContext& context) noexcept
{
    constexpr Real kEpsilon = kGuard.scheme.rounding_unit;
    Residuals out;
    const linalg::SaddleSystem& system = context.linear.system;
    const State& next = work.next;
    const bool midpoint = attempt.formula == Attempt::Formula::Midpoint;
    out.work =
        midpoint ? measure_midpoint(work, context) : sum_of_parts(work, [&](const PackSpan& packs) {
            return fastest_body_kernels().measure(packs, body_arrays(next), system.f.data(),
                                                  context.linear.reaction.data(),
                                                  work.defect_f.data());
        });
    out.kinetic = context.kinetic;
    out.rounding = 4 * kEpsilon * out.kinetic;

    const Real h_bar = attempt.h_bar, move = attempt.move();
    const Real whole = move / h_bar;  // midpoint: impulses are those of half the step
    const Real rounding_of_phi =
        kEpsilon * std::max(model.size(), work.distance_from_origin);  // rounding of φ
    for (const RowRange& range : work.plain_rows) {
        const int r = range.first;
        const RowsLeft left = fastest_body_kernels().measure_rows(
            range.count, h_bar, &next.lambda[r], &system.g[r], &system.sigma[r], &work.defect_g[r]);
        out.work += whole * left.work;
        out.rounding += rounding_of_phi * left.force;
        out.gap = std::max(out.gap, left.psi * move);
    }
    out.drift = out.gap;
    measure_general_rows(model, attempt, rounding_of_phi, work, context, out);
    out.gap = std::max(out.gap, out.drift);
    out.finite =
        std::isfinite(out.work) && std::isfinite(out.gap) && std::isfinite(out.penetration);
    return out;
}

Energy energy_of(const StepModel& model, const State& state, Workspace& work) noexcept
{
    each_part(work, [&](const PackSpan& packs, int part) {
        work.energies[part] =
            fastest_body_kernels().energy(packs, model.gravity.data(), body_arrays(state));
    });
    Energy out;
    for (std::size_t k = 0; k * kPartOfPacks < work.packs.size(); ++k) {
        out.translation += work.energies[k].translation;
        out.rotation += work.energies[k].rotation;
        out.gravity += work.energies[k].gravity;
    }
    add_stored_energy(model, state, out);
    return out;
}

BodyIndex hardest_body(const StepModel& model, const Workspace& work) noexcept
{
    Real worst = 0;
    BodyIndex at = kGround;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        if (!model.bodies[k].dynamic()) continue;
        const Real* r = &work.defect_f[work.context.layout.offset(static_cast<BodyIndex>(k))];
        Real share = std::abs(Vec3(r[0], r[1], r[2]).dot(work.next.v[k]));
        if (model.bodies[k].kind == BodyKind::Rigid)
            share += std::abs(Vec3(r[3], r[4], r[5]).dot(work.next.w[k]));
        if (!(share > worst)) continue;
        worst = share;
        at = static_cast<BodyIndex>(k);
    }
    return at;
}

}  // namespace taut::stepper
