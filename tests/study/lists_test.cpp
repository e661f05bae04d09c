// Parsing of lists of values, ranges and methods.
#include <gtest/gtest.h>

#include <taut/catalogue.h>

#include "core/number.h"
#include "study/method.h"
#include "study/value_list.h"

namespace taut::test {
namespace {

using Words = std::vector<std::string>;

bool holds(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

TEST(Number, TheWholeTextMustBeANumber)
{
    EXPECT_EQ(read_number("0.5"), 0.5);
    EXPECT_EQ(read_number("1/4"), 0.25);
    EXPECT_EQ(read_number("-2e3"), -2000);
    for (const char* bad : {"", "x", "1x", "1/", "1/0", "1/2/3", "inf", "nan", "1 2"})
        EXPECT_FALSE(read_number(bad).has_value()) << bad;
}

TEST(ValueList, AcceptsWordsAndNumbers)
{
    EXPECT_EQ(*parse_values("--vary", "1,10, 1e3"), (Words{"1", "10", "1e3"}));
    EXPECT_EQ(*parse_values("--vary", "ball,hinge"), (Words{"ball", "hinge"}));
    EXPECT_EQ(*parse_values("--vary", "7"), Words{"7"});
}

TEST(ValueList, RangesAreLogarithmic)
{
    EXPECT_EQ(*parse_values("--vary", "1..1e6:7"),
              (Words{"1", "10", "100", "1000", "1e4", "1e5", "1e6"}));
    EXPECT_EQ(*parse_values("--vary", "8..2:3"), (Words{"8", "4", "2"}));
    EXPECT_EQ(*parse_values("--vary", "0,1/4..1:2"), (Words{"0", "1/4", "1"}));
    EXPECT_EQ(*parse_values("--vary", "1..1e5:4"), (Words{"1", "46.4", "2150", "1e5"}));
    EXPECT_EQ(*parse_values("--vary", "1..1.0004:3"), (Words{"1", "1.0002", "1.0004"}))
        << "close values get the digits they need";
}

TEST(ValueList, ReportsErrors)
{
    const auto message = [](const char* list) {
        return parse_values("--vary ratio", list).error().message;
    };
    for (const char* bad : {"", "1,", ",1", "1,,2"})
        EXPECT_TRUE(holds(message(bad), "--vary ratio must be values")) << bad;
    EXPECT_TRUE(holds(message("1,2,1"), "'1' twice"));
    for (const char* bad : {"1..2", "1..x:3", "..2:3", "1..2:"})
        EXPECT_TRUE(holds(message(bad), "LO..HI:N")) << bad;
    EXPECT_TRUE(holds(message("0..1:3"), "above zero"));
    for (const char* bad : {"1..2:1", "1..2:2.5", "1..2:1e9"})
        EXPECT_TRUE(holds(message(bad), "whole number")) << bad;
}

// All entries of the lists of the engine can be used as names.
TEST(Method, EveryEntryOfTheListsIsAccepted)
{
    const StepSettings scene;
    for (const auto& scheme : schemes()) {
        const auto method = parse_method(std::string(scheme.name), scene);
        ASSERT_TRUE(method.ok()) << scheme.name;
        EXPECT_EQ(method->scheme, scheme.value);
        EXPECT_EQ(method->stabilisation, scene.research.stabilisation);
        for (const auto& stabilisation : stabilisations())
            for (const auto& solver : solvers()) {
                const std::string text = std::string(scheme.name) + "/" +
                                         std::string(stabilisation.name) + "/" +
                                         std::string(solver.name);
                const auto full = parse_method(text, scene);
                ASSERT_TRUE(full.ok()) << text;
                EXPECT_EQ(*full, (Method{scheme.value, stabilisation.value, solver.value}));
                EXPECT_EQ(*parse_method(full->name(), scene), *full) << "the name is parsed back";
            }
    }
}

TEST(Method, AStabilisationAloneKeepsTheScenesScheme)
{
    StepSettings scene;
    scene.research.scheme = Scheme::AlphaBeta;
    const auto method = parse_method("none", scene);
    ASSERT_TRUE(method.ok());
    EXPECT_EQ(method->name(), "alpha_beta/none");
    StepSettings settings;
    method->apply(settings);
    EXPECT_EQ(settings.research.scheme, Scheme::AlphaBeta);
    EXPECT_EQ(settings.research.stabilisation, Stabilisation::None);
}

TEST(Method, ReportsErrorsWithSuggestions)
{
    StepSettings scene;
    scene.research.scheme = Scheme::BackwardEuler;
    const auto message = [&](const char* list) {
        const auto methods = parse_methods(list, scene);
        return methods.ok() ? "no error" : methods.error().message;
    };
    EXPECT_TRUE(holds(message("tensoin"), "did you mean 'tension'?"));
    EXPECT_TRUE(holds(message("tensoin"), "schemes: "));
    EXPECT_TRUE(holds(message("backward_euler/nine"), "did you mean 'none'?"));
    EXPECT_TRUE(holds(message("backward_euler/none/ldtl"), "did you mean 'ldlt'?"));
    EXPECT_TRUE(holds(message("backward_euler/none/ldlt/x"), "more parts than"));
    EXPECT_TRUE(holds(message("none,,exact"), "neither"));
    EXPECT_TRUE(holds(message("none,tension,backward_euler/none"), "twice"));
}

}  // namespace
}  // namespace taut::test
