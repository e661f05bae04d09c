// Iterative refinement, the same for every direct solver: correct by the factor at hand, measure
// against the true matrix, keep the better of the two.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include <taut/report.h>

#include "linalg/saddle_ops.h"

namespace taut {

class Refinement {
public:
    static constexpr int kMost = 6;

    void prepare(const linalg::SaddlePattern& pattern)
    {
        residual_.prepare(pattern);
        correction_.attach(pattern);
        trial_.attach(pattern);
    }

    // Measures `out`, then refines it while that helps and is needed. `correct(f, g, correction)` solves
    // with the factor. Inconsistent redundant rows have no solution: the best iterate stays.
    template <class Correct>
    void run(const linalg::SaddleSystem& system, linalg::SaddleSolution& out, SolveReport& report,
             Correct correct) noexcept
    {
        Real residual = residual_.measure(system, out.x, out.y);
        for (int k = 0; k < kMost && residual > linalg::Residual::kGood; ++k) {
            correct(residual_.f(), residual_.g(), correction_);
            for (std::size_t i = 0; i < out.x.size(); ++i) trial_.x[i] = out.x[i] + correction_.x[i];
            for (std::size_t i = 0; i < out.y.size(); ++i) trial_.y[i] = out.y[i] + correction_.y[i];
            const Real better = residual_.measure(system, trial_.x, trial_.y);
            if (!(better < residual)) break;
            const bool converges = better < kWorthwhile * residual;
            residual = better;
            std::copy(trial_.x.begin(), trial_.x.end(), out.x.begin());
            std::copy(trial_.y.begin(), trial_.y.end(), out.y.begin());
            report.refinements = k + 1;
            if (!converges) break;
        }
        report.residual = residual;
        report.finite = report.finite && std::isfinite(residual);
    }

private:
    static constexpr Real kWorthwhile = 0.5;

    linalg::Residual residual_;
    linalg::SaddleSolution correction_, trial_;
};

}  // namespace taut
