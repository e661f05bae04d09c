#include "complementarity/interior_point.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "complementarity/thresholds.h"
#include "core/assert.h"
#include "linalg/saddle_ops.h"

namespace taut::complementarity {
namespace {

constexpr Real kTiny = std::numeric_limits<Real>::min();

// The algebra of the self-dual cone a₀ ≥ |(a₁, a₂)|.
Vec3 jordan(const Vec3& a, const Vec3& b)
{
    return {a.dot(b), a.x() * b.y() + b.x() * a.y(), a.x() * b.z() + b.x() * a.z()};
}

Vec3 jordan_divide(const Vec3& a, const Vec3& v)
{
    const Real tail = norm(a.y(), a.z());
    const Real det = std::max((a.x() - tail) * (a.x() + tail), kTiny);
    const Real u = (a.x() * v.x() - a.y() * v.y() - a.z() * v.z()) / det;
    return {u, (v.y() - u * a.y()) / a.x(), (v.z() - u * a.z()) / a.x()};
}

Real length_in_cone(const Vec3& a)
{
    const Real tail = norm(a.y(), a.z());
    return std::sqrt(std::max((a.x() - tail) * (a.x() + tail), kTiny));
}

// The largest α with a + αb in the cone, a inside.
Real to_boundary(const Vec3& a, const Vec3& b)
{
    const Real A = b.x() * b.x() - b.y() * b.y() - b.z() * b.z();
    const Real B = a.x() * b.x() - a.y() * b.y() - a.z() * b.z();
    const Real tail = norm(a.y(), a.z());
    const Real C = std::max((a.x() - tail) * (a.x() + tail), kTiny);
    // smallest positive root of Aα² + 2Bα + C, and the plane a₀ + αb₀ ≥ 0
    Real out = b.x() < 0 ? -a.x() / b.x() : kInfinity;
    const Real disc = B * B - A * C;
    if (disc >= 0) {
        const Real q = -(B + std::copysign(std::sqrt(disc), B));
        for (const Real root : {A != 0 ? q / A : kInfinity, q != 0 ? C / q : kInfinity})
            if (root > 0) out = std::min(out, root);
    }
    return out;
}

Vec3 three(const std::vector<Real>& v, int row) { return {v[row], v[row + 1], v[row + 2]}; }

}  // namespace

InteriorPoint::Barrier InteriorPoint::barrier(const RowGroup& group) const noexcept
{
    switch (group.kind) {
        case RowGroup::Kind::Equal: return Barrier::None;
        case RowGroup::Kind::NonNegative: return Barrier::Scalar;
        case RowGroup::Kind::Interval:
            if (group.lower == group.upper) return Barrier::Fixed;
            if (group.lower == -kInfinity && group.upper == kInfinity) return Barrier::None;
            return Barrier::Scalar;
        case RowGroup::Kind::Cone: return group.sliding > 0 ? Barrier::Cone : Barrier::Scalar;
    }
    return Barrier::None;
}

Real InteriorPoint::lower(const RowGroup& group) const noexcept
{
    return group.kind == RowGroup::Kind::Interval ? group.lower : 0;
}

Real InteriorPoint::upper(const RowGroup& group) const noexcept
{
    return group.kind == RowGroup::Kind::Interval ? group.upper : kInfinity;
}

// J of a normal is divided by this, its impulse multiplied.
Real InteriorPoint::normal_scale(const RowGroup& group, int r) const noexcept
{
    return r == 0 && barrier(group) == Barrier::Cone ? group.sliding : 1;
}

void InteriorPoint::prepare(const linalg::SaddlePattern& pattern)
{
    barrier_system_.prepare(pattern);
    answer_.prepare(pattern);
    trial_.prepare(pattern);
    for (auto* v : {&y_, &s_, &t_, &dy_, &ds_, &dt_, &ay_, &as_, &row_})
        v->assign(pattern.dual_unknowns, 0);
    momentum_.assign(pattern.primal_unknowns, 0);
    zero_.assign(pattern.primal_unknowns, 0);
    gap_.assign(pattern.dual_unknowns, 0);
    push_.assign(pattern.dual_unknowns, 0);
    gmres_.prepare(pattern.dual_unknowns / 3 + 1);
    T_.reserve(pattern.dual_unknowns);
    W_.reserve(pattern.dual_unknowns);
    Winv_.reserve(pattern.dual_unknowns);
    lambda_.reserve(pattern.dual_unknowns);
}

void InteriorPoint::load(const linalg::SaddleSystem& system, std::span<const RowGroup> groups,
                         const Responses& responses, Real speed,
                         linalg::SaddleSolution& solution) noexcept
{
    TAUT_ASSERT(system.H.size() == barrier_system_.H.size() &&
                system.J.size() == barrier_system_.J.size());
    TAUT_ASSERT(solution.y.size() == y_.size());
    system_ = &system;
    groups_ = groups;
    responses_ = &responses;
    T_.assign(groups.size(), Mat3::Identity());
    W_.assign(groups.size(), Mat3::Identity());
    Winv_.assign(groups.size(), Mat3::Identity());
    lambda_.assign(groups.size(), Vec3::Zero());
    // the last solve may have ended with non-finite numbers, and 0·∞ is not zero
    for (auto* v : {&y_, &s_, &t_, &dy_, &ds_, &dt_, &ay_, &as_})
        std::fill(v->begin(), v->end(), Real(0));
    std::copy(system.H.begin(), system.H.end(), barrier_system_.H.begin());
    barrier_system_.rank = system.rank;
    std::copy(system.J.begin(), system.J.end(), barrier_system_.J.begin());
    std::copy(system.sigma.begin(), system.sigma.end(), barrier_system_.sigma.begin());

    // the inverse mass of the heaviest contact: from a start below the solution the path takes many steps
    weight_ = kInfinity;
    for (const RowGroup& group : groups)
        if (barrier(group) == Barrier::Cone || barrier(group) == Barrier::Scalar)
            weight_ = std::min(weight_, responses.row(group.row));
    if (!(weight_ < kInfinity)) weight_ = 1;
    for (const RowGroup& group : groups) {
        const int k = group.row;
        const Real impulse = speed / weight_;
        switch (barrier(group)) {
            case Barrier::None:
                for (int r = 0; r < group.rows; ++r) y_[k + r] = solution.y[k + r];
                break;
            case Barrier::Fixed: y_[k] = group.lower; break;
            case Barrier::Cone:
                y_[k] = impulse;
                s_[k] = speed;
                break;
            case Barrier::Scalar: {
                const Real low = lower(group), high = upper(group);
                const Real room =
                    std::min(impulse, (high - low) / InteriorPointThresholds::kStartWidth);
                y_[k] =
                    low == -kInfinity ? std::min(Real(0), high - room)
                    : high == kInfinity
                        ? std::max(Real(0), low + room)
                        : std::clamp(Real(0), low + room / InteriorPointThresholds::kStartDistance,
                                     high - room / InteriorPointThresholds::kStartDistance);
                if (low > -kInfinity) s_[k] = speed;
                if (high < kInfinity) t_[k] = speed;
            }
        }
    }
    tau_ = average(0);
}

// Average of y∘s over ω, the parameter of the path, after a step of that length along (dy, ds).
Real InteriorPoint::average(Real step) const noexcept
{
    Real sum = 0;
    int count = 0;
    for (const RowGroup& group : groups_) {
        const int k = group.row;
        const Real weight = weight_;
        const auto at = [&](const Vector& v, const Vector& d, int r) { return v[r] + step * d[r]; };
        if (barrier(group) == Barrier::Cone) {
            for (int r = k; r < k + 3; ++r) sum += weight * at(y_, dy_, r) * at(s_, ds_, r);
            ++count;
        } else if (barrier(group) == Barrier::Scalar) {
            const Real y = at(y_, dy_, k);
            if (lower(group) > -kInfinity) {
                sum += weight * (y - lower(group)) * at(s_, ds_, k);
                ++count;
            }
            if (upper(group) < kInfinity) {
                sum += weight * (upper(group) - y) * at(t_, dt_, k);
                ++count;
            }
        }
    }
    return count > 0 ? sum / count : 0;
}

void InteriorPoint::residuals(const linalg::SaddleSolution& solution) noexcept
{
    const auto& p = *system_->pattern;
    linalg::primal_residual(*system_, solution.x, momentum_);
    linalg::add_row_impulses_by_terms(*system_, solution.y, momentum_);
    for (const auto& dual : p.duals)
        for (int r = 0; r < dual.size; ++r) {
            const int k = dual.offset + r;
            row_[k] = linalg::add_row_product(*system_, dual, r, solution.x,
                                              system_->sigma[k] * solution.y[k] - system_->g[k]);
        }

    // minus the slacks; normals in their own scale, with De Saxcé's correction
    for (const RowGroup& group : groups_) {
        const int k = group.row;
        if (barrier(group) == Barrier::Cone) {
            row_[k] = row_[k] / group.sliding + norm(s_[k + 1], s_[k + 2]);
            for (int r = k; r < k + 3; ++r) row_[r] -= s_[r];
        } else if (barrier(group) == Barrier::Scalar) {
            row_[k] += t_[k] - s_[k];
        }
    }
}

// Nesterov and Todd's scaling of one cone: ŷ = W λ, ŝ = W⁻¹λ.
void InteriorPoint::scale_cone(std::size_t i) noexcept
{
    const int k = groups_[i].row;
    const Vec3 y = three(y_, k), s = three(s_, k);
    const Real y_size = length_in_cone(y), s_size = length_in_cone(s);
    const Vec3 a = y / y_size, b = s / s_size;
    const Real gamma = std::sqrt((1 + a.dot(b)) / 2);
    const Vec3 w = Vec3(a.x() + b.x(), a.y() - b.y(), a.z() - b.z()) / (2 * gamma);
    const Real beta = std::sqrt(y_size / s_size);
    Mat3 W;
    W(0, 0) = w.x();
    W.block<1, 2>(0, 1) = w.tail<2>().transpose();
    W.block<2, 1>(1, 0) = w.tail<2>();
    W.block<2, 2>(1, 1) =
        Eigen::Matrix<Real, 2, 2>::Identity() + w.tail<2>() * w.tail<2>().transpose() / (1 + w.x());
    Mat3 inverse = W;  // with the sign of w's tail turned
    inverse.block<1, 2>(0, 1) *= -1;
    inverse.block<2, 1>(1, 0) *= -1;
    W_[i] = beta * W;
    Winv_[i] = inverse / beta;
    lambda_[i] = W_[i] * s;
}

// T with Σ + W⁻² = T⁻¹T⁻ᵀ; a scalar's in (0, 0).
Mat3 InteriorPoint::row_factor(std::size_t i) const noexcept
{
    const RowGroup& group = groups_[i];
    const int k = group.row;
    Mat3 T = Mat3::Zero();
    if (barrier(group) == Barrier::Cone) {
        Mat3 K = Winv_[i] * Winv_[i];
        for (int r = 0; r < 3; ++r) {
            const Real scale = normal_scale(group, r);
            K(r, r) += system_->sigma[k + r] / (scale * scale);
        }
        const Eigen::LLT<Mat3> llt(K);
        T = Mat3::Identity();
        llt.matrixL().solveInPlace(T);
        if (llt.info() != Eigen::Success || !T.allFinite()) T = W_[i];
    } else if (barrier(group) == Barrier::Scalar) {
        Real K = system_->sigma[k];
        if (lower(group) > -kInfinity) K += s_[k] / std::max(y_[k] - lower(group), kTiny);
        if (upper(group) < kInfinity) K += t_[k] / std::max(upper(group) - y_[k], kTiny);
        T(0, 0) = 1 / std::sqrt(std::max(K, kTiny));
    }
    return T;
}

void InteriorPoint::write_rows() noexcept
{
    const auto& p = *system_->pattern;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const RowGroup& group = groups_[i];
        if (barrier(group) == Barrier::None) continue;
        if (barrier(group) == Barrier::Cone) scale_cone(i);
        const Mat3 T = T_[i] = row_factor(i);

        const auto& dual = p.duals[group.dual];
        for (int t = 0; t < dual.touches; ++t) {
            const auto& touch = p.touches[dual.first_touch + t];
            const int size = p.primals[touch.primal].size;
            const Real* const from = &system_->J[touch.block + group.local * size];
            Real* const to = &barrier_system_.J[touch.block + group.local * size];
            for (int r = 0; r < group.rows; ++r)
                for (int c = 0; c < size; ++c) {
                    Real sum = 0;
                    for (int q = 0; q < group.rows; ++q)
                        sum += T(r, q) * from[q * size + c] / normal_scale(group, q);
                    to[r * size + c] = sum;
                }
        }
        for (int r = 0; r < group.rows; ++r) barrier_system_.sigma[group.row + r] = 1;
    }
}

// q with W⁻¹δy + Wδs = q.
Vec3 InteriorPoint::cone_target(const RowGroup& group, Real tau, bool corrector) const noexcept
{
    const auto i = static_cast<std::size_t>(&group - groups_.data());
    Vec3 target = Vec3(tau / weight_, 0, 0) - jordan(lambda_[i], lambda_[i]);
    if (corrector)
        target -= jordan(Winv_[i] * three(ay_, group.row), W_[i] * three(as_, group.row));
    return jordan_divide(lambda_[i], target);
}

void InteriorPoint::write_right_hand_side(Real tau, bool corrector) noexcept
{
    std::copy(momentum_.begin(), momentum_.end(), barrier_system_.f.begin());
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const RowGroup& group = groups_[i];
        const int k = group.row;
        Real* const g = &barrier_system_.g[k];
        switch (barrier(group)) {
            case Barrier::None:
                for (int r = 0; r < group.rows; ++r) g[r] = -row_[k + r];
                break;
            case Barrier::Fixed: g[0] = 0; break;
            case Barrier::Cone: {
                const Vec3 rhs =
                    T_[i] * (Winv_[i] * cone_target(group, tau, corrector) - three(row_, k));
                for (int r = 0; r < 3; ++r) g[r] = rhs[r];
                break;
            }
            case Barrier::Scalar: {
                const Real weighted = tau / weight_;
                Real rhs = -row_[k];
                if (lower(group) > -kInfinity) {
                    const Real room = std::max(y_[k] - lower(group), kTiny);
                    rhs += (weighted - (corrector ? ay_[k] * as_[k] : 0)) / room - s_[k];
                }
                if (upper(group) < kInfinity) {
                    const Real room = std::max(upper(group) - y_[k], kTiny);
                    rhs -= weighted / room - t_[k];
                }
                std::fill_n(g, group.rows, Real(0));
                g[0] = T_[i](0, 0) * rhs;
            }
        }
    }
}

void InteriorPoint::recover(Real tau, bool corrector, const linalg::SaddleSolution& step) noexcept
{
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const RowGroup& group = groups_[i];
        const int k = group.row;
        for (int r = k; r < k + group.rows; ++r) dy_[r] = ds_[r] = dt_[r] = 0;
        switch (barrier(group)) {
            case Barrier::None:
                for (int r = k; r < k + group.rows; ++r) dy_[r] = step.y[r];
                break;
            case Barrier::Fixed: break;
            case Barrier::Cone: {
                const Vec3 dy = T_[i].transpose() * three(step.y, k);
                const Vec3 q = cone_target(group, tau, corrector);
                const Vec3 ds = Winv_[i] * (q - Winv_[i] * dy);
                for (int r = 0; r < 3; ++r) {
                    dy_[k + r] = dy[r];
                    ds_[k + r] = ds[r];
                }
                break;
            }
            case Barrier::Scalar: {
                const Real dy = T_[i](0, 0) * step.y[k];
                const Real weighted = tau / weight_;
                dy_[k] = dy;
                if (lower(group) > -kInfinity) {
                    const Real room = std::max(y_[k] - lower(group), kTiny);
                    ds_[k] =
                        (weighted - (corrector ? ay_[k] * as_[k] : 0) - s_[k] * dy) / room - s_[k];
                }
                if (upper(group) < kInfinity) {
                    const Real room = std::max(upper(group) - y_[k], kTiny);
                    dt_[k] = (weighted + t_[k] * dy) / room - t_[k];
                }
            }
        }
    }
}

Real InteriorPoint::longest_step() const noexcept
{
    Real longest = kInfinity;
    const auto shrink = [&](Real room, Real speed) {
        if (speed < 0) longest = std::min(longest, -room / speed);
    };
    for (const RowGroup& group : groups_) {
        const int k = group.row;
        if (barrier(group) == Barrier::Cone) {
            longest = std::min({longest, to_boundary(three(y_, k), three(dy_, k)),
                                to_boundary(three(s_, k), three(ds_, k))});
        } else if (barrier(group) == Barrier::Scalar) {
            if (lower(group) > -kInfinity) {
                shrink(y_[k] - lower(group), dy_[k]);
                shrink(s_[k], ds_[k]);
            }
            if (upper(group) < kInfinity) {
                shrink(upper(group) - y_[k], -dy_[k]);
                shrink(t_[k], dt_[k]);
            }
        }
    }
    return longest;
}

// During the step the correction |ŝ_t| changes by z = ŝ_t·δs_t/|ŝ_t|, which enters the normal rows as −z. δs_t is affine in z, and
// GMRES solves for z. Adds the result to the right-hand side.
void InteriorPoint::couple(InnerSolver& inner) noexcept
{
    // change of |ŝ_t| of a cone for a change ds of its slack
    const auto growth = [&](std::size_t i, const Vec3& ds) {
        const int k = groups_[i].row;
        const Real slip = norm(s_[k + 1], s_[k + 2]);
        return slip > 0 ? (s_[k + 1] * ds.y() + s_[k + 2] * ds.z()) / slip : 0;
    };
    std::size_t count = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i)
        if (barrier(groups_[i]) == Barrier::Cone)
            gap_[count++] = growth(i, three(ds_, groups_[i].row));
    if (count == 0) return;

    const auto spread = [&](const Real* z, Real sign, Vector& g) {
        std::size_t n = 0;
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            if (barrier(groups_[i]) != Barrier::Cone) continue;
            const Vec3 rhs = sign * z[n++] * T_[i].col(0);
            for (int r = 0; r < 3; ++r) g[groups_[i].row + r] += rhs[r];
        }
    };
    auto& answer = trial_;
    gmres_.solve(gap_.data(), count, InteriorPointThresholds::kCouplingTolerance,
                 [&](const Real* z, Real* out) {
                     std::fill(push_.begin(), push_.end(), Real(0));
                     spread(z, -1, push_);
                     inner.back_substitute(zero_, push_, answer);
                     std::size_t n = 0;
                     for (std::size_t i = 0; i < groups_.size(); ++i) {
                         if (barrier(groups_[i]) != Barrier::Cone) continue;
                         const Vec3 dy = T_[i].transpose() * three(answer.y, groups_[i].row);
                         out[n++] = growth(i, -(Winv_[i] * (Winv_[i] * dy)));
                     }
                 });
    spread(gap_.data(), -1, barrier_system_.g);
}

Real InteriorPoint::step(InnerSolver& inner, linalg::SaddleSolution& solution) noexcept
{
    TAUT_ASSERT(system_ != nullptr);
    // the unscaled impulses of the current point
    for (const RowGroup& group : groups_)
        for (int r = 0; r < group.rows; ++r)
            solution.y[group.row + r] = y_[group.row + r] / normal_scale(group, r);
    residuals(solution);
    write_rows();

    // predictor: towards τ = 0, to see how long a step the boundary allows
    write_right_hand_side(0, false);
    std::fill(answer_.x.begin(), answer_.x.end(), Real(0));
    std::fill(answer_.y.begin(), answer_.y.end(), Real(0));
    inner.solve(barrier_system_, *responses_, false, answer_);
    recover(0, false, answer_);
    const Real reach = std::min(longest_step(), Real(1));
    const Real left = tau_ > 0 ? std::max(average(reach), Real(0)) / tau_ : 0;
    const Real centring = std::min(Real(1), left * left * left);

    // corrector: towards the path, with the second-order term
    std::copy(dy_.begin(), dy_.end(), ay_.begin());
    std::copy(ds_.begin(), ds_.end(), as_.begin());
    const Real target = std::max(centring, InteriorPointThresholds::kSmallestCentring) * tau_;
    write_right_hand_side(target, true);
    inner.refine(barrier_system_, answer_);
    recover(target, true, answer_);
    Real step = std::min(InteriorPointThresholds::kBoundaryFraction * longest_step(), Real(1));

    // with the change of De Saxcé's correction, unless the boundary allows only a much shorter step then
    couple(inner);
    inner.refine(barrier_system_, answer_);
    recover(target, true, answer_);
    const Real coupled =
        std::min(InteriorPointThresholds::kBoundaryFraction * longest_step(), Real(1));
    if (coupled >= InteriorPointThresholds::kCoupledStep * step) {
        step = coupled;
    } else {
        write_right_hand_side(target, true);
        inner.refine(barrier_system_, answer_);
        recover(target, true, answer_);
    }
    if (!(step > 0) || !std::isfinite(step)) return 0;

    for (std::size_t r = 0; r < solution.x.size(); ++r) solution.x[r] += step * answer_.x[r];
    for (std::size_t r = 0; r < y_.size(); ++r) {
        y_[r] += step * dy_[r];
        s_[r] += step * ds_[r];
        t_[r] += step * dt_[r];
    }
    for (const RowGroup& group : groups_)
        for (int r = 0; r < group.rows; ++r)
            solution.y[group.row + r] = y_[group.row + r] / normal_scale(group, r);
    tau_ = average(0);
    return step;
}

}  // namespace taut::complementarity
