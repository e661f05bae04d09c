// Formulas in scene files: arithmetic over parameters, evaluated while the scene is read.
//
//     sum     = product { (+|-) product }          compare = sum [ (<|<=|>|>=|==|!=) sum ]
//     product = power { (*|/) power }              power   = (+|-) power | atom [ ^ power ]
//     atom    = number | 'text' | name | name(compare, …) | (compare) | ${compare}
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::scene {

// What a parameter holds or a formula gives: a number, or one of a parameter's choices.
using Value = std::variant<Real, std::string>;

std::string to_text(const Value& value);

// Where names get their values.
class Names {
public:
    virtual ~Names() = default;
    virtual const Value* find(std::string_view name) = 0;
    virtual std::vector<std::string> all() const = 0;
};

struct FormulaError {
    std::size_t offset = 0;  // into the text
    std::string message;
};

std::variant<Value, FormulaError> evaluate_formula(std::string_view text, Names& names);

// `text` with every ${formula} replaced by its value.
std::variant<std::string, FormulaError> fill_in(std::string_view text, Names& names);

// Names of constants and functions, which no parameter may take.
bool is_reserved_name(std::string_view name);

}  // namespace taut::scene
