#include "stepper/classical/held_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut::stepper::classical {
namespace {

// Pivots of the unit-diagonal J M⁻¹ Jᵀ: a mass ratio of 1e8 makes honest ones of 1e-8.
constexpr Real kImplied = 1e-12;

// The same mechanism with its motors let go: for projections of poses.
Mechanism without_velocity_rows(const Mechanism& mechanism)
{
    Mechanism out = mechanism;
    std::erase_if(out.held, [&](int r) { return mechanism.kind(r) != RowKind::Position; });
    return out;
}

Real smallest_pivot(const Eigen::LLT<Matrix>& factor)
{
    const Real root = factor.matrixLLT().diagonal().minCoeff();
    return root * root;
}

// Takes the row with the largest part that those before it do not imply, until none has one worth taking.
std::vector<int> independent_rows(Matrix A)
{
    std::vector<int> rows;
    const Eigen::Index n = A.rows();
    for (Eigen::Index k = 0; k < n; ++k) {
        Eigen::Index r = 0;
        if (!(A.diagonal().maxCoeff(&r) > kImplied)) break;
        rows.push_back(static_cast<int>(r));
        const Vector column = A.col(r) / std::sqrt(A(r, r));
        A.noalias() -= column * column.transpose();
        A.row(r).setZero();
        A.col(r).setZero();
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

}  // namespace

HeldRows::HeldRows(const Mechanism& mechanism, const State& state, const RowValues& rows,
                   const Vector& softness)
    : J(rows_of(rows, mechanism.held)), mass_inverse_Jt(J.transpose())
{
    divide_by_mass(mechanism, state, mass_inverse_Jt);
    A_.noalias() = J * mass_inverse_Jt;
    if (softness.size() > 0) A_.diagonal() += softness;
    scale_ = A_.diagonal().unaryExpr([](Real a) { return a > 0 ? 1 / std::sqrt(a) : Real(0); });
    A_ = scale_.asDiagonal() * A_ * scale_.asDiagonal();
    if (none()) return;
    factor_.compute(A_);
    if (factor_.info() == Eigen::Success && smallest_pivot(factor_) > kImplied) {
        independent_.resize(J.rows());
        std::iota(independent_.begin(), independent_.end(), 0);
    } else {
        independent_ = independent_rows(A_);
        factor_.compute(A_(independent_, independent_));
    }
}

Vector HeldRows::solve(const Vector& b)
{
    if (none()) return b;
    ++solves;
    const Vector scaled = scale_.cwiseProduct(b);
    Vector x = Vector::Zero(b.size());
    const auto correct = [&] {
        const Vector rest = scaled - A_ * x;
        const Vector change = factor_.solve(Vector(rest(independent_)));
        for (std::size_t k = 0; k < independent_.size(); ++k) x[independent_[k]] += change[k];
    };
    correct();
    correct();  // one refinement
    const Real size = scaled.lpNorm<Eigen::Infinity>() +
                      A_.cwiseAbs().rowwise().sum().maxCoeff() * x.lpNorm<Eigen::Infinity>();
    const Vector rest = scaled - A_ * x;
    if (size > 0 && !independent_.empty())
        residual = std::max(residual, rest(independent_).lpNorm<Eigen::Infinity>() / size);
    return scale_.cwiseProduct(x);
}

Vector pick(const Vector& all, const std::vector<int>& which)
{
    Vector part(which.size());
    for (std::size_t k = 0; k < which.size(); ++k) part[k] = all[which[k]];
    return part;
}

void put_back(const Vector& part, const std::vector<int>& which, Vector& all)
{
    for (std::size_t k = 0; k < which.size(); ++k) all[which[k]] = part[k];
}

ConvergenceTest::ConvergenceTest(const Mechanism& mechanism)
{
    const auto& extent = mechanism.model.extent;
    closed_ = 1e-13 * (1 + (extent.isEmpty() ? 0 : extent.diagonal().norm()));
}

bool ConvergenceTest::has_converged(const Vector& error) noexcept
{
    const Real now = error.size() > 0 ? error.lpNorm<Eigen::Infinity>() : 0;
    const bool stands = now < 1e3 * closed_ && now >= before_;
    before_ = now;
    ++steps_;
    return now <= closed_ || stands;
}

bool project_poses(const Mechanism& mechanism, State& state, int& solves, Real& residual)
{
    const Mechanism joints = without_velocity_rows(mechanism);
    RowValues rows;
    ConvergenceTest convergence(mechanism);
    while (true) {
        evaluate(joints, state, Detail::Rates, rows);
        const Vector phi = pick(rows.phi, joints.held);
        if (convergence.has_converged(phi)) return true;
        if (convergence.has_failed()) return false;
        HeldRows held(joints, state, rows);
        move(joints, -(held.mass_inverse_Jt * held.solve(phi)), state);
        solves += held.solves;
        residual = std::max(residual, held.residual);
    }
}

Vector project_velocities(const Mechanism& mechanism, State& state, int& solves, Real& residual)
{
    RowValues rows;
    evaluate(mechanism, state, Detail::Rates, rows);
    HeldRows held(mechanism, state, rows);
    Vector miss = -pick(rows.rate, mechanism.held);
    for (std::size_t k = 0; k < mechanism.held.size(); ++k)
        miss[k] += mechanism.target(mechanism.held[k], state.time);
    const Vector impulse = held.solve(miss);
    set_velocities(mechanism, velocities(mechanism, state) + held.mass_inverse_Jt * impulse, state);
    solves += held.solves;
    residual = std::max(residual, held.residual);
    return impulse;
}

}  // namespace taut::stepper::classical
