#include "record/csv_line.h"

#include <gtest/gtest.h>

namespace taut::test {
namespace {

TEST(CsvLine, RoundTrip)
{
    const std::vector<std::string> fields = {"plain",       "",   "with, comma",
                                             "a \"quote\"", "\"", "1/60"};
    EXPECT_EQ(csv_line({"a", "b,c", "d\"e"}), "a,\"b,c\",\"d\"\"e\"");
    EXPECT_EQ(split_csv_line(csv_line(fields)), fields);
    EXPECT_EQ(split_csv_line(""), std::vector<std::string>{""});
}

TEST(CsvLine, ALineTruncatedInAQuoteIsInvalid)
{
    EXPECT_FALSE(split_csv_line("a,\"b").has_value());
}

}  // namespace
}  // namespace taut::test
