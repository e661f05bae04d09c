// TAUT_ASSERT as it is with asserts on, whatever this build has chosen.
#undef TAUT_ASSERTS
#define TAUT_ASSERTS 1
#include "core/assert.h"

#include <array>

#include <gtest/gtest.h>

namespace {

TEST(AssertOnDeathTest, AConditionThatDoesNotHoldAbortsAndNamesItself)
{
    const int index = 4;
    EXPECT_DEATH(TAUT_ASSERT(index < 3), "assert_on_test.cpp:[0-9]+: assertion failed: index < 3");
}

TEST(AssertOnDeathTest, CommasOfTemplateArgumentsAreUnderstood)
{
    EXPECT_DEATH(TAUT_ASSERT(std::array<int, 2>{0, 0}[1] == 1),
                 "assertion failed: std::array<int, 2>");
}

TEST(AssertOn, AConditionThatHoldsIsEvaluatedOnceAndDoesNothing)
{
    int calls = 0;
    const auto holds = [&] { return ++calls == 1; };
    TAUT_ASSERT(holds());
    EXPECT_EQ(calls, 1);
}

}  // namespace
