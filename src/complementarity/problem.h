// The problem of one solve: the system, the laws of its rows, the scale of each row, and the residual of an iterate.
#pragma once

#include <span>
#include <string_view>

#include "complementarity/inequality_rows.h"
#include "complementarity/natural_map.h"
#include "complementarity/responses.h"

namespace taut::complementarity {

class InequalityProblem {
public:
    void prepare(const linalg::SaddlePattern& pattern);
    // Reads a system and its laws. A static text says why no method can solve it; empty: one may.
    std::string_view load(const linalg::SaddleSystem& system,
                          std::span<const InequalityBlock> blocks,
                          const ComplementaritySettings& settings) noexcept;

    const linalg::SaddleSystem& system() const noexcept { return *system_; }
    std::span<const RowGroup> groups() const noexcept { return rows_.groups(); }
    bool has_cones() const noexcept { return rows_.has_cones(); }
    const Responses& responses() const noexcept { return responses_; }
    bool has_similar_masses() const noexcept
    {
        return responses_.mass_ratio() <= linalg::FactorThresholds::kSimilarMassRatio;
    }

    // Projects impulses onto the admissible sets.
    void make_admissible(std::span<Real> y) const noexcept;
    // The residual of an iterate, as the natural map has it, and what is known of the last one that was measured.
    Real measure(const linalg::SaddleSolution& solution) noexcept
    {
        return map_.measure(*system_, groups(), responses_, solution.x, solution.y);
    }
    const NaturalMap& map() const noexcept { return map_; }

private:
    const linalg::SaddleSystem* system_ = nullptr;
    InequalityRows rows_;
    Responses responses_;
    NaturalMap map_;
};

// Sets non-finite numbers of a guess to zero.
void zero_non_finite(linalg::SaddleSolution& solution) noexcept;
// to ← from, of one size.
void copy_solution(const linalg::SaddleSolution& from, linalg::SaddleSolution& to) noexcept;

}  // namespace taut::complementarity
