// Where everything sits in the system: made once per topology and stabilisation.
#pragma once

#include <array>
#include <vector>

#include <taut/catalogue.h>

#include "assembly/packs/ball_pack.h"
#include "linalg/saddle_matrix.h"
#include "model/step_model.h"

namespace taut::assembly {

// A block of H between two bodies of one element: offsets of block (first, second) and its mirror.
struct PairPlace {
    int forward = -1;  // −1: not both bodies can move, or the element does not couple them
    int backward = -1;
};

// The pairs of a three-body element in the order (0,1), (0,2), (1,2).
inline constexpr int pair_slot(int b, int c) noexcept { return b + c - 1; }

// A body of a joint, as the system sees it.
struct BodyPlace {
    int offset = -1;   // of its unknowns in f; −1: cannot move
    int block = -1;    // of its diagonal block in H
    int freedoms = 0;  // 0, 3 or 6
    bool kinematic = false;
};

struct JointPlace {
    std::array<int, 3> jacobian{-1, -1, -1};  // offsets of its blocks in J; −1: body cannot move
    std::array<BodyPlace, 3> bodies;
    std::array<PairPlace, 3> pairs;
};

struct Layout {
    linalg::SaddlePattern pattern;
    std::vector<int> primal;  // per body; −1: cannot move
    std::vector<JointPlace> joints;
    std::vector<PairPlace> springs;

    // Where K̃ is assembled for the stabilisations that judge it whole; diagonal blocks are where H has
    // them, blocks between bodies exist here only. Empty for the others.
    linalg::SaddlePattern stiffness;
    std::vector<std::array<PairPlace, 3>> stiffness_pairs;  // per joint

    // Large models: joints that can be written in parallel. `shares` has one per type, or none where there is one group.
    Neighbourhoods neighbourhoods;
    std::vector<PoolShare> shares;
    BallPacks balls;

    int offset(BodyIndex b) const noexcept { return pattern.primals[primal[b]].offset; }
    int block(BodyIndex b) const noexcept { return pattern.primals[primal[b]].block; }
};

Layout make_layout(const StepModel& model, Stabilisation stabilisation);

// Whether dynamic bodies differ in mass by no more than a thousand: then rows of contacts, redundant by nature, are eliminated before
// their bodies.
bool masses_are_similar(const StepModel& model) noexcept;

}  // namespace taut::assembly
