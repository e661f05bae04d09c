#include "assembly/linearise.h"

#include "assembly/midpoint_rows.h"
#include "assembly/pool_rows.h"
#include "core/assert.h"

namespace taut::assembly {
namespace {

// --- bodies: M on the diagonal, momentum plus applied impulse on the right. Overwrites what was there ---
template <int N>
void write_mass(Real mass, Real* H) noexcept
{
    Eigen::Map<Eigen::Matrix<Real, N * N, 1>>(H).setZero();
    for (int k = 0; k < 3; ++k) H[k * N + k] = mass;
}

void write_bodies(const StepModel& model, const SchemeWeights& scheme, const Layout& layout,
                  Linearisation& work) noexcept
{
    TAUT_ASSERT(layout.primal.size() == model.bodies.size());
    TAUT_ASSERT(work.load_force.size() == model.bodies.size());
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        if (!body.dynamic()) continue;
        const BodyStart& start = work.bodies[b];
        const int n = body.freedoms(), first = layout.offset(static_cast<BodyIndex>(b));
        Real* f = &work.system.f[first];
        const Vec3 impulse = body.mass * (start.carried_v + scheme.h * model.gravity) +
                             scheme.h * work.load_force[b];
        for (int k = 0; k < 3; ++k) f[k] = impulse[k];
        Real* reaction = &work.reaction[first];
        Eigen::Map<Vec3>(reaction).setZero();
        if (n == 6) {
            const Vec3 spin = start.angular_momentum + scheme.h * work.load_torque[b];
            for (int k = 0; k < 3; ++k) f[k + 3] = spin[k];
            Eigen::Map<Vec3>(reaction + 3).setZero();
        }
        Real* H = &work.system.H[layout.block(static_cast<BodyIndex>(b))];
        if (n == 3) {
            write_mass<3>(body.mass, H);
            continue;
        }
        write_mass<6>(body.mass, H);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) H[6 * (r + 3) + c + 3] = start.inertia(r, c);
    }
}

// --- springs: f = Jᵀλ with λ = −k(φ − φ₀) − d φ̇, and its derivatives in the matrix ---
SpringStart spring_start(const StepModel& model, const SpringModel& spring, Real phi,
                         const std::array<Vec6, 2>& J,
                         const std::vector<BodyStart>& bodies) noexcept
{
    SpringStart out;
    for (int s = 0; s < 2; ++s) {
        const BodyIndex b = spring.bodies[s];
        const Real rate = J[s].dot(stacked(bodies[b].v, bodies[b].w));
        out.rate += rate;
        if (model.bodies[b].kind == BodyKind::Kinematic) out.prescribed += rate;
    }
    out.pull = -spring.stiffness * (phi - spring.rest) - spring.damping * out.rate;
    return out;
}

template <class T>
void add_springs(const StepModel& model, const Pool<T>& pool, const State& state,
                 const SchemeWeights& scheme, Stabilisation stabilisation, const Layout& layout,
                 Linearisation& work) noexcept
{
    // compressed springs may buckle: only the stabilisations that promise definiteness drop that part
    const Stabilisation geometric = stabilisation_of_springs(stabilisation);
    Rows<1, 2> rows;
    for (std::size_t k = 0; k < pool.items.size(); ++k) {
        const SpringModel& spring = model.springs[pool.groups[k]];
        Poses<2> X = gather<T>(work.bodies.data(), spring.bodies);
        const auto memory = recall<T::kMemory>(state, spring.first_memory);
        pool.items[k].evaluate(X, memory, rows);
        if (scheme.midpoint) {
            const MidpointEvaluation<T> at(pool.items[k], work, spring.bodies, memory, scheme.move);
            // the force is the difference quotient of the stored energy over the step
            X = at.pose;
            rows.J = at.rows.J;
            rows.phi = (at.phi_start + at.rows.phi) / 2;
        }
        std::array<Vec6, 2> J;
        for (int s = 0; s < 2; ++s) J[s] = rows.J[s].transpose();
        const SpringStart start = spring_start(model, spring, rows.phi[0], J, work.bodies);
        const Real pull = start.pull;
        work.springs[pool.groups[k]] = start;
        for (int s = 0; s < 2; ++s) {
            const int n = model.bodies[spring.bodies[s]].freedoms();
            for (int r = 0; r < n; ++r)
                work.system.f[layout.offset(spring.bodies[s]) + r] += scheme.h * pull * J[s][r];
        }

        if (scheme.values_only) continue;
        // −∂f/∂x = k JᵀJ − K̃(λ), −∂f/∂v = d JᵀJ
        StiffnessBlocks<2> S, D;
        stabilised_stiffness<T>(geometric, pool.items[k], X, RowVector<1>(pull), S);
        for (int s = 0; s < 2; ++s)
            for (int t = 0; t < 2; ++t) {
                const Mat6 JJ = J[s] * J[t].transpose();
                S.block[s][t] += spring.stiffness * JJ;
                D.block[s][t] = spring.damping * JJ;
            }
        ElementScatter<2> scatter(model, layout, scheme, work, spring.bodies,
                                  std::span(&layout.springs[pool.groups[k]], 1));
        scatter.add_stiffness(S);
        if (spring.damping > 0) scatter.add_damping(D);
        if (work.system.rank.wanted) {
            append_rows<2>(layout, spring.bodies, S, scheme.implicit_stiffness(),
                           work.system.rank.terms);
            if (spring.damping > 0)
                append_rows<2>(layout, spring.bodies, D, scheme.h * scheme.alpha,
                               work.system.rank.terms);
        }
    }
}

}  // namespace

void Linearisation::attach(const StepModel& model, const Layout& layout)
{
    TAUT_ASSERT(layout.primal.size() == model.bodies.size());
    TAUT_ASSERT(layout.joints.size() == model.rows.groups.size());
    bodies.assign(model.bodies.size(), {});
    midpoint.assign(model.bodies.size(), {});
    rows.assign(model.rows.count, {});
    springs.assign(model.springs.size(), {});
    load_force.assign(model.bodies.size(), Vec3::Zero());
    load_torque.assign(model.bodies.size(), Vec3::Zero());
    system.prepare(layout.pattern);
    reaction.assign(layout.pattern.primal_unknowns, 0);
    if (system.rank.wanted)
        system.rank.terms.reserve(kMostTerms *
                                  (model.rows.groups.size() + 2 * model.springs.size()));
    damping.attach(layout, model.rows.count);
}

bool find_resolved_rows(const StepModel& model, const State& state, Real h,
                        std::vector<Real>& resolved) noexcept
{
    TAUT_ASSERT(resolved.size() == static_cast<std::size_t>(model.rows.count));
    bool any = false;
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const Pool<T>& pool = model.pool<T>();
        for (std::size_t k = 0; k < pool.items.size(); ++k)
            any = mark_resolved<T>(model, state, pool, k, h, resolved) || any;
    });
    return any;
}

void linearise(const StepModel& model, const State& state, const SchemeWeights& scheme,
               Stabilisation stabilisation, const Layout& layout, Linearisation& work) noexcept
{
    write_bodies(model, scheme, layout, work);
    write_elements(model, state, scheme, stabilisation, layout, work);
}

void write_elements(const StepModel& model, const State& state, const SchemeWeights& scheme,
                    Stabilisation stabilisation, const Layout& layout, Linearisation& work) noexcept
{
    TAUT_ASSERT(layout.joints.size() == model.rows.groups.size());
    TAUT_ASSERT(work.bodies.size() == model.bodies.size());
    TAUT_ASSERT(work.rows.size() == static_cast<std::size_t>(model.rows.count));
    TAUT_ASSERT(state.lambda.size() == work.rows.size());
    work.system.symmetric = stabilisation != Stabilisation::Exact;
    if (!scheme.values_only) work.system.clear_pairs();  // all else is written anew
    if (work.system.rank.wanted) {
        work.system.rank.terms.clear();
        work.system.rank.base = work.system.H;  // of one size: a copy
    }
    work.damping.clear();
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        write_pool<typename decltype(tag)::type>(model, state, scheme, stabilisation, layout, work);
    });
    add_springs(model, model.linear_springs, state, scheme, stabilisation, layout, work);
    add_springs(model, model.torsional_springs, state, scheme, stabilisation, layout, work);
    if (judges_assembled(stabilisation))
        apply_assembled(model, scheme, stabilisation, layout, work);
}

}  // namespace taut::assembly
