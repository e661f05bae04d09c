// What rotates four bodies freely at once (rotation_kernels.h), by plain pointers like kernel_table.h.
#pragma once

#include "stepper/packs/body_pack.h"

namespace taut::stepper {

// Numbers of RotationSettings.
struct RotationLimits {
    double largest_turn, tolerance, last_step, diverged, singular, solvable_turn, principal_axis;
    double largest_speed, series;
    int most_iterations;
};

struct RotationArrays {
    const double *q, *w;                       // of the state
    const double *inertia, *inverse_inertia;   // of the first BodyModel
    int model_stride;                          // from one BodyModel to the next, in numbers
    double *R, *inertia_W, *angular_momentum;  // of the first BodyStart
    double *q_new, *turn, *w_new;              // of the first RotationGuess
    int guess_stride;
    double h;
};

// Writes the rotation of a pack of rigid bodies; false: one of them is another case, and nothing is written.
using RotatePack = bool(const BodyPack& pack, const RotationLimits& limits,
                        const RotationArrays& to) noexcept;
#ifdef __x86_64__
RotatePack rotate_pack_four_wide;  // needs AVX2
#endif

// What the solved velocities lead to.
struct AdvanceArrays {
    const double *p, *v;          // of the state
    const double* x;              // the solution
    const double *q_new, *w_new;  // of the first RotationGuess
    int guess_stride;
    double *p_next, *q_next, *v_next, *w_next, *spin_up;
    double h;
    double rounding;  // [-] of ω: a smaller difference from free rotation is rounding of the solve
};

// The same for the end of a step on which no loads act.
using AdvancePack = bool(const BodyPack& pack, const AdvanceArrays& to) noexcept;
#ifdef __x86_64__
AdvancePack advance_pack_four_wide;  // needs AVX2
#endif

// nullptr: this machine has none.
RotatePack* fastest_rotate_pack() noexcept;
AdvancePack* fastest_advance_pack() noexcept;

}  // namespace taut::stepper
