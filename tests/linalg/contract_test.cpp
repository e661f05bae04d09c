// Contracts of the saddle matrix: with asserts on, a call that breaks one aborts and names it.
#include <array>

#include <gtest/gtest.h>

#include "core/assert.h"
#include "linalg/block_ldlt.h"
#include "linalg/saddle_ops.h"

namespace taut::linalg {
namespace {

// Two bodies and one constraint of three rows between them.
SaddlePattern pair_of_bodies()
{
    SaddlePattern pattern;
    const std::array<int, 2> bodies = {pattern.add_primal(6), pattern.add_primal(6)};
    pattern.add_dual(3, bodies);
    return pattern;
}

class ContractDeathTest : public testing::Test {
protected:
    void SetUp() override
    {
        if (!TAUT_ASSERTS) GTEST_SKIP() << "asserts are off in this build";
    }
};

TEST_F(ContractDeathTest, ANodeHasOneToSixUnknowns)
{
    SaddlePattern pattern;
    EXPECT_DEATH(pattern.add_primal(7), "size >= 1 && size <= 6");
    EXPECT_DEATH(pattern.add_primal(0), "size >= 1 && size <= 6");
}

TEST_F(ContractDeathTest, AConstraintTouchesExistingNodesOnce)
{
    SaddlePattern pattern = pair_of_bodies();
    EXPECT_DEATH(pattern.add_dual(1, std::array<int, 1>{2}), "primal >= 0");
    EXPECT_DEATH(pattern.add_dual(1, std::array<int, 2>{1, 1}), "primal != primal");
    EXPECT_DEATH(pattern.add_pair(0, 0), "i != j");
}

TEST_F(ContractDeathTest, VectorsHaveTheSizeOfTheSystem)
{
    const SaddlePattern pattern = pair_of_bodies();
    SaddleSystem system;
    system.prepare(pattern);
    SaddleSolution solution, out;
    solution.prepare(pattern);
    out.prepare(pattern);
    solution.y.pop_back();
    EXPECT_DEATH(multiply(system, solution.x, solution.y, out.x, out.y), "y.size\\(\\)");
    BlockLdlt ldlt;
    EXPECT_DEATH(ldlt.factor_and_solve(system, out.x, out.y), "tables_ != nullptr");
}

}  // namespace
}  // namespace taut::linalg
