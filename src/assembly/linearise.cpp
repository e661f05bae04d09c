#include "assembly/linearise.h"

#include "assembly/damping.h"
#include "assembly/element_blocks.h"
#include "assembly/rank_collection.h"
#include "stabilisation/geometric.h"

namespace taut {
namespace {

// --- bodies: M on the diagonal, momentum plus applied impulse on the right ---
void add_bodies(const Model& model, const SchemeWeights& scheme, const Layout& layout,
                Linearisation& work) noexcept
{
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        if (!body.dynamic()) continue;
        const BodyStart& start = work.bodies[b];
        const int n = body.freedoms();
        Real* H = &work.system.H[layout.block(static_cast<int>(b))];
        Real* f = &work.system.f[layout.offset(static_cast<int>(b))];
        const Vec3 impulse = body.mass * (start.carried_v + scheme.h * model.gravity) +
                             scheme.h * work.load_force[b];
        for (int k = 0; k < 3; ++k) {
            H[k * n + k] += body.mass;
            f[k] += impulse[k];
        }
        if (n == 3) continue;
        const Vec3 spin = start.angular_momentum + scheme.h * work.load_torque[b];
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) H[(r + 3) * n + c + 3] += start.inertia(r, c);
            f[r + 3] += spin[r];
        }
    }
}

// --- joints ---
template <class T>
Poses<T::kBodies> gather(const Linearisation& work,
                         const std::array<BodyIndex, T::kBodies>& bodies) noexcept
{
    Poses<T::kBodies> X;
    for (int s = 0; s < T::kBodies; ++s) X[s] = work.bodies[bodies[s]].pose;
    return X;
}

template <int kMemory>
Memory<kMemory> recall(const State& state, int first) noexcept
{
    Memory<kMemory> memory;
    for (int k = 0; k < kMemory; ++k) memory[k] = state.memory[first + k];
    return memory;
}

template <class T>
struct Element {
    const JointModel& joint;
    const std::array<BodyIndex, T::kBodies>& bodies;
    const Rows<T::kRows, T::kBodies>& rows;
};

// Writes J of the bodies that move, and what the others contribute to each row.
template <class T>
void put_jacobian(const Model& model, const Element<T>& e, const JointPlace& place, bool need_rates,
                  Linearisation& work) noexcept
{
    RowStart* row = &work.rows[e.joint.first_row];
    for (int r = 0; r < T::kRows; ++r) row[r] = {e.rows.phi[r], 0, 0, 0, 0};
    for (int s = 0; s < T::kBodies; ++s) {
        const BodyStart& body = work.bodies[e.bodies[s]];
        const auto& J = e.rows.J[s];
        const int n = model.bodies[e.bodies[s]].freedoms();
        if (n == 0) {
            if (model.bodies[e.bodies[s]].kind == BodyKind::Fixed) continue;
            for (int r = 0; r < T::kRows; ++r) {
                const Real rate = J.row(r).template head<3>().dot(body.v) +
                                  J.row(r).template tail<3>().dot(body.w);
                row[r].prescribed += rate;
                row[r].rate += rate;
                row[r].drift += rate;
            }
            continue;
        }
        Real* out = &work.system.J[place.jacobian[s]];
        if (n == 6) {
            const Real* in = J.data();
            for (int k = 0; k < 6 * T::kRows; ++k) out[k] = in[k];
        } else {
            for (int r = 0; r < T::kRows; ++r)
                for (int c = 0; c < 3; ++c) out[3 * r + c] = J(r, c);
        }
        if (!need_rates) continue;
        for (int r = 0; r < T::kRows; ++r) {
            const auto linear = J.row(r).template head<3>();
            const auto angular = J.row(r).template tail<3>();
            row[r].rate += linear.dot(body.v) + (n == 6 ? angular.dot(body.w) : 0);
            row[r].drift += linear.dot(body.drift_v) + (n == 6 ? angular.dot(body.drift_w) : 0);
        }
    }
}

template <class T>
void put_row_equations(const Model& model, const SchemeWeights& scheme, const JointModel& joint,
                       Linearisation& work) noexcept
{
    for (int r = 0; r < T::kRows; ++r) {
        const int k = joint.first_row + r;
        RowStart& row = work.rows[k];
        const RowEquation equation =
            row_kind<T>(r) == RowKind::Position
                ? position_row(scheme, model.softness[k], row.phi, row.rate, row.drift)
            : row_kind<T>(r) == RowKind::Servo
                ? servo_row(scheme, joint, row.phi, row.rate, row.drift)
                : velocity_row(scheme, joint.target, row.rate);
        row.rhs = equation.rhs;
        work.system.sigma[k] = equation.sigma;
        work.system.g[k] = scheme.newton ? equation.rhs : equation.rhs - row.prescribed;
    }
}

// The common case of the tension form: rotational diagonal blocks only, straight into H.
template <class T>
void add_tension_diagonal(const Model& model, const SchemeWeights& scheme, const Layout& layout,
                          const T& item, const std::array<BodyIndex, T::kBodies>& bodies,
                          const Poses<T::kBodies>& X, const RowVector<T::kRows>& lambda,
                          Linearisation& work) noexcept
{
    TensionDiagonal<T::kBodies> G;
    for (Mat3& g : G) g.setZero();
    item.tension(X, lambda, G);
    for (int s = 0; s < T::kBodies; ++s) {
        if (model.bodies[bodies[s]].freedoms() != 6) continue;
        Real* H = &work.system.H[layout.block(bodies[s])];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                H[6 * (r + 3) + c + 3] += scheme.implicit_stiffness() * G[s](r, c);
        if (work.system.rank.wanted)
            add_rotation_to_base(layout, bodies[s], scheme.implicit_stiffness() * G[s],
                                 work.system.rank);
        if (scheme.newton || scheme.beta == 1) continue;
        const Vec3 known = scheme.explicit_stiffness() * (G[s] * work.bodies[bodies[s]].drift_w);
        Real* f = &work.system.f[layout.offset(bodies[s])];
        for (int r = 0; r < 3; ++r) f[r + 3] -= known[r];
    }
}

template <class T>
constexpr bool carries_torque() noexcept
{
    for (const RowUnit unit : T::kUnits)
        if (unit == RowUnit::Angle) return true;
    return false;
}

template <class T>
void add_pool(const Model& model, const State& state, const SchemeWeights& scheme,
              Stabilisation stabilisation, const Layout& layout, Linearisation& work) noexcept
{
    if (scheme.mixed && !carries_torque<T>()) stabilisation = Stabilisation::Tension;
    const Pool<T>& pool = std::get<Pool<T>>(model.pools);
    Rows<T::kRows, T::kBodies> rows;
    for (std::size_t k = 0; k < pool.items.size(); ++k) {
        const T& item = pool.items[k];
        const auto& bodies = pool.bodies[k];
        const JointModel& joint = model.joints[pool.joints[k]];
        const JointPlace& place = layout.joints[pool.joints[k]];
        const Poses<T::kBodies> X = gather<T>(work, bodies);
        const bool need_rates = scheme.needs_old_velocity() || T::kKind != RowKind::Position ||
                                T::kLaw == RowLaw::Cone || (scheme.newton && joint.damped) ||
                                damps_rows(stabilisation);

        if (state.broken[pool.joints[k]] != 0) {  // rows of their own, without a body: λ = 0
            for (int r = joint.first_row; r < joint.first_row + T::kRows; ++r) {
                work.rows[r] = {};
                work.system.sigma[r] = 1;
            }
            continue;
        }
        item.evaluate(X, recall<T::kMemory>(state, joint.first_memory), rows);
        put_jacobian<T>(model, {joint, bodies, rows}, place, need_rates, work);
        put_row_equations<T>(model, scheme, joint, work);

        if (stabilisation == Stabilisation::None) continue;
        const Eigen::Map<const RowVector<T::kRows>> lambda(&state.lambda[joint.first_row]);
        if (judges_assembled(stabilisation)) {
            StiffnessBlocks<T::kBodies> K;
            K.set_zero();
            item.geometric_stiffness(X, lambda, K);
            add_to_assembled<T::kBodies>(model, layout, bodies,
                                         layout.stiffness_pairs[pool.joints[k]], K, work.damping.K);
            continue;
        }
        if constexpr (!T::kTensionCouples) {
            if (stabilisation == Stabilisation::Tension) {
                add_tension_diagonal(model, scheme, layout, item, bodies, X,
                                     RowVector<T::kRows>(lambda), work);
                continue;
            }
        }
        StiffnessBlocks<T::kBodies> S;
        stabilised_stiffness<T>(stabilisation, item, X, lambda, S);
        ElementScatter<T::kBodies>(model, layout, scheme, work, bodies, place.pairs)
            .add_stiffness(S);
        if (work.system.rank.wanted)
            collect_terms<T>(stabilisation, layout, item, bodies, X, lambda, S,
                             scheme.implicit_stiffness(), work.system.rank);
    }
}

// --- springs: f = Jᵀλ with λ = −k(φ − φ₀) − d φ̇, and its derivatives in the matrix ---
template <class T>
void add_springs(const Model& model, const Pool<T>& pool, const State& state,
                 const SchemeWeights& scheme, Stabilisation stabilisation, const Layout& layout,
                 Linearisation& work) noexcept
{
    // compressed springs may buckle: only the stabilisations that promise definiteness drop that part
    const bool positive = stabilisation == Stabilisation::Projected ||
                          stabilisation == Stabilisation::Tension ||
                          judges_assembled(stabilisation);
    const Stabilisation geometric = judges_assembled(stabilisation) ? Stabilisation::Projected
                                    : positive                      ? stabilisation
                                    : stabilisation == Stabilisation::Exact
                                        ? Stabilisation::Exact
                                        : Stabilisation::Symmetric;
    Rows<1, 2> rows;
    for (std::size_t k = 0; k < pool.items.size(); ++k) {
        const SpringModel& spring = model.springs[pool.joints[k]];
        const Poses<2> X = gather<T>(work, spring.bodies);
        pool.items[k].evaluate(X, recall<T::kMemory>(state, spring.first_memory), rows);
        Real rate = 0;
        std::array<Vec6, 2> J;
        for (int s = 0; s < 2; ++s) {
            J[s] = rows.J[s].transpose();
            rate +=
                J[s].dot(stacked(work.bodies[spring.bodies[s]].v, work.bodies[spring.bodies[s]].w));
        }
        const Real pull = -spring.stiffness * (rows.phi[0] - spring.rest) - spring.damping * rate;
        for (int s = 0; s < 2; ++s) {
            const int n = model.bodies[spring.bodies[s]].freedoms();
            for (int r = 0; r < n; ++r)
                work.system.f[layout.offset(spring.bodies[s]) + r] += scheme.h * pull * J[s][r];
        }

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
                                  std::span(&layout.springs[pool.joints[k]], 1));
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

void Linearisation::attach(const Model& model, const Layout& layout)
{
    bodies.assign(model.bodies.size(), {});
    rows.assign(model.rows, {});
    load_force.assign(model.bodies.size(), Vec3::Zero());
    load_torque.assign(model.bodies.size(), Vec3::Zero());
    system.attach(layout.pattern);
    if (system.rank.wanted)
        system.rank.terms.reserve(kMostTerms * (model.joints.size() + 2 * model.springs.size()));
    damping.attach(layout, model.rows);
}

void linearise(const Model& model, const State& state, const SchemeWeights& scheme,
               Stabilisation stabilisation, const Layout& layout, Linearisation& work) noexcept
{
    work.system.clear_values();
    work.system.symmetric = stabilisation != Stabilisation::Exact;
    add_bodies(model, scheme, layout, work);
    if (work.system.rank.wanted) work.system.rank.base = work.system.H;  // of one size: a copy
    work.damping.clear();
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        add_pool<typename decltype(tag)::type>(model, state, scheme, stabilisation, layout, work);
    });
    add_springs(model, model.linear_springs, state, scheme, stabilisation, layout, work);
    add_springs(model, model.torsional_springs, state, scheme, stabilisation, layout, work);
    if (judges_assembled(stabilisation))
        apply_assembled(model, scheme, stabilisation, layout, work);
}

}  // namespace taut
