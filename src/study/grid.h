// The cells of a study: every method × every value of every parameter × every time step.
// Cells are numbered in the order of the tables: the time step varies fastest, the method slowest.
#pragma once

#include <string>
#include <vector>

#include <taut/scene.h>

#include "study/method.h"

namespace taut::study {

struct GridAxis {
    std::string name;  // parameter of the scene, or a path as for --set
    std::vector<std::string> values;
};

struct GridStep {
    std::string label;  // as given by the user: "1/60"
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

    std::size_t combinations() const noexcept;  // number of combinations of parameter values
    std::size_t size() const noexcept;          // number of cells
    Place place(std::size_t cell) const;

    // Parameter values of a combination; the last axis varies fastest.
    std::vector<std::size_t> values_of(std::size_t combination) const;
    Overrides overrides(const std::vector<std::size_t>& values) const;
};

}  // namespace taut::study
