// A curve of a run of any length in bounded memory. Steps are collected in bins; the minimum and the maximum of each
// bin are kept with their times, so that peaks are preserved.
#pragma once

#include <cstdint>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::study {

class Trace {
public:
    struct Sample {
        Real time = 0;
        Real value = 0;
    };

    explicit Trace(std::uint64_t planned_steps, std::size_t bins = 600);

    // Called before the first step and after each step; NaN is ignored.
    void add(Real time, Real value);

    std::vector<Sample> samples() const;  // ordered by time

private:
    struct Bin {
        bool used = false;
        Sample lowest, highest;
    };

    std::uint64_t per_bin_;
    std::uint64_t count_ = 0;
    std::vector<Bin> bins_;
    bool started_ = false;
    Sample first_, last_;
};

}  // namespace taut::study
