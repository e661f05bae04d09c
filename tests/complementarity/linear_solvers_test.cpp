// The linear solver inside `newton` is the one that was asked for, and every one of the list solves every kind of law.
#include <cmath>
#include <ostream>

#include <gtest/gtest.h>

#include "complementarity/active_set_solver.h"
#include "complementarity/contact_scene.h"
#include "complementarity/enumeration.h"
#include "solver/solver_types.h"

namespace taut::test {
namespace {

using linalg::SaddleSolution;

Eigen::VectorXd vector(const std::vector<Real>& v)
{
    return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

struct LawCase {
    const char* law;
    ComplementarityProblem problem;
};

// A box at a stop, within reach of it and away from it.
ComplementarityProblem box_at_a_limit(Real gap, Real speed)
{
    ContactScene scene;
    const int box = scene.add_box(Vec3::Zero(), Vec3::Constant(0.5), 2, Vec3(0, 0, speed));
    scene.add_limit(kWorld, box, Vec3(0, 0, -0.5), Vec3::UnitZ(), gap);
    return scene.finish("limit");
}

// A weight on a rope that is taut, from a body that a ball joint holds.
ComplementarityProblem weight_on_a_rope(Real slack)
{
    ContactScene scene;
    const int arm = scene.add_box(Vec3(0.5, 0, 0), Vec3(0.5, 0.1, 0.1), 1);
    scene.add_ball(kWorld, arm, Vec3::Zero());
    const int weight = scene.add_box(Vec3(1, 0, -2), Vec3::Constant(0.2), 30);
    scene.add_limit(arm, weight, Vec3(1, 0, -1), Vec3::UnitZ(), slack);
    return scene.finish("rope");
}

std::vector<LawCase> every_law()
{
    std::vector<LawCase> out;
    out.push_back({"limit, closed", box_at_a_limit(0, -0.1)});
    out.push_back({"limit, open", box_at_a_limit(1, -0.1)});
    out.push_back({"rope, taut", weight_on_a_rope(0)});
    out.push_back({"rope, slack", weight_on_a_rope(1)});
    out.push_back({"drive below its cap", motor_chain(3, 1, 1e3, 1)});
    out.push_back({"drive at its cap", motor_chain(3, 1, 1e-3, 1)});
    out.push_back({"contact that sticks", box_on_plane(0.5, 0.3, 0)});
    out.push_back({"contact that slides", box_on_plane(0.5, 0.8, 0)});
    out.push_back({"contact that tips", box_on_plane(0.9, 0.8, 1.5)});
    out.push_back({"stack", stack(4, 1, 0.5)});
    out.push_back({"stack under a load", stack(4, 1e3, 0.5)});
    out.push_back({"wall", wall(2, 3, 10, 0.6)});
    for (unsigned seed = 0; seed < 6; ++seed)
        out.push_back({"random contacts and a joint", small(seed, 3, 10, true, true)});
    for (unsigned seed = 0; seed < 6; ++seed) out.push_back({"pile", pile(seed, 15, 1, 0.5)});
    ContactScene springs;
    for (int i = 0; i < 3; ++i) {
        springs.add_box(Vec3(i, 0, 0.5), Vec3::Constant(0.4), 1 + i, Vec3(0.5 * (1 - i), 0, -0.3));
        springs.add_face(kWorld, i, 0.4);
    }
    springs.add_spring(0, 1, 2000);
    springs.add_spring(1, 2, 500);
    out.push_back({"contacts of bodies on springs", springs.finish("springs")});
    return out;
}

class EveryLinearSolver : public testing::TestWithParam<Solver> {
protected:
    ComplementarityReport solve(const ComplementarityProblem& problem,
                                const ComplementaritySettings& settings = {})
    {
        solution_ = problem.zero();
        const auto solver = make_complementarity_solver(LawMethod::Newton, GetParam());
        solver->prepare(*problem.pattern);
        return solver->solve(problem.system, problem.blocks, solution_, settings);
    }
    SaddleSolution solution_;
};

// What is accepted obeys the laws as a dense oracle has them. Ours and the dense LU solve all of them.
TEST_P(EveryLinearSolver, SolvesEveryLawAsTheDenseOracleHasIt)
{
    int accepted = 0, tried = 0;
    for (const LawCase& one : every_law()) {
        const ComplementarityReport report = solve(one.problem);
        ++tried;
        EXPECT_TRUE(report.finite) << one.law;
        EXPECT_TRUE(report.accepted) << one.law << ", residual " << report.residual;
        if (!report.accepted) continue;
        ++accepted;
        const Enumeration oracle(one.problem);
        EXPECT_LT(oracle.natural_map_error(vector(solution_.x), vector(solution_.y)), 1e-7)
            << one.law;
    }
    EXPECT_EQ(accepted, tried);
}

// Without friction the motion is unique: it is that of the enumeration.
TEST_P(EveryLinearSolver, FindsTheMotionOfTheEnumerationWhereItIsUnique)
{
    int tried = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        const ComplementarityProblem problem =
            small(seed, 1 + static_cast<int>(seed % 4), 1e3, false, seed % 2 == 1);
        const auto all = Enumeration(problem).solve();
        if (all.size() != 1) continue;
        ++tried;
        ASSERT_TRUE(solve(problem).accepted) << "seed " << seed;
        const Real size = all[0].x.cwiseAbs().maxCoeff() + kGravity * kLawStep;
        EXPECT_LT((vector(solution_.x) - all[0].x).cwiseAbs().maxCoeff(), 1e-8 * size)
            << "seed " << seed;
    }
    EXPECT_GT(tried, 15);
}

TEST_P(EveryLinearSolver, IsNamedInTheReport)
{
    const Solver kind = GetParam() == Solver::Auto ? Solver::Ldlt : GetParam();
    EXPECT_EQ(solve(box_on_plane(0.5, 0.8, 0)).linear_solver, choice_name(solvers(), kind));
}

// Convex steps, proximal steps and the central path use it as well.
TEST_P(EveryLinearSolver, ServesConvexStepsAndFallbacks)
{
    ComplementaritySettings convex;
    convex.convex = true;
    const ComplementarityProblem problem = pile(3, 24, 1, 0.5);
    const ComplementarityReport step = solve(problem, convex);
    EXPECT_TRUE(step.finite);
    EXPECT_GT(step.factorisations, 0);
    SaddleSolution reference = problem.zero();
    const auto ours = make_complementarity_solver(LawMethod::Newton, Solver::Ldlt);
    ours->prepare(*problem.pattern);
    ours->solve(problem.system, problem.blocks, reference, convex);
    EXPECT_LT((vector(solution_.x) - vector(reference.x)).cwiseAbs().maxCoeff(),
              1e-6 * vector(reference.x).cwiseAbs().maxCoeff());

    int fallbacks = 0, accepted = 0, tried = 0;
    for (unsigned seed = 0; seed < 8; ++seed) {
        const ComplementarityReport report = solve(pile(seed, 24, 1e4, 0.6));
        EXPECT_TRUE(report.finite);
        fallbacks += report.restarts;
        accepted += report.accepted;
        ++tried;
    }
    EXPECT_GT(fallbacks, 0);
    EXPECT_GE(accepted, tried - 1);
}

INSTANTIATE_TEST_SUITE_P(List, EveryLinearSolver,
                         testing::Values(Solver::Auto, Solver::Ldlt, Solver::DenseLu,
                                         Solver::EigenLdlt, Solver::EigenLu, Solver::FullRank,
                                         Solver::LowRank),
                         [](const auto& one) {
                             return std::string(choice_name(solvers(), one.param));
                         });

// Counts what it is asked for, and has another solver do it.
class CountingSolver final : public LinearSolver {
public:
    struct Counts {
        int analyses = 0, factorisations = 0, further = 0;
    };
    CountingSolver(Solver kind, Counts& counts) : solver_(make_solver(kind)), counts_(counts) {}

    std::string_view name() const noexcept override { return "counting"; }
    void prepare(const linalg::SaddlePattern& pattern) override
    {
        ++counts_.analyses;
        solver_->prepare(pattern);
    }
    SolveReport solve(const linalg::SaddleSystem& system, SaddleSolution& out,
                      Check check) noexcept override
    {
        return solver_->solve(system, out, check);
    }
    bool takes_unsymmetric() const noexcept override { return solver_->takes_unsymmetric(); }
    bool keeps_factor() const noexcept override { return true; }
    bool factorise(const linalg::SaddleSystem& system, Real floor,
                   SaddleSolution& out) noexcept override
    {
        ++counts_.factorisations;
        return solver_->factorise(system, floor, out);
    }
    void solve_again(std::span<const Real> f, std::span<const Real> g,
                     SaddleSolution& out) noexcept override
    {
        ++counts_.further;
        solver_->solve_again(f, g, out);
    }
    SolveReport refine(const linalg::SaddleSystem& system, Real good,
                       SaddleSolution& out) noexcept override
    {
        return solver_->refine(system, good, out);
    }

private:
    std::unique_ptr<LinearSolver> solver_;
    Counts& counts_;
};

// No factorisation goes past the solver that was handed in, whichever strategy asks for it.
TEST(LinearSolverInside, DoesEveryFactorisationOfTheReport)
{
    for (const ComplementarityProblem& problem : {box_on_plane(0.5, 0.8, 0), pile(3, 40, 1, 0.5),
                                                  pile(2, 24, 1e4, 0.6), stack(6, 1e6, 0.5)})
        for (const bool convex : {false, true}) {
            CountingSolver::Counts counts;
            ActiveSetSolver solver(std::make_unique<CountingSolver>(Solver::DenseLu, counts));
            solver.prepare(*problem.pattern);
            SaddleSolution solution = problem.zero();
            ComplementaritySettings settings;
            settings.convex = convex;
            const ComplementarityReport report =
                solver.solve(problem.system, problem.blocks, solution, settings);
            EXPECT_EQ(counts.factorisations, report.factorisations) << problem.name;
            EXPECT_GT(counts.factorisations, 0) << problem.name;
            EXPECT_EQ(report.linear_solver, "counting");
        }
}

// The active set changes numbers, never the pattern.
TEST(LinearSolverInside, AnalysesAPatternOnce)
{
    const ComplementarityProblem problem = pile(3, 40, 1, 0.5);
    CountingSolver::Counts counts;
    ActiveSetSolver solver(std::make_unique<CountingSolver>(Solver::Ldlt, counts));
    solver.prepare(*problem.pattern);
    SaddleSolution solution = problem.zero();
    for (int k = 0; k < 4; ++k) solver.solve(problem.system, problem.blocks, solution, {});
    EXPECT_EQ(counts.analyses, 1);
    EXPECT_GT(counts.factorisations, 1);
}

TEST(LinearSolverInside, IsRefusedByMethodsThatUseNone)
{
    for (const auto& laws : law_methods())
        for (const auto& linear : solvers()) {
            const char* const reason = refuse_linear_solver(laws.value, linear.value);
            const bool works = laws.value == LawMethod::Newton || linear.value == Solver::Auto;
            EXPECT_EQ(reason == nullptr, works) << laws.name << " " << linear.name;
            if (reason) {
                EXPECT_NE(std::string_view(reason).find("solver 'auto'"), std::string::npos);
            }
        }
    const ComplementarityProblem problem = box_on_plane(0.5, 0.3, 0);
    for (const auto& [laws, name] : {std::pair{LawMethod::Pgs, ""},
                                     {LawMethod::Nncg, ""},
                                     {LawMethod::ActiveSetMinres, "minres"}}) {
        SaddleSolution solution = problem.zero();
        const auto solver = make_complementarity_solver(laws);
        solver->prepare(*problem.pattern);
        EXPECT_EQ(solver->solve(problem.system, problem.blocks, solution, {}).linear_solver, name);
    }
}

}  // namespace
}  // namespace taut::test
