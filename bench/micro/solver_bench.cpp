// Factor and solve of chains, ours against Eigen's SimplicialLDLT with cached analysis, on the same
// matrices in the same run. Rounds of the three are interleaved and the fastest of each counts, in
// processor time of this thread: other work on the machine can only add to it.
//
//   ours     BlockLdlt::factor_and_solve
//   checked  LinearSolver::solve, the same plus the measured residual, as the time step calls it
//   Eigen    factorize + solve on a matrix whose values are in place already
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>
#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>

#include "linalg/block_ldlt.h"
#include "linalg/saddle_ops.h"
#include "solver/linear_solver.h"

namespace taut {
namespace {

using namespace solver;

constexpr Real kStep = Real(1) / 60;

struct Chain {
    linalg::SaddlePattern pattern;
    linalg::SaddleSystem system;
};

Mat3 cross(const Vec3& r)
{
    Mat3 out;
    out << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    return out;
}

// Writes the joint at offset r from a centre of mass: three point rows, then as many as asked of the
// rotation rows.
void write_joint(const Vec3& r, const Mat3& axes, int rows, Real sign, Real* block)
{
    Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, 6, Eigen::RowMajor>> J(block, rows, 6);
    J.topLeftCorner<3, 3>() = sign * Mat3::Identity();
    J.topRightCorner<3, 3>() = -sign * cross(r);
    J.bottomLeftCorner(rows - 3, 3).setZero();
    J.bottomRightCorner(rows - 3, 3) = sign * axes.topRows(rows - 3);
}

// A chain of rods of 1 kg and 0.5 m in random directions, hung from the ground by its first joint.
Chain make_chain(int links, int rows)
{
    Chain chain;
    for (int i = 0; i < links; ++i) chain.pattern.add_primal(6);
    for (int i = 0; i < links; ++i) {
        const int both[] = {i - 1, i};
        if (i == 0)
            chain.pattern.add_dual(rows, std::span(both + 1, 1));
        else
            chain.pattern.add_dual(rows, both);
    }
    chain.system.prepare(chain.pattern);
    return chain;
}

void fill_chain(Chain& chain, int rows)
{
    std::mt19937 random(20240611);
    std::normal_distribution<Real> normal;
    const auto direction = [&] { return Vec3(normal(random), normal(random), normal(random)); };
    auto& s = chain.system;
    const auto& p = chain.pattern;

    std::vector<Quat> q;
    for (const auto& primal : p.primals) {
        q.push_back(
            Quat(normal(random), normal(random), normal(random), normal(random)).normalized());
        const Mat3 R = q.back().toRotationMatrix();
        Eigen::Map<Eigen::Matrix<Real, 6, 6, Eigen::RowMajor>> H(&s.H[primal.block]);
        H.topLeftCorner<3, 3>() = Mat3::Identity();
        H.bottomRightCorner<3, 3>() = R * Vec3(0.002, 0.02, 0.02).asDiagonal() * R.transpose();
        const Vec3 u = direction().normalized();  // a little geometric stiffness
        Eigen::Matrix<Real, 6, 1> k;
        k << u, 0.25 * u.cross(R.col(0));
        H += 0.05 * k * k.transpose();
        s.f[primal.offset + 2] = -9.81 * kStep;
    }
    for (std::size_t d = 0; d < p.duals.size(); ++d) {
        const auto& dual = p.duals[d];
        const Mat3 axes = q[d].toRotationMatrix().transpose();
        for (int t = 0; t < dual.touches; ++t) {
            const auto& touch = p.touches[dual.first_touch + t];
            const bool is_child = touch.primal == static_cast<int>(d);
            const Vec3 r = q[touch.primal] * Vec3(is_child ? -0.25 : 0.25, 0, 0);
            write_joint(r, axes, rows, is_child ? 1 : -1, &s.J[touch.block]);
        }
        for (int r = 0; r < rows; ++r) s.sigma[dual.offset + r] = 1e-8 / (kStep * kStep);
    }
}

struct Times {
    Real ours = 1e30, checked = 1e30, eigen = 1e30;  // [s] per solve
    Real residual = 0, eigen_residual = 0;
};

template <class Work>
Real seconds(int repeats, Work work)
{
    const auto now = [] {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<Real>(t.tv_sec) + 1e-9 * static_cast<Real>(t.tv_nsec);
    };
    const Real start = now();
    for (int k = 0; k < repeats; ++k) work();
    return (now() - start) / repeats;
}

Times measure(int links, int rows, Real budget)
{
    Chain chain = make_chain(links, rows);
    fill_chain(chain, rows);
    const auto& system = chain.system;

    linalg::BlockLdlt ldlt;
    ldlt.prepare(chain.pattern);
    const auto solver = make_solver(Solver::Ldlt);
    solver->prepare(chain.pattern);
    linalg::SaddleSolution solution;
    solution.prepare(chain.pattern);

    const auto triplets = linalg::to_triplets(system);
    const int size = chain.pattern.primal_unknowns + chain.pattern.dual_unknowns;
    Eigen::SparseMatrix<Real> matrix(size, size);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    const Eigen::VectorXd rhs = linalg::join(system.f, system.g);
    Eigen::VectorXd unknowns;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<Real>> eigen;
    eigen.analyzePattern(matrix);

    Times times;
    const int repeats = std::max(1, 2000 / links);
    Real spent = 0;
    for (int round = 0; round < 3 || spent < budget; ++round) {
        const Real ours = seconds(repeats, [&] {
            ldlt.factor_and_solve(system, solution.x, solution.y);
            benchmark::DoNotOptimize(solution.x.data());
        });
        const Real checked = seconds(repeats, [&] {
            times.residual = solver->solve(system, solution).residual;
            benchmark::DoNotOptimize(solution.x.data());
        });
        const Real theirs = seconds(repeats, [&] {
            eigen.factorize(matrix);
            unknowns = eigen.solve(rhs);
            benchmark::DoNotOptimize(unknowns.data());
        });
        times.ours = std::min(times.ours, ours);
        times.checked = std::min(times.checked, checked);
        times.eigen = std::min(times.eigen, theirs);
        spent += (ours + checked + theirs) * repeats;
    }

    linalg::Residual residual;
    residual.prepare(chain.pattern);
    linalg::split(unknowns, solution);
    times.eigen_residual = residual.measure(system, solution.x, solution.y);
    return times;
}

}  // namespace
}  // namespace taut

int main(int argc, char** argv)
{
    using taut::Real;
    const Real budget = argc > 1 ? std::atof(argv[1]) : 1;  // [s] per line
    const struct {
        std::string_view name;
        int rows;
    } joints[] = {{"ball", 3}, {"hinge", 5}, {"weld", 6}};
    const int counts[] = {10, 100, 1000, 10000, 100000};

    std::printf(
        "joint   links   ours checked   Eigen [ns/link]  Eigen/ours /checked  to 1000 links  "
        "residual  Eigen's\n");
    for (const auto& joint : joints) {
        taut::Times all[std::size(counts)];
        for (std::size_t k = 0; k < std::size(counts); ++k)
            all[k] = taut::measure(counts[k], joint.rows, budget);
        const Real base = all[2].ours / counts[2];
        const Real base_checked = all[2].checked / counts[2];
        for (std::size_t k = 0; k < std::size(counts); ++k) {
            const Real n = counts[k];
            std::printf(
                "%-6s %6d %6.0f  %6.0f  %6.0f            %6.2f   %6.2f    %5.2f  %5.2f    %8.1e "
                "%8.1e\n",
                joint.name.data(), counts[k], all[k].ours / n * 1e9, all[k].checked / n * 1e9,
                all[k].eigen / n * 1e9, all[k].eigen / all[k].ours, all[k].eigen / all[k].checked,
                all[k].ours / n / base, all[k].checked / n / base_checked, all[k].residual,
                all[k].eigen_residual);
        }
    }
}
