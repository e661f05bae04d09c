// What each group is taken to be doing: the guess that a Newton iterate is built on, and how (y, s)
// changes it. The rule is the natural map's own: p = y − s/d, and where P puts it is what the row does.
//
//     p_n ≤ 0                open      all rows off, y = 0
//     |p_t| ≤ μ_s y_n        stick     hard rows
//     else                   slide     along p̂ = p_t/|p_t|:  y_∥ = μ_d y_n, no row;
//                                      across it:            s_⊥ + Σ_⊥ y_⊥ = 0,  Σ_⊥ = d_t (|p_t|/(μ_d y_n) − 1)
//
// The rows of a slide are the exact derivative of the natural map (y_t first put back onto its disk): at
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
    RowMode row[3];             // an equal group needs none
    Real cosine = 1, sine = 0;  // rows 1 and 2 of a cone are taken along (c, s) and across (−s, c)

    // Equal codes mean the same set of rows, whatever the direction of a slide.
    int code() const noexcept;
};

// From an iterate. `s` belongs to (x, y); `old` decides between two coefficients of friction.
ActiveMode next_mode(const RowGroup& group, const Real* y, const Real* s, const Real* d,
                     const ActiveMode& old, SlidingForm form) noexcept;

// From a guess of y alone, s only for the direction of slips: what carried an impulse still does.
ActiveMode guess_mode(const RowGroup& group, const Real* y, const Real* s, const Real* d,
                      SlidingForm form) noexcept;

// All codes in one number.
std::uint64_t fingerprint(std::span<const RowGroup> groups,
                          std::span<const ActiveMode> modes) noexcept;

}  // namespace taut::complementarity
