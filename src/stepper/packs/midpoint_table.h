// The kernels of the midpoint scheme on packs of bodies, by plain pointers like kernel_table.h.
#pragma once

#include "stepper/packs/kernel_table.h"

namespace taut::stepper {

struct MidpointStep {
    double h;
    double gravity[3];
    bool continued;  // the last step was of this scheme, too: its mean velocity is the first guess
    bool extrapolate;  // and so was the one before
    double ratio;      // this step over the last one
};

// Poses besides the mean one of a BodyStart, see MidpointPose of assembly/linearise.h.
struct MidpointArrays {
    double *end_p, *end_R;  // of the first body
    double* mid_R;          // likewise; nullptr: no constraint needs it
    int stride;             // from one body to the next
    double *end_v, *end_w;  // of the first BodyStart, where SystemArrays has v and w
};

struct MidpointKernelTable {
    // What the step starts from, and the first guess of the mean velocities, in the order of the unknowns.
    void (*begin)(const PackSpan& packs, const MidpointStep& step, const ConstBodyArrays& now,
                  const RateArrays& rates, double* mean) noexcept;
    // The end of the step that mean velocities lead to.
    void (*place)(const PackSpan& packs, const MidpointStep& step, const double* mean,
                  const BodyArrays& next) noexcept;
    // Poses, M and momentum residual, without loads. Returns the kinetic energy at the end [J].
    double (*write_system)(const PackSpan& packs, const MidpointStep& step, const double* mean,
                           const ConstBodyArrays& next, const SystemArrays& to,
                           const MidpointArrays& poses) noexcept;
    double (*measure)(const PackSpan& packs, const double* mean, const double* f,
                      const double* reaction, double* r) noexcept;
};

extern const MidpointKernelTable scalar_midpoint_kernels;
extern const MidpointKernelTable two_wide_midpoint_kernels;
#ifdef __x86_64__
extern const MidpointKernelTable four_wide_midpoint_kernels;  // need AVX2
#endif

const MidpointKernelTable& fastest_midpoint_kernels() noexcept;

}  // namespace taut::stepper
