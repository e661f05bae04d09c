// The kernels of Newton's method on packs of bodies, compiled once per number type. All of them give the same bits.
//
// They take plain pointers, because what is compiled for one machine must not contain functions that others use as well.
#pragma once

#include "stepper/packs/body_pack.h"

namespace taut::stepper {

// A State's arrays, body after body.
struct BodyArrays {
    double *p, *q, *v, *w;
};
struct ConstBodyArrays {
    const double *p, *q, *v, *w;
};

// What the equations of newton.h need to know of the attempt.
struct AttemptCoefficients {
    enum class Past { None, Bdf2, Adams };
    double h, a, h_bar;
    double last_h;  // length of the step before, where it is looked back on
    double gravity[3];
    Past past;
    double weight_now,
        weight_before;  // adams: weights of what was at the start and before the last step
};

// What the last two steps left (Rates of model/state.h), and where that of this step goes.
struct RateArrays {
    const double *linear, *angular, *linear_before, *angular_before;
};

// Where the system at an iterate is written.
struct SystemArrays {
    double *pose_p, *pose_R;  // of the first BodyStart; the others are BodyPack::start further
    double *v, *w;            // likewise; nullptr: no constraint needs them
    double *f, *reaction, *H;
    bool matrix;  // H as well
};

// What is left of rows, see Residuals.
struct RowsLeft {
    double work;   // Σ|μψ| [J]
    double force;  // Σ|λ| [N]
    double psi;    // the largest |ψ| [m/s]
};

enum class TurnTo { Factor, Iterate };

struct BodyEnergy {
    double translation, rotation, gravity;  // [J]
};

// Threads work on parts of so many packs, and sums are formed part by part: they do not depend on the number of threads.
inline constexpr int kPartOfPacks = 64;

struct BodyKernelTable {
    // X, V, momenta and base of the attempt from the state and the one before it; the first iterate to `next`.
    void (*begin)(const PackSpan& packs, const AttemptCoefficients& attempt,
                  const ConstBodyArrays& now, const ConstBodyArrays& past, const RateArrays& rates,
                  const BodyArrays& next) noexcept;
    // Poses, M and momentum residual of the iterate, without loads. Returns its kinetic energy [J].
    double (*write_system)(const PackSpan& packs, const AttemptCoefficients& attempt,
                           const ConstBodyArrays& next, const SystemArrays& to) noexcept;
    // r = f + Jᵀμ; returns Σ|r·v| [J].
    double (*measure)(const PackSpan& packs, const ConstBodyArrays& next, const double* f,
                      const double* reaction, double* r) noexcept;
    // Of so many rows side by side, hard or compliant but neither damped nor driven.
    RowsLeft (*measure_rows)(int count, double h_bar, const double* lambda, const double* g,
                             const double* sigma, double* psi) noexcept;
    // Angular parts from the axes of the iterate into those of the matrix, or back.
    void (*turn_axes)(const PackSpan& packs, TurnTo to, double least_scale,
                      double* vectors) noexcept;
    // Iterate ⊕ h̄u.
    void (*correct)(const PackSpan& packs, const AttemptCoefficients& attempt, const double* u,
                    const BodyArrays& next) noexcept;
    // Rates of the attempt: what its end has over what it began with, over h̄.
    void (*read_rates)(const PackSpan& packs, double h_bar, const ConstBodyArrays& next,
                       double* linear, double* angular) noexcept;
    BodyEnergy (*energy)(const PackSpan& packs, const double* gravity,
                         const ConstBodyArrays& at) noexcept;
    // Whether all of so many numbers are finite and below the limit.
    bool (*bounded)(const double* numbers, long count, double limit) noexcept;
};

extern const BodyKernelTable scalar_body_kernels;  // one body after the other: the reference
extern const BodyKernelTable two_wide_body_kernels;
#ifdef __x86_64__
extern const BodyKernelTable four_wide_body_kernels;  // need AVX2
#endif

// The fastest that this machine runs.
const BodyKernelTable& fastest_body_kernels() noexcept;

}  // namespace taut::stepper
