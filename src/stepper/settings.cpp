// What the settings may be, and the memory that they ask for.
#include <algorithm>
#include <array>

#include "stabilisation/geometric.h"
#include "stepper/classical/classical.h"
#include "stepper/guard_settings.h"
#include "stepper/loops.h"
#include "stepper/moving_contacts.h"
#include "stepper/scheme_choice.h"
#include "stepper/solve_rows.h"

namespace taut::stepper {

const char* refuse(const StepSettings& s) noexcept
{
    if (const char* reason = find_option_out_of_range(s)) return reason;
    if (s.max_solves > 1 && s.research.scheme == Scheme::AlphaBeta)
        return "alpha_beta takes one solve a step; more than one is for the guarded schemes "
               "and backward_euler";
    const bool unsymmetric = s.research.stabilisation == Stabilisation::Exact;
    if (unsymmetric &&
        (s.research.solver == Solver::Ldlt || s.research.solver == Solver::EigenLdlt))
        return "stabilisation 'exact' makes the matrix unsymmetric; take solver dense_lu, eigen_lu "
               "or auto";
    return nullptr;
}

Solver resolve_solver(const StepSettings& settings, int unknowns) noexcept
{
    // the sparse LU does not bear redundant rows, the dense one grows with the cube
    if (settings.research.solver != Solver::Auto) return settings.research.solver;
    if (settings.research.stabilisation != Stabilisation::Exact) return Solver::Ldlt;
    return unknowns <= kGuard.scheme.dense_unknowns ? Solver::DenseLu : Solver::EigenLu;
}

void SolveContext::prepare(const StepModel& model, Stabilisation stabilisation,
                           const StepSettings& settings, bool convex)
{
    layout = make_layout(model, stabilisation);
    const linalg::SaddlePattern& pattern = layout.pattern;
    const Solver linear_solver =
        resolve_solver(settings, pattern.primal_unknowns + pattern.dual_unknowns);
    solver.reset();
    laws.reset();
    if (model.rows.inequalities.empty()) {
        solver = make_solver(linear_solver);
        solver->prepare(pattern);
        linear.system.rank.wanted = solver->wants_rank_terms();
    } else {
        laws = make_complementarity_solver(settings.research.laws, linear_solver);
        convex ? laws->prepare_convex(pattern) : laws->prepare(pattern);
        linear.system.rank.wanted = laws->wants_rank_terms();
        make_inequality_blocks(model, blocks);
    }
    linear.attach(model, layout);
    solution.prepare(pattern);
}

void Workspace::set_threads(const Team& team) noexcept
{
    for (SolveContext* each : {&context, &symmetric_context}) {
        each->linear.team = team;
        if (each->solver) each->solver->set_threads(team);
        if (each->laws) each->laws->set_threads(team);
    }
}

// Bodies that nothing holds.
static void find_free_bodies(const StepModel& model, std::vector<BodySupport>& bodies)
{
    for (BodySupport& body : bodies) body.is_free = body.unconstrained = true;
    for (std::size_t j = 0; j < model.rows.groups.size(); ++j)
        for (int s = 0; s < model.rows.groups[j].body_count; ++s) {
            BodySupport& body = bodies[model.rows.bodies(model.rows.groups[j])[s]];
            body.is_free = false;
            if (!model.rows.is_contact(static_cast<int>(j))) body.unconstrained = false;
        }
    for (const SpringModel& spring : model.springs)
        for (const BodyIndex b : spring.bodies) bodies[b].is_free = bodies[b].unconstrained = false;
}

// Rows that can be measured side by side, and joints that want a closer look.
static void sort_rows(const StepModel& model, Stabilisation stabilisation, Workspace& work)
{
    work.plain_rows.clear();
    work.general_groups.clear();
    work.wants_rates = !model.springs.empty();
    for (std::size_t j = 0; j < model.rows.groups.size(); ++j) {
        const ConstraintRows& joint = model.rows.groups[j];
        const auto* units = &model.rows.units[joint.first_row];
        const bool lengths = std::all_of(units, units + joint.rows,
                                         [](RowUnit unit) { return unit == RowUnit::Length; });
        const bool holds = joint.kind == RowKind::Position && !joint.damped;
        if (!holds || joint.law == RowLaw::Cone) work.wants_rates = true;
        if (!holds || !lengths || joint.law != RowLaw::Equal || damps_rows(stabilisation)) {
            work.general_groups.push_back(static_cast<int>(j));
            continue;
        }
        auto& ranges = work.plain_rows;
        if (ranges.empty() || ranges.back().first + ranges.back().count != joint.first_row)
            ranges.push_back({joint.first_row, 0});
        ranges.back().count += joint.rows;
    }
}

// Row groups that feed power in: drives, rows on kinematic bodies, contacts of moving surfaces.
static void find_powered_groups(const StepModel& model, std::vector<int>& groups)
{
    groups.clear();
    for (std::size_t j = 0; j < model.rows.groups.size(); ++j) {
        const ConstraintRows& joint = model.rows.groups[j];
        bool powered = joint.kind != RowKind::Position;
        for (int s = 0; s < joint.body_count; ++s) {
            const BodyModel& body = model.bodies[model.rows.bodies(joint)[s]];
            powered = powered || body.kind == BodyKind::Kinematic || body.surface_moves;
        }
        if (powered) groups.push_back(static_cast<int>(j));
    }
}

// Row groups that dissipate.
static void find_dissipative_groups(const StepModel& model, std::vector<int>& groups)
{
    groups.clear();
    for (int j = 0; j < static_cast<int>(model.rows.groups.size()); ++j) {
        const ConstraintRows& joint = model.rows.groups[j];
        if (model.rows.is_contact(j) || (joint.damped && joint.compliant)) groups.push_back(j);
    }
}

bool is_prepared(const StepModel& model, const StepSettings& settings,
                 const Workspace& work) noexcept
{
    return work.topology == model.topology() &&
           work.settings.research.scheme == settings.research.scheme &&
           work.settings.research.stabilisation == settings.research.stabilisation &&
           work.settings.research.solver == settings.research.solver &&
           work.settings.research.laws == settings.research.laws;
}

// The guarded step measures the residual of a solve and solves again, so that inequality rows are solved to a part of its tolerance
// and with few iterations.
static ComplementaritySettings law_settings(const StepModel& model, const StepSettings& settings)
{
    constexpr InequalitySettings kInequality = kGuard.inequality;
    ComplementaritySettings out;
    const bool contacts = model.rows.has_contacts();
    out.tolerance =
        (contacts ? kInequality.tolerance_with_contacts : kInequality.tolerance_without_contacts) *
        settings.tolerance;
    const bool sweeps =
        settings.research.laws == LawMethod::Pgs || settings.research.laws == LawMethod::Nncg;
    out.max_iterations = sweeps ? kInequality.sweeps : kInequality.factorisations;
    out.shape = settings.research.friction;
    return out;
}

// Mass of each velocity: what AndersonMixing measures corrections by.
static std::vector<Real> velocity_weights(const StepModel& model, const Layout& layout)
{
    std::vector<Real> weights(layout.pattern.primal_unknowns, 0);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        if (!body.dynamic()) continue;
        const int first = layout.offset(static_cast<BodyIndex>(b));
        for (int k = 0; k < body.freedoms(); ++k)
            weights[first + k] = k < 3 ? body.mass : body.inertia.trace() / 3;
    }
    return weights;
}

void prepare(const StepModel& model, const State& state, const StepSettings& settings,
             Workspace& work)
{
    work.context.linear.damping.alpha = settings.research.damping_alpha;
    work.context.law_settings = law_settings(model, settings);
    const bool prepared = is_prepared(model, settings, work);
    if (prepared && !work.convex_only) return;
    const bool convex = will_take_convex_steps(model, state, settings);
    if (prepared && convex) return;
    work.topology = ~std::uint64_t(0);  // until all below has worked
    work.context.prepare(model, settings.research.stabilisation, settings, convex);
    work.symmetric_context = {};
    // solvers for laws want a definite matrix, which the symmetric K̃ does not promise
    if (is_two_step(settings.research.scheme) &&
        settings.research.stabilisation == Stabilisation::Tension &&
        model.rows.inequalities.empty())
        work.symmetric_context.prepare(model, Stabilisation::Symmetric, settings, false);
    work.rotation.assign(model.bodies.size(), {});
    work.support.assign(model.bodies.size(), {});
    find_free_bodies(model, work.support);
    work.packs = make_body_packs(model, work.context.layout, work.support);
    work.attempts.assign(work.packs.size(), {});
    work.sums.assign(work.packs.size() / kPartOfPacks + 1, 0);
    work.energies.assign(work.sums.size(), {});
    sort_rows(model, settings.research.stabilisation, work);
    find_powered_groups(model, work.powered_groups);
    find_dissipative_groups(model, work.dissipative_groups);
    work.loop_rows = find_loop_rows(model);
    work.any_rotates_freely = false;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (work.support[b].is_free && model.bodies[b].kind == BodyKind::Rigid)
            work.any_rotates_freely = true;
    work.non_dynamic_bodies.clear();
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (!model.bodies[b].dynamic())
            work.non_dynamic_bodies.push_back(static_cast<BodyIndex>(b));
    work.load_before.assign(model.bodies.size(), {});
    work.initial_gap.assign(model.rows.count, 0);
    work.recovery_speed.assign(model.bodies.size(), 0);
    work.approach.assign(model.rows.count, {});
    work.defect_f.assign(work.context.layout.pattern.primal_unknowns, 0);
    work.defect_g.assign(model.rows.count, 0);
    work.mean.assign(work.context.layout.pattern.primal_unknowns, 0);
    work.force_correction.assign(model.rows.count, 0);
    work.resolved_rows.assign(model.rows.count, 0);
    const std::vector<char>& plain = work.context.layout.balls.plain;
    work.plain_balls_only = model.springs.empty() && plain.size() == model.rows.groups.size() &&
                            std::count(plain.begin(), plain.end(), 0) == 0;
    work.mixing.prepare(velocity_weights(model, work.context.layout), model.rows.count);
    work.tension_inertia.resize(model.bodies.size());
    read_tension_inertias(model, work.tension_inertia);
    work.few_freedoms = degrees_of_freedom(model) <= kGuard.scheme.few_freedoms;
    work.impact_jacobian.assign(work.context.layout.pattern.j_values, 0);
    work.next = state;
    work.saved = state;
    work.settings = settings;
    work.convex_only = convex;
    work.topology = model.topology();
}

}  // namespace taut::stepper

namespace taut {

std::span<const Choice<Scheme>> schemes() noexcept
{
    static constexpr auto list = std::to_array<Choice<Scheme>>({
        {Scheme::Automatic, "automatic",
         "second order, settled by Newton's method and guarded: the default, for any mass, "
         "stiffness and step. Chooses per island: midpoint where the step resolves the motion, "
         "adams elsewhere, bdf2 where contacts or limits act"},
        {Scheme::Midpoint, "midpoint",
         "guarded; keeps energy and momentum. adams or bdf2 take the steps in which it does not "
         "converge, and all of an island with motors, with elastic joints damped for longer than a "
         "step, with open joints, or with contacts, limits or ropes under force while nothing "
         "turns "
         "on joints"},
        {Scheme::Adams, "adams",
         "guarded; two-step Adams method, takes a fifth of the energy that bdf2 takes; bdf2 while "
         "contacts, limits or ropes carry force"},
        {Scheme::Bdf2, "bdf2",
         "guarded; two-step backward difference, damps motion that the step hardly resolves"},
        {Scheme::BackwardEuler, "backward_euler",
         "first order, damps every motion a little; one solve a step"},
        {Scheme::AlphaBeta, "alpha_beta",
         "forces weighted by alpha, velocities by beta; 1/2, 1/2 is second order and undamped, but "
         "does not conserve energy: long runs gain it slowly"},
        {Scheme::Penalty, "penalty",
         "classical: joints are stiff springs, symplectic Euler; unstable above h²k/m = 4"},
        {Scheme::ImplicitPenalty, "implicit_penalty",
         "classical: the same springs by linearly implicit Euler; damps"},
        {Scheme::Lagrange, "lagrange",
         "classical: multipliers on accelerations, Runge-Kutta 4; joints drift"},
        {Scheme::Baumgarte, "baumgarte",
         "classical: the same with errors that fade at baumgarte_rate"},
        {Scheme::PostStabilisation, "post_stabilisation",
         "classical: lagrange, then poses and velocities projected onto the joints"},
        {Scheme::Shake, "shake",
         "classical: SHAKE and RATTLE, second order, symplectic; joints exact"},
        {Scheme::FastProjection, "fast_projection",
         "classical: free flight, then iterated projection; velocities from poses"},
        {Scheme::Reduced, "reduced",
         "classical: joint coordinates by articulated bodies, Runge-Kutta 4; open trees only"},
    });
    return list;
}

}  // namespace taut
