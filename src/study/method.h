// A method by name: "scheme", "scheme/stabilisation", "scheme/stabilisation/solver", or a stabilisation alone. The
// settings of the scene apply to the parts that are not given.
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

    // "backward_euler/tension"; with the solver unless it is chosen automatically
    std::string name() const;

    bool operator==(const Method&) const = default;
};

// The error states the invalid part, the allowed names and similar names.
Result<Method> parse_method(const std::string& text, const StepSettings& of_scene);

// A comma-separated list; duplicates are an error.
Result<std::vector<Method>> parse_methods(const std::string& list, const StepSettings& of_scene);

}  // namespace taut::study
