#include "linalg/samples/oracle.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/Eigenvalues>

#include "linalg/saddle_ops.h"

namespace taut::test {
namespace {

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Wide;
#else
using Wide = long double;
#endif

constexpr int kRefinements = 6;

long double ratio(long double square, long double over)
{
    return std::sqrt(square) / std::max(std::sqrt(over), 1e-300L);
}

}  // namespace

int count_negative_eigenvalues(const linalg::SaddleSystem& system)
{
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(linalg::to_dense(system),
                                                                Eigen::EigenvaluesOnly);
    return static_cast<int>((solver.eigenvalues().array() < 0).count());
}

Oracle::Oracle(const linalg::SaddleSystem& system, bool redundant)
    : n_(system.pattern->primal_unknowns),
      size_(n_ + system.pattern->dual_unknowns),
      matrix_(static_cast<std::size_t>(size_) * size_),
      rhs_(system.f.begin(), system.f.end()),
      solution_(size_, 0)
{
    rhs_.insert(rhs_.end(), system.g.begin(), system.g.end());
    for (const auto& t : linalg::to_triplets(system))
        matrix_[t.row() * size_ + t.col()] = t.value();
    find_scale();
    factorise(redundant ? 1e-12L : 0);
    refine();
}

void Oracle::find_scale()
{
    scale_.assign(size_, 1);
    for (int i = 0; i < n_; ++i)
        if (entry(i, i) != 0) scale_[i] = 1 / std::sqrt(std::abs(entry(i, i)));
    for (int i = n_; i < size_; ++i) {
        long double sum = std::abs(entry(i, i));
        for (int c = 0; c < n_; ++c) sum += entry(i, c) * scale_[c] * entry(i, c) * scale_[c];
        if (sum > 0) scale_[i] = 1 / std::sqrt(sum);
    }
}

void Oracle::factorise(long double threshold)
{
    lu_.resize(matrix_.size());
    for (int r = 0; r < size_; ++r)
        for (int c = 0; c < size_; ++c) lu_[r * size_ + c] = scale_[r] * entry(r, c) * scale_[c];
    row_of_.resize(size_);
    column_of_.resize(size_);
    std::iota(row_of_.begin(), row_of_.end(), 0);
    std::iota(column_of_.begin(), column_of_.end(), 0);

    long double largest = 0;
    for (rank_ = 0; rank_ < size_; ++rank_) {
        const int k = rank_;
        int row = k, column = k;
        for (int r = k; r < size_; ++r)
            for (int c = k; c < size_; ++c)
                if (std::abs(lu_[r * size_ + c]) > std::abs(lu_[row * size_ + column])) {
                    row = r;
                    column = c;
                }
        const long double pivot = lu_[row * size_ + column];
        largest = std::max(largest, std::abs(pivot));
        if (!(std::abs(pivot) > threshold * largest)) return;

        std::swap_ranges(&lu_[row * size_], &lu_[row * size_] + size_, &lu_[k * size_]);
        std::swap(row_of_[row], row_of_[k]);
        for (int r = 0; r < size_; ++r) std::swap(lu_[r * size_ + column], lu_[r * size_ + k]);
        std::swap(column_of_[column], column_of_[k]);
        for (int r = k + 1; r < size_; ++r) {
            const long double factor = lu_[r * size_ + k] /= pivot;
            if (factor == 0) continue;
            for (int c = k + 1; c < size_; ++c) lu_[r * size_ + c] -= factor * lu_[k * size_ + c];
        }
    }
}

Oracle::Vector Oracle::solve(Vector rhs) const
{
    Vector z(rank_);
    for (int r = 0; r < rank_; ++r) {
        z[r] = rhs[row_of_[r]];
        for (int c = 0; c < r; ++c) z[r] -= lu_[r * size_ + c] * z[c];
    }
    Vector out(size_, 0);
    for (int r = rank_ - 1; r >= 0; --r) {
        for (int c = r + 1; c < rank_; ++c) z[r] -= lu_[r * size_ + c] * z[c];
        z[r] /= lu_[r * size_ + r];
        out[column_of_[r]] = z[r];
    }
    return out;
}

void Oracle::refine()
{
    for (int k = 0; k < kRefinements; ++k) {
        Vector rest(size_);
        for (int r = 0; r < size_; ++r) {
            Wide sum = rhs_[r];
            for (int c = 0; c < size_; ++c)
                if (entry(r, c) != 0) sum -= Wide(entry(r, c)) * Wide(solution_[c]);
            rest[r] = scale_[r] * static_cast<long double>(sum);
        }
        const Vector correction = solve(std::move(rest));
        long double change = 0, total = 0;
        for (int i = 0; i < size_; ++i) {
            solution_[i] += scale_[i] * correction[i];
            change += correction[i] * correction[i];
            total += solution_[i] * solution_[i] / (scale_[i] * scale_[i]);
        }
        trust_ = ratio(change, total);
    }
}

Distance Oracle::distance(const linalg::SaddleSolution& other) const
{
    Vector error(size_);
    for (int i = 0; i < n_; ++i) error[i] = other.x[i] - solution_[i];
    for (int i = n_; i < size_; ++i) error[i] = -other.y[i - n_] - solution_[i];

    const auto square = [&](const Vector& z, int first, int last) {
        long double sum = 0;
        for (int i = first; i < last; ++i) sum += z[i] * z[i] / (scale_[i] * scale_[i]);
        return sum;
    };
    const auto force_square = [&](const Vector& z) {
        long double sum = 0;
        for (int r = 0; r < n_; ++r) {
            long double force = 0;
            for (int c = n_; c < size_; ++c) force += entry(r, c) * z[c];
            sum += force * force * scale_[r] * scale_[r];
        }
        return sum;
    };
    Distance out;
    out.x = static_cast<Real>(ratio(square(error, 0, n_), square(solution_, 0, n_)));
    out.y = static_cast<Real>(ratio(square(error, n_, size_), square(solution_, n_, size_)));
    out.force = static_cast<Real>(ratio(force_square(error), force_square(solution_)));
    return out;
}

}  // namespace taut::test
