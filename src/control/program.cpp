#include "control/program.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/assert.h"

namespace taut::control {

namespace {

using Arguments = std::span<const Real>;

// `if` is no function: its branches may be text while a formula is folded.
constexpr Function kFunctions[] = {
    {"sqrt", 1, 1, [](Arguments x) noexcept { return std::sqrt(x[0]); }},
    {"sin", 1, 1, [](Arguments x) noexcept { return std::sin(x[0]); }},
    {"cos", 1, 1, [](Arguments x) noexcept { return std::cos(x[0]); }},
    {"tan", 1, 1, [](Arguments x) noexcept { return std::tan(x[0]); }},
    {"asin", 1, 1, [](Arguments x) noexcept { return std::asin(x[0]); }},
    {"acos", 1, 1, [](Arguments x) noexcept { return std::acos(x[0]); }},
    {"atan", 1, 1, [](Arguments x) noexcept { return std::atan(x[0]); }},
    {"atan2", 2, 2, [](Arguments x) noexcept { return std::atan2(x[0], x[1]); }},
    {"exp", 1, 1, [](Arguments x) noexcept { return std::exp(x[0]); }},
    {"log", 1, 1, [](Arguments x) noexcept { return std::log(x[0]); }},
    {"abs", 1, 1, [](Arguments x) noexcept { return std::abs(x[0]); }},
    {"floor", 1, 1, [](Arguments x) noexcept { return std::floor(x[0]); }},
    {"ceil", 1, 1, [](Arguments x) noexcept { return std::ceil(x[0]); }},
    {"round", 1, 1, [](Arguments x) noexcept { return std::round(x[0]); }},
    {"min", 1, kAnyNumber,
     [](Arguments x) noexcept { return *std::min_element(x.begin(), x.end()); }},
    {"max", 1, kAnyNumber,
     [](Arguments x) noexcept { return *std::max_element(x.begin(), x.end()); }},
    {"clamp", 3, 3, [](Arguments x) noexcept { return std::max(x[1], std::min(x[0], x[2])); }},
    {"not", 1, 1, [](Arguments x) noexcept { return Real(x[0] == 0); }},
    {"and", 1, kAnyNumber,
     [](Arguments x) noexcept {
         return Real(std::all_of(x.begin(), x.end(), [](Real a) { return a != 0; }));
     }},
    {"or", 1, kAnyNumber,
     [](Arguments x) noexcept {
         return Real(std::any_of(x.begin(), x.end(), [](Real a) { return a != 0; }));
     }},
};

}  // namespace

std::span<const Function> functions() noexcept { return kFunctions; }

const Function* find_function(std::string_view name) noexcept
{
    for (const Function& function : kFunctions)
        if (function.name == name) return &function;
    return nullptr;
}

Real apply(Operator op, Real a, Real b) noexcept
{
    switch (op) {
        case Operator::Add: return a + b;
        case Operator::Subtract: return a - b;
        case Operator::Multiply: return a * b;
        case Operator::Divide: return a / b;
        case Operator::Power: return std::pow(a, b);
        case Operator::Less: return Real(a < b);
        case Operator::AtMost: return Real(a <= b);
        case Operator::Greater: return Real(a > b);
        case Operator::AtLeast: return Real(a >= b);
        case Operator::Equal: return Real(a == b);
        case Operator::Different: return Real(a != b);
    }
    return 0;
}

void Program::add(const Instruction& instruction, int change)
{
    code_.push_back(instruction);
    height_ += change;
    depth_ = std::max(depth_, height_);
}

void Program::push(Real constant)
{
    add({.kind = Instruction::Kind::Constant, .constant = constant}, 1);
}

void Program::push_input(int index) { add({.kind = Instruction::Kind::Input, .count = index}, 1); }

void Program::negate() { add({.kind = Instruction::Kind::Negate}, 0); }

void Program::binary(Operator op) { add({.kind = Instruction::Kind::Binary, .op = op}, -1); }

void Program::call(const Function& function, int count)
{
    add({.kind = Instruction::Kind::Call, .count = count, .function = &function}, 1 - count);
}

void Program::select() { add({.kind = Instruction::Kind::Select}, -2); }

void Program::append(const Program& other)
{
    code_.insert(code_.end(), other.code_.begin(), other.code_.end());
    depth_ = std::max(depth_, height_ + other.depth_);
    height_ += other.height_;
}

void Program::renumber_inputs(std::span<const int> input)
{
    for (Instruction& i : code_)
        if (i.kind == Instruction::Kind::Input) i.count = input[static_cast<std::size_t>(i.count)];
}

Real Program::run(std::span<const Real> inputs) const noexcept
{
    TAUT_ASSERT(depth_ <= kStackDepth);
    std::array<Real, kStackDepth> stack;
    std::size_t top = 0;  // number of values
    for (const Instruction& i : code_) {
        switch (i.kind) {
            case Instruction::Kind::Constant: stack[top++] = i.constant; break;
            case Instruction::Kind::Input:
                stack[top++] = inputs[static_cast<std::size_t>(i.count)];
                break;
            case Instruction::Kind::Negate: stack[top - 1] = -stack[top - 1]; break;
            case Instruction::Kind::Binary:
                --top;
                stack[top - 1] = apply(i.op, stack[top - 1], stack[top]);
                break;
            case Instruction::Kind::Call: {
                const auto count = static_cast<std::size_t>(i.count);
                top -= count;
                stack[top] = i.function->call({stack.data() + top, count});
                ++top;
                break;
            }
            case Instruction::Kind::Select:
                top -= 2;
                stack[top - 1] = stack[top - 1] != 0 ? stack[top] : stack[top + 1];
                break;
        }
    }
    return top > 0 ? stack[top - 1] : 0;
}

}  // namespace taut::control
