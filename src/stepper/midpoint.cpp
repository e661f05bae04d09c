#include "stepper/midpoint.h"

#include <cmath>
#include <utility>

#include "model/builder.h"
#include "stepper/packs/each_part.h"
#include "stepper/packs/midpoint_table.h"

namespace taut::stepper {
namespace {

MidpointStep midpoint_step(const StepModel& model, const State& state,
                           const Attempt& attempt) noexcept
{
    const Vec3& g = model.gravity;
    const StepMemory& last = state.last_step;
    const bool continued = last.scheme.midpoint_steps > 0 && last.h > 0;
    return {attempt.h,
            {g.x(), g.y(), g.z()},
            continued,
            continued && last.scheme.midpoint_steps > 1,
            continued ? attempt.h / last.h : 0};
}

// Fixed and kinematic bodies have their mean velocities: ω̄ of a Cayley turn.
void set_mean_motion(const StepModel& model, const State& state, BodyIndex b,
                     const Attempt& attempt, State& next) noexcept
{
    if (!place_non_dynamic_body(model, state, b, attempt, next)) return;
    next.v[b] = (next.p[b] - state.p[b]) / attempt.h;
    const Quat turn = next.q[b] * state.q[b].conjugate();
    next.w[b] = turn.vec() * (2 / (attempt.h * turn.w()));
}

}  // namespace

void begin_midpoint(const StepModel& model, const State& state, const Attempt& attempt,
                    Workspace& work) noexcept
{
    const MidpointStep step = midpoint_step(model, state, attempt);
    each_part(work, [&](const PackSpan& packs, int) {
        fastest_midpoint_kernels().begin(packs, step, body_arrays(state), rate_arrays(state),
                                         work.mean.data());
    });
    for (const BodyIndex b : work.non_dynamic_bodies)
        set_mean_motion(model, state, b, attempt, work.next);
    work.any_resolved = find_resolved_rows(model, state, attempt.h, work.resolved_rows);
    for (std::size_t b = 0; b < model.bodies.size(); ++b)  // particles keep theirs
        if (model.bodies[b].dynamic()) work.next.q[b] = state.q[b];
    place_midpoint(model, attempt, work);
}

void place_midpoint(const StepModel& model, const Attempt& attempt, Workspace& work) noexcept
{
    const MidpointStep step = midpoint_step(model, work.next, attempt);
    each_part(work, [&](const PackSpan& packs, int) {
        fastest_midpoint_kernels().place(packs, step, work.mean.data(), body_arrays(work.next));
    });
}

Real write_midpoint_system(const StepModel& model, const Attempt& attempt, Depth depth,
                           Workspace& work, SolveContext& context) noexcept
{
    const MidpointStep step = midpoint_step(model, work.next, attempt);
    Linearisation& linear = context.linear;
    BodyStart& first = linear.bodies.front();
    MidpointPose& pose = linear.midpoint.front();
    const bool all = !work.plain_balls_only;
    const SystemArrays to = system_arrays(linear, all, depth == Depth::Matrix);
    const MidpointArrays poses = {
        pose.end.p.data(), pose.end.R.data(),    all ? pose.mid_R.data() : nullptr,
        kMidpointPose,     first.drift_v.data(), first.drift_w.data()};
    const State& next = work.next;
    const Real kinetic = sum_of_parts(work, [&](const PackSpan& packs) {
        return fastest_midpoint_kernels().write_system(packs, step, work.mean.data(),
                                                       body_arrays(next), to, poses);
    });
    for (const BodyIndex b : work.non_dynamic_bodies) {
        BodyStart& start = linear.bodies[b];
        MidpointPose& at = linear.midpoint[b];
        at.end = body_pose(next, b);
        start.v = next.v[b];
        start.w = next.w[b];
        // where it was: p − hD, and the Cayley turn undone
        const Vec3 c = attempt.h / 2 * next.w[b];
        const Quat back = Quat(1, -c.x(), -c.y(), -c.z()).normalized();
        const Quat half = Quat(1 + std::sqrt(1 + c.squaredNorm()), -c.x(), -c.y(), -c.z());
        start.pose.p = next.p[b] - attempt.h / 2 * next.v[b];
        start.pose.R = (at.end.R + (back * next.q[b]).toRotationMatrix()) / 2;
        at.mid_R = (half.normalized() * next.q[b]).toRotationMatrix();
    }
    return kinetic;
}

Real measure_midpoint(Workspace& work, const SolveContext& context) noexcept
{
    return sum_of_parts(work, [&](const PackSpan& packs) {
        return fastest_midpoint_kernels().measure(
            packs, work.mean.data(), context.linear.system.f.data(), context.linear.reaction.data(),
            work.defect_f.data());
    });
}

void correct_midpoint(const StepModel& model, const Attempt& attempt, Forces forces,
                      Workspace& work, const SolveContext& context) noexcept
{
    const Real rate = 1 / attempt.h_bar;
    std::vector<Real>& lambda = work.next.lambda;
    for (std::size_t r = 0; r < lambda.size(); ++r) {
        const Real solved = context.solution.y[r] * rate;
        work.force_correction[r] = forces == Forces::Added ? solved : solved - lambda[r];
    }
    work.mixing.mix(work.mean, lambda, {context.solution.x.data(), work.mean.size()},
                    work.force_correction);
    place_midpoint(model, attempt, work);
}

void keep_midpoint_rates(const StepModel& model, const Workspace& work, State& next) noexcept
{
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        if (!body.dynamic()) continue;
        const Real* const mean = &work.mean[work.context.layout.offset(static_cast<BodyIndex>(b))];
        next.rates.linear[b] = Vec3(mean[0], mean[1], mean[2]);
        if (body.kind == BodyKind::Rigid) next.rates.angular[b] = {mean[3], mean[4], mean[5], 0};
    }
}

}  // namespace taut::stepper
