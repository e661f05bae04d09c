// The thresholds of the linear solvers: value, unit, meaning and source. Residuals are those of linalg::Residual, relative [-].
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::solver {

// refinement.h
struct RefinementThresholds {
    // A solution with a smaller residual is not refined, as a rule: four digits above round-off. By trial.
    static constexpr Real kGood = 1e-12;
    // A solution that is refined is refined to this residual if it can be: two digits above round-off. By trial.
    static constexpr Real kTarget = 1e-14;
    // A solution with a larger residual is not one: half the digits of a double. Round-off stays four digits below it, rows
    // that contradict each other by a thousandth of the motion are five digits above it.
    static constexpr Real kSolved = 1e-8;
    // Corrections at most. By trial.
    static constexpr int kIterations = 6;
    // A correction that leaves more than this part of the residual, or is more than this part of the last one, is the last [-].
    static constexpr Real kProgress = 0.5;
    // Estimated error of x at which it has converged, in the norm of the momentum and relative to x [-]. By trial.
    static constexpr Real kConverged = 1e-11;
};

// block_ldlt_solver.h
struct BlockLdltThresholds {
    // With redundant rows, a residual above this after refinement calls for a second factorisation with the low redundancy floor. By
    // trial; the floor of 1e-11 hides loads a billion times heavier than what carries them.
    static constexpr Real kPoor = 1e-10;
};

// dense_lu_solver.h, of the scaled matrix. Round-off leaves pivots of 1e-16 to 1e-14 where a row is redundant. A chain of welds
// with a mass ratio of 1e9 comes close without being so, and LU is the more accurate there.
struct DenseLuThresholds {
    // Smallest over largest pivot below which a complete orthogonal decomposition takes over [-].
    static constexpr Real kSuspiciousPivot = 1e-13;
    // Its rank threshold [-].
    static constexpr Real kRank = 1e-13;
};

// inverse_solvers.h
struct InverseSolverThresholds {
    // Added to the unit diagonal of the scaled Schur complement, which redundant rows make singular [-]. Refinement removes it
    // again. By trial.
    static constexpr Real kSchurFloor = 1e-12;
};

}  // namespace taut::solver
