// One suite for every solver of laws: it obeys the laws, or says that it does not.
#include <cmath>
#include <ostream>

#include <gtest/gtest.h>

#include "complementarity/contact_scene.h"
#include "complementarity/enumeration.h"

namespace taut::test {

void PrintTo(const ComplementaritySolverType& type, std::ostream* out) { *out << type.choice.name; }

namespace {

using linalg::SaddleSolution;
using test::ComplementarityProblem;
using test::Enumeration;

Eigen::VectorXd vector(const std::vector<Real>& v)
{
    return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

class EveryLawSolver : public testing::TestWithParam<ComplementaritySolverType> {
protected:
    LawMethod method() const { return GetParam().choice.value; }
    bool is_default() const { return method() == LawMethod::Newton; }
    // Sweeps converge linearly: asked for less, by the same test.
    ComplementaritySettings settings() const
    {
        ComplementaritySettings out;
        if (!is_default()) out.tolerance = 1e-6;
        return out;
    }

    ComplementarityReport solve(const ComplementarityProblem& problem)
    {
        solution_ = problem.zero();
        solver_ = make_complementarity_solver(method());
        solver_->prepare(*problem.pattern);
        return solver_->solve(problem.system, problem.blocks, solution_, settings());
    }
    ComplementarityReport solve_again(const ComplementarityProblem& problem)
    {
        return solver_->solve(problem.system, problem.blocks, solution_, settings());
    }

    // What is accepted obeys the laws as written out a second time in Enumeration.
    void expect_lawful(const ComplementarityProblem& problem, unsigned seed)
    {
        const Enumeration reference(problem);
        EXPECT_LT(reference.natural_map_error(vector(solution_.x), vector(solution_.y)),
                  is_default() ? 1e-7 : 1e-3)
            << problem.name << " seed " << seed;
    }

    std::unique_ptr<ComplementaritySolver> solver_;
    SaddleSolution solution_;
};

INSTANTIATE_TEST_SUITE_P(All, EveryLawSolver,
                         testing::ValuesIn(complementarity_solver_types().begin(),
                                           complementarity_solver_types().end()),
                         [](const auto& one) { return std::string(one.param.choice.name); });

// Without friction x is unique: all that accept agree with the enumeration, at any mass ratio.
TEST_P(EveryLawSolver, SolvesRandomLimitsAsTheEnumerationDoes)
{
    int tried = 0, accepted = 0;
    for (const Real ratio : {1.0, 1e4, 1e8})
        for (unsigned seed = 0; seed < 60; ++seed) {
            const ComplementarityProblem problem =
                test::small(seed, 1 + seed % 4, ratio, false, seed % 2);
            const auto all = Enumeration(problem).solve();
            if (all.size() != 1) continue;  // hard rows that contradict each other
            ++tried;
            const ComplementarityReport report = solve(problem);
            EXPECT_TRUE(report.finite);
            EXPECT_TRUE(report.accepted || !is_default()) << "seed " << seed << " ratio " << ratio;
            if (!report.accepted) continue;
            ++accepted;
            expect_lawful(problem, seed);
            const Eigen::VectorXd error = vector(solution_.x) - all[0].x;
            const Real size = all[0].x.cwiseAbs().maxCoeff() + test::kGravity * test::kLawStep;
            EXPECT_LT(error.cwiseAbs().maxCoeff(), (is_default() ? 1e-8 : 1e-2) * size)
                << "seed " << seed << " ratio " << ratio;
        }
    EXPECT_GT(tried, 150);
    EXPECT_GE(accepted, is_default() ? tried : tried * 8 / 10);
}

// With friction there may be several solutions or none. What is accepted must obey; where the enumeration
// finds a solution the default must find one too.
TEST_P(EveryLawSolver, ObeysCoulombOnRandomContacts)
{
    int tried = 0, accepted = 0, missed = 0;
    for (const Real ratio : {1.0, 1e4, 1e8})
        for (unsigned seed = 0; seed < 40; ++seed) {
            const ComplementarityProblem problem =
                test::small(seed, 1 + seed % 3, ratio, true, seed % 4 == 3);
            ++tried;
            const ComplementarityReport report = solve(problem);
            EXPECT_TRUE(report.finite);
            if (report.accepted) {
                ++accepted;
                expect_lawful(problem, seed);
            } else if (is_default() && !Enumeration(problem).solve().empty()) {
                ++missed;
                ADD_FAILURE() << "missed a solution: seed " << seed << " ratio " << ratio;
            }
        }
    EXPECT_EQ(missed, 0);
    EXPECT_GE(accepted, tried * 8 / 10);
}

// A body whose block of H has a negative eigenvalue, as the symmetric K̃ may leave it: no solution, and the report says so.
TEST_P(EveryLawSolver, RefusesAnIndefiniteMatrix)
{
    ComplementarityProblem problem = test::box_on_plane(0.4, 0.2, 0);
    problem.system.H[problem.pattern->primals[0].block + 7] *= -0.1;
    const ComplementarityReport report = solve(problem);
    EXPECT_FALSE(report.accepted);
    EXPECT_FALSE(std::isfinite(report.residual));
    EXPECT_NE(report.refused.find("positive definite"), std::string_view::npos);
}

// What is not solved costs what it took: sweeps count as well, so that a budget bounds the time of a step.
TEST_P(EveryLawSolver, CountsWhatASolveCosts)
{
    const ComplementarityProblem problem = test::stack(10, 1e6, 0.5);
    const ComplementarityReport report = solve(problem);
    EXPECT_GE(report.cost, 1);
    EXPECT_GE(report.cost, report.factorisations);
    EXPECT_GE(10 * report.cost, report.iterations);
}

// Four points carry one box: 12 rows on 6 freedoms. Below the cone it stays, above it slides with
// a = (push − μ) g, and pushed high it tips about the far edge.
TEST_P(EveryLawSolver, BoxOnFourPointsSticks)
{
    const ComplementarityProblem problem = test::box_on_plane(0.5, 0.3, 0);
    const ComplementarityReport report = solve(problem);
    ASSERT_TRUE(report.accepted);
    EXPECT_EQ(report.closed, 4);
    EXPECT_LT(vector(solution_.x).cwiseAbs().maxCoeff(), is_default() ? 1e-10 : 1e-5);
    // impulses add up to the weight and are no self-stress
    Real weight = 0;
    for (int k = 0; k < 12; k += 3) weight += solution_.y[k];
    EXPECT_NEAR(weight, test::kGravity * test::kLawStep, 1e-5);
    EXPECT_LT(vector(solution_.y).cwiseAbs().maxCoeff(), weight);
}

TEST_P(EveryLawSolver, BoxOnFourPointsSlides)
{
    const ComplementarityProblem problem = test::box_on_plane(0.5, 0.8, 0);
    const ComplementarityReport report = solve(problem);
    ASSERT_TRUE(report.accepted);
    EXPECT_NEAR(solution_.x[0], 0.3 * test::kGravity * test::kLawStep, is_default() ? 1e-12 : 1e-5);
    EXPECT_LT(std::abs(solution_.x[2]), is_default() ? 1e-12 : 1e-5);  // sliding lifts nothing
}

TEST_P(EveryLawSolver, BoxOnFourPointsTips)
{
    const ComplementarityProblem problem = test::box_on_plane(0.9, 0.8, 1.5);
    const ComplementarityReport report = solve(problem);
    ASSERT_TRUE(report.accepted);
    EXPECT_GT(solution_.x[4], 0.01);
    EXPECT_EQ(report.closed, 2);
    expect_lawful(problem, 0);
}

// The load reaches the ground through nine light boxes; sweeps may say that they cannot.
TEST_P(EveryLawSolver, StackCarriesAHeavyTop)
{
    for (const Real ratio : {1.0, 1e3, 1e6, 1e9}) {
        const ComplementarityProblem problem = test::stack(10, ratio, 0.5);
        const ComplementarityReport report = solve(problem);
        EXPECT_TRUE(report.finite);
        if (!is_default()) {
            if (report.accepted) expect_lawful(problem, 0);
            continue;
        }
        ASSERT_TRUE(report.accepted) << "ratio " << ratio << " residual " << report.residual;
        Real load = 0;
        for (int k = 0; k < 12; k += 3) load += solution_.y[k];
        EXPECT_NEAR(load / ((ratio + 9) * test::kGravity * test::kLawStep), 1, 1e-9);
        EXPECT_LT(vector(solution_.x).cwiseAbs().maxCoeff(), 1e-8);
    }
}

// A motor that can hold its chain does; one that cannot gives its cap.
TEST_P(EveryLawSolver, MotorMeetsItsCap)
{
    ComplementarityReport report = solve(test::motor_chain(4, 1, 1e-3, 1));
    ASSERT_TRUE(report.accepted);
    EXPECT_EQ(report.at_bound, 1);
    EXPECT_DOUBLE_EQ(std::abs(solution_.y.back()), 1e-3);
    report = solve(test::motor_chain(4, 1, 1e3, 1));
    ASSERT_TRUE(report.accepted);
    EXPECT_EQ(report.at_bound, 0);
    EXPECT_NEAR(solution_.x[4], 1, is_default() ? 1e-10 : 1e-4);
}

TEST_P(EveryLawSolver, TakesMassMatricesThatCoupleBodies)
{
    test::ContactScene scene;
    for (int i = 0; i < 3; ++i) {
        scene.add_box(Vec3(i, 0, 0.5), Vec3::Constant(0.4), 1 + i, Vec3(0.5 * (1 - i), 0, -0.3));
        scene.add_face(test::kWorld, i, 0.4);
    }
    scene.add_spring(0, 1, 2000);
    scene.add_spring(1, 2, 500);
    const ComplementarityProblem problem = scene.finish("springs");
    ASSERT_TRUE(solve(problem).accepted);
    expect_lawful(problem, 0);
}

TEST_P(EveryLawSolver, PyramidBoundsEachTangent)
{
    const ComplementarityProblem problem = test::box_on_plane(0.5, 0.8, 0);
    SaddleSolution solution = problem.zero();
    const auto solver = make_complementarity_solver(method());
    solver->prepare(*problem.pattern);
    ComplementaritySettings with = settings();
    with.shape = FrictionShape::Pyramid;
    const ComplementarityReport report =
        solver->solve(problem.system, problem.blocks, solution, with);
    ASSERT_TRUE(report.accepted);
    // the push lies along a tangent here, where the square and the disk agree
    EXPECT_NEAR(solution.x[0], 0.3 * test::kGravity * test::kLawStep, 1e-5);
}

// A push between both coefficients does not start a slide; above the static one it slides at the dynamic.
TEST_P(EveryLawSolver, StaticAndSlidingFrictionDiffer)
{
    for (const Real push : {0.4, 0.7}) {
        ComplementarityProblem problem = test::box_on_plane(0.5, push, 0);
        for (InequalityBlock& block : problem.blocks) block.sliding_friction = 0.3;
        ASSERT_TRUE(solve(problem).accepted) << push;
        // below the static coefficient both answers are admissible; from rest the default does not start
        const Real slide = (push - 0.3) * test::kGravity * test::kLawStep;
        const Real off =
            std::min(std::abs(solution_.x[0] - slide), push < 0.5 ? std::abs(solution_.x[0]) : 1);
        EXPECT_LT(off, is_default() ? 1e-10 : 1e-4) << push;
        EXPECT_TRUE(!is_default() || push > 0.5 || std::abs(solution_.x[0]) < 1e-10);
    }
}

TEST_P(EveryLawSolver, StaysAtItsOwnSolution)
{
    for (const ComplementarityProblem& problem :
         {test::box_on_plane(0.5, 0.8, 0.3), test::stack(5, 1, 0.5), test::pile(3, 30, 1, 0.5)}) {
        if (!solve(problem).accepted) continue;
        const SaddleSolution first = solution_;
        const ComplementarityReport again = solve_again(problem);
        EXPECT_TRUE(again.accepted);
        EXPECT_LE(again.iterations, 1) << problem.name;
        EXPECT_LE(again.factorisations, 1) << problem.name;
        EXPECT_LT((vector(first.x) - vector(solution_.x)).cwiseAbs().maxCoeff(),
                  is_default() ? 1e-8 : 1e-2);
    }
}

TEST_P(EveryLawSolver, GivesTheSameBitsTwice)
{
    const ComplementarityProblem problem = test::pile(5, 40, 1e3, 0.6);
    solve(problem);
    const SaddleSolution first = solution_;
    solve(test::stack(3, 10, 0.5));
    solve(problem);
    EXPECT_EQ(first.x, solution_.x);
    EXPECT_EQ(first.y, solution_.y);
}

TEST_P(EveryLawSolver, SaysWhatItCannotDo)
{
    // a box squeezed from both sides by walls that come too close: no motion obeys both
    test::ContactScene scene;
    const int box = scene.add_box(Vec3::Zero(), Vec3::Constant(0.5), 1);
    scene.add_limit(test::kWorld, box, Vec3(0, 0, -0.5), Vec3::UnitZ(), -0.1);
    scene.add_limit(test::kWorld, box, Vec3(0, 0, 0.5), -Vec3::UnitZ(), -0.1);
    ComplementarityReport report = solve(scene.finish("squeezed"));
    EXPECT_FALSE(report.accepted);
    EXPECT_TRUE(vector(solution_.x).allFinite() && vector(solution_.y).allFinite());

    // numbers that are none, and laws that contradict themselves
    ComplementarityProblem broken = test::box_on_plane(0.5, 0.3, 0);
    broken.system.f[0] = std::numeric_limits<Real>::quiet_NaN();
    report = solve(broken);
    EXPECT_FALSE(report.accepted);
    EXPECT_TRUE(vector(solution_.x).allFinite() && vector(solution_.y).allFinite());
    for (const InequalityBlock& wrong :
         {InequalityBlock{100, NonNegative{}}, InequalityBlock{11, Cone{0.5}},
          InequalityBlock{0, Interval{1, -1}}, InequalityBlock{0, Cone{-1}}}) {
        ComplementarityProblem problem = test::box_on_plane(0.5, 0.3, 0);
        problem.blocks = {wrong};
        EXPECT_FALSE(solve(problem).accepted);
        EXPECT_TRUE(vector(solution_.y).allFinite());
    }
}

TEST_P(EveryLawSolver, TakesNoRowsAndNoLaws)
{
    test::ContactScene scene;
    scene.add_box(Vec3::Zero(), Vec3::Constant(0.5), 2, Vec3(1, 2, 3));
    const ComplementarityReport free = solve(scene.finish("free"));
    EXPECT_TRUE(free.accepted);
    EXPECT_NEAR(solution_.x[0], 1, 1e-14);
    scene.add_ball(test::kWorld, 0, Vec3(1, 0, 0));
    EXPECT_TRUE(solve(scene.finish("pendulum")).accepted);
}

}  // namespace
}  // namespace taut::test
