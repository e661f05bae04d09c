// A curve of a run of any length in bounded memory. Steps are gathered into bins; of each bin the lowest
// and the highest value are kept at their times, so that no spike gets lost.
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

    // Once before the first step and once after each; what is not a number leaves no sample.
    void add(Real time, Real value);

    std::vector<Sample> samples() const;  // in the order of time

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
