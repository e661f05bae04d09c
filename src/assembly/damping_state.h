// What the stabilisations that judge the assembled K̃ work on, and what came of it. See damping.h.
#pragma once

#include <algorithm>
#include <vector>

#include "assembly/layout.h"

namespace taut::assembly {

struct DampingState {
    Real alpha = 1;           // of the settings
    std::vector<Real> K;      // assembled K̃, on layout.stiffness; empty for other stabilisations
    std::vector<Real> M;      // the mass matrix on the same pattern
    std::vector<Real> B;      // diagonal blocks of the damping matrix, on the same pattern
    std::vector<Real> k;      // per unknown: what K̃ is judged by
    std::vector<Real> b;      // per unknown: diagonal of B [N s/m, N m s/rad]; zero without damping
    std::vector<Real> row_b;  // per row: b′
    std::vector<Real> row_time;  // per row: C b′, what it adds to the row's damping time [s]

    void attach(const Layout& layout, int rows)
    {
        K.assign(layout.stiffness.h_values, 0);
        M.assign(layout.stiffness.h_values, 0);
        B.assign(layout.stiffness.h_values, 0);
        k.assign(layout.stiffness.primal_unknowns, 0);
        b.assign(layout.pattern.primal_unknowns, 0);
        row_b.assign(rows, 0);
        row_time.assign(rows, 0);
    }
    void clear() noexcept { std::fill(K.begin(), K.end(), Real(0)); }
};

}  // namespace taut::assembly
