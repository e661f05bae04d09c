// Formulas in scene files: arithmetic over parameters, evaluated while the scene is read. Formulas of controls may use what
// changes from step to step as well: they are compiled, and all that is constant is folded.
//
//     sum     = product { (+|-) product }          compare = sum [ (<|<=|>|>=|==|!=) sum ]
//     product = power { (*|/) power }              power   = (+|-) power | atom [ ^ power ]
//     atom    = number | 'text' | name | name(compare, …) | (compare) | ${compare}
// In compiled formulas a name may contain dots and @, and a text where a number is required is a name, too.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <taut/types.h>

#include "control/program.h"
#include "core/namespaces.h"

namespace taut::scene {

// Value of a parameter or formula: a number, or a text choice.
using Value = std::variant<Real, std::string>;

std::string to_text(const Value& value);

// Lookup of the values of names.
class Names {
public:
    virtual ~Names() = default;
    virtual const Value* find(std::string_view name) = 0;
    virtual std::vector<std::string> all() const = 0;
};

// Names of a compiled formula that are no parameters: each is an input of its program.
class InputNames {
public:
    virtual ~InputNames() = default;
    // `offset` is the place of the name in the formula.
    virtual int index_of(std::string_view name, std::size_t offset) = 0;
};

struct FormulaError {
    std::size_t offset = 0;  // in characters, from the start of the text
    std::string message;
};

std::variant<Value, FormulaError> evaluate_formula(std::string_view text, Names& names);

std::variant<control::Program, FormulaError> compile_formula(std::string_view text, Names& names,
                                                             InputNames& inputs);

// `text` with every ${formula} replaced by its value.
std::variant<std::string, FormulaError> fill_in(std::string_view text, Names& names);

// Names of constants and functions, which are not allowed for parameters.
bool is_reserved_name(std::string_view name);

}  // namespace taut::scene
