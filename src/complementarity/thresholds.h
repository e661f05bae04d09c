// Every iteration limit, tolerance and factor of this folder: value, unit, meaning and source, one struct per algorithm.
// A source is a study of docs/decisions/0010-laws.md ("decision 10"), round-off, or a trial: "by trial" means that the value was
// chosen while the solver was tuned on the piles, stacks and walls of that page, and that no study of its neighbours is recorded.
// Relative values have the unit [-]. The tolerance of a solve itself comes from the caller: ComplementaritySettings.
#pragma once

#include <limits>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::complementarity {

// natural_map.h: the acceptance test.
struct NaturalMapThresholds {
    // Round-off that is taken off an error, relative to the sum of the terms that cancel [-]. By
    // trial.
    static constexpr Real kRoundOff = 16 * std::numeric_limits<Real>::epsilon();
    // The smallest scale that an error is divided by, relative to the largest scale of the problem [-]. Below it a row is all
    // round-off, or a body rests beside one that flies. By trial.
    static constexpr Real kSmallestScale = 1e-3;
    // A friction impulse of at least this part of its bound counts as sliding [-]. Far above round-off, far below any
    // physical meaning.
    static constexpr Real kAtFrictionBound = 1 - 1e-9;
};

// active_modes.h: from an iterate to the next active set.
struct ActiveModeThresholds {
    // A contact that slid keeps sliding down to this part of the bound [-]: four digits above round-off, against flicker
    // between sticking and sliding where both are the same.
    static constexpr Real kKeepsSliding = 1 - 1e-12;
    // Largest and smallest Σ of a sliding row over the row's response d [-]. Larger means y = 0 within double precision as
    // well; the smaller keeps the secant form of a contact at rest regular.
    static constexpr Real kStiffest = 1e12;
    static constexpr Real kSoftest = 1e-9;
};

// active_set_solver.h: the loop of `newton` and `active_set_minres`.
struct ActiveSetThresholds {
    // Active sets that are remembered to detect a cycle. By trial.
    static constexpr int kMemory = 32;
    // A remembered set that comes back with more than this part of its residual is a cycle [-]. By trial.
    static constexpr Real kCycleProgress = 0.7;
    // Residual, in tolerances, at which no further iterate is made [-]. Decision 10, "Cost in the step": without the extra iterate a
    // pyramid at rest took 6.8 factorisations a step.
    static constexpr Real kGoal = 1e-3;
    // Part of the rounding of g that is left in the momenta of a warm start, and not corrected [-]. By trial: with 1 the first
    // hundredth of a second of a chain over a drum takes up to 74 solves a step at 1e-5 s, with 0.05 it takes longer to come to rest.
    static constexpr Real kRoundingLeft = 0.1;

    // A hard solve has no warm start, or masses that differ by more than linalg's kSimilarMassRatio. It may take this many
    // times the iterations that the caller allows. Decision 10, "Cost in the step": 10 and 40.
    static constexpr int kHardSolveFactor = 4;
    // Iterates without progress before the fallbacks. Decision 10, "Proximal steps": two for a usual solve; eight by trial.
    static constexpr int kPatience = 2;
    static constexpr int kHardSolvePatience = 8;
    // What counts as progress: a residual below this part of the lowest one [-]. By trial.
    static constexpr Real kProgress = 0.5;
    static constexpr Real kHardSolveProgress = 1;
    // An iterate whose residual is this many times the first one ends a usual solve at once [-]. By trial.
    static constexpr Real kDiverged = 10;

    // Gauss–Seidel sweeps before the first active set of a solve without a warm start. Decision 10, "First guess, cold".
    static constexpr int kColdSweeps = 30;
    // active_set_minres: number of restarts, and sweeps of the first one; each has twice as many as the last. By trial.
    static constexpr int kRestarts = 6;
    static constexpr int kRestartSweeps = 20;
    // An unsolved system is returned with admissible impulses and the motion that belongs to them if that multiplies the
    // residual by less than this [-]. By trial.
    static constexpr Real kConsistencyCost = 3;
};

// The first fallback of the active set: a sequence of proximal steps with falling ρ.
struct ProximalSequenceThresholds {
    // Sweeps before the first step, and factorisations of one step. Decision 10, "Proximal steps": 60; eight by trial.
    static constexpr int kSweeps = 60;
    static constexpr int kFactorisations = 8;
    // ρ of the first step, factor from step to step, and the value below which the sequence ends [-]: six steps, then the
    // central path. Decision 10, "Proximal steps".
    static constexpr Real kFirst = 1e-2;
    static constexpr Real kFactor = 0.1;
    static constexpr Real kLast = 1e-7;
};

// One proximal step in place of the active sets, for contacts that move (decision 20).
struct ConvexStepThresholds {
    // ρ [-]: what is left of a law is ρ of the change of its impulse. Where masses differ by more than kMassRatio it is as much
    // smaller: loads reach 1/ρ times the mass that carries them.
    static constexpr Real kRho = 3e-3;
    static constexpr Real kMassRatio = 100;
    // Newton steps, and the part of the first fall of the potential below which a fall ends them [-]. An unfinished step leaves
    // impulses that do not fit the motion: with five, friction and impacts of a bin are booked with a quarter too much.
    static constexpr int kFactorisations = 10;
    static constexpr Real kEnough = 1e-3;
};

// The second fallback: along the central path in stages, each with a smaller residual to reach.
struct CentralPathThresholds {
    // Steps in all. By trial; decision 10 counts 13 for a convex problem with similar masses and 20 with friction.
    static constexpr int kSteps = 60;
    // Residual that ends the first stage, divisor from stage to stage, and the goal below which no stage begins [-]. By trial.
    static constexpr Real kFirstGoal = 1e-2;
    static constexpr Real kGoalDivisor = 10;
    static constexpr Real kLastGoal = 1e-9;
    // A shorter step length than this means that the method is stuck at the boundary [-]. By trial.
    static constexpr Real kShortestStep = 1e-6;
};

// proximal_newton.h: Newton with a line search on the potential of one proximal step.
struct ProximalNewtonThresholds {
    // ρ of equality rows, relative to that of inequality rows [-]: their impulse is free, so they need less. By trial.
    static constexpr Real kEqualityWeight = 1e-4;
    // The step ends when the slope of the potential has fallen to this part of the first slope [-]. By trial.
    static constexpr Real kEnough = 1e-6;
    // Slopes below this part of the terms that they are the difference of are round-off [-].
    static constexpr Real kRoundOff = 1e-15;
    // Line search: slope, relative to the initial one, that counts as flat; iterations; and how close to the ends of the
    // bracket a secant may go, relative to its length [-]. By trial.
    static constexpr Real kFlat = 0.05;
    static constexpr int kLineSearchIterations = 20;
    static constexpr Real kSecantLow = 0.1;
    static constexpr Real kSecantHigh = 0.9;
};

// interior_point.h: one predictor-corrector step.
struct InteriorPointThresholds {
    // Fraction of the way to the boundary that a step may take [-]. By trial.
    static constexpr Real kBoundaryFraction = 0.98;
    // Smallest centring parameter [-]. By trial.
    static constexpr Real kSmallestCentring = 1e-4;
    // The direction with the change of De Saxcé's correction is taken if its step is at least this part of the one without [-]. By trial.
    static constexpr Real kCoupledStep = 0.5;
    // Relative residual of GMRES for that change [-]: the path is only followed, not solved for. By trial.
    static constexpr Real kCouplingTolerance = 1e-3;
    // Start inside an interval, as parts of its width and of the distance kept from its ends [-]. By trial.
    static constexpr Real kStartWidth = 2;
    static constexpr Real kStartDistance = 4;
};

// inner_solver.h: the linear system of one active set.
struct InnerSolverThresholds {
    // Systems of one solve, by factorisation and by MINRES, where the caller sets no limit. By trial.
    static constexpr int kDirectIterations = 150;
    static constexpr int kMinresIterations = 40;
    // ε of linalg::RedundancyFloor: at most the first, at most the second over the mass ratio [-]. Decision 10, "Inside the guarded
    // step".
    static constexpr Real kLargestFloor = 1e-7;
    static constexpr Real kFloorTimesMassRatio = 1e-5;
    // Factor on ε when an active set is right but not solved well enough [-]. By trial.
    static constexpr Real kCarefulFactor = 1e-2;
    // Least ε where rows are eliminated before their bodies [-]. Decision 10, "Rows of contacts first".
    static constexpr Real kLeastEarlyFloor = 1e-9;
    // Relative residuals that MINRES is asked for, usually and carefully [-]. The first is three digits below
    // the default tolerance of a solve; the second is round-off.
    static constexpr Real kMinresTolerance = 1e-13;
    static constexpr Real kCarefulMinresTolerance = 1e-15;
};

// minres.h
struct MinresThresholds {
    // Added to the diagonal of a dual block of the preconditioner for rows that are redundant within it, relative [-]. By trial.
    static constexpr Real kRedundancyFloor = 1e-10;
    // Products with the matrix: this many per unknown and some more, at most so many. By trial.
    static constexpr int kIterationsPerUnknown = 4;
    static constexpr int kExtraIterations = 50;
    static constexpr int kMostIterations = 2000;
};

// gmres.h
struct GmresThresholds {
    // Largest size of the Krylov space. By trial; a handful of products suffices unless contacts jam.
    static constexpr int kIterations = 40;
    // A pivot below this part of the new vector's length ends the iteration [-]: round-off.
    static constexpr Real kBreakdown = 1e-14;
};

// friction_coupling.h: friction along the slips of an active set.
struct FrictionCouplingThresholds {
    // Relative disagreement of friction and normal impulses that is good enough: round-off [-].
    static constexpr Real kAgreed = 1e-14;
    // Corrections. The first is exact but for the redundancy floor, which the others remove. By trial.
    static constexpr int kCorrections = 3;
    // A correction that leaves more than this part of the disagreement is the last [-]. By trial.
    static constexpr Real kProgress = 0.5;
    // Relative residual of GMRES [-]. By trial.
    static constexpr Real kTolerance = 1e-12;
};

// sweeps.h, sweep_solvers.h: projected Gauss–Seidel and conjugate gradients over it.
struct SweepThresholds {
    // Added to the diagonal of a group's block for redundant rows, relative to the response [-]. By trial.
    static constexpr Real kRedundancyFloor = 1e-12;
    // One cone: rounds between normal and tangents, and the change relative to the normal impulse that ends them [-]. By trial.
    static constexpr int kConeRounds = 4;
    static constexpr Real kConeChange = 1e-12;
    // Sliding friction: Newton iterations, and the relative excess over the bound that is round-off [-].
    static constexpr int kSlideIterations = 30;
    static constexpr Real kSlideRoundOff = 1e-14;
    // Sweeps of a solve where the caller sets no limit. By trial.
    static constexpr int kSweeps = 2000;
    // Sweeps, each with its measurement of the residual, that count as one factorisation with its solve. On a ragdoll of
    // 110 rows 15 take as long.
    static constexpr int kSweepsPerFactorisation = 10;
    // nncg restarts after this many sweeps without a better residual. By trial.
    static constexpr int kPatience = 30;
    // Sweeps after which x is computed anew from y: increments accumulate round-off. By trial.
    static constexpr int kRecompute = 64;
};

}  // namespace taut::complementarity
