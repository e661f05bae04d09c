// How a scene is stepped, by name: "scheme", "scheme/stabilisation", "scheme/stabilisation/solver", or a
// stabilisation alone. What is not named is left as the scene has it.
#pragma once

#include <string>
#include <vector>

#include <taut/report.h>
#include <taut/result.h>

#include "core/namespaces.h"

namespace taut::study {

struct Method {
    Scheme scheme;
    Stabilisation stabilisation;
    Solver solver;

    static Method of(const StepSettings& settings) noexcept;
    void apply(StepSettings& settings) const noexcept;

    // "backward_euler/tension"; the solver is named unless the engine chooses it
    std::string name() const;

    bool operator==(const Method&) const = default;
};

// The error names what is wrong, what there is, and what is near.
Result<Method> parse_method(const std::string& text, const StepSettings& of_scene);

// Separated by commas; the same method twice is an error.
Result<std::vector<Method>> parse_methods(const std::string& list, const StepSettings& of_scene);

}  // namespace taut::study
