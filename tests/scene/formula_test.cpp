#include "scene/formula.h"

#include <cmath>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "scene/text_format.h"

namespace taut::test {
namespace {

class FixedNames : public Names {
public:
    const Value* find(std::string_view name) override
    {
        const auto found = values.find(std::string(name));
        return found == values.end() ? nullptr : &found->second;
    }
    std::vector<std::string> all() const override
    {
        std::vector<std::string> names;
        for (const auto& entry : values) names.push_back(entry.first);
        return names;
    }

    std::map<std::string, Value> values = {
        {"ratio", 3.0}, {"length", 0.5}, {"joint", std::string("hinge")}};
};

Real value_of(const std::string& text)
{
    FixedNames names;
    const auto result = evaluate_formula(text, names);
    if (const auto* error = std::get_if<FormulaError>(&result)) {
        ADD_FAILURE() << text << ": " << error->message;
        return std::nan("");
    }
    return std::get<Real>(std::get<Value>(result));
}

FormulaError error_of(const std::string& text)
{
    FixedNames names;
    const auto result = evaluate_formula(text, names);
    if (const auto* error = std::get_if<FormulaError>(&result)) return *error;
    ADD_FAILURE() << text << " was evaluated";
    return {};
}

TEST(Formula, NumbersAreParsed)
{
    EXPECT_EQ(value_of("1e4"), 1e4);
    EXPECT_EQ(value_of("-2.5E-3"), -2.5e-3);
    EXPECT_EQ(value_of(".5"), 0.5);
    EXPECT_EQ(value_of("5."), 5.0);
    EXPECT_EQ(value_of("1/60"), 1.0 / 60);
}

TEST(Formula, OperatorsHaveTheUsualPrecedence)
{
    EXPECT_EQ(value_of("1 + 2 * 3"), 7);
    EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
    EXPECT_EQ(value_of("10 - 4 - 3"), 3);
    EXPECT_EQ(value_of("12 / 2 / 3"), 2);
    EXPECT_EQ(value_of("2 ^ 3 ^ 2"), 512);
    EXPECT_EQ(value_of("-2 ^ 2"), -4);
    EXPECT_EQ(value_of("2 ^ -1"), 0.5);
    EXPECT_EQ(value_of("--3"), 3);
    EXPECT_EQ(value_of("2 - -3"), 5);
}

TEST(Formula, NamesConstantsAndFunctionsAreEvaluated)
{
    EXPECT_EQ(value_of("ratio * length"), 1.5);
    EXPECT_EQ(value_of("-length/2"), -0.25);
    EXPECT_EQ(value_of("${ratio} + ${length * 2}"), 4);
    EXPECT_EQ(value_of("180*deg"), std::numbers::pi);
    EXPECT_EQ(value_of("sqrt(9) + abs(-1) + min(4, 2, 3) + max(1, 5)"), 11);
    EXPECT_EQ(value_of("atan2(1, 1) * 4"), 4 * std::atan2(1.0, 1.0));
    EXPECT_EQ(value_of("floor(2.7) + ceil(2.1) + round(2.5)"), 8);
    EXPECT_DOUBLE_EQ(value_of("sin(30*deg) + cos(60*deg) + tan(45*deg)"), 2);
    EXPECT_DOUBLE_EQ(value_of("log(exp(2)) + asin(1) + acos(1) + atan(0)"),
                     2 + std::numbers::pi / 2);
}

TEST(Formula, ComparisonsAndIfAreEvaluated)
{
    EXPECT_EQ(value_of("ratio > 2"), 1);
    EXPECT_EQ(value_of("ratio <= 2"), 0);
    EXPECT_EQ(value_of("(ratio == 3) + (ratio != 3) + (1 >= 1) + (1 < 1)"), 2);
    EXPECT_EQ(value_of("if(ratio > 2, 10, 20)"), 10);
    EXPECT_EQ(value_of("if(joint == 'hinge', 1, 2)"), 1);
    EXPECT_EQ(value_of("if(joint != \"hinge\", 1, 2)"), 2);
}

TEST(Formula, ErrorsPointAtTheCharacter)
{
    EXPECT_EQ(error_of("2 * ratoi").offset, 4u);
    EXPECT_NE(error_of("2 * ratoi").message.find("did you mean 'ratio'?"), std::string::npos);
    EXPECT_EQ(error_of("2 kg").offset, 2u);
    EXPECT_EQ(error_of("(1 + 2").offset, 6u);
    EXPECT_EQ(error_of("1 +").offset, 3u);
    EXPECT_EQ(error_of("").offset, 0u);
    EXPECT_EQ(error_of("joint + 1").offset, 0u);
    EXPECT_EQ(error_of("1 % 2").offset, 2u);
    EXPECT_EQ(error_of("if(1, 2)").offset, 0u);
    EXPECT_EQ(error_of("'open").offset, 0u);
    EXPECT_EQ(error_of("1.2.3").offset, 3u);
}

TEST(Formula, NestingAndLengthAreBounded)
{
    EXPECT_EQ(value_of(std::string(90, '(') + "1" + std::string(90, ')')), 1);
    EXPECT_NE(error_of(std::string(1000, '(')).message.find("nested too deeply"),
              std::string::npos);
    EXPECT_NE(error_of(std::string(1000, '-') + "1").message.find("nested too deeply"),
              std::string::npos);
    EXPECT_NE(error_of("1" + std::string(3000, ' ')).message.find("the limit is 2000"),
              std::string::npos);
}

TEST(Formula, FormulasInTextAreReplaced)
{
    FixedNames names;
    EXPECT_EQ(std::get<std::string>(fill_in("plain", names)), "plain");
    EXPECT_EQ(std::get<std::string>(fill_in("${joint}", names)), "hinge");
    EXPECT_EQ(std::get<std::string>(fill_in("a ${ratio * 2} b ${joint}!", names)), "a 6 b hinge!");
    EXPECT_EQ(std::get<std::string>(fill_in("${0.1}", names)), "0.1");
    EXPECT_EQ(std::get<FormulaError>(fill_in("ab ${rato}", names)).offset, 5u);
    EXPECT_EQ(std::get<FormulaError>(fill_in("ab ${ratio", names)).offset, 10u);
}

TEST(Formula, NumbersAreConvertedToTextAndBackExactly)
{
    for (const Real x : {0.1, 1.0 / 3, 1e-300, 1.7976931348623157e308, -2.5e-7, 100000.0, 1e6})
        EXPECT_EQ(parse_real(to_text(x)), x);
    for (const char* text : {"", "nan", "inf", "0x10", "1e999", "1 ", "1,5", "--1", "1e", "e5"})
        EXPECT_FALSE(parse_real(text)) << text;
}

}  // namespace
}  // namespace taut::test
