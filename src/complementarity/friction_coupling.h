// Friction along the slips: z = ratio · y_n(z), with y_n from the saddle system whose right-hand side
// contains z. The map z ↦ ratio · y_n is affine, T z + c, and (I − T) z = c is Newton's unsymmetric
// normal–tangent part condensed onto one number per slip. GMRES solves it with one back substitution per product. T is a
// contraction (by about μ times the coupling of normal and tangent) unless contacts jam, so that a handful of products suffices.
// The alternatives: an unsymmetric factorisation (twice the memory and time for a few numbers), or
// iterating z = T z + c (the Lagged form), which converges slowly or not at all for large friction.
// Impulses are weighted by √d_n, so that light and heavy contacts count alike, as energies.
#pragma once

#include <span>
#include <vector>

#include "complementarity/active_system.h"
#include "complementarity/gmres.h"
#include "complementarity/inner_solver.h"

namespace taut::complementarity {

class FrictionCoupling {
public:
    void prepare(const linalg::SaddlePattern& pattern);
    // Initial z of the slips of the active system, from the normal impulses of `y`.
    void load(const ActiveSystem& active, std::span<const Real> y) noexcept;
    // After `solution` was solved with z: corrects z and solves again until z = ratio · y_n. Returns the relative
    // residual of that equation.
    Real solve_coupling(ActiveSystem& active, InnerSolver& inner, const Responses& responses,
                        linalg::SaddleSolution& solution) noexcept;
    std::span<const Real> z() const noexcept { return {z_.data(), count_}; }

private:
    Real coupling_residual(const ActiveSystem& active, const Responses& responses,
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
