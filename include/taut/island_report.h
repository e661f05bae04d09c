// Report of one island in the last step.
#pragma once

#include <taut/report.h>

namespace taut {

// What was solved together, from the start of the step to its end: retries after penetration included, in which islands that
// meet are stepped as one. The classical methods solve the whole world as one.
struct IslandReport {
    bool settled = true;      // see StepReport::settled
    Real work = 0;            // done on its bodies [J]
    Dissipation dissipation;  // of its energy
};

}  // namespace taut
