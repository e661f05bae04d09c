// The cells of a study: every method × every value of every parameter × every step.
// Cells are counted in the order of the tables: the step changes fastest, the method last.
#pragma once

#include <string>
#include <vector>

#include <taut/scene.h>

#include "study/method.h"

namespace taut::study {

struct GridAxis {
    std::string name;  // a parameter of the scene, or a path as for --set
    std::vector<std::string> values;
};

struct GridStep {
    std::string label;  // as it was written: "1/60"
    Real dt = 0;        // [s]
};

struct Grid {
    std::vector<GridAxis> axes;
    std::vector<GridStep> steps;
    std::vector<Method> methods;

    struct Place {
        std::size_t method = 0;
        std::vector<std::size_t> values;  // one per axis
        std::size_t step = 0;
    };

    std::size_t combinations() const noexcept;  // of parameter values
    std::size_t size() const noexcept;          // of cells
    Place place(std::size_t cell) const;

    // Parameter values of a combination, the last axis changing fastest.
    std::vector<std::size_t> values_of(std::size_t combination) const;
    Overrides overrides(const std::vector<std::size_t>& values) const;
};

}  // namespace taut::study
