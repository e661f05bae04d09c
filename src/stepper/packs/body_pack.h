// Bodies of one kind, four at a time: what the moves of Newton's method need to know of them, side by side.
//
//     bodies   0 ground   1 rod   2 rod   3 ball   4 box   5 rod …
//     packs    | 1 2 3 5 |   | 4 4 4 4 |        places that are left over repeat the last body, with weight 0
//
// A body's numbers depend on its own alone, so that it does not matter which ones it shares a pack with.
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

struct StageBody;

struct BodyPack {
    enum class Kind { Particle, Axial, Rigid };  // Axial: I = across·1 + (along − across) ŝŝᵀ

    Kind kind = Kind::Particle;
    bool alone = false;        // nothing holds them: they turn by rotate_free()
    int count = 0;             // bodies in it, 1 … 4
    Places vec{}, quat{};      // their indices, times 3 and times 4
    Places start{};            // … times the size of a BodyStart, in numbers
    Places offset{}, block{};  // of their unknowns, and of their diagonal blocks in H
    double weight[4];          // 1; 0 where a body is repeated
    double mass[4];
    double axis[3][4];          // spin axis, body axes; zero: none
    double across[4], more[4];  // of axial bodies: I = across·1 + more ŝŝᵀ
    double inertia[6][4];       // of others, body axes: xx, yy, zz, xy, xz, yz

    // What an attempt starts from (newton.h): X and V of the past, angular momentum with the part about the spin
    // axis apart, and B with its ω*.
    double X[3][4], V[3][4];
    double swing[3][4], spin[4];
    double base_q[4][4], base_w[3][4];
};

std::vector<BodyPack> make_packs(const StepModel& model, const Layout& layout,
                                 const std::vector<StageBody>& bodies);

}  // namespace taut::stepper
