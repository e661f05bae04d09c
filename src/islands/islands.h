// Steps a world island by island.
//
// Where all bodies are connected the world's own model is stepped, as if there were no islands. Islands are
// kept, with their layout and factorisation, for as long as their parts are the same. Each is gathered, stepped and
// reported by one thread alone; what comes of it goes back into the world in the order of the islands,
// so that the bits do not depend on how many threads there are.
#pragma once

#include <memory>
#include <vector>

#include <taut/island_report.h>

#include "core/worker_pool.h"
#include "islands/island.h"

namespace taut::islands {

class Islands {
public:
    // Divides the world and lays out memory, as far as anything has changed. May allocate, and throw for want
    // of memory.
    void prepare(const StepModel& model, State& state, const StepSettings& settings,
                 const BodyMask& active = {});
    // After prepare(): steps the islands of active bodies, the others stay. Allocates nothing, throws nothing.
    //
    // An island whose state would not be finite is frozen where it is, and the others go on; where that leaves none, the
    // step has diverged and changes nothing.
    StepReport step(const StepModel& model, State& state, const StepSettings& settings,
                    const BodyMask& active = {}) noexcept;
    bool divided() const noexcept { return divided_for_.valid; }  // and nothing was removed since
    // Whether prepare() would divide the world anew.
    bool will_divide(const StepModel& model, const State& state,
                     const StepSettings& settings) const noexcept
    {
        return !(make_key(model, state, settings) == divided_for_);
    }
    // Things were removed: islands that have lost something are assembled anew, the others keep their layouts.
    void renumber(const Renumbering& now);
    // What the layouts of islands with this body rest on was changed: they are assembled anew.
    void drop(BodyIndex body);
    // A command changed these numbers of the model: islands have copies of them. A kinematic body may be in several.
    void load_joint(const Model& model, const State& state, int joint) noexcept;
    void load_spring(const Model& model, const State& state, int spring) noexcept;
    void load_motion(const Model& model, BodyIndex body) noexcept;

    // Those that the last step solved, ascending.
    std::span<const int> stepped() const noexcept { return awake_; }
    // Of such a one; bodies are those of the world.
    StepReport report_of(int island) const noexcept;
    // Whose report is that of the body: an island that the last step solved, 0 where the world was stepped as one, else −1.
    int reported_island(const State& state, BodyIndex body) const noexcept;
    IslandReport summary_of(int island) const noexcept;
    // The state was replaced: what was divided before says nothing.
    void forget() noexcept { divided_for_.valid = false; }

    // Where a body or a joint was solved the last time; workspace is null where it was not.
    struct Place {
        const Model* model = nullptr;
        const Workspace* workspace = nullptr;
        int index = 0;  // of the body or joint in that model
        std::uint64_t topology =
            0;  // that `workspace` must have been prepared for, to be up to date
    };
    Place find_body(const StepModel& model, const State& state, BodyIndex body) const noexcept;
    Place find_joint(const StepModel& model, const State& state, int joint) const noexcept;

private:
    enum class Mode {
        AsOne,       // methods that know nothing of islands
        WhereApart,  // islands, unless all is one mechanism
        Always,      // even if there is only one, because it may sleep
    };
    // What a division depends on.
    struct Key {
        bool valid = false;
        Mode mode = Mode::AsOne;
        std::uint64_t topology = 0;
        std::size_t loads = 0;
        int broken = 0;
        bool operator==(const Key&) const = default;
    };

    template <class Stays>
    void keep(Stays&& stays);
    template <class Load>
    void load_where(const State& state, std::span<const BodyIndex> bodies, Load&& load);
    static Key make_key(const StepModel& model, const State& state,
                        const StepSettings& settings) noexcept;
    void divide(const StepModel& model, State& state, const Key& key);
    void collect_parts(const StepModel& model, const State& state);
    void match(const StepModel& model);
    void prepare_islands(const StepModel& model, const State& state, const StepSettings& settings,
                         const BodyMask& active);
    void choose_jobs(State& state, const StepSettings& settings, const BodyMask& active) noexcept;
    bool freeze_diverged(State& state) noexcept;  // false: none is left to go on
    bool outweighs_the_others() const noexcept;   // the first of the jobs
    void commit(const StepModel& model, State& state, const StepSettings& settings,
                const BodyMask& active) noexcept;
    StepReport combine(const StepModel& model, const State& state) const noexcept;

    Key divided_for_;
    Workspace whole_;                               // where the world is stepped as one
    IslandReport whole_report_;                     // of such a step
    std::vector<int> island_of_;                    // per body, see find_islands()
    std::vector<std::unique_ptr<Island>> islands_;  // empty: as one
    std::vector<std::unique_ptr<Island>> spare_;    // memory of islands that are no more
    std::vector<IslandParts> parts_;                // per island
    std::vector<BodyIndex> local_;                  // scratch of Island::assemble()
    std::vector<int> by_size_;                      // islands, largest first
    std::vector<int> jobs_;                         // those of them that are solved in this step
    std::vector<int> awake_;                        // the same in the order of the islands
    std::vector<int> broken_joints_;                // no island has them
    WorkerPool pool_;
};

}  // namespace taut::islands
