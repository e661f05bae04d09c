#include "record/csv_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>

namespace taut::test {
namespace {

TEST(Csv, NumbersRoundTripExactly)
{
    constexpr unsigned kSeed = 7;
    std::mt19937_64 random(kSeed);
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t bits = random();
        Real value;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        EXPECT_EQ(std::strtod(shortest(value).c_str(), nullptr), value) << "seed " << kSeed;
    }
    EXPECT_EQ(shortest(0.1), "0.1");
    EXPECT_EQ(shortest(-2), "-2");
    EXPECT_EQ(shortest(std::numeric_limits<Real>::infinity()), "inf");
}

TEST(Csv, HeaderContainsUnitsAndQuotedNames)
{
    World world;
    ASSERT_TRUE(world.add_body(BodyDef{}).ok());
    const RunMonitor monitor(world, {}, 1);
    const StepReport step;
    std::ostringstream out;
    std::vector<Column> columns;
    columns.push_back(*find_column(world, "time"));
    columns.push_back(*find_column(world, "energy.total"));
    columns.push_back({"a,b", "m", [](const Moment&) { return Real(0.5); }});
    CsvWriter csv(out, std::move(columns));
    csv.write({world, step, monitor});
    EXPECT_EQ(out.str(), "time [s],energy.total [J],\"a,b [m]\"\n0,0,0.5\n");
}

}  // namespace
}  // namespace taut::test
