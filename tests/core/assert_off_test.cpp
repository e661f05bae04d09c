// TAUT_ASSERT as it is with asserts off, whatever this build has chosen.
#undef TAUT_ASSERTS
#define TAUT_ASSERTS 0
#include "core/assert.h"

#include <gtest/gtest.h>

namespace {

TEST(AssertOff, TheConditionIsNeverEvaluated)
{
    int calls = 0;
    const auto fails = [&] { return ++calls == 0; };
    TAUT_ASSERT(fails());
    EXPECT_EQ(calls, 0);
}

}  // namespace
