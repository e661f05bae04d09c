#include "linalg/saddle_matrix.h"

#include <algorithm>

#include "core/assert.h"

namespace taut::linalg {

int SaddlePattern::add_primal(int size)
{
    TAUT_ASSERT(size >= 1 && size <= 6);
    primals.push_back({size, primal_unknowns, h_values});
    primal_unknowns += size;
    h_values += size * size;
    return static_cast<int>(primals.size()) - 1;
}

int SaddlePattern::add_pair(int i, int j)
{
    TAUT_ASSERT(i != j && std::min(i, j) >= 0);
    TAUT_ASSERT(std::max(i, j) < static_cast<int>(primals.size()));
    const auto low = static_cast<std::uint64_t>(std::min(i, j));
    const auto high = static_cast<std::uint64_t>(std::max(i, j));
    const auto [entry, is_new] =
        pair_of.try_emplace((high << 32) | low, static_cast<int>(pairs.size()));
    if (is_new) {
        const int area = primals[i].size * primals[j].size;
        pairs.push_back({i, j, h_values, h_values + area});
        h_values += 2 * area;
    }
    return entry->second;
}

int SaddlePattern::add_dual(int size, std::span<const int> touched, bool early)
{
    TAUT_ASSERT(size >= 1 && size <= 6);
    const int first = static_cast<int>(touches.size());
    duals.push_back({size, dual_unknowns, first, static_cast<int>(touched.size()), early});
    dual_unknowns += size;
    for (const int primal : touched) {
        TAUT_ASSERT(primal >= 0 && primal < static_cast<int>(primals.size()));
        for (int t = first; t < static_cast<int>(touches.size()); ++t)
            TAUT_ASSERT(touches[t].primal != primal);
        touches.push_back({primal, j_values});
        j_values += size * primals[primal].size;
    }
    return static_cast<int>(duals.size()) - 1;
}

void SaddleSystem::prepare(const SaddlePattern& p)
{
    pattern = &p;
    H.assign(p.h_values, 0);
    J.assign(p.j_values, 0);
    sigma.assign(p.dual_unknowns, 0);
    f.assign(p.primal_unknowns, 0);
    g.assign(p.dual_unknowns, 0);
    rank.base.assign(rank.wanted ? p.h_values : 0, 0);
    rank.terms.clear();
}

void SaddleSystem::clear_pairs() noexcept
{
    TAUT_ASSERT(pattern != nullptr);
    for (const auto& pair : pattern->pairs) {
        const int size = pattern->primals[pair.i].size * pattern->primals[pair.j].size;
        std::fill_n(&H[pair.block_ij], size, Real(0));
        std::fill_n(&H[pair.block_ji], size, Real(0));
    }
}

void SaddleSolution::prepare(const SaddlePattern& p)
{
    x.assign(p.primal_unknowns, 0);
    y.assign(p.dual_unknowns, 0);
}

}  // namespace taut::linalg
