#include "solver/direct_solver.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "core/assert.h"

namespace taut::solver {
namespace {

constexpr std::string_view kNoMemory = "memory ran out in the linear solver";

// Σ ← max(Σ, floor · J D⁻¹Jᵀ), D the diagonal of H.
void raise_sigma(linalg::SaddleSystem& system, Real floor)
{
    const linalg::SaddlePattern& p = *system.pattern;
    for (const auto& dual : p.duals)
        for (int r = 0; r < dual.size; ++r) {
            Real response = 0;
            for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
                const auto& primal = p.primals[p.touches[t].primal];
                const Real* const J = &system.J[p.touches[t].block + r * primal.size];
                for (int c = 0; c < primal.size; ++c)
                    response +=
                        J[c] * J[c] / std::abs(system.H[primal.block + c * (primal.size + 1)]);
            }
            Real& sigma = system.sigma[dual.offset + r];
            sigma = std::max(sigma, floor * response);
        }
}

bool is_empty(const linalg::SaddlePattern& pattern)
{
    return pattern.primal_unknowns + pattern.dual_unknowns == 0;
}

}  // namespace

void DirectSolver::refine(const linalg::SaddleSystem& system, Real good,
                          linalg::SaddleSolution& out, SolveReport& report) noexcept
{
    refinement_.run(
        system, good, out, report,
        [&](auto f, auto g, linalg::SaddleSolution& correction) { solve_again(f, g, correction); });
}

SolveReport DirectSolver::refine(const linalg::SaddleSystem& system, Real good,
                                 linalg::SaddleSolution& out) noexcept
{
    SolveReport report;
    refine(system, good, out, report);
    return report;
}

void AllocatingSolver::prepare(const linalg::SaddlePattern& pattern)
{
    refinement_.prepare(pattern);
    has_factor_ = false;
    analyse(pattern);
}

SolveReport AllocatingSolver::solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& out,
                                    Check) noexcept
{
    TAUT_ASSERT(system.pattern != nullptr);
    TAUT_ASSERT(out.x.size() == system.f.size() && out.y.size() == system.g.size());
    SolveReport report;
    report.expected_negative_pivots = system.pattern->dual_unknowns;
    if (is_empty(*system.pattern)) return report;
    has_factor_ = false;
    if (!system.symmetric && !takes_unsymmetric()) return fail(report, kNotSymmetric);
    try {
        const std::string_view reason = allocate_and_factorise(system);
        if (!reason.empty()) return fail(report, reason);
        has_factor_ = true;
        report.negative_pivots = negative_pivots();
        allocate_and_substitute(system.f, system.g, out);
    } catch (const std::exception&) {
        has_factor_ = false;
        return fail(report, kNoMemory);
    }
    refine(system, good_residual(), out, report);
    return report;
}

bool AllocatingSolver::factorise(const linalg::SaddleSystem& system, Real floor,
                                 linalg::SaddleSolution& out) noexcept
{
    TAUT_ASSERT(system.pattern != nullptr);
    if (is_empty(*system.pattern)) return true;
    has_factor_ = false;
    if (!system.symmetric && !takes_unsymmetric()) return false;
    try {
        raised_ = system;
        if (floor > 0) raise_sigma(raised_, floor);
        has_factor_ = allocate_and_factorise(raised_).empty();
        if (has_factor_) allocate_and_substitute(system.f, system.g, out);
    } catch (const std::exception&) {
        has_factor_ = false;
    }
    return has_factor_;
}

void AllocatingSolver::solve_again(std::span<const Real> f, std::span<const Real> g,
                                   linalg::SaddleSolution& out) noexcept
{
    if (out.x.empty() && out.y.empty()) return;
    try {
        if (has_factor_) return allocate_and_substitute(f, g, out);
    } catch (const std::exception&) {
        has_factor_ = false;
    }
    constexpr Real kNone = std::numeric_limits<Real>::quiet_NaN();
    std::fill(out.x.begin(), out.x.end(), kNone);
    std::fill(out.y.begin(), out.y.end(), kNone);
}

}  // namespace taut::solver
