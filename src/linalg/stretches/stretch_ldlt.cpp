#include "linalg/stretches/stretch_ldlt.h"

#include <algorithm>

namespace taut::linalg {

using kernels::columns_size;
using kernels::stride;

namespace {

// Number (c, r) of what a stretch leaves behind, for its first lane.
int place(int rows, int c, int r) { return kernels::stretch_place(2 * rows + 1, c, r); }

}  // namespace

void StretchLdlt::prepare(std::vector<Stretch> stretches, const SaddlePattern& pattern,
                          const EliminationOrder& order, const BlockPlan& plan,
                          const kernels::Tables& tables)
{
    const int primals = static_cast<int>(pattern.primals.size());
    pieces_.clear();
    std::size_t size = 0;
    for (Stretch& stretch : stretches) {
        Piece piece;
        piece.moves = &(*tables.stretch)[stretch.rows];
        piece.store = size;
        size += kernels::stretch_size(stretch.rows, static_cast<int>(stretch.links.size()));
        piece.rest = size;
        size += kernels::stretch_rest_size(stretch.rows);
        for (int lane = 0; lane < kStretchLanes; ++lane) {
            const int after = order.position[primals + stretch.after[lane]];
            const int before = order.position[primals + stretch.before[lane]];
            Ends& ends = piece.ends[lane];
            ends.after = plan.nodes[after].record;
            ends.before = plan.nodes[before].record;
            ends.after_first = after < before;
            ends.between =
                plan.below[find_below(order, std::min(after, before), std::max(after, before))]
                    .panel;
        }
        piece.stretch = std::move(stretch);
        pieces_.push_back(std::move(piece));
    }
    memory_.assign(size, 0);
    pivots_.assign(pieces_.size(), {});
}

kernels::StretchMemory StretchLdlt::memory(const Piece& piece) noexcept
{
    const int count = static_cast<int>(piece.stretch.links.size());
    Real* const store = memory_.data() + piece.store;
    Real* const end = store + kernels::stretch_size(piece.stretch.rows, count);
    return {piece.stretch.links.data(),
            count,
            piece.stretch.first,
            store,
            end - kernels::stretch_body_size(piece.stretch.rows),
            memory_.data() + piece.rest};
}

void StretchLdlt::eliminate(const kernels::StretchInput& in, const Team& team) noexcept
{
    team.run(static_cast<int>(pieces_.size()),
             [&](int k) { pieces_[k].moves->eliminate(memory(pieces_[k]), in, pivots_[k]); });
}

void StretchLdlt::hand_over(Real* store) const noexcept
{
    for (const Piece& piece : pieces_) {
        const int rows = piece.stretch.rows, apart = stride(rows);
        for (int lane = 0; lane < kStretchLanes; ++lane) {
            const Ends& ends = piece.ends[lane];
            const Real* const left = rest(piece) + lane;
            Real *const after = store + ends.after, *const before = store + ends.before;
            Real* const between = store + ends.between;
            for (int c = 0; c < rows; ++c) {
                for (int r = c; r < rows; ++r) {
                    after[c * apart + r] += left[place(rows, c, r)];
                    before[c * apart + r] += left[place(rows, rows + c, rows + r)];
                }
                for (int r = 0; r < rows; ++r)
                    between[ends.after_first ? c * apart + r : r * apart + c] +=
                        left[place(rows, c, rows + r)];
                after[c * apart + rows] += left[place(rows, c, 2 * rows)];
                before[c * apart + rows] += left[place(rows, rows + c, 2 * rows)];
            }
        }
    }
}

void StretchLdlt::substitute_forward(const kernels::StretchInput& in, const Team& team) noexcept
{
    team.run(static_cast<int>(pieces_.size()),
             [&](int k) { pieces_[k].moves->substitute_forward(memory(pieces_[k]), in); });
}

void StretchLdlt::hand_over_right_hand_sides(Real* store) const noexcept
{
    for (const Piece& piece : pieces_) {
        const int rows = piece.stretch.rows;
        for (int lane = 0; lane < kStretchLanes; ++lane) {
            const Real* const left = rest(piece) + lane;
            Real* const after = store + piece.ends[lane].after + columns_size(rows);
            Real* const before = store + piece.ends[lane].before + columns_size(rows);
            for (int c = 0; c < rows; ++c) {
                after[c] += left[place(rows, c, 2 * rows)];
                before[c] += left[place(rows, rows + c, 2 * rows)];
            }
        }
    }
}

void StretchLdlt::substitute_back(const Real* store, Real* x, Real* y, const Team& team) noexcept
{
    team.run(static_cast<int>(pieces_.size()), [&](int k) {
        const Piece& piece = pieces_[k];
        const int rows = piece.stretch.rows;
        Real ends[2 * kMostStretchRows * kStretchLanes];
        for (int lane = 0; lane < kStretchLanes; ++lane)
            for (int r = 0; r < rows; ++r) {
                const int own = columns_size(rows) + r;
                ends[kStretchLanes * r + lane] = store[piece.ends[lane].after + own];
                ends[kStretchLanes * (rows + r) + lane] = store[piece.ends[lane].before + own];
            }
        piece.moves->substitute_back(memory(piece), ends, x, y);
    });
}

}  // namespace taut::linalg
