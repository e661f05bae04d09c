// Words, numbers and threads: what every other folder relies on.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/name_map.h"
#include "core/number.h"
#include "core/suggestion.h"
#include "core/worker_pool.h"

namespace taut::test {
namespace {

using namespace taut::core;

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps)
{
    EXPECT_EQ(edit_distance("hinge", "hinge"), 0);
    EXPECT_EQ(edit_distance("hinge", "hing"), 1);
    EXPECT_EQ(edit_distance("hinge", "hinges"), 1);
    EXPECT_EQ(edit_distance("hinge", "binge"), 1);
    EXPECT_EQ(edit_distance("hinge", "higne"), 1);
    EXPECT_EQ(edit_distance("", "weld"), 4);
    EXPECT_EQ(edit_distance("weld", ""), 4);
}

TEST(NearestWord, IsTheOneThatWasMeantOrNone)
{
    const std::vector<std::string> words = {"hinge", "prismatic", "weld"};
    EXPECT_EQ(nearest_word("hinhe", words), "hinge");
    EXPECT_EQ(nearest_word("prsimatic", words), "prismatic");
    EXPECT_EQ(nearest_word("quaternion", words), "");
    EXPECT_EQ(nearest_word("hinge", {}), "");
    EXPECT_EQ(did_you_mean("wled", words), "; did you mean 'weld'?");
    EXPECT_EQ(did_you_mean("quaternion", words), "");
}

TEST(ReadNumber, TakesNumbersAndQuotients)
{
    EXPECT_EQ(read_number("0.25"), 0.25);
    EXPECT_EQ(read_number("-1e-3"), -1e-3);
    EXPECT_EQ(read_number("1/60"), 1.0 / 60);
}

TEST(ReadNumber, RefusesWhatIsNoFiniteNumber)
{
    for (const char* text :
         {"", " ", "abc", "1x", "1/", "/2", "1/0", "1/2/3", "nan", "inf", "1e999", "--1"})
        EXPECT_FALSE(read_number(text)) << "'" << text << "'";
}

TEST(NameMap, FindsByViewWithoutAString)
{
    const NameMap names = {{"crane", 3}, {"hook", 7}};
    const std::string_view text = "crane hook";
    EXPECT_EQ(names.find(text.substr(6))->second, 7);
    EXPECT_EQ(names.find(text.substr(0, 4)), names.end());
}

TEST(WorkerPool, RunsEveryTaskOnceOnAnyNumberOfThreads)
{
    WorkerPool pool;
    for (const int threads : {1, 2, 3, 8, 0})
        for (const int count : {0, 1, 2, 7, 1000}) {
            std::vector<int> done(count, 0);
            pool.run(threads, count, [&](int k) { ++done[k]; });
            for (int k = 0; k < count; ++k)
                ASSERT_EQ(done[k], 1) << "task " << k << " of " << count << ", " << threads;
        }
}

TEST(WorkerPool, SeesWhatEarlierJobsWrote)
{
    WorkerPool pool;
    std::vector<double> x(64, 1);
    for (int job = 0; job < 200; ++job)
        pool.run(4, 64, [&](int k) { x[k] += static_cast<double>(k); });
    for (int k = 0; k < 64; ++k) EXPECT_EQ(x[k], 1 + 200.0 * k);
}

}  // namespace
}  // namespace taut::test
