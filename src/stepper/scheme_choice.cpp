#include "stepper/scheme_choice.h"

#include <algorithm>
#include <cmath>

#include "stepper/solve_rows.h"

namespace taut::stepper {
namespace {

constexpr SchemeSettings kScheme = kGuard.scheme;

// Whether a contact, limit or rope carries force.
bool any_one_sided_force(const StepModel& model, const State& state) noexcept
{
    const auto carries = [&](int index) {
        const ConstraintRows& group = model.rows.groups[index];
        if (group.law == RowLaw::Interval) return false;
        const auto first = state.lambda.begin() + group.first_row;
        return std::any_of(first, first + group.rows, [](Real force) { return force != 0; });
    };
    return std::any_of(model.rows.inequalities.begin(), model.rows.inequalities.end(), carries);
}

// Whether a drive prescribes a velocity: Cayley's turn lags behind it, by (hω)²/12 of the angle.
bool any_motor(const StepModel& model) noexcept
{
    return std::any_of(model.rows.groups.begin(), model.rows.groups.begin() + model.rows.joints,
                       [](const ConstraintRows& group) { return group.kind == RowKind::Velocity; });
}

// Whether a kinematic body moves by command: its velocity may be another one in every step, and the midpoint scheme would
// answer a jump with velocities that alternate about the mean.
bool any_commanded_motion(const StepModel& model) noexcept
{
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (model.bodies[b].kind != BodyKind::Kinematic) continue;
        const BodyDetails& body = model.body_details[b];
        const MotionKnots& knots = body.knots;
        const auto same = [](const MotionKnot& one, const MotionKnot& other) {
            return one.p == other.p && one.q.coeffs() == other.q.coeffs();
        };
        if (body.commanded && !(same(knots[0], knots[1]) && same(knots[1], knots[2]))) return true;
    }
    return false;
}

// Calls visit(body, p) for every body of every joint, p the point of the joint on it from its centre of mass.
template <class Visit>
void for_each_joint_point(const StepModel& model, Visit&& visit)
{
    for_each_joint_type([&](auto tag) {
        using T = typename decltype(tag)::type;
        const Pool<T>& pool = model.pool<T>();
        for (std::size_t k = 0; k < pool.items.size(); ++k)
            for (int f = 0; f < T::kFrames; ++f)
                visit(pool.bodies[k][side_of_frame(f)], pool.items[k].frames[f].p);
    });
}

// How fast the directions of taut ropes turn [rad/s]: what hangs on one moves on an orbit without turning itself.
Real fastest_rope(const StepModel& model, const State& state) noexcept
{
    using constraints::Rope;
    const Pool<Rope>& ropes = model.pool<Rope>();
    Real most = 0;
    for (std::size_t k = 0; k < ropes.items.size(); ++k) {
        Vec3 way = Vec3::Zero(), rate = Vec3::Zero();
        for (int f = 0; f < Rope::kFrames; ++f) {
            const BodyIndex b = ropes.bodies[k][side_of_frame(f)];
            const Vec3 arm = state.q[b] * ropes.items[k].frames[f].p;
            const Real sign = f == 0 ? -1 : 1;
            way += sign * (state.p[b] + arm);
            rate += sign * (state.v[b] + state.w[b].cross(arm));
        }
        const Real length = way.norm();
        if (!(length > 0) || length < kScheme.taut * ropes.items[k].length) continue;
        most = std::max(most, way.cross(rate).squaredNorm() / std::pow(length, 4));
    }
    return std::sqrt(most);
}

// How fast mean angular velocities change from one midpoint step to the next [rad/s²].
Real fastest_spin_change(const StepModel& model, const State& state, const Attempt& attempt,
                         const State& next) noexcept
{
    if (next.last_step.scheme.midpoint_steps < 2) return 0;
    Real most = 0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (model.bodies[b].kind != BodyKind::Rigid || !model.bodies[b].dynamic()) continue;
        const Vec3 change = (next.rates.angular[b] - state.rates.angular[b]).head<3>();
        most = std::max(most, change.squaredNorm());
    }
    return 2 * std::sqrt(most) / (attempt.h + state.last_step.h);
}

}  // namespace

Real fastest_turn(const StepModel& model, const State& state) noexcept
{
    const bool mean = state.last_step.scheme.midpoint_steps > 0;
    Real most = 0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (model.bodies[b].kind != BodyKind::Rigid) continue;
        const Vec3 w = mean ? Vec3(state.rates.angular[b].head<3>()) : state.w[b];
        most = std::max(most, w.squaredNorm());
    }
    return std::max(std::sqrt(most), fastest_rope(model, state));
}

bool any_strong_damping(const StepModel& model, Real h) noexcept
{
    for (const ConstraintRows& group : model.rows.groups)
        for (int r = group.first_row; group.damped && r < group.first_row + group.rows; ++r) {
            const RowSoftness& soft = model.rows.softness[r];
            if (soft.compliance > 0 && soft.damping_time > h) return true;
        }
    return false;
}

Real orbit_turn(const StepModel& model, const State& state) noexcept
{
    // velocities of links that alternate from step to step do not go on
    const bool past = state.last_step.h > 0;
    Real most = 0;
    for_each_joint_point(model, [&](BodyIndex b, const Vec3& point) {
        if (model.bodies[b].kind != BodyKind::Rigid || !model.bodies[b].dynamic()) return;
        const Vec3 arm = state.q[b] * point;
        const Real length = arm.norm(), now = state.w[b].cross(arm).norm();
        if (!(now > most * length)) return;
        const Vec3 &w = state.w[b], &before = past ? state.history.w[b] : w;
        const Real square = std::max(w.squaredNorm(), before.squaredNorm());
        if (w.dot(before) >= kScheme.damped_steadiness * square) most = now / length;
    });
    return most;
}

void add_orbit_angle(const StepModel& model, Real h, bool first, State& state) noexcept
{
    Real& orbit_angle = state.last_step.scheme.orbit_angle;
    const Real turn = is_braked(fastest_turn(model, state), h) ? orbit_turn(model, state) : 0;
    if (!is_braked(turn, h))
        orbit_angle = 0;
    else
        orbit_angle = first ? kScheme.damped_orbit_angle
                            : std::min(orbit_angle + turn * h, kScheme.damped_orbit_angle);
}

bool takes_adams(const StepModel& model, const State& state, const StepSettings& settings) noexcept
{
    return settings.research.scheme != Scheme::Bdf2 && state.last_step.scheme.rates_known != 0 &&
           state.last_step.scheme.damped_time == 0 && state.last_step.scheme.midpoint_steps == 0 &&
           !any_one_sided_force(model, state);
}

bool takes_midpoint(const StepModel& model, const State& state, const StepSettings& settings,
                    Real h) noexcept
{
    const SchemeMemory& memory = state.last_step.scheme;
    if (settings.research.scheme != Scheme::Automatic &&
        settings.research.scheme != Scheme::Midpoint)
        return false;
    if (settings.research.scheme == Scheme::Automatic) {
        const bool first = state.last_step.h == 0 && memory.tension == 0;
        if (settings.research.stabilisation != Stabilisation::Tension) return false;
        if (memory.midpoint == 0 && !first) return false;
    }
    if (state.last_step.joints_open != 0 || any_strong_damping(model, h) || any_motor(model) ||
        any_commanded_motion(model))
        return false;
    const Real turn = fastest_turn(model, state) * h;
    const bool entering = memory.midpoint_steps == 0;
    if (turn > (entering ? kScheme.entering_turn : kScheme.midpoint_turn * kScheme.midpoint_parts))
        return false;
    if (!any_one_sided_force(model, state)) return true;
    // on contacts for the sake of what turns on joints: nothing damps what rests on them
    return memory.unchanged_steps >= kScheme.unchanged_steps && turn > kScheme.least_turn &&
           model.rows.joints > 0;
}

int degrees_of_freedom(const StepModel& model) noexcept
{
    int count = 0;
    for (const BodyModel& body : model.bodies)
        if (body.dynamic()) count += body.freedoms();
    for (const ConstraintRows& group : model.rows.groups)
        if (group.law == RowLaw::Equal && group.kind == RowKind::Position) count -= group.rows;
    return count;
}

void read_tension_inertias(const StepModel& model, std::vector<Real>& out) noexcept
{
    std::fill(out.begin(), out.end(), Real(0));  // squares of the arms at first
    for_each_joint_point(model, [&](BodyIndex b, const Vec3& point) {
        out[b] = std::max(out[b], point.squaredNorm());
    });
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        out[b] *= body.dynamic() ? body.mass : 0;
        if (!body.dynamic()) continue;
        if (body.kind == BodyKind::Rigid) out[b] += body.inertia.diagonal().maxCoeff();
    }
}

Real tension_frequency(const StepModel& model, const Attempt& attempt,
                       const Workspace& work) noexcept
{
    const Layout& layout = work.context.layout;
    const Real* const H = work.context.linear.system.H.data();
    Real most = 0;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const BodyModel& body = model.bodies[k];
        if (!body.dynamic() || work.support[k].is_free) continue;
        const int n = body.freedoms();
        const Real* const block = H + layout.block(static_cast<BodyIndex>(k));
        const auto trace = [&](int first) {
            return block[first * (n + 1)] + block[(first + 1) * (n + 1)] +
                   block[(first + 2) * (n + 1)];
        };
        most = std::max(most, (trace(0) - 3 * body.mass) / body.mass);
        if (n == 6)
            most = std::max(most, (trace(3) - body.inertia.trace()) / work.tension_inertia[k]);
    }
    // H = M + h̄²G
    return attempt.h / attempt.h_bar * std::sqrt(std::max(most, Real(0)) / 2);
}

// What is remembered is a number that a snapshot may hold, however light a body is.
static Real rememberable(Real x) noexcept
{
    return x < kScheme.most_remembered ? x : kScheme.most_remembered;
}

void note_scheme(const StepModel& model, const State& state, const Attempt& attempt, Real frequency,
                 bool activity_changed, State& next) noexcept
{
    const SchemeMemory& before = state.last_step.scheme;
    SchemeMemory& memory = next.last_step.scheme;
    const Real time = frequency > before.tension ? kScheme.tension_rise : kScheme.tension_fall;
    const Real share = before.tension == 0 ? 1 : 1 - std::exp(-attempt.h / time);
    memory.tension = rememberable(before.tension + share * (frequency - before.tension));
    memory.midpoint =
        memory.tension <= (before.midpoint != 0 ? kScheme.midpoint_leave : kScheme.midpoint_enter);
    memory.spin_change =
        rememberable(std::max(before.spin_change * std::exp(-attempt.h / kScheme.spin_fading),
                              fastest_spin_change(model, state, attempt, next)));
    const Real most = before.convex != 0 ? kGuard.moving.unchanged_steps : kScheme.unchanged_steps;
    memory.unchanged_steps = activity_changed ? 0 : std::min(before.unchanged_steps + 1, most);
}

}  // namespace taut::stepper
