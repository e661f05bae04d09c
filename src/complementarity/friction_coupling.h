// Friction along the slips: z = ratio · y_n(z), with y_n from the saddle system whose right-hand side
// carries z. The map z ↦ ratio · y_n is affine, T z + c, and (I − T) z = c is Newton's unsymmetric
// normal–tangent part condensed onto one number per slip. GMRES solves it with one back substitution per product: T shrinks (by about
// μ times the lever between normal and tangent), so that a handful suffices where nothing jams.
// The alternatives: an unsymmetric factorisation (twice the memory and time for a few numbers), or
// iterating z = T z + c (the Lagged form), which converges slowly or not at all for steep friction.
// Impulses are weighted by √d_n: light and heavy contacts then count alike, as energies.
#pragma once

#include <span>
#include <vector>

#include "complementarity/active_system.h"
#include "complementarity/gmres.h"
#include "complementarity/inner_solvers.h"

namespace taut::complementarity {

class FrictionCoupling {
public:
    void prepare(const linalg::SaddlePattern& pattern);
    // z of the active system's slips from the normal impulses of `y`, or of what it will close with.
    void load(const ActiveSystem& active, std::span<const Real> y) noexcept;
    // After `solution` was solved with z: corrects z and solves again until both agree. Returns the
    // relative disagreement that is left.
    Real agree(ActiveSystem& active, InnerSolver& inner, const Responses& responses,
               linalg::SaddleSolution& solution) noexcept;
    std::span<const Real> z() const noexcept { return {z_.data(), count_}; }

private:
    Real disagreement(const ActiveSystem& active, const Responses& responses,
                      std::span<const Real> y) noexcept;
    void correct(const ActiveSystem& active, InnerSolver& inner,
                 linalg::SaddleSolution& solution) noexcept;
    void respond(const ActiveSystem& active, InnerSolver& inner, std::span<const Real> z) noexcept;
    void apply(const ActiveSystem& active, InnerSolver& inner, const Real* v, Real* out) noexcept;

    std::size_t count_ = 0;
    std::vector<Real> z_, gap_, weight_;  // per slip; gap = ratio y_n − z, weighted
    Gmres gmres_;
    std::vector<Real> scratch_, f_, g_;
    linalg::SaddleSolution answer_;
};

}  // namespace taut::complementarity
