// Formulas of controls: compiled programs have the values that the same formula has when it is folded.
#include <cmath>

#include "control/program.h"
#include "reading.h"
#include "scene/formula.h"

namespace taut::test {
namespace {

using scene::compile_formula;

class Numbers : public scene::Names {
public:
    const scene::Value* find(std::string_view name) override
    {
        if (name == "a") return &a_;
        if (name == "kind") return &kind_;
        return nullptr;
    }
    std::vector<std::string> all() const override { return {"a", "kind"}; }

private:
    scene::Value a_ = 3.0;
    scene::Value kind_ = std::string("hinge");
};

class Inputs : public scene::InputNames {
public:
    int index_of(std::string_view name, std::size_t) override
    {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == name) return static_cast<int>(i);
        names.emplace_back(name);
        return static_cast<int>(names.size()) - 1;
    }
    std::vector<std::string> names;
};

struct Compiled {
    control::Program program;
    std::vector<std::string> inputs;
};

Compiled compile(const std::string& text)
{
    Numbers numbers;
    Inputs inputs;
    auto result = compile_formula(text, numbers, inputs);
    if (const auto* error = std::get_if<scene::FormulaError>(&result))
        ADD_FAILURE() << text << ": " << error->message;
    else
        return {std::get<control::Program>(std::move(result)), inputs.names};
    return {};
}

Real evaluate(const std::string& text, std::vector<Real> inputs)
{
    return compile(text).program.run(inputs);
}

TEST(CompiledFormula, HasTheValueOfTheSameArithmeticInCpp)
{
    EXPECT_EQ(evaluate("x + a * y", {0.1, 0.2}), 0.1 + 3.0 * 0.2);
    // names are numbered as they are met
    EXPECT_EQ(evaluate("-x ^ 2 - y / x", {0.7, 0.3}), -std::pow(0.7, 2) - 0.3 / 0.7);
    EXPECT_EQ(evaluate("(x - y) - x", {1e16, 1}), (1e16 - 1) - 1e16);
    EXPECT_EQ(evaluate("max(x, y, a) + min(x, y)", {5, 1}), 5.0 + 1);
    EXPECT_EQ(evaluate("atan2(x, y)", {-1, -2}), std::atan2(-1.0, -2.0));
    EXPECT_EQ(evaluate("clamp(x, -1, 1)", {-4}), -1);
    EXPECT_EQ(evaluate("clamp(x, -1, 1)", {0.5}), 0.5);
}

TEST(CompiledFormula, ComparesAndSelects)
{
    EXPECT_EQ(evaluate("if(x > 7, y, a)", {7, 5}), 3);
    EXPECT_EQ(evaluate("if(x >= 7, y, a)", {7, 5}), 5);
    EXPECT_EQ(evaluate("and(x < 1, not(y))", {0, 0}), 1);
    EXPECT_EQ(evaluate("and(x < 1, not(y))", {0, 2}), 0);
    EXPECT_EQ(evaluate("or(x == 2, y != 0)", {1, 0}), 0);
    EXPECT_EQ(evaluate("or(x == 2, y != 0)", {2, 0}), 1);
    EXPECT_EQ(evaluate("if(kind == 'hinge', x, y)", {4, 5}), 4) << "folded before it runs";
}

TEST(CompiledFormula, FoldsWhatIsConstant)
{
    const Compiled compiled = compile("x * (a + sqrt(16) * pi / pi)");
    EXPECT_EQ(compiled.inputs, std::vector<std::string>{"x"});
    EXPECT_EQ(compiled.program.code().size(), 3u);
    EXPECT_EQ(compiled.program.run(std::vector<Real>{2}), 2 * (3.0 + 4.0 * M_PI / M_PI));
    EXPECT_EQ(compile("a ^ 2 + 1").program.code().size(), 1u);
}

TEST(CompiledFormula, NamesOfReadingsMayHaveDotsAxesAndQuotes)
{
    const Compiled compiled =
        compile("joint.hook.force.z@body1 + body.load.x - 'joint.left-arm.angle'");
    EXPECT_EQ(compiled.inputs, (std::vector<std::string>{"joint.hook.force.z@body1", "body.load.x",
                                                         "joint.left-arm.angle"}));
}

TEST(CompiledFormula, NeedsABoundedStack)
{
    std::string deep = "x";
    for (int i = 0; i < 40; ++i) deep = "(1 + y * (" + deep + "))";
    Numbers numbers;
    Inputs inputs;
    auto result = compile_formula(deep, numbers, inputs);
    ASSERT_TRUE(std::holds_alternative<scene::FormulaError>(result));
    EXPECT_TRUE(contains(std::get<scene::FormulaError>(result).message, "nested too deeply"));
    EXPECT_LE(compile("(1 + y * (1 + y * (1 + y * x)))").program.depth(), control::kStackDepth);
}

}  // namespace
}  // namespace taut::test
