#include "complementarity/problem.h"

#include <algorithm>
#include <cmath>

namespace taut::complementarity {

static bool all_finite(const linalg::SaddleSystem& system) noexcept
{
    for (const auto* values : {&system.H, &system.J, &system.sigma, &system.f, &system.g})
        for (const Real v : *values)
            if (!std::isfinite(v)) return false;
    return true;
}

void InequalityProblem::prepare(const linalg::SaddlePattern& pattern)
{
    rows_.prepare(pattern);
    responses_.prepare(pattern);
    map_.prepare(pattern);
}

std::string_view InequalityProblem::load(const linalg::SaddleSystem& system,
                                         std::span<const InequalityBlock> blocks,
                                         const ComplementaritySettings& settings) noexcept
{
    system_ = &system;
    if (!system.symmetric) return "inequality rows require a symmetric matrix, and this one is not";
    if (!all_finite(system)) return "the matrix of the step has numbers that are not finite";
    if (!rows_.load(blocks, settings.shape, settings.equality_rounding))
        return "the bounds of the inequality rows contradict each other";
    if (!responses_.compute(system))
        return "inequality rows require a matrix that is positive definite for every body, and the "
               "stabilisation left one that is not: shorter steps, or the stabilisations tension "
               "and projected, keep it positive definite";
    return {};
}

void InequalityProblem::make_admissible(std::span<Real> y) const noexcept
{
    for (const RowGroup& group : groups()) project(group, &y[group.row]);
}

void zero_non_finite(linalg::SaddleSolution& solution) noexcept
{
    for (auto* values : {&solution.x, &solution.y})
        for (Real& v : *values)
            if (!std::isfinite(v)) v = 0;
}

void copy_solution(const linalg::SaddleSolution& from, linalg::SaddleSolution& to) noexcept
{
    std::copy(from.x.begin(), from.x.end(), to.x.begin());
    std::copy(from.y.begin(), from.y.end(), to.y.begin());
}

}  // namespace taut::complementarity
