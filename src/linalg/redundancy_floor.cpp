#include "linalg/redundancy_floor.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "linalg/kernel_tables.h"

namespace taut::linalg {

using kernels::kMaxSize;
using kernels::node_size;
using kernels::stride;

void RedundancyFloor::prepare(const SaddlePattern& pattern, const SpanningForest& forest,
                              const kernels::Tables& tables)
{
    tables_ = &tables;
    cyclic_duals_.clear();
    cyclic_primals_.clear();
    factor_of_.assign(pattern.primals.size(), -1);
    int size = 0;
    for (int d = 0; d < static_cast<int>(pattern.duals.size()); ++d) {
        if (!forest.cyclic[d]) continue;
        cyclic_duals_.push_back(d);
        for (int t = 0; t < pattern.duals[d].touches; ++t) {
            const int i = pattern.touches[pattern.duals[d].first_touch + t].primal;
            if (factor_of_[i] >= 0) continue;
            cyclic_primals_.push_back(i);
            factor_of_[i] = size;
            size += node_size(pattern.primals[i].size);
        }
    }
    factors_.assign(size, 0);
    sigma_.assign(cyclic_duals_.empty() ? 0 : pattern.dual_unknowns, 0);
}

const Real* RedundancyFloor::raise(const SaddleSystem& system, Real epsilon) noexcept
{
    TAUT_ASSERT(cyclic_duals_.empty() || system.sigma.size() == sigma_.size());
    TAUT_ASSERT(epsilon >= 0);
    if (cyclic_duals_.empty() || epsilon == 0) return system.sigma.data();
    const kernels::Tables& tables = *tables_;
    const SaddlePattern& p = *system.pattern;
    std::copy(system.sigma.begin(), system.sigma.end(), sigma_.begin());

    for (const int i : cyclic_primals_) {
        const auto& primal = p.primals[i];
        Real* const factor = factors_.data() + factor_of_[i];
        kernels::PivotCount ignored;
        tables.load_primal[primal.size](&system.H[primal.block], &system.f[primal.offset], factor);
        tables.factor_node[primal.size](factor, ignored);
    }

    for (const int d : cyclic_duals_) {
        const auto& dual = p.duals[d];
        for (int row = 0; row < dual.size; ++row) {
            // Σ_c w_c²/d_c with L w = jᵀ, block by block
            Real response = 0;
            for (int t = 0; t < dual.touches; ++t) {
                const auto& touch = p.touches[dual.first_touch + t];
                const int size = p.primals[touch.primal].size;
                const Real* const factor = factors_.data() + factor_of_[touch.primal];
                Real w[kMaxSize];
                std::copy_n(&system.J[touch.block + row * size], size, w);
                tables.forward_node[size](factor, w);
                for (int c = 0; c < size; ++c)
                    response += w[c] * w[c] * std::abs(factor[c * stride(size) + c]);
            }
            Real& sigma = sigma_[dual.offset + row];
            sigma = std::max(sigma, epsilon * response);
        }
    }
    return sigma_.data();
}

}  // namespace taut::linalg
