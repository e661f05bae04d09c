// Rows that close a loop may be redundant (four spatial hinges of a planar four-bar, the fourth leg of a
// table). To factorise without pivoting such a row needs some Σ:
//
//     Σ_k ← max(Σ_k, ε (J D⁻¹ Jᵀ)_kk)      D: the diagonal blocks of H
//
// with ε of thresholds.h. The floor acts in the factorisation only. Refinement against the true matrix removes it again (a proximal point
// iteration), so ε is no compliance. Rows on no cycle get no floor: a tree stays hard at any mass ratio.
#pragma once

#include <vector>

#include "linalg/kernel_tables.h"
#include "linalg/spanning_forest.h"

namespace taut::linalg {

class RedundancyFloor {
public:
    void prepare(const SaddlePattern& pattern, const SpanningForest& forest,
                 const kernels::Tables& tables);
    bool is_active() const noexcept { return !cyclic_duals_.empty(); }
    // Σ with the floors; valid until the next call. Allocates nothing.
    const Real* raise(const SaddleSystem& system, Real epsilon) noexcept;

private:
    const kernels::Tables* tables_ = nullptr;
    std::vector<int> cyclic_duals_;
    std::vector<int> cyclic_primals_;  // those that a cyclic dual touches
    std::vector<int> factor_of_;       // per primal, in factors_
    std::vector<Real> factors_;        // LDLᵀ of their diagonal blocks, packed
    std::vector<Real> sigma_;
};

}  // namespace taut::linalg
