// A namespace per folder of src/. A folder may use the names of the folders below it without qualification: the same
// table as taut_layer(NAME USES …) in the build. Two types of one name in different folders stay two types, and a file
// that sees both has to say which one it means.
#pragma once

namespace taut {

namespace core {}
namespace math {
using namespace core;
}
namespace linalg {
using namespace core;
}
namespace collision {
using namespace math;
}
namespace geometry {  // names of collision are written in full
using namespace math;
}
namespace constraints {
using namespace math;
}
namespace model {
using namespace constraints;
}
namespace stabilisation {
using namespace constraints;
using namespace linalg;
}  // namespace stabilisation
namespace assembly {
using namespace model;
using namespace linalg;
using namespace stabilisation;
}  // namespace assembly
namespace solver {
using namespace linalg;
}
namespace complementarity {
using namespace linalg;
using namespace solver;
using namespace constraints;
}  // namespace complementarity
namespace stepper {
using namespace assembly;
using namespace solver;
using namespace complementarity;
}  // namespace stepper
namespace contacts {  // names of collision are written in full: both have contacts and shapes
using namespace model;
}
namespace islands {
using namespace stepper;
}
namespace world {
using namespace islands;
using namespace contacts;
}  // namespace world

// --- around the engine ---
namespace scene {
using namespace core;
using namespace geometry;
}  // namespace scene
namespace record {
using namespace core;
}
namespace stream {
using namespace record;
}
namespace study {
using namespace record;
}
namespace plot {
using namespace core;
}
namespace exporters {
using namespace stream;
}
namespace browser {
using namespace core;
}
namespace page {}
namespace view {
using namespace stream;
using namespace browser;
using namespace page;
}  // namespace view
namespace cli {
using namespace view;
using namespace study;
using namespace plot;
using namespace exporters;
}  // namespace cli

// Tests look into every folder.
namespace test {
using namespace world;
using namespace scene;
using namespace cli;
}  // namespace test

}  // namespace taut
