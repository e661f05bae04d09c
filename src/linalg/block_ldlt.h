// Sparse block LDLᵀ of the saddle matrix without pivoting, in the order of ordering.h.
//
// Body pivots are positive, constraint pivots −(Σ + J H⁻¹ Jᵀ) negative; the count of negative pivots is
// the inertia of the matrix, at no extra cost. The first solve is part of the factorisation, so that
// the matrix passes through the cache once; further right-hand sides use solve().
#pragma once

#include <span>
#include <vector>

#include "core/team.h"
#include "linalg/block_plan.h"
#include "linalg/redundancy_floor.h"
#include "linalg/stretches/stretch_ldlt.h"

namespace taut::linalg {

class BlockLdlt {
public:
    struct Report {
        int negative_pivots = 0;  // dual pivots that were replaced count as negative
        int replaced_pivots = 0;  // zero within round-off: their unknowns were set to zero
    };

    // Symbolic work and all allocation.
    void prepare(const SaddlePattern& pattern,
                 const kernels::Tables& tables = kernels::best_tables());

    // Factorises the matrix (Σ raised by the redundancy floor) and solves for its right-hand side.
    // Reads H as symmetric. Allocates nothing.
    Report factor_and_solve(const SaddleSystem& system, std::span<Real> x, std::span<Real> y,
                            Real floor = FactorThresholds::kRedundancyFloor) noexcept;

    // Solves H x − Jᵀ y = f, J x + Σ y = g with the last factor. Allocates nothing.
    void solve(std::span<const Real> f, std::span<const Real> g, std::span<Real> x,
               std::span<Real> y) noexcept;

    // Threads that large systems are solved on from here on. The results do not depend on them.
    void set_threads(const Team& team) noexcept { team_ = team; }

    // Whether some rows are on a cycle, i.e. may be redundant.
    bool has_cycles() const noexcept { return floor_.is_active(); }
    // Whether some duals are eliminated before their bodies: then Σ must not be too small.
    bool has_early() const noexcept { return early_; }
    int fill_blocks() const noexcept { return fill_; }

private:
    struct Input;

    struct Pivots {
        kernels::PivotCount primal, dual;
    };

    // visit(part) for all parts but the rest, in parallel.
    template <class Visit>
    void each_part(Visit&& visit) const noexcept
    {
        team_.run(static_cast<int>(plan_.parts.size()) - 1, visit);
    }
    int rest() const noexcept { return static_cast<int>(plan_.parts.size()) - 1; }

    void eliminate_part(int part, const Input& in) noexcept;
    void load(const BlockPlan::Node& node, const Input& in) noexcept;
    void eliminate(int position, const Input& in, Real* scaled,
                   kernels::PivotCount& count) noexcept;
    void eliminate_many(int position, const Input& in, Real* scaled,
                        kernels::PivotCount& count) noexcept;
    void forward_part(int part) noexcept;
    void substitute_back(std::span<Real> x, std::span<Real> y) noexcept;
    void backward_part(int part, Real* x, Real* y) noexcept;

    // The store begins at a cache line.
    Real* store() noexcept;

    const kernels::Tables* tables_ = nullptr;
    StretchLdlt stretches_;  // eliminated first, with kernels of their own
    BlockPlan plan_;
    RedundancyFloor floor_;
    std::vector<Real> memory_;
    std::vector<Real> scaled_panels_;  // per part: L·D of the node being eliminated
    std::vector<Pivots> pivots_;       // per part
    Team team_;
    int fill_ = 0;
    bool early_ = false;
};

}  // namespace taut::linalg
