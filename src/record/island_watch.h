// What becomes of each mechanism of a world on its own: a rotor that is braked does not show beside a heavy flywheel.
//
//     a ── b      c      d ── e      parts: bodies that have been in one island in any step so far
//          └──────┘                  {a, b, c} from the step on in which b meets c, {d, e}
//
// Energy that goes from one island to another goes with a contact or a joint, so that the balance of a part is its own.
#pragma once

#include <string_view>
#include <vector>

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::record {

// Numerical dissipation of one part, against its energy throughput.
struct PartDissipation {
    Real share = 0;           // numerical over throughput [-]; zero where it is rounding error
    Real numerical = 0;       // [J]
    Real throughput = 0;      // [J]
    BodyId body;              // one of its bodies
    bool whole_world = true;  // all bodies that move belong to it
};

// Steps in a row in which the island of one body was not settled.
struct UnsettledStretch {
    int steps = 0;
    Real time = 0;   // [s]
    Real begin = 0;  // [s]
    BodyId body;
    std::string_view reason;  // of its last step
};

class IslandWatch {
public:
    explicit IslandWatch(const World& world);

    // After a step that was Ok. Allocates nothing unless bodies were added.
    void observe(const World& world, Real dt, std::string_view reason);
    // The part with the largest share, gained or lost. `rounding`: of energies of the world [J]; `rest`: energy of a body at
    // rest per mass [J/kg].
    PartDissipation worst(Real rounding, Real rest) const noexcept;
    const UnsettledStretch& longest() const noexcept { return longest_; }

private:
    // Of the lowest slot of the part.
    struct Part {
        Real mass = 0, kinetic = 0, kinetic_max = 0;
        Real work = 0, work_max = 0;
        Real physical = 0, numerical = 0;
        BodyId body;
    };
    // One per slot of body ids.
    struct Entry {
        int parent = -1;  // of the forest of parts; −1: no body
        Part part;
        int unsettled_steps = 0;
        Real unsettled_time = 0;
    };

    void enter(const World& world);
    bool knows(const World& world) const noexcept;
    int root_of(int slot) noexcept;
    int join(int one, int other) noexcept;
    void read_kinetic(const World& world) noexcept;
    void note_settling(const World& world, BodyId id, bool settled, Real dt,
                       std::string_view reason) noexcept;

    int known_ = 0;  // bodies of the world when they were entered
    std::vector<Entry> entries_;
    std::vector<int> part_of_;  // per island of the step: a slot of its part
    std::vector<IslandReport> reports_;
    UnsettledStretch longest_;
};

}  // namespace taut::record
