#include "scene/formula.h"

#include <numbers>
#include <optional>

#include "core/suggestion.h"
#include "scene/file_bounds.h"
#include "scene/text_format.h"

namespace taut::scene {
namespace {

using control::Function;
using control::Operator;
using control::Program;

// A part of a formula: folded to a number or a text, or a program.
using Operand = std::variant<Real, std::string, Program>;

struct ComparisonSign {
    std::string_view sign;
    Operator op;
};
// longer signs first
constexpr ComparisonSign kComparisons[] = {{"<=", Operator::AtMost}, {">=", Operator::AtLeast},
                                           {"==", Operator::Equal},  {"!=", Operator::Different},
                                           {"<", Operator::Less},    {">", Operator::Greater}};

std::optional<Real> find_constant(std::string_view name)
{
    if (name == "pi") return std::numbers::pi;
    if (name == "deg") return std::numbers::pi / 180;
    return std::nullopt;
}

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent parser. After the first error `error_` is set and all functions return 0.
class Parser {
public:
    // `inputs` is null where a formula may use constants only.
    Parser(std::string_view text, Names& names, InputNames* inputs = nullptr)
        : text_(text), names_(names), inputs_(inputs)
    {}

    std::variant<Operand, FormulaError> whole()
    {
        Operand result = compare();
        skip_blanks();
        if (!error_ && at_ < text_.size()) {
            const auto rest = text_.substr(at_);
            fail(at_, "unexpected " + quote(rest) + " in the formula");
        }
        if (error_) return *error_;
        return result;
    }

    std::variant<Program, FormulaError> whole_program()
    {
        auto result = whole();
        if (auto* error = std::get_if<FormulaError>(&result)) return std::move(*error);
        const Operand value = number(std::get<Operand>(std::move(result)), 0);
        Program program = program_of(value);
        if (!error_ && program.depth() > control::kStackDepth)
            fail(0, "the formula is nested too deeply");
        if (error_) return *error_;
        return program;
    }

    // Evaluates the formula up to its closing brace; for ${…} inside text.
    std::variant<Operand, FormulaError> until_brace()
    {
        Operand result = compare();
        expect('}');
        if (error_) return *error_;
        return result;
    }
    std::size_t position() const { return at_; }

private:
    Operand fail(std::size_t offset, std::string message)
    {
        if (!error_) error_ = FormulaError{offset, std::move(message)};
        at_ = text_.size();
        return Real(0);
    }

    void skip_blanks()
    {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
            ++at_;
    }

    bool take(std::string_view token)
    {
        skip_blanks();
        if (text_.substr(at_, token.size()) != token) return false;
        at_ += token.size();
        return true;
    }

    void expect(char closing)
    {
        if (error_ || take(std::string_view(&closing, 1))) return;
        skip_blanks();
        const std::string found = at_ < text_.size() ? quote(text_.substr(at_, 1))
                                                     : std::string("the end of the formula");
        fail(at_, std::string("'") + closing + "' expected before " + found);
    }

    // --- operands ---

    static Program program_of(const Operand& operand)
    {
        if (const Program* program = std::get_if<Program>(&operand)) return *program;
        const Real* constant = std::get_if<Real>(&operand);
        return Program(constant ? *constant : 0);
    }

    Operand input(std::string_view name, std::size_t offset)
    {
        Program program;
        program.push_input(inputs_->index_of(name, offset));
        return program;
    }

    // A number or a program; a text is the name of an input, where there are any.
    Operand number(Operand operand, std::size_t offset)
    {
        const std::string* text = std::get_if<std::string>(&operand);
        if (!text) return operand;
        if (inputs_) return input(*text, offset);
        return fail(offset, "the text " + quote(*text) + " is used where a number is required");
    }

    static Operand negated(const Operand& operand)
    {
        if (const Real* constant = std::get_if<Real>(&operand)) return -*constant;
        Program program = program_of(operand);
        program.negate();
        return program;
    }

    static Operand combined(Operator op, const Operand& left, const Operand& right)
    {
        const Real* a = std::get_if<Real>(&left);
        const Real* b = std::get_if<Real>(&right);
        if (a && b) return control::apply(op, *a, *b);
        Program program = program_of(left);
        program.append(program_of(right));
        program.binary(op);
        return program;
    }

    static Operand called(const Function& function, const std::vector<Operand>& arguments)
    {
        std::vector<Real> constants;
        Program program;
        for (const Operand& argument : arguments) {
            if (const Real* constant = std::get_if<Real>(&argument)) constants.push_back(*constant);
            program.append(program_of(argument));
        }
        if (constants.size() == arguments.size()) return function.call(constants);
        program.call(function, static_cast<int>(arguments.size()));
        return program;
    }

    Operand selected(std::vector<Operand>& arguments, std::size_t start)
    {
        const Operand test = number(std::move(arguments[0]), start);
        if (const Real* constant = std::get_if<Real>(&test))
            return std::move(arguments[*constant != 0 ? 1 : 2]);
        Program program = program_of(test);
        program.append(program_of(number(std::move(arguments[1]), start)));
        program.append(program_of(number(std::move(arguments[2]), start)));
        program.select();
        return program;
    }

    // --- grammar ---

    Operand compare()
    {
        const std::size_t start = at_;
        Operand left = sum();
        for (const ComparisonSign& comparison : kComparisons) {
            if (!take(comparison.sign)) continue;
            const std::size_t middle = at_;
            Operand right = sum();
            if (error_) return Real(0);
            const bool equal = comparison.op == Operator::Equal;
            if (left.index() == 1 && right.index() == 1 &&
                (equal || comparison.op == Operator::Different))
                return Real((std::get<1>(left) == std::get<1>(right)) == equal);
            const Operand a = number(std::move(left), start), b = number(std::move(right), middle);
            return combined(comparison.op, a, b);
        }
        return left;
    }

    Operand sum()
    {
        const std::size_t start = at_;
        Operand total = product();
        while (!error_) {
            const bool plus = take("+");
            if (!plus && !take("-")) break;
            const std::size_t here = at_;
            const Operand next = number(product(), here);
            total = combined(plus ? Operator::Add : Operator::Subtract,
                             number(std::move(total), start), next);
        }
        return total;
    }

    Operand product()
    {
        const std::size_t start = at_;
        Operand total = power();
        while (!error_) {
            const bool times = take("*");
            if (!times && !take("/")) break;
            const std::size_t here = at_;
            const Operand next = number(power(), here);
            total = combined(times ? Operator::Multiply : Operator::Divide,
                             number(std::move(total), start), next);
        }
        return total;
    }

    Operand power()
    {
        if (++depth_ > file_bounds::kFormulaNesting)
            return fail(at_, "the formula is nested too deeply");
        Operand result = signed_power();
        --depth_;
        return result;
    }

    Operand signed_power()
    {
        if (take("-")) return negated(number(power(), at_));
        if (take("+")) return number(power(), at_);
        const std::size_t start = at_;
        Operand base = atom();
        if (error_ || !take("^")) return base;
        const std::size_t here = at_;
        const Operand exponent = number(power(), here);
        return combined(Operator::Power, number(std::move(base), start), exponent);
    }

    Operand atom()
    {
        skip_blanks();
        if (at_ >= text_.size()) return fail(at_, "the formula ends where a number is required");
        const char c = text_[at_];
        if (is_digit(c) || c == '.') return literal();
        if (starts_name(c)) return named();
        if (c == '\'' || c == '"') return text_literal(c);
        if (take("${")) return enclosed('}');
        if (take("(")) return enclosed(')');
        return fail(at_, "unexpected " + quote(text_.substr(at_, 1)) + " in the formula");
    }

    Operand enclosed(char closing)
    {
        Operand inner = compare();
        expect(closing);
        return inner;
    }

    Operand literal()
    {
        const std::size_t start = at_;
        const auto digits = [&] {
            while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        };
        digits();
        if (at_ < text_.size() && text_[at_] == '.') ++at_;
        digits();
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            ++at_;
            if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
            digits();
        }
        const auto word = text_.substr(start, at_ - start);
        const auto value = parse_real(word);
        if (!value) return fail(start, quote(word) + " is not a number that can be represented");
        if (at_ < text_.size() && starts_name(text_[at_]))
            return fail(at_, "unexpected " + quote(text_.substr(at_)) +
                                 " after a number; units are not allowed, and products need '*'");
        return *value;
    }

    Operand text_literal(char quote)
    {
        const std::size_t start = ++at_;
        const std::size_t end = text_.find(quote, start);
        if (end == std::string_view::npos) return fail(start - 1, "the quote is not closed");
        at_ = end + 1;
        return std::string(text_.substr(start, end - start));
    }

    bool in_name(char c) const
    {
        return starts_name(c) || is_digit(c) || (inputs_ && (c == '.' || c == '@'));
    }

    Operand named()
    {
        const std::size_t start = at_;
        while (at_ < text_.size() && in_name(text_[at_])) ++at_;
        const std::string_view name = text_.substr(start, at_ - start);
        if (take("(")) return function_call(name, start);
        if (const auto constant = find_constant(name)) return *constant;
        if (const Value* value = names_.find(name)) {
            if (const Real* constant = std::get_if<Real>(value)) return *constant;
            return std::get<std::string>(*value);
        }
        if (inputs_) return input(name, start);

        const auto known = names_.all();
        return fail(start, "unknown name " + quote(name) + did_you_mean(name, known) +
                               "; parameters: " + listed(known));
    }

    Operand function_call(std::string_view name, std::size_t start)
    {
        std::vector<Operand> arguments;
        if (!take(")")) {
            do arguments.push_back(compare());
            while (!error_ && take(","));
            expect(')');
        }
        if (error_) return Real(0);

        if (name == "if") {
            if (arguments.size() != 3) return fail(start, "'if' requires (test, then, else)");
            return selected(arguments, start);
        }
        const Function* function = control::find_function(name);
        if (!function) return fail(start, unknown_function(name));
        if (arguments.size() < function->fewest || arguments.size() > function->most)
            return fail(start, quote(name) + " has " + std::to_string(arguments.size()) +
                                   " arguments; it requires " + std::to_string(function->fewest));
        for (Operand& argument : arguments) argument = number(std::move(argument), start);
        return error_ ? Operand(Real(0)) : called(*function, arguments);
    }

    static std::string unknown_function(std::string_view name)
    {
        std::vector<std::string> known = {"if"};
        for (const Function& function : control::functions()) known.emplace_back(function.name);
        return "unknown function " + quote(name) + did_you_mean(name, known) +
               "; functions: " + listed(known);
    }

    std::string_view text_;
    Names& names_;
    InputNames* inputs_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::optional<FormulaError> error_;
};

Value value_of(const Operand& operand)
{
    if (const std::string* text = std::get_if<std::string>(&operand)) return *text;
    return std::get<Real>(operand);
}

std::optional<FormulaError> too_long(std::string_view text)
{
    if (text.size() <= file_bounds::kFormulaLength) return std::nullopt;
    return FormulaError{0, "the formula has " + std::to_string(text.size()) +
                               " characters; the limit is " +
                               std::to_string(file_bounds::kFormulaLength)};
}

}  // namespace

std::string to_text(const Value& value)
{
    if (const Real* number = std::get_if<Real>(&value)) return to_text(*number);
    return std::get<std::string>(value);
}

std::variant<Value, FormulaError> evaluate_formula(std::string_view text, Names& names)
{
    if (auto error = too_long(text)) return *error;
    auto result = Parser(text, names).whole();
    if (auto* error = std::get_if<FormulaError>(&result)) return std::move(*error);
    return value_of(std::get<Operand>(result));
}

std::variant<control::Program, FormulaError> compile_formula(std::string_view text, Names& names,
                                                             InputNames& inputs)
{
    if (auto error = too_long(text)) return *error;
    return Parser(text, names, &inputs).whole_program();
}

std::variant<std::string, FormulaError> fill_in(std::string_view text, Names& names)
{
    std::string result;
    std::size_t at = 0;
    for (;;) {
        const std::size_t open = text.find("${", at);
        result += text.substr(at, open - at);
        if (open == std::string_view::npos) return result;

        const std::string_view inner = text.substr(open + 2, file_bounds::kFormulaLength);
        Parser formula(inner, names);
        const auto value = formula.until_brace();
        if (const auto* error = std::get_if<FormulaError>(&value))
            return FormulaError{open + 2 + error->offset, error->message};
        result += to_text(value_of(std::get<Operand>(value)));
        at = open + 2 + formula.position();
    }
}

bool is_reserved_name(std::string_view name)
{
    return name == "if" || find_constant(name) || control::find_function(name);
}

}  // namespace taut::scene
