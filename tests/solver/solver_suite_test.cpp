// One suite for every solver of the list: it equals the reference, or says that it does not.
//
// Distances are those of oracle.h: x in the norm of the kinetic energy, constraint forces in its dual.
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "linalg/samples/oracle.h"
#include "linalg/samples/sample_systems.h"
#include "solver/solver_types.h"

namespace taut::test {

void PrintTo(const SolverType& type, std::ostream* out) { *out << type.choice.name; }

namespace {

using linalg::SaddleSolution;
using test::Distance;
using test::Oracle;
using test::Sample;

// What is asked of every solver, in relative distance. Conditioning reaches 1e16 at a mass ratio of 1e9;
// refinement wins most of it back.
constexpr Real kAccuracy = 1e-9;
// A solver that reports more than this has said that it failed.
constexpr Real kUsable = 1e-9;

class EverySolver : public testing::TestWithParam<SolverType> {
protected:
    Solver kind() const { return GetParam().choice.value; }
    bool is_ours() const { return kind() == Solver::Ldlt; }

    SolveReport solve(const Sample& sample)
    {
        const auto solver = make_solver(kind());
        solver->prepare(*sample.pattern);
        solution_.prepare(*sample.pattern);
        return solver->solve(sample.system, solution_);
    }

    // The dense solver and ours must solve it; the comparisons may say that they did not.
    void expect_solved(const Sample& sample, const char* how, unsigned seed, Real ratio = 1,
                       Real compliance = 0)
    {
        const SolveReport report = solve(sample);
        const bool usable = report.finite && report.residual < kUsable;
        const auto where = [&] {
            return std::string(how) + " " + sample.name + ", seed " + std::to_string(seed) +
                   ", mass ratio " + std::to_string(ratio) + ", compliance " +
                   std::to_string(compliance * 1e12) + "e-12, residual " +
                   std::to_string(std::log10(report.residual.value_or(0)));
        };
        ++tried_;
        if (!usable) {
            EXPECT_FALSE(is_ours() || kind() == Solver::DenseLu) << where();
            return;
        }
        ++solved_;
        const Distance distance = Oracle(sample.system, sample.redundant).distance(solution_);
        EXPECT_LT(distance.x, kAccuracy) << where();
        EXPECT_LT(distance.force, kAccuracy) << where();
        if (!sample.redundant) {
            EXPECT_LT(distance.y, kAccuracy) << where();
        }
        EXPECT_EQ(report.expected_negative_pivots, sample.pattern->dual_unknowns);
        if (is_ours()) {
            EXPECT_EQ(report.negative_pivots, sample.pattern->dual_unknowns) << where();
        }
        EXPECT_TRUE(report.inertia_right()) << where();
        EXPECT_LE(report.refinements, 6);
    }

    template <class Make>
    void sweep(const char* how, unsigned seeds, Make make)
    {
        for (unsigned seed = 1; seed <= seeds; ++seed)
            for (const Real ratio : {1.0, 1e3, 1e6, 1e9})
                for (const Real compliance : {0.0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-3})  // [m/N]
                    expect_solved(make(seed, ratio, compliance), how, seed, ratio, compliance);
        // otherwise "or says that it does not" would excuse everything
        EXPECT_GT(solved_, tried_ / 2);
    }

    SaddleSolution solution_;
    int tried_ = 0, solved_ = 0;
};

TEST_P(EverySolver, SolvesChainsOfAllJoints)
{
    for (const int rows : {1, 3, 5, 6})
        sweep("hanging", 2, [&](unsigned seed, Real ratio, Real compliance) {
            return test::chain(seed, 10, rows, ratio, compliance);
        });
}

TEST_P(EverySolver, SolvesTrees)
{
    sweep("plain", 3, [](unsigned seed, Real ratio, Real compliance) {
        return test::tree(seed, 15, ratio, compliance, false);
    });
}

TEST_P(EverySolver, SolvesTreesWithSpringsBetweenBodies)
{
    sweep("sprung", 3, [](unsigned seed, Real ratio, Real compliance) {
        return test::tree(seed, 15, ratio, compliance, true);
    });
}

TEST_P(EverySolver, SolvesLoops)
{
    sweep("crossed", 3, [](unsigned seed, Real ratio, Real compliance) {
        return test::ring(seed, 12, 4, ratio, compliance);
    });
}

TEST_P(EverySolver, SolvesNets)
{
    for (const Real ratio : {1.0, 1e9})
        for (const Real compliance : {0.0, 1e-8, 1e-3})
            expect_solved(test::net(1, 10, ratio, compliance), "10 by 10", 1, ratio, compliance);
    EXPECT_GT(solved_, tried_ / 2);
}

// Redundant rows: four spatial hinges that leave a planar loop one freedom, where they count for −2.
TEST_P(EverySolver, SolvesFourBarsOfSpatialHinges)
{
    sweep("spatial", 3, [](unsigned seed, Real ratio, Real compliance) {
        return test::four_bar(seed, ratio, compliance);
    });
}

// Nothing moves, so velocities are compared with one step of free fall.
TEST_P(EverySolver, TableStandsStillOnFourLegs)
{
    const Sample sample = test::table(10);
    const SolveReport report = solve(sample);
    const bool must = is_ours() || kind() == Solver::DenseLu;
    ASSERT_TRUE(report.finite || !must);
    if (!report.finite) return;
    const Real fall = 9.81 * test::kStep;
    for (const Real x : solution_.x) EXPECT_LT(std::abs(x), 1e-12 * fall);

    // Each leg bears a quarter. The share among redundant rows is found through the floor ε = 1e-11, so
    // that round-off of 1e-16 may show as 1e-5. SparseLU is free to share as it likes.
    const Real weight = -sample.system.f[2];
    Real sum = 0;
    for (const Real y : solution_.y) sum += y;
    EXPECT_NEAR(sum, weight, 1e-12 * weight);
    if (!must) return;
    for (const Real y : solution_.y) EXPECT_NEAR(y, weight / 4, 1e-5 * weight);
}

// Legs of different length: there is no solution. The answer is finite and says how far off it is.
TEST_P(EverySolver, InconsistentRedundantRowsStayFiniteAndAreReported)
{
    Sample sample = test::table(10);
    sample.system.g[0] = 0.01;
    const SolveReport report = solve(sample);
    if (!report.finite) return;
    for (const Real x : solution_.x) EXPECT_TRUE(std::isfinite(x));
    for (const Real y : solution_.y) EXPECT_TRUE(std::isfinite(y));
    EXPECT_GT(report.residual, 1e-3);
    EXPECT_LE(report.refinements, 6);
}

TEST_P(EverySolver, SolvesRandomBlocksOfAllSizes)
{
    for (unsigned seed = 1; seed <= 20; ++seed)
        expect_solved(test::random_blocks(seed, 3 + seed, seed), "random", seed);
    EXPECT_EQ(solved_, tried_);
}

TEST_P(EverySolver, NothingAtAllIsSolved)
{
    Sample sample;
    sample.system.prepare(*sample.pattern);
    const SolveReport report = solve(sample);
    EXPECT_TRUE(report.finite);
    EXPECT_EQ(report.residual, 0);
}

TEST_P(EverySolver, OneFreeBodyGetsItsMomentum)
{
    test::Mechanism m(1);
    m.add_body(Vec3::Zero(), 2);
    const Sample sample = m.finish("body");
    ASSERT_TRUE(solve(sample).finite);
    for (int r = 0; r < 3; ++r)
        EXPECT_NEAR(solution_.x[r], sample.system.f[r] / 2, 1e-15) << "row " << r;
}

TEST_P(EverySolver, SolvesPartsThatDoNotTouch)
{
    test::Mechanism m(5);
    for (int i = 0; i < 8; ++i) m.add_body(m.vector(1), 1 + i);
    for (int i = 0; i < 8; i += 2) m.add_hinge(i, i + 1, m.vector(1), m.vector(1), 1e-9);
    m.add_particle(Vec3::Zero(), 3);
    expect_solved(m.finish("parts"), "disconnected", 5);
    EXPECT_EQ(solved_, 1);
}

// All its bodies are fixed: the row touches nothing, Σ y = g.
TEST_P(EverySolver, RowThatTouchesNothingIsSolvedAlone)
{
    test::Mechanism m(2);
    m.add_body(Vec3::Zero(), 1);
    m.add_ball(test::kGround, 0, Vec3(1, 0, 0), 1e-6);
    m.add_rows({}, 1e-6);
    const Sample sample = m.finish("floating row");
    ASSERT_TRUE(solve(sample).finite);
    EXPECT_NEAR(solution_.y[3], sample.system.g[3] / sample.system.sigma[3], 1e-12);
}

// Distance of zero length: a zero row, here hard. Its multiplier must not be inf or NaN.
TEST_P(EverySolver, ZeroRowGivesNoInfinity)
{
    Sample sample = test::net(3, 4, 1, 0);
    const auto& dual = sample.pattern->duals[7];
    for (int t = 0; t < dual.touches; ++t)
        std::fill_n(&sample.system.J[sample.pattern->touches[dual.first_touch + t].block], 3, 0);
    sample.system.g[dual.offset] = 0;
    sample.redundant = true;
    expect_solved(sample, "zero row", 3);
    for (const Real y : solution_.y) EXPECT_TRUE(std::isfinite(y));
    if (is_ours() || kind() == Solver::DenseLu) {
        EXPECT_EQ(solution_.y[dual.offset], 0);
    }
}

TEST_P(EverySolver, UnsymmetricMatrixIsSolvedOrRefused)
{
    Sample sample = test::tree(3, 12, 100, 1e-8, true);
    auto& s = sample.system;
    test::Mechanism random(9);
    for (const auto& primal : sample.pattern->primals)
        for (int k = 0; k < primal.size * primal.size; ++k)
            s.H[primal.block + k] += random.uniform(-0.01, 0.01);
    s.symmetric = false;
    const SolveReport report = solve(sample);
    EXPECT_EQ(report.finite, make_solver(kind())->takes_unsymmetric());
    if (!report.finite) return;
    const Distance distance = Oracle(s, false).distance(solution_);
    EXPECT_LT(distance.x, kAccuracy);
    EXPECT_LT(distance.force, kAccuracy);
}

TEST_P(EverySolver, NotANumberIsReported)
{
    Sample sample = test::chain(1, 5, 3, 1, 1e-6);
    sample.system.H[40] = std::nan("");
    EXPECT_FALSE(solve(sample).finite);
}

TEST_P(EverySolver, IndefiniteHIsSolvedAndItsInertiaReported)
{
    Sample sample = test::tree(3, 10, 1, 1e-3, false);
    const auto& primal = sample.pattern->primals[4];
    for (int k = 0; k < 36; ++k) sample.system.H[primal.block + k] *= -3;
    const int negative = test::count_negative_eigenvalues(sample.system);
    ASSERT_NE(negative, sample.pattern->dual_unknowns);

    const SolveReport report = solve(sample);
    ASSERT_TRUE(report.finite);
    EXPECT_LT(Oracle(sample.system, false).distance(solution_).x, kAccuracy);
    if (report.negative_pivots >= 0) {
        EXPECT_EQ(report.negative_pivots, negative);
        EXPECT_FALSE(report.inertia_right());
    }
}

TEST_P(EverySolver, SameNumbersGiveTheSameBits)
{
    const Sample sample = test::ring(2, 12, 4, 1e3, 1e-8);
    const auto solver = make_solver(kind());
    solver->prepare(*sample.pattern);
    SaddleSolution first, second;
    first.prepare(*sample.pattern);
    second.prepare(*sample.pattern);
    solver->solve(sample.system, first);
    Sample other = test::ring(2, 12, 4, 1, 1e-3);  // same graph, other numbers in between
    other.system.pattern = sample.pattern.get();
    solver->solve(other.system, second);
    ASSERT_NE(first.x, second.x);
    solver->solve(sample.system, second);
    EXPECT_EQ(first.x, second.x);
    EXPECT_EQ(first.y, second.y);
}

// Σ of a row changes when a limit becomes active; the pattern does not.
TEST_P(EverySolver, NumbersMayChangeOnOnePattern)
{
    Sample sample = test::ring(2, 12, 4, 10, 1e-8);
    const auto solver = make_solver(kind());
    solver->prepare(*sample.pattern);
    solution_.prepare(*sample.pattern);
    for (const Real factor : {1.0, 1e9, 1e-2}) {
        sample.system.sigma[4] *= factor;
        ASSERT_LT(solver->solve(sample.system, solution_).residual, 1e-12);
        EXPECT_LT(Oracle(sample.system, false).distance(solution_).x, kAccuracy);
    }
}

// Auto is left out: it makes one of the others.
std::vector<SolverType> all_but_auto()
{
    std::vector<SolverType> out(solver_types().begin(), solver_types().end());
    std::erase_if(out, [](const auto& type) { return type.choice.value == Solver::Auto; });
    return out;
}

// The right-hand side of the first solve once more must give the first solution.
TEST_P(EverySolver, SolvesAgainWithTheFactorThatItKeeps)
{
    Sample sample = test::chain(1, 12, 3, 1e3, 1e-6);
    const auto solver = make_solver(kind());
    solver->prepare(*sample.pattern);
    SaddleSolution first, again;
    first.prepare(*sample.pattern);
    again.prepare(*sample.pattern);
    solver->solve(sample.system, first);
    ASSERT_TRUE(solver->keeps_factor());
    // the factor does not look back on the system that it was made of
    const std::vector<Real> f = sample.system.f, g = sample.system.g;
    sample.system.J.assign(sample.system.J.size(), 7);
    sample.system.H.assign(sample.system.H.size(), 7);
    solver->solve_again(f, g, again);
    for (std::size_t k = 0; k < first.x.size(); ++k) EXPECT_NEAR(again.x[k], first.x[k], 1e-9);
    for (std::size_t k = 0; k < first.y.size(); ++k)
        EXPECT_NEAR(again.y[k], first.y[k], 1e-9 * (1 + std::abs(first.y[k])));
}

// Four rows repeat four others: without a floor only some factorisations bear that, with one all do, and refinement against the
// true matrix removes it from the motion.
TEST_P(EverySolver, FactorsOfRedundantRowsHaveAFloorThatRefinementRemoves)
{
    Sample sample = test::ring(2, 12, 4, 1, 0);
    const auto solver = make_solver(kind());
    solver->prepare(*sample.pattern);
    solution_.prepare(*sample.pattern);
    ASSERT_TRUE(solver->factorise(sample.system, 1e-7, solution_));
    const SolveReport report = solver->refine(sample.system, 1e-13, solution_);
    EXPECT_LT(report.residual, 1e-12);
    EXPECT_LT(Oracle(sample.system, false).distance(solution_).x, kAccuracy);
}

TEST_P(EverySolver, SaysItsName) { EXPECT_EQ(make_solver(kind())->name(), GetParam().choice.name); }

// A matrix without a factor: no solution is made up.
TEST_P(EverySolver, WithoutAFactorThereIsNoFurtherSolution)
{
    Sample sample = test::chain(1, 5, 3, 1, 1e-6);
    for (Real& v : sample.system.H) v = std::nan("");
    const auto solver = make_solver(kind());
    solver->prepare(*sample.pattern);
    solution_.prepare(*sample.pattern);
    solver->factorise(sample.system, 1e-7, solution_);
    solver->solve_again(sample.system.f, sample.system.g, solution_);
    EXPECT_FALSE(std::isfinite(solution_.x[0]));
}

// Nobody relies on a residual that was not measured: it is negative, and only where the factor is beyond doubt.
TEST_P(EverySolver, MayLeaveTheResidualToTheCallerWhereNothingIsInDoubt)
{
    const auto residual = [&](const Sample& sample, Check check) {
        const auto solver = make_solver(kind());
        solver->prepare(*sample.pattern);
        solution_.prepare(*sample.pattern);
        return solver->solve(sample.system, solution_, check).residual;
    };
    const Sample tree = test::chain(1, 12, 3, 1e3, 1e-6);
    EXPECT_GE(residual(tree, Check::Always), 0);
    EXPECT_EQ(residual(tree, Check::WhereUnreliable) < 0, is_ours());
    const Sample loops = test::random_blocks(3, 12, 15);
    EXPECT_GE(residual(loops, Check::WhereUnreliable), 0);
}

INSTANTIATE_TEST_SUITE_P(List, EverySolver, testing::ValuesIn(all_but_auto()),
                         [](const auto& type) { return std::string(type.param.choice.name); });

TEST(SolverList, NamesAreFoundAndMade)
{
    EXPECT_EQ(solvers().size(), 7u);
    for (const auto& choice : solvers()) {
        EXPECT_EQ(find_choice(solvers(), choice.name), choice.value);
        EXPECT_FALSE(choice.summary.empty());
        EXPECT_NE(make_solver(choice.value), nullptr);
    }
    EXPECT_EQ(find_choice(solvers(), "no_such_solver"), std::nullopt);
    EXPECT_FALSE(make_solver(Solver::Auto)->takes_unsymmetric());
    EXPECT_FALSE(make_solver(Solver::Ldlt)->takes_unsymmetric());
    EXPECT_TRUE(make_solver(Solver::DenseLu)->takes_unsymmetric());
}

}  // namespace
}  // namespace taut::test
