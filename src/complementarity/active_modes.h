// The mode of each group of rows in the current active set, and how an iterate (y, s) changes it. The rule is that of the natural
// map: with p = y − s/d, the projection of p decides.
//
//     p_n ≤ 0                open      no rows, y = 0
//     |p_t| ≤ μ_s y_n        stick     equality rows
//     else                   slide     along p̂ = p_t/|p_t|:  y_∥ = μ_d y_n, no row;
//                                      across it:            s_⊥ + Σ_⊥ y_⊥ = 0,  Σ_⊥ = d_t (|p_t|/(μ_d y_n) − 1)
//
// The rows of a slide are the exact derivative of the natural map (y_t first projected onto its disk): at
// the solution Σ_⊥ = |s_t|/(μ y_n), the force turns with the slip.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "complementarity/inequality_rows.h"
#include "complementarity/responses.h"

namespace taut::complementarity {

struct ActiveMode {
    enum class Row : unsigned char {
        Hard,   // s + extra·y = 0
        Fixed,  // y = value
        Ratio,  // y = value · y_n
    };
    struct RowMode {
        Row what = Row::Hard;
        Real value = 0;  // impulse or ratio
        Real extra = 0;  // added to Σ
    };
    RowMode row[3];             // unused for an equality group
    Real cosine = 1, sine = 0;  // rows 1 and 2 of a cone are taken along (c, s) and across (−s, c)

    // Equal codes mean the same active rows, whatever the direction of a slide.
    int code() const noexcept;
};

// From an iterate. `s` belongs to (x, y); `old` decides between two coefficients of friction.
ActiveMode next_mode(const RowGroup& group, const Real* y, const Real* s, const Real* d,
                     const ActiveMode& old, SlidingForm form) noexcept;

// From a warm start: y decides, s gives only the direction of slips. A row that carried an impulse is taken to carry one.
ActiveMode mode_of_guess(const RowGroup& group, const Real* y, const Real* s, const Real* d,
                         SlidingForm form) noexcept;

// All codes in one number.
std::uint64_t fingerprint(std::span<const RowGroup> groups,
                          std::span<const ActiveMode> modes) noexcept;

}  // namespace taut::complementarity
