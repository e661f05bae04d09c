// H as a block diagonal matrix plus terms of rank one, for solvers that update an inverse:
//
//     H = D + Σ_k a_k b_kᵀ         D: diagonal blocks only;  a_k, b_k: zero but on one or two nodes
//
// Only filled where a solver asks for it (`wanted`): the default path carries two empty vectors.
#pragma once

#include <array>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::linalg {

struct RankTerm {
    int i = -1;
    int j = -1;                     // −1: a and b are zero but on node i
    std::array<Real, 12> a{}, b{};  // unknowns of i from 0 on, those of j from 6 on

    bool local() const noexcept { return j < 0; }
};

struct RankTerms {
    bool wanted = false;
    std::vector<Real> base;  // D, each block where the pattern has it in H
    std::vector<RankTerm> terms;
};

}  // namespace taut::linalg
