// Iterative refinement, the same for every direct solver: correct with the given factor, measure the residual with
// the true matrix, keep the better of the two.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <taut/report.h>

#include "linalg/saddle_ops.h"
#include "solver/thresholds.h"

namespace taut::solver {

// A solve without a result, and why: a static text.
inline SolveReport& fail(SolveReport& report, std::string_view reason) noexcept
{
    report.finite = false;
    report.outcome = SolveOutcome::Failed;
    report.reason = reason;
    return report;
}

inline constexpr std::string_view kNotSymmetric =
    "the solver takes symmetric matrices only, and this one is not";
inline constexpr std::string_view kNotFinite =
    "the matrix of the step has numbers that are not finite";
inline constexpr std::string_view kSingular = "the matrix of the step is singular for the solver";

class Refinement {
public:
    using Limits = RefinementThresholds;

    void prepare(const linalg::SaddlePattern& pattern)
    {
        residual_.prepare(pattern);
        correction_.prepare(pattern);
        trial_.prepare(pattern);
    }

    // Measures `out`, then refines it if it is not `good`, while that helps. `correct(f, g, correction)`
    // solves with the factor. Inconsistent redundant rows have no solution: the best iterate stays.
    template <class Correct>
    void run(const linalg::SaddleSystem& system, Real good, linalg::SaddleSolution& out,
             SolveReport& report, Correct correct) noexcept
    {
        Real residual = residual_.measure(system, out.x, out.y, good);
        if (residual > good) {
            Real last_size = 1;
            for (int k = 0; k < Limits::kIterations; ++k) {
                correct(residual_.f(), residual_.g(), correction_);
                add(out.x, correction_.x, trial_.x);
                add(out.y, correction_.y, trial_.y);
                const Real better = residual_.measure(system, trial_.x, trial_.y, Limits::kTarget);
                if (!(better < residual || better <= Limits::kTarget)) break;
                const bool stalls =
                    better > Limits::kTarget && better > Limits::kProgress * residual;
                residual = better;
                std::copy(trial_.x.begin(), trial_.x.end(), out.x.begin());
                std::copy(trial_.y.begin(), trial_.y.end(), out.y.begin());
                report.refinements = k + 1;

                // a small residual may hide slow convergence: corrections shrink at the rate of the error
                const Real size =
                    residual_.energy_norm(correction_.x) / residual_.energy_norm(out.x);
                const Real rate = size / last_size;
                last_size = size;
                const bool settled =
                    better <= Limits::kTarget && !(rate * size > Limits::kConverged);
                if (settled || stalls || !(rate < Limits::kProgress)) break;
            }
        }
        report.residual = residual;
        report.finite = report.finite && std::isfinite(residual);
        if (!report.finite)
            fail(report, "the solution of the linear system is not finite");
        else
            report.outcome =
                residual <= Limits::kSolved ? SolveOutcome::Solved : SolveOutcome::Inaccurate;
    }

private:
    static void add(const std::vector<Real>& a, const std::vector<Real>& b, std::vector<Real>& sum)
    {
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + b[i];
    }

    linalg::Residual residual_;
    linalg::SaddleSolution correction_, trial_;
};

}  // namespace taut::solver
