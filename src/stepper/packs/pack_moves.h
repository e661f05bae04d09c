// The moves of Newton's method on packs of bodies, compiled once per kind of machine. All give the same bits.
//
// Plain pointers, because what is compiled for one machine must not contain functions that others use as well.
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

// Scheme of an attempt: newton.h.
struct StageWeights {
    double h, a, h_bar;
    double last_h;  // length of the step before, where a > 0
    double gravity[3];
};

// Where the system at an iterate goes.
struct SystemArrays {
    double *pose_p, *pose_R;  // of the first BodyStart; the others are BodyPack::start further
    double *v, *w;            // likewise; nullptr: nobody asks for them
    double *f, *reaction, *H;
    bool matrix;  // H as well
};

// What is left of rows, see Unsettled.
struct RowsLeft {
    double work;   // Σ|μψ| [J]
    double force;  // Σ|λ| [N]
    double psi;    // the largest |ψ| [m/s]
};

struct BodyEnergy {
    double translation, rotation, gravity;  // [J]
};

// Packs that are worked on at a time: parts of that size are handed out to threads, and sums are made part by part,
// whoever works on them.
inline constexpr int kPartOfPacks = 64;

struct PackMoves {
    // X, V, momenta and base of the attempt from the state and the one before it; the first iterate to `next`.
    void (*begin)(BodyPack* packs, long count, const StageWeights& stage,
                  const ConstBodyArrays& now, const ConstBodyArrays& past,
                  const BodyArrays& next) noexcept;
    // Poses, M and momentum of the iterate, without loads. Returns its kinetic energy [J].
    double (*put)(const BodyPack* packs, long count, const StageWeights& stage,
                  const ConstBodyArrays& next, const SystemArrays& to) noexcept;
    // r = f + Jᵀμ; returns Σ|r·v| [J].
    double (*measure)(const BodyPack* packs, long count, const ConstBodyArrays& next,
                      const double* f, const double* reaction, double* r) noexcept;
    // Of so many rows side by side, hard or compliant but neither damped nor driven.
    RowsLeft (*measure_rows)(int count, double h_bar, const double* lambda, const double* g,
                             const double* sigma, double* psi) noexcept;
    // Iterate ⊕ h̄u.
    void (*correct)(const BodyPack* packs, long count, const StageWeights& stage, const double* u,
                    const BodyArrays& next) noexcept;
    BodyEnergy (*energy)(const BodyPack* packs, long count, const double* gravity,
                         const ConstBodyArrays& at) noexcept;
};

extern const PackMoves moves_by_twos;
#ifdef __x86_64__
extern const PackMoves moves_by_fours;  // wants AVX2
#endif

// The fastest that this machine runs.
const PackMoves& best_moves() noexcept;

}  // namespace taut::stepper
