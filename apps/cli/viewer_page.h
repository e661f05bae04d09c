// The page of the viewer, as it was built into this program.
#pragma once

#include "exporters/replay.h"

namespace taut::cli {

// An error where the program was built without it.
Result<ViewerPage> viewer_page();

}  // namespace taut::cli
