// Packs of ball joints: four of them, one SIMD lane each. The joints of cables and chains.
//
// The same rows as those of constraints/joints/ball.h. No two joints of a pack have the same body on the same side, because
// the kernels add to what the body has. Joints that fit into no pack (on the ground or a particle, damped, left over; all of
// a model in which some may break) are written one by one, by the same formula where it applies.
#pragma once

#include <vector>

#include "assembly/neighbourhoods.h"
#include "math/four.h"

namespace taut::model {
struct StepModel;
}

namespace taut::assembly {

struct Layout;

// Numbers of a RowStart, whose first is φ and whose last the right-hand side, and of a RowSoftness, whose first is the compliance.
inline constexpr int kRowStart = 5, kRhs = 4, kRowSoftness = 2;

struct BallPack {
    struct Side {
        double lever[3][4];        // from the centre of mass, body axes
        Places start{};            // of the body's BodyStart, in numbers
        Places end{};              // of its MidpointPose, in numbers
        Places offset{}, block{};  // of its unknowns and its diagonal block in H; −1: immovable
        Places jacobian{};         // of its block in J
    };
    Side side[2];
    Places row{};             // first row
    Places softness{}, at{};  // times the size of a RowSoftness and of a RowStart, in numbers
};

struct BallPacks {
    std::vector<BallPack> packs;  // those within groups, then those between
    std::vector<int> first;       // per group, and of those between; with an end mark
    PoolShare singles;            // slots of the pool that are in none

    // All joints, four consecutive slots of the pool each, for those that are written one by one.
    std::vector<BallPack> by_slot;
    std::vector<char> plain;  // per slot: undamped, on rigid or fixed bodies
    std::vector<char> whole;  // per pack of by_slot: four joints, all plain and on bodies that move
};

BallPacks make_ball_packs(const StepModel& model, const Layout& layout);

// What is read and written: the first number of each, see BallPack for where the others are.
struct BallArrays {
    const double *pose_p, *pose_R;  // of the first BodyStart
    const double *lambda, *compliance;
    double* phi;  // of the first RowStart
    double *g, *sigma;
    double* reaction;  // nullptr: nobody asks for it
    double *J, *H;
    double h;
    bool matrix;   // J, Σ and H as well
    bool tension;  // K̃ in H, in its tension form

    // Midpoint scheme: the first MidpointPose, and the way of a pose per unit of the correction. Above are the mean poses.
    const double *end_p = nullptr, *end_R = nullptr;
    double move = 0;
    const double* resolved =
        nullptr;  // per row, 1 where φ is weighted at both ends; nullptr: none is
};

// Rows of packs, their equations included. All forms give the same bits.
using WriteBalls = void(const BallPack* packs, long count, const BallArrays& to) noexcept;
WriteBalls write_balls_scalar;  // one joint after the other: the reference
WriteBalls write_balls_two_wide;
#ifdef __x86_64__
WriteBalls write_balls_four_wide;  // needs AVX2
#endif

// The same in the midpoint scheme: J and K̃ at the mean pose, φ at the end (assembly/midpoint_rows.h).
WriteBalls write_midpoint_balls_scalar;
WriteBalls write_midpoint_balls_two_wide;
#ifdef __x86_64__
WriteBalls write_midpoint_balls_four_wide;  // needs AVX2
#endif

// Rows of packs of by_slot for the schemes of one solve, with the bits of write_one_ball() joint by joint; no reactions.
WriteBalls write_balls_in_order_two_wide;
#ifdef __x86_64__
WriteBalls write_balls_in_order_four_wide;  // needs AVX2
#endif

// The fastest that this machine runs.
WriteBalls* fastest_write_balls() noexcept;
WriteBalls* fastest_write_midpoint_balls() noexcept;
WriteBalls* fastest_write_balls_in_order() noexcept;

// A plain joint of by_slot, all but its g and Σ: the bits of Ball.
void write_one_ball(const BallPack& pack, int lane, const BallArrays& to) noexcept;
// One in the midpoint scheme, with its g and Σ.
void write_one_midpoint_ball(const BallPack& pack, int lane, const BallArrays& to) noexcept;

}  // namespace taut::assembly
