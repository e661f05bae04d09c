#include "complementarity/enumeration.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "linalg/saddle_ops.h"

namespace taut::test {
namespace {

constexpr Real kGood = 1e-8;  // of a law, relative to the free speed of its row

}  // namespace

Enumeration::Enumeration(const ComplementarityProblem& problem) : problem_(problem)
{
    const int n = problem.pattern->primal_unknowns, m = problem.pattern->dual_unknowns;
    const Eigen::MatrixXd K = linalg::to_dense(problem.system);
    H_inverse_ = K.topLeftCorner(n, n).inverse();
    J_ = K.bottomLeftCorner(m, n);
    A_ = J_ * H_inverse_ * J_.transpose();
    for (int r = 0; r < m; ++r) A_(r, r) += problem.system.sigma[r];
    const Eigen::Map<const Eigen::VectorXd> f(problem.system.f.data(), n);
    const Eigen::Map<const Eigen::VectorXd> g(problem.system.g.data(), m);
    b_ = J_ * (H_inverse_ * f) - g;
    d_ = A_.diagonal();
    block_of_row_.assign(m, -1);
    for (int k = 0; k < static_cast<int>(problem.blocks.size()); ++k) {
        const int rows = std::holds_alternative<Cone>(problem.blocks[k].law) ? 3 : 1;
        for (int r = 0; r < rows; ++r) block_of_row_[problem.blocks[k].first_row + r] = k;
    }
}

std::vector<ComplementaritySolution> Enumeration::solve()
{
    found_.clear();
    const std::size_t count = problem_.blocks.size();
    const auto choices = [&](std::size_t k) -> std::vector<Act> {
        const Law& law = problem_.blocks[k].law;
        if (std::holds_alternative<NonNegative>(law)) return {Act::Off, Act::Closed};
        if (std::holds_alternative<Interval>(law)) return {Act::Lower, Act::Closed, Act::Upper};
        return {Act::Off, Act::Stick, Act::Slide};
    };
    std::vector<std::size_t> digit(count, 0);
    acts_.assign(count, Act::Off);
    while (true) {
        for (std::size_t k = 0; k < count; ++k) acts_[k] = choices(k)[digit[k]];
        try_acts();
        std::size_t k = 0;
        while (k < count && ++digit[k] == choices(k).size()) digit[k++] = 0;
        if (k == count) return found_;
    }
}

void Enumeration::try_acts()
{
    const auto slides = std::count(acts_.begin(), acts_.end(), Act::Slide);
    Eigen::VectorXd y, s;
    if (slides == 0) {
        if (solve_linear({}, y, s)) accept(y);
        return;
    }
    // Newton on the directions, derivatives by differences, steps of half a radian at most
    std::mt19937 random(7);
    std::uniform_real_distribution<Real> turn(-M_PI, M_PI);
    const int starts = slides == 1 ? 12 : slides == 2 ? 24 : 40;
    for (int start = 0; start < starts; ++start) {
        Eigen::VectorXd angles(slides);
        for (auto& a : angles) a = turn(random);
        for (int k = 0; k < 40; ++k) {
            if (!solve_linear(angles, y, s)) break;
            const Eigen::VectorXd F = misalignment(y, s, angles);
            if (F.norm() < 1e-13) break;
            Eigen::MatrixXd D(slides, slides);
            for (int c = 0; c < slides; ++c) {
                Eigen::VectorXd moved = angles, y2, s2;
                moved[c] += 1e-7;
                if (!solve_linear(moved, y2, s2)) return;
                D.col(c) = (misalignment(y2, s2, moved) - F) / 1e-7;
            }
            Eigen::VectorXd step = D.completeOrthogonalDecomposition().solve(-F);
            if (!step.allFinite()) break;
            step *= std::min(Real(1), 0.5 / std::max(step.cwiseAbs().maxCoeff(), Real(1e-30)));
            angles += step;
        }
        if (solve_linear(angles, y, s)) accept(y);
    }
}

// y with s = 0 on closed rows and y_t = μ y_n (cos, sin) on slides; false where redundant rows contradict.
bool Enumeration::solve_linear(const Eigen::VectorXd& angles, Eigen::VectorXd& y,
                               Eigen::VectorXd& s) const
{
    const int m = static_cast<int>(A_.rows());
    // y = P z + c: z the impulses of closed rows
    std::vector<int> closed;
    Eigen::MatrixXd P = Eigen::MatrixXd::Zero(m, m);
    Eigen::VectorXd c = Eigen::VectorXd::Zero(m);
    int slide = 0;
    for (int r = 0; r < m;) {
        const int k = block_of_row_[r];
        const Act act = k < 0 ? Act::Closed : acts_[k];
        const int rows = act == Act::Stick || act == Act::Slide ||
                                 (k >= 0 && std::holds_alternative<Cone>(problem_.blocks[k].law))
                             ? 3
                             : 1;
        if (act == Act::Closed || act == Act::Stick) {
            for (int q = r; q < r + rows; ++q) {
                P(q, static_cast<int>(closed.size())) = 1;
                closed.push_back(q);
            }
        } else if (act == Act::Slide) {
            const Real mu = std::get<Cone>(problem_.blocks[k].law).friction;
            const int column = static_cast<int>(closed.size());
            P(r, column) = 1;
            P(r + 1, column) = mu * std::cos(angles[slide]);
            P(r + 2, column) = mu * std::sin(angles[slide]);
            ++slide;
            closed.push_back(r);
        } else if (act == Act::Lower) {
            c[r] = std::get<Interval>(problem_.blocks[k].law).lower;
        } else if (act == Act::Upper) {
            c[r] = std::get<Interval>(problem_.blocks[k].law).upper;
        }
        r += rows;
    }
    const int count = static_cast<int>(closed.size());
    y = c;
    if (!y.allFinite()) return false;
    if (count > 0) {
        Eigen::MatrixXd M(count, count);
        Eigen::VectorXd rhs(count), scale(count);
        const Eigen::MatrixXd AP = A_ * P.leftCols(count);
        const Eigen::VectorXd Ac = A_ * c;
        for (int i = 0; i < count; ++i) scale[i] = 1 / std::sqrt(d_[closed[i]]);
        for (int i = 0; i < count; ++i) {
            M.row(i) = scale[i] * AP.row(closed[i]) * scale.asDiagonal();
            rhs[i] = -scale[i] * (b_[closed[i]] + Ac[closed[i]]);
        }
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
        cod.setThreshold(1e-12);
        cod.compute(M);
        Eigen::VectorXd z = cod.solve(rhs);
        z += cod.solve(rhs - M * z);
        if (!((M * z - rhs).norm() < 1e-9 * (1 + rhs.norm()))) return false;
        y += P.leftCols(count) * scale.cwiseProduct(z);
    }
    s = A_ * y + b_;
    return true;
}

Eigen::VectorXd Enumeration::misalignment(const Eigen::VectorXd&, const Eigen::VectorXd& s,
                                          const Eigen::VectorXd& angles) const
{
    Eigen::VectorXd out(angles.size());
    int slide = 0;
    for (std::size_t k = 0; k < acts_.size(); ++k) {
        if (acts_[k] != Act::Slide) continue;
        const int r = problem_.blocks[k].first_row;
        const Real a = angles[slide];
        const Real size = std::max(std::hypot(s[r + 1], s[r + 2]), Real(1e-12));
        out[slide++] = (std::cos(a) * s[r + 2] - std::sin(a) * s[r + 1]) / size;
    }
    return out;
}

void Enumeration::accept(const Eigen::VectorXd& y)
{
    const Eigen::Map<const Eigen::VectorXd> f(problem_.system.f.data(), H_inverse_.rows());
    const ComplementaritySolution one{H_inverse_ * (f + J_.transpose() * y), y};
    if (!(natural_map_error(one.x, one.y) < kGood)) return;
    for (const ComplementaritySolution& other : found_)
        if ((J_ * (other.x - one.x)).cwiseAbs().maxCoeff() < 1e-6) return;
    found_.push_back(one);
}

Real Enumeration::natural_map_error(const Eigen::VectorXd& x, const Eigen::VectorXd& y) const
{
    const int m = static_cast<int>(A_.rows());
    const Eigen::Map<const Eigen::VectorXd> g(problem_.system.g.data(), m);
    const Eigen::Map<const Eigen::VectorXd> sigma(problem_.system.sigma.data(), m);
    const Eigen::Map<const Eigen::VectorXd> f(problem_.system.f.data(), H_inverse_.rows());
    const Eigen::VectorXd s = J_ * x + sigma.cwiseProduct(y) - g;
    const Eigen::VectorXd scale = (J_ * (H_inverse_ * f)).cwiseAbs() + g.cwiseAbs() +
                                  Eigen::VectorXd::Constant(m, kGravity * kLawStep);
    // momentum, as the speeds that rows see
    Real worst = (J_ * x - J_ * (H_inverse_ * (f + J_.transpose() * y)))
                     .cwiseAbs()
                     .cwiseQuotient(scale + 1e-6 * d_.cwiseProduct(y.cwiseAbs()))
                     .maxCoeff();
    for (int r = 0; r < m;) {
        const int k = block_of_row_[r];
        const Law law = k < 0 ? Law(Equal{}) : problem_.blocks[k].law;
        if (std::holds_alternative<Equal>(law)) {
            worst = std::max(worst, std::abs(s[r]) / scale[r]);
            ++r;
        } else if (std::holds_alternative<NonNegative>(law)) {
            worst = std::max(worst, std::abs(std::min(d_[r] * y[r], s[r])) / scale[r]);
            ++r;
        } else if (const auto* interval = std::get_if<Interval>(&law)) {
            const Real p = interval->project(y[r] - s[r] / d_[r]);
            worst = std::max(worst, d_[r] * std::abs(y[r] - p) / scale[r]);
            ++r;
        } else {
            const Real mu = std::get<Cone>(law).friction;
            const Real size = std::max({scale[r], scale[r + 1], scale[r + 2]});
            worst = std::max(worst, std::abs(std::min(d_[r] * y[r], s[r])) / size);
            // inside the cone; and against the slip with the full force, unless there is none
            const Real yt = std::hypot(y[r + 1], y[r + 2]), st = std::hypot(s[r + 1], s[r + 2]);
            const Real dt = std::max(d_[r + 1], d_[r + 2]), radius = mu * std::max(y[r], Real(0));
            worst = std::max(worst, dt * (yt - radius) / size);
            const Real along = y[r + 1] * s[r + 1] + y[r + 2] * s[r + 2];
            if (st > 0 && radius > 0)
                worst = std::max(worst, std::min(st, dt * (radius + along / st)) / size);
            r += 3;
        }
    }
    return worst;
}

}  // namespace taut::test
