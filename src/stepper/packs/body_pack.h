// Packs: dynamic bodies of one kind in groups of four, one SIMD lane each.
//
//     bodies   0 ground   1 rod   2 rod   3 ball   4 box   5 rod …
//     packs    | 1 2 3 5 |   | 4 4 4 4 |        lanes that are left over repeat the last body
//
// What a kernel computes for a body depends on that body alone, so that it does not matter which others share its pack.
#pragma once

#include <vector>

#include "math/four.h"

namespace taut::model {
struct StepModel;
}
namespace taut::assembly {
struct Layout;
}

namespace taut::stepper {

struct BodySupport;

// What does not change while the model is stepped: 104 bytes a body.
struct BodyPack {
    enum class Kind { Particle, Axial, Rigid };  // Axial: I = across·1 + (along − across) ŝŝᵀ

    Kind kind = Kind::Particle;
    bool is_free = false;      // no constraint acts on them: they turn by rotate_free()
    int count = 0;             // bodies in it, 1 … 4; sums leave the lanes that repeat a body out
    Places vec{}, quat{};      // their indices, times 3 and times 4
    Places start{};            // … times the size of a BodyStart, in numbers
    Places offset{}, block{};  // of their unknowns, and of their diagonal blocks in H
    double mass[4];
    double axis[3][4];  // spin axis, body axes; zero: none
    // Axial: across, along − across. Rigid: xx, yy, zz, xy, xz, yz in body axes. [kg m²]
    double inertia[6][4];
};
static_assert(sizeof(BodyPack) <= 4 * 104);

// What an attempt starts from (newton.h): X and V of the past, angular momentum with the part about the spin axis apart,
// and B with its ω*; written by begin() and read by every iteration. And the spin axis of Axial bodies in world axes, at the
// iterate and when the matrix was made. 184 bytes a body.
struct AttemptPack {
    double X[3][4], V[3][4];
    double swing[3][4], spin[4];
    double base_q[4][4], base_w[3][4];
    double axis[3][4], factor_axis[3][4];
};
static_assert(sizeof(AttemptPack) == 4 * 184);

std::vector<BodyPack> make_body_packs(const StepModel& model, const Layout& layout,
                                      const std::vector<BodySupport>& bodies);

// Some of the packs, side by side.
struct PackSpan {
    const BodyPack* bodies;
    AttemptPack* attempts;
    long count;
};

}  // namespace taut::stepper
