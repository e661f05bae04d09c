// A formula as a short program for a stack: what depends on inputs alone, everything else is folded when it is compiled.
// The text is parsed elsewhere (scene/formula.h); both use the functions and operators of this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::control {
using namespace core;  // the table core/namespaces.h has the folders below the world

// A program needs no more than this; a formula that does is refused when it is compiled.
inline constexpr int kStackDepth = 64;

enum class Operator : std::uint8_t {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Different,
};
Real apply(Operator op, Real a, Real b) noexcept;

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

struct Function {
    std::string_view name;
    std::size_t fewest;  // arguments
    std::size_t most;
    Real (*call)(std::span<const Real> arguments) noexcept;
};
std::span<const Function> functions() noexcept;
const Function* find_function(std::string_view name) noexcept;

struct Instruction {
    enum class Kind : std::uint8_t { Constant, Input, Negate, Binary, Call, Select };
    Kind kind = Kind::Constant;
    Operator op = Operator::Add;         // Binary
    std::int32_t count = 0;              // Call: arguments; Input: its index
    Real constant = 0;                   // Constant
    const Function* function = nullptr;  // Call
};

class Program {
public:
    Program() = default;  // the constant 0
    explicit Program(Real constant) { push(constant); }

    void push(Real constant);
    void push_input(int index);
    void negate();
    void binary(Operator op);
    void call(const Function& function, int count);
    void select();  // of test, then, else
    void append(const Program& other);

    // Input i becomes input[i] of another list.
    void renumber_inputs(std::span<const int> input);

    int depth() const noexcept { return depth_; }  // largest use of the stack
    std::span<const Instruction> code() const noexcept { return code_; }

    // depth() is at most kStackDepth, and every index is one of `inputs`.
    Real run(std::span<const Real> inputs) const noexcept;

private:
    void add(const Instruction& instruction, int change);

    std::vector<Instruction> code_;
    int height_ = 0;
    int depth_ = 0;
};

}  // namespace taut::control
