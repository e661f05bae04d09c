// An open tree of bodies: every body that moves hangs on one other by one joint, or flies freely.
#pragma once

#include <vector>

#include "stepper/classical/equations.h"

namespace taut::stepper::classical {

// What a joint leaves free, in the parent's joint frame P = (u, v, n) and the child's C: first the child's
// point slides along `slides` axes of P, then C turns against P.
enum class Turn {
    None,
    About,    // n, which is common to both
    Crossed,  // an axis of P, then one of C: Rel = rot(first_axis, a) rot(second_axis, b)
    Free,
};

struct Branch {
    BodyIndex body = kGround;
    BodyIndex parent = kGround;  // an earlier branch, or a body that forces do not move
    int joint = -1;              // −1: free flight
    BodyFrame on_parent, on_child;
    std::vector<int> slides;
    Turn turn = Turn::None;
    int first_axis = 2, second_axis = 0;  // of Crossed
    int first = 0;                        // coordinate: slides, then turns

    int turns() const
    {
        constexpr int kTurns[] = {0, 1, 2, 3};
        return kTurns[static_cast<int>(turn)];
    }
    int freedoms() const { return static_cast<int>(slides.size()) + turns(); }
};

struct Tree {
    const char* refused =
        nullptr;  // static text: why the model is no open tree of joints known here
    std::vector<Branch> branches;  // parents before children
    int freedoms = 0;
};

Tree make_tree(const Model& model);

}  // namespace taut::stepper::classical
