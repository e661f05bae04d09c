// The stretches of a system: their memory, and how they meet what is eliminated after them.
#pragma once

#include <span>
#include <vector>

#include "core/team.h"
#include "linalg/block_plan.h"
#include "linalg/kernel_tables.h"
#include "linalg/stretches/stretch.h"
#include "linalg/stretches/stretch_moves.h"

namespace taut::linalg {

class StretchLdlt {
public:
    // `plan` and `order` are those of everything else, with the nodes of the stretches in front.
    void prepare(std::vector<Stretch> stretches, const SaddlePattern& pattern,
                 const EliminationOrder& order, const BlockPlan& plan,
                 const kernels::Tables& tables);

    bool empty() const noexcept { return pieces_.empty(); }

    // Eliminates them, forward substitution included.
    void eliminate(const kernels::StretchInput& in, const Team& team) noexcept;
    // Adds what they leave behind to the records in the store, which must be loaded.
    void hand_over(Real* store) const noexcept;
    // The same for further right-hand sides alone.
    void substitute_forward(const kernels::StretchInput& in, const Team& team) noexcept;
    void hand_over_right_hand_sides(Real* store) const noexcept;
    // Once the store holds the solution of everything else.
    void substitute_back(const Real* store, Real* x, Real* y, const Team& team) noexcept;

    const std::vector<kernels::StretchPivots>& pivots() const noexcept { return pivots_; }

private:
    // A joint at the end of a piece: `after` and `before`, per lane.
    struct Ends {
        int after, before;  // records in the store
        int between;        // the panel between them
        bool after_first;   // that of `after`: its columns belong to `after`
    };
    struct Piece {
        Stretch stretch;
        const kernels::StretchMoves* moves;
        std::size_t store, rest;  // in memory_
        Ends ends[kStretchLanes];
    };

    kernels::StretchMemory memory(const Piece& piece) noexcept;
    const Real* rest(const Piece& piece) const noexcept { return memory_.data() + piece.rest; }

    std::vector<Piece> pieces_;
    std::vector<kernels::StretchPivots> pivots_;  // per stretch
    std::vector<Real> memory_;
};

}  // namespace taut::linalg
