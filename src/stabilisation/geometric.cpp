#include "stabilisation/geometric.h"

#include <array>

#include <Eigen/Eigenvalues>

#include "core/assert.h"

namespace taut::stabilisation {

void project_to_positive(Real* A, int n) noexcept
{
    TAUT_ASSERT(n >= 1 && n <= 18);
    using Block = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 18, 18>;
    Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> map(A, n, n);
    if (!map.allFinite()) return;  // the solve reports it
    const Block symmetric = (map + map.transpose()) / 2;
    const Eigen::SelfAdjointEigenSolver<Block> eigen(symmetric);
    const Block V = eigen.eigenvectors();
    Block scaled = V;
    for (int k = 0; k < n; ++k) scaled.col(k) *= std::max(Real(0), eigen.eigenvalues()[k]);
    map.noalias() = scaled.lazyProduct(V.transpose());
}

}  // namespace taut::stabilisation

namespace taut {

std::span<const Choice<Stabilisation>> stabilisations() noexcept
{
    static constexpr auto list = std::to_array<Choice<Stabilisation>>({
        {Stabilisation::None, "none", "no geometric stiffness: the classical implicit step"},
        {Stabilisation::Exact, "exact",
         "the full derivative of the joint forces; unsymmetric, needs an LU solver"},
        {Stabilisation::Symmetric, "symmetric",
         "its symmetric part, the Hessian of the joint forces' potential"},
        {Stabilisation::Projected, "projected",
         "the stiffening part of the symmetric one, by eigenvalues"},
        {Stabilisation::Tension, "tension",
         "stiffness of pulled levers only; positive, spin-free, the default"},
        {Stabilisation::Diagonal, "diagonal",
         "column norms of the assembled stiffness on the diagonal"},
        {Stabilisation::InertialDamping, "inertial_damping",
         "adaptive damping of every freedom that those norms call unstable"},
        {Stabilisation::RotationalDamping, "rotational_damping", "the same on rotations only"},
        {Stabilisation::ConstraintDamping, "constraint_damping",
         "adaptive damping of compliant joint rows, formulas corrected"},
        {Stabilisation::ConstraintDampingPrinted, "constraint_damping_printed",
         "the same with the formulas as printed; rows where they are undefined stay undamped"},
        {Stabilisation::BlockDamping, "block_damping",
         "adaptive damping by a guaranteed bound, the same in every frame and unit"},
    });
    return list;
}

}  // namespace taut
