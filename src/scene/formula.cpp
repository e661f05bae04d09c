#include "scene/formula.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>

#include "core/suggestion.h"
#include "scene/file_bounds.h"
#include "scene/text_format.h"

namespace taut::scene {
namespace {

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

struct Function {
    std::string_view name;
    std::size_t fewest;
    std::size_t most;
    Real (*call)(const std::vector<Real>& x);
};

// `if` is handled separately, because its branches may be text.
constexpr Function kFunctions[] = {
    {"sqrt", 1, 1, [](const std::vector<Real>& x) { return std::sqrt(x[0]); }},
    {"sin", 1, 1, [](const std::vector<Real>& x) { return std::sin(x[0]); }},
    {"cos", 1, 1, [](const std::vector<Real>& x) { return std::cos(x[0]); }},
    {"tan", 1, 1, [](const std::vector<Real>& x) { return std::tan(x[0]); }},
    {"asin", 1, 1, [](const std::vector<Real>& x) { return std::asin(x[0]); }},
    {"acos", 1, 1, [](const std::vector<Real>& x) { return std::acos(x[0]); }},
    {"atan", 1, 1, [](const std::vector<Real>& x) { return std::atan(x[0]); }},
    {"atan2", 2, 2, [](const std::vector<Real>& x) { return std::atan2(x[0], x[1]); }},
    {"exp", 1, 1, [](const std::vector<Real>& x) { return std::exp(x[0]); }},
    {"log", 1, 1, [](const std::vector<Real>& x) { return std::log(x[0]); }},
    {"abs", 1, 1, [](const std::vector<Real>& x) { return std::abs(x[0]); }},
    {"floor", 1, 1, [](const std::vector<Real>& x) { return std::floor(x[0]); }},
    {"ceil", 1, 1, [](const std::vector<Real>& x) { return std::ceil(x[0]); }},
    {"round", 1, 1, [](const std::vector<Real>& x) { return std::round(x[0]); }},
    {"min", 1, kAnyNumber,
     [](const std::vector<Real>& x) { return *std::min_element(x.begin(), x.end()); }},
    {"max", 1, kAnyNumber,
     [](const std::vector<Real>& x) { return *std::max_element(x.begin(), x.end()); }},
};

const Function* find_function(std::string_view name)
{
    for (const Function& function : kFunctions)
        if (function.name == name) return &function;
    return nullptr;
}

std::optional<Real> find_constant(std::string_view name)
{
    if (name == "pi") return std::numbers::pi;
    if (name == "deg") return std::numbers::pi / 180;
    return std::nullopt;
}

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent parser. After the first error `error_` is set and all functions return 0.
class Evaluator {
public:
    Evaluator(std::string_view text, Names& names) : text_(text), names_(names) {}

    std::variant<Value, FormulaError> whole()
    {
        Value result = compare();
        skip_blanks();
        if (!error_ && at_ < text_.size()) {
            const auto rest = text_.substr(at_);
            fail(at_, "unexpected " + quote(rest) + " in the formula");
        }
        if (error_) return *error_;
        return result;
    }

    // Evaluates the formula up to its closing brace; for ${…} inside text.
    std::variant<Value, FormulaError> until_brace()
    {
        Value result = compare();
        expect('}');
        if (error_) return *error_;
        return result;
    }
    std::size_t position() const { return at_; }

private:
    Value fail(std::size_t offset, std::string message)
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

    Real number(const Value& value, std::size_t offset)
    {
        if (const Real* real = std::get_if<Real>(&value)) return *real;
        fail(offset, "the text " + quote(std::get<std::string>(value)) +
                         " is used where a number is required");
        return 0;
    }

    Value compare()
    {
        const std::size_t start = at_;
        Value left = sum();
        for (const std::string_view sign : {"<=", ">=", "==", "!=", "<", ">"}) {
            if (!take(sign)) continue;
            const std::size_t middle = at_;
            const Value right = sum();
            if (error_) return Real(0);
            if (left.index() == 1 && right.index() == 1 && (sign == "==" || sign == "!="))
                return Real((left == right) == (sign == "=="));
            const Real a = number(left, start), b = number(right, middle);
            if (sign == "<=") return Real(a <= b);
            if (sign == ">=") return Real(a >= b);
            if (sign == "==") return Real(a == b);
            if (sign == "!=") return Real(a != b);
            return Real(sign == "<" ? a < b : a > b);
        }
        return left;
    }

    Value sum()
    {
        const std::size_t start = at_;
        Value total = product();
        while (!error_) {
            const bool plus = take("+");
            if (!plus && !take("-")) break;
            const std::size_t here = at_;
            const Real next = number(product(), here);
            total = number(total, start) + (plus ? next : -next);
        }
        return total;
    }

    Value product()
    {
        const std::size_t start = at_;
        Value total = power();
        while (!error_) {
            const bool times = take("*");
            if (!times && !take("/")) break;
            const std::size_t here = at_;
            const Real next = number(power(), here);
            total = times ? number(total, start) * next : number(total, start) / next;
        }
        return total;
    }

    Value power()
    {
        if (++depth_ > file_bounds::kFormulaNesting)
            return fail(at_, "the formula is nested too deeply");
        const Value result = signed_power();
        --depth_;
        return result;
    }

    Value signed_power()
    {
        if (take("-")) return -number(power(), at_);
        if (take("+")) return number(power(), at_);
        const std::size_t start = at_;
        const Value base = atom();
        if (error_ || !take("^")) return base;
        const std::size_t here = at_;
        return std::pow(number(base, start), number(power(), here));
    }

    Value atom()
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

    Value enclosed(char closing)
    {
        const Value inner = compare();
        expect(closing);
        return inner;
    }

    Value literal()
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

    Value text_literal(char quote)
    {
        const std::size_t start = ++at_;
        const std::size_t end = text_.find(quote, start);
        if (end == std::string_view::npos) return fail(start - 1, "the quote is not closed");
        at_ = end + 1;
        return std::string(text_.substr(start, end - start));
    }

    Value named()
    {
        const std::size_t start = at_;
        while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
        const std::string_view name = text_.substr(start, at_ - start);
        if (take("(")) return function_call(name, start);
        if (const auto constant = find_constant(name)) return *constant;
        if (const Value* value = names_.find(name)) return *value;

        const auto known = names_.all();
        return fail(start, "unknown name " + quote(name) + did_you_mean(name, known) +
                               "; parameters: " + listed(known));
    }

    Value function_call(std::string_view name, std::size_t start)
    {
        std::vector<Value> arguments;
        if (!take(")")) {
            do arguments.push_back(compare());
            while (!error_ && take(","));
            expect(')');
        }
        if (error_) return Real(0);

        if (name == "if") {
            if (arguments.size() != 3) return fail(start, "'if' requires (test, then, else)");
            return number(arguments[0], start) != 0 ? arguments[1] : arguments[2];
        }
        const Function* function = find_function(name);
        if (!function) return fail(start, unknown_function(name));
        if (arguments.size() < function->fewest || arguments.size() > function->most)
            return fail(start, quote(name) + " has " + std::to_string(arguments.size()) +
                                   " arguments; it requires " + std::to_string(function->fewest));
        std::vector<Real> numbers;
        for (const Value& argument : arguments) numbers.push_back(number(argument, start));
        return error_ ? Real(0) : function->call(numbers);
    }

    static std::string unknown_function(std::string_view name)
    {
        std::vector<std::string> known = {"if"};
        for (const Function& function : kFunctions) known.emplace_back(function.name);
        return "unknown function " + quote(name) + did_you_mean(name, known) +
               "; functions: " + listed(known);
    }

    std::string_view text_;
    Names& names_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::optional<FormulaError> error_;
};

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
    return Evaluator(text, names).whole();
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
        Evaluator formula(inner, names);
        const auto value = formula.until_brace();
        if (const auto* error = std::get_if<FormulaError>(&value))
            return FormulaError{open + 2 + error->offset, error->message};
        result += to_text(std::get<Value>(value));
        at = open + 2 + formula.position();
    }
}

bool is_reserved_name(std::string_view name)
{
    return name == "if" || find_constant(name) || find_function(name);
}

}  // namespace taut::scene
