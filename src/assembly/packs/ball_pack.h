// Ball joints between two rigid bodies, four at a time: the joints of cables and chains.
//
// The same rows as those of constraints/joints/ball.h. What is different is how they are written: one joint per lane,
// none of the four on a body of another one of them on the same side, because they add to what is there.
// Joints that are not among them (on the ground or a particle, damped, left over; all of a model in which some may break)
// are written one by one.
#pragma once

#include <vector>

#include "assembly/neighbourhoods.h"
#include "math/four.h"

namespace taut::model {
struct StepModel;
}

namespace taut::assembly {

struct Layout;

// Numbers of a RowStart, whose first is φ, and of a RowSoftness, whose first is the compliance.
inline constexpr int kRowStart = 5, kRowSoftness = 2;

struct BallPack {
    struct Side {
        double lever[3][4];        // from the centre of mass, body axes
        Places start{};            // of the body's BodyStart, in numbers
        Places offset{}, block{};  // of its unknowns, and of its diagonal block in H
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
};

BallPacks make_ball_packs(const StepModel& model, const Layout& layout);

// What is read and written: the first number of each, see BallPack for where the others are.
struct BallTarget {
    const double *pose_p, *pose_R;  // of the first BodyStart
    const double *lambda, *compliance;
    double* phi;  // of the first RowStart
    double *g, *sigma, *reaction, *J, *H;
    double h;
    bool matrix;   // J, Σ and H as well
    bool tension;  // K̃ in H, in its tension form
};

using PutBalls = void(const BallPack* packs, long count, const BallTarget& to) noexcept;
PutBalls put_balls_by_twos;
#ifdef __x86_64__
PutBalls put_balls_by_fours;  // wants AVX2
#endif

// The fastest that this machine runs. All give the same bits.
PutBalls* best_put_balls() noexcept;

}  // namespace taut::assembly
