#include "complementarity/sweeps.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "complementarity/thresholds.h"
#include "core/assert.h"
#include "linalg/saddle_ops.h"

namespace taut::complementarity {
namespace {

using LocalBlock = Eigen::Map<const Eigen::Matrix<Real, 3, 3, Eigen::RowMajor>>;

// |y| = radius with (A + αI) y = −c, α ≥ 0: friction against the slip. Newton on 1/|y|, which is
// concave and nearly straight in α, so that a few steps from α = 0 suffice [MoreSorensen1983].
void slide(Real a11, Real a12, Real a22, Real c1, Real c2, Real radius, Real& y1, Real& y2)
{
    Real alpha = 0;
    for (int k = 0; k < SweepThresholds::kSlideIterations; ++k) {
        const Real b11 = a11 + alpha, b22 = a22 + alpha;
        const Real det = b11 * b22 - a12 * a12;
        if (!(det > 0)) break;
        y1 = -(b22 * c1 - a12 * c2) / det;
        y2 = -(b11 * c2 - a12 * c1) / det;
        const Real length = norm(y1, y2);
        if (!(length > radius * (1 + SweepThresholds::kSlideRoundOff))) break;
        const Real q = (b22 * y1 * y1 - 2 * a12 * y1 * y2 + b11 * y2 * y2) / det;  // yᵀ(A+α)⁻¹y
        alpha += (length / radius - 1) * length * length / q;
    }
    const Real length = norm(y1, y2);
    if (length > radius) {
        y1 *= radius / length;
        y2 *= radius / length;
    }
}

}  // namespace

void solve_cone(const RowGroup& group, const Mat3& A, const Vec3& b, Vec3& y) noexcept
{
    // normal and tangents in turn; the outer sweep would suffice, but a few rounds here save many there
    for (int round = 0; round < SweepThresholds::kConeRounds; ++round) {
        const Vec3 before = y;
        y.x() = std::max(Real(0), -(b.x() + A(0, 1) * y.y() + A(0, 2) * y.z()) / A(0, 0));
        if (!(y.x() > 0)) {
            y.setZero();
            return;
        }
        const Real c1 = b.y() + A(1, 0) * y.x(), c2 = b.z() + A(2, 0) * y.x();
        const Real stick = group.friction * y.x(), radius = group.sliding * y.x();
        if (group.pyramid) {
            const Real t1 = -(c1 + A(1, 2) * y.z()) / A(1, 1);
            y.y() = std::abs(t1) > stick ? std::copysign(radius, t1) : t1;
            const Real t2 = -(c2 + A(2, 1) * y.y()) / A(2, 2);
            y.z() = std::abs(t2) > stick ? std::copysign(radius, t2) : t2;
        } else if (!(stick > 0)) {
            y.y() = y.z() = 0;
        } else {
            const Real det = A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1);
            y.y() = -(A(2, 2) * c1 - A(1, 2) * c2) / det;
            y.z() = -(A(1, 1) * c2 - A(2, 1) * c1) / det;
            if (!(norm(y.y(), y.z()) <= stick))
                slide(A(1, 1), A(1, 2), A(2, 2), c1, c2, radius, y.y(), y.z());
        }
        if ((y - before).cwiseAbs().maxCoeff() <= SweepThresholds::kConeChange * y.x()) return;
    }
}

void Sweeps::prepare(const linalg::SaddlePattern& pattern)
{
    local_.assign(6 * pattern.dual_unknowns, 0);  // Σ rows² ≤ 6 Σ rows
    excess_.assign(pattern.primal_unknowns, 0);
    next_excess_.assign(pattern.primal_unknowns, 0);
}

void Sweeps::load(const linalg::SaddleSystem& system, std::span<const RowGroup> groups,
                  const Responses& responses) noexcept
{
    system_ = &system;
    groups_ = groups;
    responses_ = &responses;
    Real* out = local_.data();
    for (const RowGroup& group : groups) {
        SmallMatrix A = responses.block(system, group.dual, group.local, group.rows);
        for (int r = 0; r < group.rows; ++r)
            A(r, r) += system.sigma[group.row + r] +
                       SweepThresholds::kRedundancyFloor * responses.row(group.row + r);
        if (group.kind == RowGroup::Kind::Equal) {
            const Eigen::LLT<SmallMatrix> llt(A);
            SmallMatrix inverse = SmallMatrix::Identity(group.rows, group.rows);
            if (llt.info() == Eigen::Success)
                llt.solveInPlace(inverse);
            else
                for (int r = 0; r < group.rows; ++r)
                    inverse(r, r) = 1 / (group.rows * responses.row(group.row + r));
            A = inverse;
        }
        out = std::copy_n(A.data(), group.rows * group.rows, out);
    }
}

void Sweeps::restart(std::span<Real> x, std::span<const Real> y) noexcept
{
    TAUT_ASSERT(system_ != nullptr);
    TAUT_ASSERT(x.size() == system_->f.size() && y.size() == system_->g.size());
    const auto& p = *system_->pattern;
    if (!p.pairs.empty()) responses_->excess(*system_, x, excess_);
    std::copy(excess_.begin(), excess_.end(), next_excess_.begin());
    for (std::size_t r = 0; r < next_excess_.size(); ++r) next_excess_[r] += system_->f[r];
    linalg::add_row_impulses_by_terms(*system_, y, next_excess_);
    for (std::size_t i = 0; i < p.primals.size(); ++i)
        responses_->apply(static_cast<int>(i), &next_excess_[p.primals[i].offset],
                          &x[p.primals[i].offset]);
}

void Sweeps::sweep(std::span<Real> x, std::span<Real> y) noexcept
{
    TAUT_ASSERT(system_ != nullptr);
    const Real* local = local_.data();
    for (const RowGroup& group : groups_) {
        relax(group, local, x, y);
        local += group.rows * group.rows;
    }
    for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
        local -= group->rows * group->rows;
        relax(*group, local, x, y);
    }
    refresh(x);
}

void Sweeps::relax(const RowGroup& group, const Real* local, std::span<Real> x,
                   std::span<Real> y) noexcept
{
    const auto& p = *system_->pattern;
    const auto& dual = p.duals[group.dual];

    // s of the rows
    Real s[6], change[6];
    for (int r = 0; r < group.rows; ++r)
        s[r] = system_->sigma[group.row + r] * y[group.row + r] - system_->g[group.row + r];
    for (int t = 0; t < dual.touches; ++t) {
        const auto& touch = p.touches[dual.first_touch + t];
        const auto& primal = p.primals[touch.primal];
        const Real* J = &system_->J[touch.block + group.local * primal.size];
        for (int r = 0; r < group.rows; ++r, J += primal.size)
            for (int c = 0; c < primal.size; ++c) s[r] += J[c] * x[primal.offset + c];
    }

    // the change of impulse that their law requires
    Real* const v = &y[group.row];
    switch (group.kind) {
        case RowGroup::Kind::Equal:
            for (int r = 0; r < group.rows; ++r) {
                change[r] = 0;
                for (int c = 0; c < group.rows; ++c) change[r] -= local[r * group.rows + c] * s[c];
            }
            break;
        case RowGroup::Kind::NonNegative:
            change[0] = std::max(v[0] - s[0] / local[0], Real(0)) - v[0];
            break;
        case RowGroup::Kind::Interval:
            change[0] = std::clamp(v[0] - s[0] / local[0], group.lower, group.upper) - v[0];
            break;
        case RowGroup::Kind::Cone: {
            const Mat3 A = LocalBlock(local);
            const Vec3 before(v[0], v[1], v[2]);
            Vec3 after = before;
            solve_cone(group, A, Vec3(s[0], s[1], s[2]) - A * before, after);
            for (int r = 0; r < 3; ++r) change[r] = after[r] - before[r];
            break;
        }
    }

    // and the change of velocity of the bodies
    for (int r = 0; r < group.rows; ++r) v[r] += change[r];
    for (int t = 0; t < dual.touches; ++t) {
        const auto& touch = p.touches[dual.first_touch + t];
        const auto& primal = p.primals[touch.primal];
        const Real* const W = responses_->touch(touch.block);
        for (int c = 0; c < primal.size; ++c)
            for (int r = 0; r < group.rows; ++r)
                x[primal.offset + c] += W[c * dual.size + group.local + r] * change[r];
    }
}

void Sweeps::refresh(std::span<Real> x) noexcept
{
    const auto& p = *system_->pattern;
    if (p.pairs.empty()) return;
    responses_->excess(*system_, x, next_excess_);
    for (std::size_t i = 0; i < p.primals.size(); ++i) {
        const auto& primal = p.primals[i];
        Real change[6], answer[6];
        for (int r = 0; r < primal.size; ++r)
            change[r] = next_excess_[primal.offset + r] - excess_[primal.offset + r];
        responses_->apply(static_cast<int>(i), change, answer);
        for (int r = 0; r < primal.size; ++r) x[primal.offset + r] += answer[r];
    }
    std::swap(excess_, next_excess_);
}

}  // namespace taut::complementarity
