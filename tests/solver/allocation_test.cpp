// The default solver allocates in prepare() and never again.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "linalg/samples/sample_systems.h"
#include "solver/counting_new.h"
#include "solver/linear_solver.h"

namespace taut::test {
namespace {

TEST(Allocation, CounterCounts)
{
    const long before = test::allocations();
    const auto p = std::make_unique<std::vector<int>>(100);
    EXPECT_GE(test::allocations() - before, 2);
    EXPECT_EQ(p->size(), 100u);
}

TEST(Allocation, LdltSolvesWithoutAllocating)
{
    for (const test::Sample& sample :
         {test::chain(1, 30, 5, 1e9, 0), test::net(2, 8, 1e3, 0), test::four_bar(3, 10, 0),
          test::tree(4, 20, 10, 1e-8, true)}) {
        const auto solver = make_solver(Solver::Ldlt);
        solver->prepare(*sample.pattern);
        linalg::SaddleSolution solution;
        solution.prepare(*sample.pattern);
        const long before = test::allocations();
        SolveReport report;
        for (int k = 0; k < 3; ++k) report = solver->solve(sample.system, solution);
        EXPECT_EQ(test::allocations() - before, 0) << sample.name;
        EXPECT_LT(report.residual, 1e-12) << sample.name;
    }
}

}  // namespace
}  // namespace taut::test
