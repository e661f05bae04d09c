#include "stabilisation/diagonal_bound.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "core/assert.h"

namespace taut::stabilisation {
namespace {

using linalg::SaddlePattern;
using BlockView =
    Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

BlockView block_at(std::span<const Real> K, int at, int rows, int columns) noexcept
{
    return {K.data() + at, rows, columns};
}

// visit(i, j, K_ij, K_ji) for every diagonal block and every pair once.
template <class Visit>
void for_each_pair(const SaddlePattern& p, std::span<const Real> K, Visit&& visit) noexcept
{
    for (const auto& i : p.primals) {
        const BlockView ii = block_at(K, i.block, i.size, i.size);
        visit(i, i, ii, ii);
    }
    for (const auto& pair : p.pairs) {
        const auto &i = p.primals[pair.i], &j = p.primals[pair.j];
        visit(i, j, block_at(K, pair.block_ij, i.size, j.size),
              block_at(K, pair.block_ji, j.size, i.size));
    }
}

// M_a = L Lᵀ; |L⁻¹ S L⁻ᵀ| is |M^−½ S M^−½|, since L is M^½ times a rotation.
Mat3 whitening(BlockView M, int first) noexcept
{
    const Mat3 mass = M.block<3, 3>(first, first);
    return Eigen::LLT<Mat3>(mass).matrixL().solve(Mat3::Identity());
}

Real spectral_norm(const Mat3& A) noexcept
{
    if (A.isZero(0)) return 0;
    const Mat3 square = A.transpose() * A;
    if (!square.allFinite()) return square.cwiseAbs().maxCoeff();
    Eigen::SelfAdjointEigenSolver<Mat3> eigen;
    eigen.compute(square, Eigen::EigenvaluesOnly);
    return std::sqrt(std::max(Real(0), eigen.eigenvalues()[2]));
}

}  // namespace

void column_norms(const SaddlePattern& pattern, std::span<const Real> K, std::span<Real> k) noexcept
{
    TAUT_ASSERT(K.size() == static_cast<std::size_t>(pattern.h_values));
    TAUT_ASSERT(k.size() == static_cast<std::size_t>(pattern.primal_unknowns));
    std::fill(k.begin(), k.end(), Real(0));
    for_each_pair(pattern, K, [&](const auto& i, const auto& j, BlockView ij, BlockView ji) {
        for (int c = 0; c < j.size; ++c) k[j.offset + c] += ij.col(c).squaredNorm();
        if (&i == &j) return;
        for (int c = 0; c < i.size; ++c) k[i.offset + c] += ji.col(c).squaredNorm();
    });
    for (Real& value : k) value = std::sqrt(value);
}

void gershgorin(const SaddlePattern& pattern, std::span<const Real> K, std::span<Real> k) noexcept
{
    TAUT_ASSERT(K.size() == static_cast<std::size_t>(pattern.h_values));
    TAUT_ASSERT(k.size() == static_cast<std::size_t>(pattern.primal_unknowns));
    std::fill(k.begin(), k.end(), Real(0));
    for_each_pair(pattern, K,
                  [&](const auto& i, const auto& j, const BlockView& ij, const BlockView& ji) {
                      for (int r = 0; r < i.size; ++r)
                          for (int c = 0; c < j.size; ++c) {
                              const Real s = std::abs(ij(r, c) + ji(c, r)) / 2;
                              k[i.offset + r] += s;
                              if (&i != &j) k[j.offset + c] += s;
                          }
                  });
}

void block_bound(const SaddlePattern& pattern, std::span<const Real> K, std::span<const Real> M,
                 std::span<Real> kappa) noexcept
{
    TAUT_ASSERT(K.size() == static_cast<std::size_t>(pattern.h_values) && M.size() == K.size());
    TAUT_ASSERT(kappa.size() == static_cast<std::size_t>(pattern.primal_unknowns));
    std::fill(kappa.begin(), kappa.end(), Real(0));
    for_each_pair(pattern, K, [&](const auto& i, const auto& j, BlockView ij, BlockView ji) {
        const BlockView M_i = block_at(M, i.block, i.size, i.size);
        const BlockView M_j = block_at(M, j.block, j.size, j.size);
        for (int a = 0; a < i.size; a += 3)
            for (int b = 0; b < j.size; b += 3) {
                const Mat3 S = (ij.block<3, 3>(a, b) + ji.block<3, 3>(b, a).transpose()) / Real(2);
                if (S.isZero(0)) continue;
                const Real norm =
                    spectral_norm(whitening(M_i, a) * S * whitening(M_j, b).transpose());
                for (int r = 0; r < 3; ++r) {
                    kappa[i.offset + a + r] += norm;
                    if (&i != &j) kappa[j.offset + b + r] += norm;
                }
            }
    });
}

}  // namespace taut::stabilisation
