// Derivatives by extrapolated central differences: three steps h, h/2, h/4 leave a truncation error of order h⁶; with h = 0.02 and
// functions of size and scale one, that and rounding errors are both near 1e-12.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::math {

// f′(0) of a function whose values can be added and scaled; `Value` is their type.
template <class Value, class Function>
Value first_derivative(const Function& f, Real h)
{
    const auto central = [&](Real step) { return Value((f(step) - f(-step)) / (2 * step)); };
    const Value d_1 = central(h), d_2 = central(h / 2), d_4 = central(h / 4);
    const Value e_1 = (4 * d_2 - d_1) / 3, e_2 = (4 * d_4 - d_2) / 3;
    return (16 * e_2 - e_1) / 15;
}

}  // namespace taut::math
