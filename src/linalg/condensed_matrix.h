// The matrix that is left when rows with a compliance are eliminated first: H + JᵀA J, A the inverse compliance of each
// early dual (saddle_matrix.h), added to the blocks of the primal nodes that it touches.
//
// Four points of a face, and every step in which one of them comes or goes, are one pair of bodies: the pattern depends on
// which bodies touch, not on how many contacts they share, and an eliminated node is a body instead of a contact. All other duals
// stay.
#pragma once

#include <span>
#include <vector>

#include "linalg/saddle_matrix.h"

namespace taut::linalg {

class CondensedMatrix {
public:
    enum class Scope { EarlyDuals, Nothing };
    // Early duals that touch one or two primal nodes are condensed; nothing, for solvers that take H as terms of rank one, which have no
    // blocks to add to. All allocation.
    void prepare(const SaddlePattern& full, Scope scope = Scope::EarlyDuals);

    // The primal nodes of the full pattern with their unknowns and blocks, then the pairs that touch, and the duals that stay. New
    // pairs have one block, since the matrix is symmetric.
    const SaddlePattern& pattern() const noexcept { return pattern_; }
    // Its numbers; J, Σ, f and g are the caller's.
    SaddleSystem& system() noexcept { return system_; }
    // Index in pattern().duals of a dual of the full pattern; −1: it is condensed.
    int place_of(int dual) const noexcept { return place_of_[dual]; }

    // H ← that of the full system, with its terms of rank one where nothing is condensed.
    void load(const SaddleSystem& full) noexcept;
    // H += JᵀA J for rows first … first + 2 of a condensed dual of the full system, A symmetric, by rows.
    void add_three(const SaddleSystem& full, int dual, int first, const Real* A) noexcept;
    // H += a jᵀj for one row.
    void add_one(const SaddleSystem& full, int dual, int row, Real a) noexcept;

private:
    // Where the products of a condensed dual go.
    struct Target {
        int pair = -1;         // block in H between its two primal nodes; −1: it touches one
        bool swapped = false;  // the second primal node has the rows of that block
    };
    // Adds the pairs of condensed duals that the full pattern does not have, and says where each dual goes.
    void place_pairs(const SaddlePattern& full);
    template <class Add>
    void visit_blocks(const SaddleSystem& full, int dual, Add&& add) noexcept;

    Scope scope_ = Scope::EarlyDuals;
    SaddlePattern pattern_;
    SaddleSystem system_;
    std::vector<int> place_of_;    // per dual of the full pattern
    std::vector<Target> targets_;  // likewise
};

}  // namespace taut::linalg
