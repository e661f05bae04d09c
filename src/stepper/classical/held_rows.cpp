#include "stepper/classical/held_rows.h"

#include <algorithm>
#include <cmath>

namespace taut::classical {
namespace {

// Pivots of the unit-diagonal J M⁻¹ Jᵀ: a mass ratio of 1e8 makes honest ones of 1e-8.
constexpr Real kImplied = 1e-12;
constexpr int kMostIterations = 50;

// The same mechanism with its motors let go: for projections of poses.
Mechanism without_velocity_rows(const Mechanism& mechanism)
{
    Mechanism out = mechanism;
    std::erase_if(out.held, [&](int r) { return mechanism.kind(r) != RowKind::Position; });
    return out;
}

}  // namespace

HeldRows::HeldRows(const Mechanism& mechanism, const State& state, const RowValues& rows)
    : J(rows_of(rows, mechanism.held)), mass_inverse_Jt(J.transpose())
{
    divide_by_mass(mechanism, state, mass_inverse_Jt);
    A_.noalias() = J * mass_inverse_Jt;
    scale_ = A_.diagonal().unaryExpr([](Real a) { return a > 0 ? 1 / std::sqrt(a) : Real(0); });
    A_ = scale_.asDiagonal() * A_ * scale_.asDiagonal();
    if (!none()) factor_.compute(A_);
}

Vector HeldRows::solve(const Vector& b)
{
    if (none()) return b;
    ++solves;
    const Vector scaled = scale_.cwiseProduct(b);
    // PᵀL D LᵀP x = b with the pivots of implied rows taken as infinite: x is zero there
    const auto sweep = [&](const Vector& right) {
        Vector x = factor_.transpositionsP() * right;
        factor_.matrixL().solveInPlace(x);
        const auto& D = factor_.vectorD();
        for (Eigen::Index k = 0; k < x.size(); ++k) x[k] = D[k] > kImplied ? x[k] / D[k] : 0;
        factor_.matrixU().solveInPlace(x);
        return Vector(factor_.transpositionsP().transpose() * x);
    };
    Vector x = sweep(scaled);
    x += sweep(scaled - A_ * x);  // one refinement
    const Real size = scaled.lpNorm<Eigen::Infinity>() +
                      A_.cwiseAbs().rowwise().sum().maxCoeff() * x.lpNorm<Eigen::Infinity>();
    if (size > 0) residual = std::max(residual, (scaled - A_ * x).lpNorm<Eigen::Infinity>() / size);
    return scale_.cwiseProduct(x);
}

std::vector<int> HeldRows::independent() const
{
    std::vector<int> rows;
    if (none()) return rows;
    Eigen::VectorXi order = Eigen::VectorXi::LinSpaced(J.rows(), 0, static_cast<int>(J.rows()) - 1);
    order = (factor_.transpositionsP() * order).eval();
    for (Eigen::Index k = 0; k < order.size(); ++k)
        if (factor_.vectorD()[k] > kImplied) rows.push_back(order[k]);
    std::sort(rows.begin(), rows.end());
    return rows;
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

Real closed(const Mechanism& mechanism)
{
    const auto& extent = mechanism.model.extent;
    return 1e-13 * (1 + (extent.isEmpty() ? 0 : extent.diagonal().norm()));
}

bool project_poses(const Mechanism& mechanism, State& state, int& solves, Real& residual)
{
    const Mechanism joints = without_velocity_rows(mechanism);
    RowValues rows;
    Real before = std::numeric_limits<Real>::infinity();
    for (int i = 0; i < kMostIterations; ++i) {
        evaluate(joints, state, Detail::Rates, rows);
        const Vector phi = pick(rows.phi, joints.held);
        const Real error = phi.size() > 0 ? phi.lpNorm<Eigen::Infinity>() : 0;
        if (!std::isfinite(error)) return false;
        // at round-off the error no longer falls: that is as closed as it gets
        if (error <= closed(mechanism) || (error < 1e3 * closed(mechanism) && error >= before))
            return true;
        before = error;
        HeldRows held(joints, state, rows);
        move(joints, -(held.mass_inverse_Jt * held.solve(phi)), state);
        solves += held.solves;
        residual = std::max(residual, held.residual);
    }
    return false;
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

}  // namespace taut::classical
