// The inverse of M − h²K̃ for chains of ball, hinge and universal joints: dense against low-rank updates,
// the comparison of [Andrews2017, table 2 and fig. 4], and beside them what the engine does instead.
//
//   full, low         H⁻¹ alone: dense LU, and linalg/woodbury.h from the joints' factors (formed anew)
//   full +, low +     solvers full_rank and low_rank: the inverse, the Schur complement, the solution
//   ldlt              the default solver on the symmetric part of the same matrix: no inverse at all
// Rounds are interleaved and the fastest of each counts, in processor time of this thread: other work on
// the machine can only add to it. Gains are ratios of one run.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include <Eigen/LU>

#include "linalg/woodbury.h"
#include "solver/linear_solver.h"
#include "stabilisation/low_rank_factors.h"

namespace taut {
namespace {

using namespace stepper;

constexpr Real kStep = 0.01, kLength = 0.1, kTension = 100;
using Block = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Real now()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<Real>(t.tv_sec) + 1e-9 * static_cast<Real>(t.tv_nsec);
}

// Links of 1 kg and 0.1 m that hang in random directions near the vertical, pulled by 100 N.
template <class T>
struct Chain {
    linalg::SaddlePattern pattern;
    linalg::SaddleSystem exact, symmetric;
    std::vector<T> joints;
    std::vector<Poses<2>> poses;
    std::vector<RowVector<T::kRows>> lambda;
    std::vector<std::array<int, 2>> nodes;

    explicit Chain(int links)
    {
        std::mt19937 random(20240611);
        std::normal_distribution<Real> normal;
        const auto vector = [&] { return Vec3(normal(random), normal(random), normal(random)); };
        BodyPose last;
        for (int i = 0; i < links; ++i) {
            const int node = pattern.add_primal(6);
            BodyPose link;
            link.R = exp_so3(0.2 * vector());
            link.p = last.p + last.R * Vec3(0, 0, i > 0 ? -kLength / 2 : 0) -
                     link.R * Vec3(0, 0, kLength / 2);
            T joint;
            joint.frames[0].p = Vec3(0, 0, i > 0 ? -kLength / 2 : 0);
            joint.frames[1].p = Vec3(0, 0, kLength / 2);
            joint.frames[0].R = exp_so3(Vec3(0, 1.5707963, 0));
            joint.frames[1].R = joint.frames[0].R;
            joints.push_back(joint);
            poses.push_back({last, link});
            RowVector<T::kRows> pull;
            for (int r = 0; r < T::kRows; ++r) pull[r] = 0.1 * normal(random);
            pull[2] = kTension;
            lambda.push_back(pull);
            nodes.push_back({node - 1, node});
            const std::array<int, 2> both = {node - 1, node};
            pattern.add_dual(T::kRows, std::span(both).subspan(i > 0 ? 0 : 1));
            last = link;
        }
        for (int i = 1; i < links && T::kStiffnessCouples; ++i) pattern.add_pair(i - 1, i);
        fill();
    }

    void fill()
    {
        exact.rank.wanted = true;
        exact.prepare(pattern);
        exact.symmetric = false;
        for (const auto& node : pattern.primals) {
            Eigen::Map<Mat6> H(&exact.H[node.block]);
            H.diagonal() << 1, 1, 1, 9.3e-4, 9.3e-4, 2e-4;
            exact.f[node.offset + 2] = -9.81 * kStep;
        }
        exact.rank.base = exact.H;
        for (std::size_t k = 0; k < joints.size(); ++k) {
            StiffnessBlocks<2> K;
            Rows<T::kRows, 2> rows;
            K.set_zero();
            joints[k].geometric_stiffness(poses[k], lambda[k], K);
            joints[k].evaluate(poses[k], {}, rows);
            const auto& dual = pattern.duals[k];
            for (int s = 0, t = 0; s < 2; ++s) {
                if (nodes[k][s] < 0) continue;
                Eigen::Map<RowBlock<T::kRows>>(
                    &exact.J[pattern.touches[dual.first_touch + t++].block]) = rows.J[s];
                Eigen::Map<Mat6>(&exact.H[pattern.primals[nodes[k][s]].block]) -=
                    kStep * kStep * K.block[s][s];
            }
            if (k > 0 && T::kStiffnessCouples) {
                Eigen::Map<Mat6>(&exact.H[pattern.pairs[k - 1].block_ij]) -=
                    kStep * kStep * K.block[0][1];
                Eigen::Map<Mat6>(&exact.H[pattern.pairs[k - 1].block_ji]) -=
                    kStep * kStep * K.block[1][0];
            }
        }
        std::fill(exact.sigma.begin(), exact.sigma.end(), 1e-8);
        take_apart();

        symmetric = exact;
        symmetric.symmetric = true;
        for (const auto& node : pattern.primals) {
            Eigen::Map<Mat6> H(&symmetric.H[node.block]);
            H = (H + H.transpose()).eval() / 2;
        }
        for (const auto& pair : pattern.pairs) {
            Eigen::Map<Mat6> ij(&symmetric.H[pair.block_ij]), ji(&symmetric.H[pair.block_ji]);
            ij = (ij + ji.transpose()).eval() / 2;
            ji = ij.transpose();
        }
    }

    // The joints' factors: part of the price of the low-rank inverse.
    void take_apart()
    {
        exact.rank.terms.clear();
        for (std::size_t k = 0; k < joints.size(); ++k) {
            RankFactors factors;
            add_factors(joints[k], poses[k], lambda[k], factors);
            for (int t = 0; t < factors.count; ++t)
                append_term(pattern, nodes[k], factors.term[t], -kStep * kStep, exact.rank.terms);
        }
    }

    Block dense() const
    {
        Block H = Block::Zero(pattern.primal_unknowns, pattern.primal_unknowns);
        const auto put = [&](int i, int j, int block) {
            H.block<6, 6>(6 * i, 6 * j) = Eigen::Map<const Mat6>(&exact.H[block]);
        };
        for (std::size_t i = 0; i < pattern.primals.size(); ++i)
            put(static_cast<int>(i), static_cast<int>(i), pattern.primals[i].block);
        for (const auto& pair : pattern.pairs) {
            put(pair.i, pair.j, pair.block_ij);
            put(pair.j, pair.i, pair.block_ji);
        }
        return H;
    }
};

template <class T>
void bench(const char* name, int links, Real budget)
{
    Chain<T> chain(links);
    Block full;
    linalg::DenseMatrix low;
    linalg::WoodburyInverse woodbury;
    linalg::SaddleSolution solution;
    solution.prepare(chain.pattern);
    std::array<std::unique_ptr<LinearSolver>, 3> solvers;
    for (int k = 0; k < 3; ++k) {
        constexpr Solver kinds[] = {Solver::FullRank, Solver::LowRank, Solver::Ldlt};
        solvers[k] = make_solver(kinds[k]);
        solvers[k]->prepare(chain.pattern);
    }
    Real residual = 0;
    const std::function<void()> work[] = {
        [&] { full = chain.dense().partialPivLu().inverse(); },
        [&] {
            chain.take_apart();
            if (!woodbury.compute(chain.pattern, chain.exact.rank.base, chain.exact.rank.terms,
                                  low))
                std::abort();
        },
        [&] { residual = std::max(residual, solvers[0]->solve(chain.exact, solution).residual); },
        [&] { residual = std::max(residual, solvers[1]->solve(chain.exact, solution).residual); },
        [&] {
            residual = std::max(residual, solvers[2]->solve(chain.symmetric, solution).residual);
        },
    };
    std::array<Real, 5> best;
    best.fill(1e30);
    Real spent = 0;
    for (int round = 0; round < 5 || spent < budget; ++round)
        for (int k = 0; k < 5; ++k) {
            const Real start = now();
            work[k]();
            const Real time = now() - start;
            best[k] = std::min(best[k], time);
            spent += time;
        }
    const Real error = (full - low).cwiseAbs().maxCoeff() / full.cwiseAbs().maxCoeff();
    std::printf("| %s | %d | %.3f | %.4f | %.1f | %.3f | %.3f | %.4f | %.0f | %.1e | %.1e |\n",
                name, links, best[0] * 1e3, best[1] * 1e3, best[0] / best[1], best[2] * 1e3,
                best[3] * 1e3, best[4] * 1e3, best[3] / best[4], error, residual);
}

}  // namespace
}  // namespace taut

int main(int argc, char** argv)
{
    const taut::Real budget = argc > 1 ? std::atof(argv[1]) : 1;  // [s] per line
    std::printf(
        "| joint | links | full [ms] | low [ms] | gain | full + [ms] | low + [ms] | ldlt [ms] | "
        "low + / ldlt | difference | residual |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const int links : {10, 50, 100})
        taut::bench<taut::constraints::Ball>("ball", links, budget);
    for (const int links : {10, 50, 100})
        taut::bench<taut::constraints::Hinge>("hinge", links, budget);
    for (const int links : {10, 50, 100})
        taut::bench<taut::constraints::Universal>("universal", links, budget);
}
