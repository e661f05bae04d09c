// The table of step options.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <taut/world.h>

namespace taut::test {
namespace {

// Number of members of an aggregate: how many values it can be made of.
struct Anything {
    template <class T>
    operator T() const;
};
template <class T, class... Values>
constexpr std::size_t member_count()
{
    if constexpr (requires { T{Values{}..., Anything{}}; })
        return member_count<T, Values..., Anything>();
    else
        return sizeof...(Values);
}

template <class T>
constexpr bool is_number = std::is_same_v<T, Real> || std::is_same_v<T, int>;

TEST(StepOptions, HaveALineForEveryMember)
{
    const std::size_t members = member_count<StepSettings>() - 1 + member_count<Research>();
    EXPECT_EQ(kStepOptions.size(), members) << "a member has no line in kStepOptions, or two";
    std::set<std::string_view> names;
    for (const StepOption& option : kStepOptions) {
        EXPECT_TRUE(names.insert(option.name).second) << option.name;
        EXPECT_FALSE(option.summary.empty()) << option.name;
        EXPECT_EQ(find_step_option(option.name), &option);
    }
    EXPECT_EQ(find_step_option("speed"), nullptr);
}

TEST(StepOptions, ReadWhatTheyWrite)
{
    for (const StepOption& option : kStepOptions) {
        StepSettings settings;
        visit_option(settings, option, [&](auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, bool>)
                value = !value;
            else if constexpr (std::is_enum_v<Value>)
                value = choices_of(value).back().value;
            else
                value = static_cast<Value>(
                    is_number<Value> && std::is_same_v<Value, int> ? 7 : 0.1 / 3);
        });
        StepSettings read;
        EXPECT_NE(settings, read) << option.name;
        const auto status = set_option(read, option, option_text(settings, option), "it");
        ASSERT_TRUE(status.ok()) << option.name << ": " << status.error().message;
        EXPECT_EQ(settings, read) << option.name;
    }
}

TEST(StepOptions, RefuseTextsThatAreNoValueOfTheirs)
{
    const auto message = [](const char* name, const char* text) {
        StepSettings settings;
        const auto status = set_option(settings, *find_step_option(name), text, "--it");
        EXPECT_EQ(settings, StepSettings()) << name;
        return status.ok() ? std::string("accepted") : status.error().message;
    };
    EXPECT_EQ(message("dt", "fast"), "--it must be a number such as 0.01 or 1/60, not 'fast'");
    EXPECT_EQ(message("dt", "0"), "--it must be above 0 and at most 10 s, not '0'");
    EXPECT_EQ(message("penalty_stiffness", "-1"),
              "--it must be at least 0 N/m and finite, not '-1'");
    EXPECT_EQ(message("threads", "2.5"),
              "--it must be a whole number of at least 0 and at most 256, not '2.5'");
    EXPECT_EQ(message("sleep", "yes"), "--it must be true or false, not 'yes'");
    EXPECT_NE(message("scheme", "bdf").find("--it 'bdf' is not one of automatic, "),
              std::string::npos);
    EXPECT_NE(message("scheme", "bdf").find("did you mean 'bdf2'?"), std::string::npos);
}

// The bound itself is allowed where the range has it; what is beyond is refused, by name and range, and changes nothing.
TEST(StepOptions, OutOfRangeAreRefusedByTheStep)
{
    World world;
    ASSERT_TRUE(world.add_body({}).ok());
    const std::uint64_t before = world.hash();
    const auto expect_refused = [&](const StepOption& option, Real number) {
        StepSettings settings;
        visit_option(settings, option, [&](auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (is_number<Value>) value = static_cast<Value>(number);
        });
        const StepReport report = world.step(settings);
        EXPECT_EQ(report.status, StepStatus::Refused) << option.name << " = " << number;
        EXPECT_EQ(report.reason, std::string(option.name) + " must be " + allowed_values(option));
        EXPECT_EQ(world.hash(), before);
    };
    int checked = 0;
    for (const StepOption& option : kStepOptions) {
        StepSettings settings;
        const bool real = visit_option(settings, option, [](auto& value) {
            return std::is_same_v<std::remove_cvref_t<decltype(value)>, Real>;
        });
        const bool number = visit_option(settings, option, [](auto& value) {
            return is_number<std::remove_cvref_t<decltype(value)>>;
        });
        if (!number) continue;
        ++checked;
        expect_refused(option, option.range.lowest - 1);
        if (option.range.above_lowest) expect_refused(option, option.range.lowest);
        if (std::isfinite(option.range.highest)) expect_refused(option, option.range.highest + 1);
        if (real) expect_refused(option, std::numeric_limits<Real>::quiet_NaN());
        if (real) expect_refused(option, std::numeric_limits<Real>::infinity());
    }
    EXPECT_GE(checked, 8);
    EXPECT_EQ(world.step({}).status, StepStatus::Ok);
}

}  // namespace
}  // namespace taut::test
