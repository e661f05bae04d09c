// H as block diagonal plus terms of rank one, for solvers that want it so (linalg/rank_terms.h): what an
// element adds to H is sent here once more, taken apart.
#pragma once

#include "assembly/layout.h"
#include "stabilisation/geometric.h"
#include "stabilisation/low_rank_factors.h"

namespace taut::assembly {

// Of one element at most: the rows of three bodies against two others each.
inline constexpr std::size_t kMostTerms = 36;

// A block on the diagonal needs no terms.
inline void add_rotation_to_base(const Layout& layout, BodyIndex body, const Mat3& G,
                                 linalg::RankTerms& rank) noexcept
{
    Real* block = &rank.base[layout.block(body)];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) block[6 * (r + 3) + c + 3] += G(r, c);
}

template <int kBodies>
std::array<int, kBodies> nodes_of(const Layout& layout,
                                  const std::array<BodyIndex, kBodies>& bodies) noexcept
{
    std::array<int, kBodies> nodes;
    for (int s = 0; s < kBodies; ++s) nodes[s] = layout.primal[bodies[s]];
    return nodes;
}

// Any element: scale·S row by row, e_r (row r)ᵀ, two bodies at a time.
template <int kBodies>
void append_rows(const Layout& layout, const std::array<BodyIndex, kBodies>& bodies,
                 const StiffnessBlocks<kBodies>& S, Real scale, std::vector<linalg::RankTerm>& out)
{
    const auto nodes = nodes_of<kBodies>(layout, bodies);
    for (int s = 0; s < kBodies; ++s)
        for (int r = 0; r < 6; ++r) {
            bool own_is_in = false;
            for (int t = 0; t < kBodies; ++t) {
                if (t == s) continue;
                RankFactor row{{s, t}, Vec12::Zero(), Vec12::Zero()};
                row.a[r] = 1;
                if (!own_is_in) row.b.head<6>() = S.block[s][s].row(r).transpose();
                row.b.tail<6>() = S.block[s][t].row(r).transpose();
                append_term(layout.pattern, nodes, row, scale, out);
                own_is_in = true;
            }
        }
}

// A joint: S = −K̃ or −sym K̃ from the factors of its type, anything else row by row.
template <class T>
void collect_terms(Stabilisation kind, const Layout& layout, const T& item,
                   const std::array<BodyIndex, T::kBodies>& bodies, const Poses<T::kBodies>& X,
                   const RowVector<T::kRows>& lambda, const StiffnessBlocks<T::kBodies>& S,
                   Real scale, linalg::RankTerms& rank)
{
    if (kind != Stabilisation::Exact && kind != Stabilisation::Symmetric)
        return append_rows<T::kBodies>(layout, bodies, S, scale, rank.terms);
    const auto nodes = nodes_of<T::kBodies>(layout, bodies);
    RankFactors factors;
    factor_stiffness(item, X, lambda, factors);
    if (!factors.complete) return append_rows<T::kBodies>(layout, bodies, S, scale, rank.terms);
    for (int k = 0; k < factors.count; ++k) {
        RankFactor factor = factors.term[k];
        if (kind == Stabilisation::Exact) {
            append_term(layout.pattern, nodes, factor, -scale, rank.terms);
            continue;
        }
        append_term(layout.pattern, nodes, factor, -scale / 2, rank.terms);
        std::swap(factor.a, factor.b);
        append_term(layout.pattern, nodes, factor, -scale / 2, rank.terms);
    }
}

}  // namespace taut::assembly
