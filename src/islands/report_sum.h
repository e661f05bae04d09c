// One report for islands that were stepped side by side.
#pragma once

#include "model/state.h"
#include "model/step_model.h"

namespace taut::islands {

class ReportSum {
public:
    ReportSum() noexcept;
    // In the order of the islands. Bodies are those of the world.
    void add(const StepReport& one) noexcept;
    // With what the division says of islands that were not stepped.
    StepReport finish(const StepModel& model, const State& state) noexcept;

private:
    StepReport all_;
    int added_ = 0;
    int worst_ = 0;
    bool pivots_ = true;
    int negative_ = 0, expected_ = 0;
};

// The body whose numbers are the farthest from one: what is out of range in an island.
BodyIndex find_out_of_range(const Model& model, const State& state, int island) noexcept;

}  // namespace taut::islands
