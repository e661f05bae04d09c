#include "assembly/damping.h"

#include <Eigen/LU>

#include "stabilisation/adaptive_damping.h"
#include "stabilisation/diagonal_bound.h"

namespace taut::assembly {
namespace {

// M on the pattern of K̃. H will not do: springs have added to it.
void fill_mass(const StepModel& model, const Layout& layout, Linearisation& work) noexcept
{
    std::vector<Real>& M = work.damping.M;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        const int n = body.freedoms();
        if (n == 0) continue;
        Real* block = &M[layout.block(static_cast<BodyIndex>(b))];
        for (int r = 0; r < 3; ++r) block[r * n + r] = body.mass;
        if (n == 3) continue;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) block[(r + 3) * n + c + 3] = work.bodies[b].inertia(r, c);
    }
}

// H += value at (r, c) of a node's own block, and the same to what the rank terms build on.
struct DiagonalBlock {
    Linearisation& work;
    const linalg::SaddlePattern::Primal& node;

    void add(int r, int c, Real value) const noexcept
    {
        const int at = node.block + r * node.size + c;
        work.system.H[at] += value;
        if (work.system.rank.wanted) work.system.rank.base[at] += value;
    }
};

// S = K_d: enters like any stiffness of an element.
void add_diagonal_stiffness(const StepModel& model, const SchemeWeights& scheme,
                            const Layout& layout, Linearisation& work) noexcept
{
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (layout.primal[b] < 0) continue;
        const auto& node = layout.pattern.primals[layout.primal[b]];
        const BodyStart& start = work.bodies[b];
        for (int r = 0; r < node.size; ++r) {
            const Real k = work.damping.k[node.offset + r];
            DiagonalBlock{work, node}.add(r, r, scheme.implicit_stiffness() * k);
            const Real drift = r < 3 ? start.drift_v[r] : start.drift_w[r - 3];
            work.system.f[node.offset + r] -= scheme.explicit_stiffness() * k * drift;
        }
    }
}

// The force −Bv⁺ is implicit whatever the weights of the scheme: only then is the damping of the formula on
// the edge of stability. Where an iterate is corrected, −Bv of the iterate is known already.
void oppose_motion(const SchemeWeights& scheme, const Layout& layout, const StepModel& model,
                   Linearisation& work) noexcept
{
    if (!scheme.newton) return;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (layout.primal[b] < 0) continue;
        const auto& node = layout.pattern.primals[layout.primal[b]];
        const BodyStart& at = work.bodies[b];
        for (int r = 0; r < node.size; ++r) {
            const int first = r - r % 3;
            const Vec3& v = r < 3 ? at.v : at.w;
            Real force = 0;
            for (int c = first; c < first + 3; ++c)
                force += work.damping.B[node.block + r * node.size + c] * v[c - first];
            work.system.f[node.offset + r] -= scheme.h * force;
        }
    }
}

// Damping by freedom.
void add_inertial_damping(const SchemeWeights& scheme, bool rotations_only, const Layout& layout,
                          Linearisation& work) noexcept
{
    for (const auto& node : layout.pattern.primals) {
        for (int r = 0; r < node.size; ++r) {
            const Real mass = work.damping.M[node.block + r * node.size + r];
            const Real b = rotations_only && r < 3
                               ? 0
                               : critical_damping(work.damping.k[node.offset + r], mass, scheme.h,
                                                  work.damping.alpha);
            work.damping.b[node.offset + r] = b;
            work.damping.B[node.block + r * node.size + r] = b;
            DiagonalBlock{work, node}.add(r, r, scheme.h * b);
        }
    }
}

// B_a = rate·M_a, the whole 3×3 block: a factor on translation or rotation, in any axes.
void add_block_damping(const SchemeWeights& scheme, const Layout& layout,
                       Linearisation& work) noexcept
{
    for (const auto& node : layout.pattern.primals) {
        const int n = node.size;
        for (int r = 0; r < n; ++r) {
            const Real rate =
                critical_damping(work.damping.k[node.offset + r], 1, scheme.h, work.damping.alpha);
            const int first = r - r % 3;
            for (int c = first; c < first + 3; ++c) {
                const Real mass = work.damping.M[node.block + r * n + c];
                work.damping.B[node.block + r * n + c] = rate * mass;
                DiagonalBlock{work, node}.add(r, c, scheme.h * rate * mass);
                if (c == r) work.damping.b[node.offset + r] = rate * mass;
            }
        }
    }
}

// One row of J on the bodies that move, M⁻¹Jᵀ and K_d on the same columns.
struct RowMotion {
    std::array<Real, 18> J, v, k;
    std::size_t count = 0;

    void append(const StepModel& model, const Layout& layout, const Linearisation& work,
                BodyIndex body, const Real* row) noexcept
    {
        const int n = model.bodies[body].freedoms();
        const int offset = layout.offset(body);
        for (int c = 0; c < n; ++c) {
            J[count + c] = row[c];
            k[count + c] = work.damping.k[offset + c];
            v[count + c] = row[c] / model.bodies[body].mass;
        }
        if (n == 6) {
            const Vec3 spin = work.bodies[body].inertia.inverse() * Eigen::Map<const Vec3>(row + 3);
            for (int c = 0; c < 3; ++c) v[count + 3 + c] = spin[c];
        }
        count += n;
    }
};

void add_constraint_damping(const StepModel& model, const SchemeWeights& scheme, bool printed,
                            const Layout& layout, Linearisation& work) noexcept
{
    for (std::size_t j = 0; j < model.rows.groups.size(); ++j) {
        const ConstraintRows& group = model.rows.groups[j];
        const std::span<const BodyIndex> bodies = model.rows.bodies(group);
        if (group.kind != RowKind::Position) continue;
        for (int r = 0; r < group.rows; ++r) {
            const int at = group.first_row + r;
            RowMotion motion;
            for (int s = 0; s < group.body_count; ++s) {
                const int block = layout.joints[j].jacobian[s];
                if (block < 0) continue;
                const int n = model.bodies[bodies[s]].freedoms();
                motion.append(model, layout, work, bodies[s], &work.system.J[block + r * n]);
            }
            const std::span<const Real> J(motion.J.data(), motion.count);
            const std::span<const Real> v(motion.v.data(), motion.count);
            const std::span<const Real> k(motion.k.data(), motion.count);
            const auto [mass, stiffness] =
                printed ? row_inertia_printed(J, v, k) : row_inertia(J, v, k);
            const Real b = critical_damping(stiffness, mass, scheme.h, work.damping.alpha);
            work.damping.row_b[at] = b;
            work.damping.row_time[at] = printed ? 0 : model.rows.softness[at].compliance * b;
            if (b == 0) continue;

            // corrected: λ = −(φ + (τ + C b′) φ̇)/C, a longer damping time of the row
            RowStart& row = work.rows[at];
            RowSoftness soft = model.rows.softness[at];
            soft.damping_time += work.damping.row_time[at];
            RowEquation equation = position_row(scheme, soft, row.phi, row.rate, row.drift);
            if (printed) {
                const Real gamma = row_relaxation_printed(soft.compliance, b, scheme.h);
                equation.sigma *= gamma;
                equation.rhs *= gamma;
                if (scheme.newton) equation.rhs -= (1 - gamma) * row.rate;  // −Γ(φ − h φ̇)/h − φ̇
            }
            row.rhs = equation.rhs;
            work.system.sigma[at] = equation.sigma;
            work.system.g[at] = scheme.newton ? equation.rhs : equation.rhs - row.prescribed;
        }
    }
}

}  // namespace

void apply_assembled(const StepModel& model, const SchemeWeights& scheme,
                     Stabilisation stabilisation, const Layout& layout,
                     Linearisation& work) noexcept
{
    DampingState& damping = work.damping;
    fill_mass(model, layout, work);
    if (stabilisation == Stabilisation::BlockDamping)
        block_bound(layout.stiffness, damping.K, damping.M, damping.k);
    else
        column_norms(layout.stiffness, damping.K, damping.k);

    switch (stabilisation) {
        case Stabilisation::Diagonal: return add_diagonal_stiffness(model, scheme, layout, work);
        case Stabilisation::InertialDamping:
        case Stabilisation::RotationalDamping:
            add_inertial_damping(scheme, stabilisation == Stabilisation::RotationalDamping, layout,
                                 work);
            return oppose_motion(scheme, layout, model, work);
        case Stabilisation::BlockDamping:
            add_block_damping(scheme, layout, work);
            return oppose_motion(scheme, layout, model, work);
        case Stabilisation::ConstraintDamping:
        case Stabilisation::ConstraintDampingPrinted:
            return add_constraint_damping(model, scheme,
                                          stabilisation == Stabilisation::ConstraintDampingPrinted,
                                          layout, work);
        default: return;
    }
}

}  // namespace taut::assembly
