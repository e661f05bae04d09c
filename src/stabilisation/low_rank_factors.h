// K̃ of every constraint type as a sum of few terms of rank one, K̃ = Σ a bᵀ, each on two of its bodies.
//
//   a force f at lever s   |s| [(f_r ŝ − f_s r) rᵀ + (f_t ŝ − f_s t) tᵀ] = [f]ₓ[s]ₓ       rank 2
//                          (r, ŝ, t orthonormal; the row space is s^⊥, the column space f^⊥)
//   torque rows            (e_k, −e_k) (row k of K̃_ii, K̃_ij)ᵀ, k = 1…3                    rank 3
//                          the torque on j is minus that on i, whatever the row measures
//   axial lock             n = u×v: λ(ū_i − ū_j) v̄_iᵀ − λ(v̄_i − v̄_j) ūᵢᵀ                   rank 2
//   distance               λ/|d| Σ g_t g_tᵀ over t ⊥ e, g_t = (t, s_i×t, −t, −s_j×t)       rank 2
//                          and the two forces ±λe at their levers                          + 2 + 2
//   dot-2, one force f     six terms, see dot_2_factors                                    rank 6
// Exact at every pose, open joints included. [Andrews2017, App. B] prints a rank-2 form of dot-1 that holds at
// φ = 0 alone, a ball whose second body has the first one's multipliers, and an axial lock of the wrong
// sign. A type states its factors by an add_factors() of its own only where it has fewer than factor_stiffness() finds.
#pragma once

#include <array>
#include <span>

#include "constraints/constraint_types.h"
#include "core/assert.h"
#include "linalg/rank_terms.h"
#include "linalg/saddle_matrix.h"

namespace taut::stabilisation {

using Vec12 = Eigen::Matrix<Real, 12, 1>;

// a bᵀ on the bodies (pair.i, pair.j): (linear, angular) of i, then of j.
struct RankFactor {
    parts::Pair pair;
    Vec12 a, b;
};

// The terms of one constraint. A type with factors of its own has at most one force, of six terms (dot-2, or a distance with
// its two levers), and one set of torque rows, of three: kMostOfAType. kCapacity is what always suffices, since K̃ of a pair
// is 12×12.
// A type that adds more breaks the contract; then nothing is written and `complete` says so, and the caller takes K̃ apart
// row by row instead.
struct RankFactors {
    static constexpr int kMostOfAType = 6 + 3;
    static constexpr int kCapacity = 12;

    int count = 0;
    bool complete = true;
    std::array<RankFactor, kCapacity> term;

    void add(parts::Pair pair, const Vec12& a, const Vec12& b) noexcept
    {
        if (a.isZero(0) || b.isZero(0)) return;
        TAUT_ASSERT(count < kCapacity);
        if (count < kCapacity)
            term[count++] = {pair, a, b};
        else
            complete = false;
    }
};

// Appends scale·a bᵀ as a term of the system. nodes: the primal node of each body of the constraint, −1
// where it cannot move; its part is left out, as is the rotation of a particle.
void append_term(const linalg::SaddlePattern& pattern, std::span<const int> nodes,
                 const RankFactor& factor, Real scale, std::vector<linalg::RankTerm>& out);

// out += factors of K̃(λ), for types whose forces make few terms. A type need not be in this list.
// clang-format off
void add_factors(const DistanceRow& c, const Poses<2>& X, const RowVector<1>& lambda, RankFactors& out) noexcept;
void add_factors(const AxialLock& c, const Poses<2>& X, const RowVector<1>& lambda, RankFactors& out) noexcept;
void add_factors(const Dot2& c, const Poses<2>& X, const RowVector<1>& lambda, RankFactors& out) noexcept;
void add_factors(const Ball& c, const Poses<2>& X, const RowVector<3>& lambda, RankFactors& out) noexcept;
void add_factors(const Universal& c, const Poses<2>& X, const RowVector<4>& lambda, RankFactors& out) noexcept;
void add_factors(const Hinge& c, const Poses<2>& X, const RowVector<5>& lambda, RankFactors& out) noexcept;
void add_factors(const Prismatic& c, const Poses<2>& X, const RowVector<5>& lambda, RankFactors& out) noexcept;
void add_factors(const Cylindrical& c, const Poses<2>& X, const RowVector<4>& lambda, RankFactors& out) noexcept;
void add_factors(const Planar& c, const Poses<2>& X, const RowVector<3>& lambda, RankFactors& out) noexcept;
void add_factors(const Weld& c, const Poses<2>& X, const RowVector<6>& lambda, RankFactors& out) noexcept;
void add_factors(const PointOnLine& c, const Poses<2>& X, const RowVector<2>& lambda, RankFactors& out) noexcept;
void add_factors(const PointOnPlane& c, const Poses<2>& X, const RowVector<1>& lambda, RankFactors& out) noexcept;
void add_factors(const Screw& c, const Poses<2>& X, const RowVector<5>& lambda, RankFactors& out) noexcept;
void add_factors(const Gear& c, const Poses<3>& X, const RowVector<1>& lambda, RankFactors& out) noexcept;
void add_factors(const RackAndPinion& c, const Poses<3>& X, const RowVector<1>& lambda, RankFactors& out) noexcept;
void add_factors(const SlideDrive& c, const Poses<2>& X, const RowVector<1>& lambda, RankFactors& out) noexcept;
void add_factors(const SlideLimits& c, const Poses<2>& X, const RowVector<2>& lambda, RankFactors& out) noexcept;
void add_factors(const Contact& c, const Poses<2>& X, const RowVector<3>& lambda, RankFactors& out) noexcept;
// no K̃, no factors
inline void add_factors(const Rolling&, const Poses<2>&, const RowVector<3>&, RankFactors&) noexcept {}
void add_factors(const Rope& c, const Poses<2>& X, const RowVector<1>& lambda, RankFactors& out) noexcept;
// clang-format on

// Rows that apply torques alone: three terms, because the torque on j is minus that on i.
void add_torque_factors(const StiffnessBlocks<2>& K, RankFactors& out,
                        parts::Pair pair = {}) noexcept;
// Any K̃ of two bodies row by row, e_r (row r)ᵀ: up to twelve terms.
void add_row_factors(const StiffnessBlocks<2>& K, RankFactors& out) noexcept;

template <class T>
concept HasOwnFactors = requires(const T& c, const Poses<T::kBodies>& X,
                                 const RowVector<T::kRows>& lambda, RankFactors& out)
{
    add_factors(c, X, lambda, out);
};

template <Constraint T>
constexpr bool measures_angles_only() noexcept
{
    for (const RowUnit unit : T::kUnits)
        if (unit != RowUnit::Angle) return false;
    return true;
}

// out += factors of K̃(λ) of any type.
template <Constraint T>
void factor_stiffness(const T& c, const Poses<T::kBodies>& X, const RowVector<T::kRows>& lambda,
                      RankFactors& out) noexcept
{
    if constexpr (HasOwnFactors<T>) {
        add_factors(c, X, lambda, out);
    } else {
        static_assert(T::kBodies == 2,
                      "a joint of three bodies needs its own add_factors() in "
                      "src/stabilisation/low_rank_factors.h");
        StiffnessBlocks<2> K;
        K.set_zero();
        c.geometric_stiffness(X, lambda, K);
        if constexpr (measures_angles_only<T>())
            add_torque_factors(K, out);
        else
            add_row_factors(K, out);
    }
}

}  // namespace taut::stabilisation
