// The kernels by run-time size: one table per kernel, so that the driver never switches on sizes; and one set of tables
// per kind of machine.
#pragma once

#include <array>

#include "linalg/block_kernels.h"
#include "linalg/stretches/stretch_moves.h"

namespace taut::linalg::kernels {

struct Tables {
    template <class Function>
    using BySize = std::array<Function*, kMaxSize + 1>;  // entry 0 is empty
    template <class Function>
    using ByTwoSizes = std::array<BySize<Function>, kMaxSize + 1>;

    BySize<void(const double*, const double*, double*)> load_primal, load_dual;
    ByTwoSizes<void(const double*, PanelLayout, double*)> copy_panel;
    ByTwoSizes<void(double*, const double*, PanelLayout, double*, PivotCount&)> eliminate_one;
    BySize<void(double*, PivotCount&)> factor_node;
    ByTwoSizes<void(const double*, const double*, PanelLayout, double*, double*, double*)>
        factor_panel;
    BySize<void(int, const double*, const double*, double*)> update_triangle;
    ByTwoSizes<void(int, const double*, const double*, double*)> update_block;
    BySize<void(const double*, double*)> forward_node;
    ByTwoSizes<void(const double*, const double*, double*)> forward_panel;
    BySize<void(const double*, double*)> scale_node;
    ByTwoSizes<void(const double*, const double*, double*)> backward_panel;
    BySize<void(const double*, double*)> backward_node;
    ByTwoSizes<void(double*, const double*, double*, double)> backward_one;
    const StretchTable* stretch;
};

extern const Tables two_at_a_time;
#ifdef __x86_64__
extern const Tables four_at_a_time;  // wants AVX2
#endif

// The fastest that this machine runs. All give the same bits.
const Tables& best_tables() noexcept;

}  // namespace taut::linalg::kernels
