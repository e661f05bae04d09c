#include "solver/inverse_solvers.h"

#include <cmath>

namespace taut::solver {
namespace {

using linalg::DenseMatrix;
using linalg::SaddlePattern;
using linalg::SaddleSystem;
using RowBlockMap =
    Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// visit(first row, first column, block) for every block of J.
template <class Visit>
void for_each_block(const SaddlePattern& p, std::span<const Real> jacobian, Visit&& visit)
{
    for (const auto& dual : p.duals)
        for (int t = 0; t < dual.touches; ++t) {
            const auto& touch = p.touches[dual.first_touch + t];
            const auto& node = p.primals[touch.primal];
            visit(dual.offset, node.offset,
                  RowBlockMap(&jacobian[touch.block], dual.size, node.size));
        }
}

DenseMatrix dense_mass(const SaddleSystem& system)
{
    const SaddlePattern& p = *system.pattern;
    DenseMatrix H = DenseMatrix::Zero(p.primal_unknowns, p.primal_unknowns);
    for (const auto& i : p.primals)
        H.block(i.offset, i.offset, i.size, i.size) =
            RowBlockMap(&system.H[i.block], i.size, i.size);
    for (const auto& pair : p.pairs) {
        const auto &i = p.primals[pair.i], &j = p.primals[pair.j];
        const RowBlockMap ij(&system.H[pair.block_ij], i.size, j.size);
        H.block(i.offset, j.offset, i.size, j.size) = ij;
        if (system.symmetric)
            H.block(j.offset, i.offset, j.size, i.size) = ij.transpose();
        else
            H.block(j.offset, i.offset, j.size, i.size) =
                RowBlockMap(&system.H[pair.block_ji], j.size, i.size);
    }
    return H;
}

// The blocks between two nodes as terms: e_r on one side, row r of the block on the other.
void rows_of_pairs(const SaddleSystem& system, std::vector<linalg::RankTerm>& out)
{
    const SaddlePattern& p = *system.pattern;
    out.clear();
    for (const auto& pair : p.pairs) {
        const int size_i = p.primals[pair.i].size, size_j = p.primals[pair.j].size;
        const Real* ij = &system.H[pair.block_ij];
        const Real* ji = &system.H[pair.block_ji];
        for (int r = 0; r < size_i; ++r) {
            linalg::RankTerm term{pair.i, pair.j, {}, {}};
            term.a[r] = 1;
            for (int c = 0; c < size_j; ++c) term.b[6 + c] = ij[r * size_j + c];
            out.push_back(term);
        }
        for (int r = 0; r < size_j; ++r) {
            linalg::RankTerm term{pair.i, pair.j, {}, {}};
            term.a[6 + r] = 1;
            for (int c = 0; c < size_i; ++c)
                term.b[c] = system.symmetric ? ij[c * size_j + r] : ji[r * size_i + c];
            out.push_back(term);
        }
    }
}

}  // namespace

std::string_view InverseSolver::allocate_and_factorise(const SaddleSystem& system)
{
    pattern_ = system.pattern;
    jacobian_ = system.J;
    return invert(system, inverse_) && factorise_complement(system) ? std::string_view()
                                                                    : kSingular;
}

bool InverseSolver::factorise_complement(const SaddleSystem& system)
{
    const SaddlePattern& p = *system.pattern;
    product_.setZero(p.dual_unknowns, p.primal_unknowns);
    for_each_block(*pattern_, jacobian_, [&](int row, int column, const RowBlockMap& J) {
        product_.middleRows(row, J.rows()).noalias() += J * inverse_.middleRows(column, J.cols());
    });
    Eigen::MatrixXd schur = Eigen::MatrixXd::Zero(p.dual_unknowns, p.dual_unknowns);
    for_each_block(*pattern_, jacobian_, [&](int row, int column, const RowBlockMap& J) {
        schur.middleCols(row, J.rows()).noalias() +=
            product_.middleCols(column, J.cols()) * J.transpose();
    });
    for (int r = 0; r < p.dual_unknowns; ++r) schur(r, r) += system.sigma[r];
    if (!schur.allFinite()) return false;

    // equilibrated: rows of length and of angle, of light bodies and of heavy ones
    scale_.resize(p.dual_unknowns);
    for (int r = 0; r < p.dual_unknowns; ++r) {
        const Real size = std::sqrt(std::abs(schur(r, r)));
        scale_[r] = size > 0 ? 1 / size : 1;
    }
    schur = scale_.asDiagonal() * schur * scale_.asDiagonal();
    // redundant rows make it singular: a floor for the factorisation, whose effect refinement removes
    schur.diagonal().array() += InverseSolverThresholds::kSchurFloor;
    cholesky_ = false;
    if (p.dual_unknowns == 0) return true;
    if (system.symmetric) {
        llt_.compute(schur);
        cholesky_ = llt_.info() == Eigen::Success;
    }
    if (!cholesky_) lu_.compute(schur);
    return true;
}

void InverseSolver::allocate_and_substitute(std::span<const Real> f, std::span<const Real> g,
                                            linalg::SaddleSolution& out)
{
    const Eigen::Map<const Eigen::VectorXd> f_map(f.data(), static_cast<Eigen::Index>(f.size()));
    const Eigen::Map<const Eigen::VectorXd> g_map(g.data(), static_cast<Eigen::Index>(g.size()));
    Eigen::Map<Eigen::VectorXd> x(out.x.data(), f_map.size()), y(out.y.data(), g_map.size());

    Eigen::VectorXd impulse = f_map;
    if (g_map.size() > 0) {
        const Eigen::VectorXd rhs = scale_.cwiseProduct(g_map - product_ * f_map);
        const Eigen::VectorXd scaled =
            cholesky_ ? Eigen::VectorXd(llt_.solve(rhs)) : Eigen::VectorXd(lu_.solve(rhs));
        y = scale_.cwiseProduct(scaled);
        for_each_block(*pattern_, jacobian_, [&](int row, int column, const RowBlockMap& J) {
            impulse.segment(column, J.cols()).noalias() += J.transpose() * y.segment(row, J.rows());
        });
    }
    x.noalias() = inverse_ * impulse;
}

bool FullRankSolver::invert(const SaddleSystem& system, DenseMatrix& inverse)
{
    const DenseMatrix H = dense_mass(system);
    if (!H.allFinite()) return false;
    if (H.size() == 0) {
        inverse = H;
        return true;
    }
    inverse = H.partialPivLu().inverse();
    return inverse.allFinite();
}

bool LowRankSolver::invert(const SaddleSystem& system, DenseMatrix& inverse)
{
    const SaddlePattern& p = *system.pattern;
    if (system.rank.wanted)
        return woodbury_.compute(p, system.rank.base, system.rank.terms, inverse);
    rows_of_pairs(system, own_terms_);
    return woodbury_.compute(p, system.H, own_terms_, inverse);
}

}  // namespace taut::solver
