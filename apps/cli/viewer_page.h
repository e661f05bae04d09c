// The page of the viewer that is embedded in the program.
#pragma once

#include "exporters/replay.h"

namespace taut::cli {

// Returns an error if the program was built without the viewer.
Result<ViewerPage> viewer_page();

}  // namespace taut::cli
