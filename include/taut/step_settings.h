// How a world is stepped. An option is declared here once: its member, and its line in kStepOptions. Scene files, the schema,
// command lines, the viewer, checks, summaries and `taut list options` follow from that line.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include <taut/catalogue.h>
#include <taut/result.h>
#include <taut/types.h>

namespace taut {

// Methods and their constants. The defaults suit every mechanism; the others are there to be compared with them.
struct Research {
    Scheme scheme = Scheme::Automatic;
    Stabilisation stabilisation = Stabilisation::Tension;
    Solver solver = Solver::Auto;
    // solver of inequality rows (limits, contacts, force limits)
    LawMethod laws = LawMethod::Newton;
    FrictionShape friction = FrictionShape::Cone;
    // alpha_beta: weight of the forces at the end of the step in the momentum equation, in (0, 1]
    Real alpha = Real(0.5);
    // alpha_beta: weight of the velocity at the end of the step in the position equation, in (0, 1]
    Real beta = Real(0.5);
    // penalty, implicit_penalty: stiffness of rigid rows that measure length [N/m]; 0: computed from masses and dt
    Real penalty_stiffness = 0;
    Real baumgarte_rate = 0;  // baumgarte: γ, decay rate of position errors [1/s]; 0 is 1/(5 dt)
    // adaptive damping: position relative to the stability limit, above 0; 1 is on the limit, smaller values are stable
    Real damping_alpha = 1;

    bool operator==(const Research&) const = default;
};

struct StepSettings {
    Real dt = Real(1) / 60;  // [s]
    // Maximum number of linear solves per step; 0: until convergence for the guarded schemes, one for the others. One is the
    // linearly implicit step of the literature; with more, backward_euler converges as well. When the maximum is
    // reached, the last iterate is accepted with its velocities scaled so that no energy is gained (`settled` is false).
    // With limits or contacts, factorisations are counted, ten sweeps as one, and the last solve is given five. Retries after
    // penetration keep to it, too; what they leave is in `residual_gap`, and bodies that would pass through each other are held.
    int max_solves = 0;
    // Guarded schemes: convergence tolerance, the work of the residuals per second over the energy in motion, which is the
    // largest kinetic energy of late, at least that of a fall of one step [1/s].
    Real tolerance = Real(1e-4);
    // Number of threads on which islands, and parts of large mechanisms, are solved; 0 uses every core, at most 256.
    // Results are bitwise identical for any number.
    // A build without threads (CMake option TAUT_THREADS=OFF) accepts any number and steps on the caller's thread.
    int threads = 1;
    // Islands at rest fall asleep: they are not solved until something touches them.
    bool sleep = false;
    bool profile = false;  // measure StepReport::times
    Research research = {};

    bool operator==(const StepSettings&) const = default;
};

// The values of an option that is a number. Numbers are finite in any case.
struct OptionRange {
    Real lowest = 0;
    Real highest = std::numeric_limits<Real>::infinity();
    bool above_lowest = false;  // lowest itself is not allowed
};

// Where an option is offered.
enum OptionPlaces : unsigned {
    kInScenes = 1,       // key of `step:` in scene files and of --set
    kOnCommandLine = 2,  // option of the commands that step a scene: run, demo, view
    kInViewer = 4,       // a viewer may change it, and its status shows it
    kInSummary = 8,      // part of the summary of a run
};

using OptionMember =
    std::variant<Real StepSettings::*, int StepSettings::*, bool StepSettings::*, Real Research::*,
                 Scheme Research::*, Stabilisation Research::*, Solver Research::*,
                 LawMethod Research::*, FrictionShape Research::*>;

struct StepOption {
    std::string_view name;  // key in scenes; a command line writes '-' for '_'
    std::string_view unit;  // empty: none
    std::string_view summary;
    OptionMember member;
    unsigned places = kInScenes;
    OptionRange range = {};
    std::optional<Scheme> scheme = {};  // the only scheme that uses it
};

// clang-format off
inline constexpr auto kStepOptions = std::to_array<StepOption>({
    {"dt", "s", "time step, default 1/60",
     &StepSettings::dt, kInScenes | kOnCommandLine | kInViewer | kInSummary, {0, 10, true}},
    {"scheme", "", "time integration",
     &Research::scheme, kInScenes | kOnCommandLine | kInViewer | kInSummary},
    {"stabilisation", "", "treatment of the geometric stiffness",
     &Research::stabilisation, kInScenes | kOnCommandLine | kInViewer | kInSummary},
    {"solver", "", "linear solver",
     &Research::solver, kInScenes | kOnCommandLine | kInViewer | kInSummary},
    {"laws", "", "solver of inequality rows: limits, contacts, force limits of drives",
     &Research::laws, kInScenes | kOnCommandLine},
    {"friction", "", "friction model",
     &Research::friction, kInScenes | kOnCommandLine},
    {"alpha", "", "alpha_beta: weight of the forces at the end of the step",
     &Research::alpha, kInScenes | kOnCommandLine | kInSummary, {0, 1, true}, Scheme::AlphaBeta},
    {"beta", "", "alpha_beta: weight of the velocity at the end of the step",
     &Research::beta, kInScenes | kOnCommandLine | kInSummary, {0, 1, true}, Scheme::AlphaBeta},
    {"max_solves", "", "maximum number of linear solves per step; 0: until convergence",
     &StepSettings::max_solves, kInScenes | kOnCommandLine | kInViewer, {0, 1e6}},
    {"tolerance", "1/s",
     "guarded schemes: tolerance: work of the residuals per second over the energy in motion, the largest kinetic energy of late",
     &StepSettings::tolerance, kInScenes | kOnCommandLine, {0, 1, true}},
    {"penalty_stiffness", "N/m", "penalty, implicit_penalty: stiffness of rigid rows of length; 0: from masses and dt",
     &Research::penalty_stiffness, kInScenes},
    {"baumgarte_rate", "1/s", "baumgarte: decay rate of position errors; 0 is 1/(5 dt)",
     &Research::baumgarte_rate, kInScenes},
    {"damping_alpha", "", "adaptive damping: 1 is on the stability limit, less is stable",
     &Research::damping_alpha, kInScenes, {0, 100, true}},
    {"threads", "", "number of threads; 0 uses every core; results are identical",
     &StepSettings::threads, kInScenes | kOnCommandLine, {0, 256}},
    {"sleep", "", "true: islands at rest sleep until something touches them",
     &StepSettings::sleep, kInScenes},
    {"profile", "", "measure the times of a step's phases",
     &StepSettings::profile, 0},
});
// clang-format on

const StepOption* find_step_option(std::string_view name) noexcept;

// Calls visit(value) with the option's member of `settings`: a Real, an int, a bool, or an enumerator of the catalogue, whose
// list is choices_of(value).
template <class Settings, class Visit>
decltype(auto) visit_option(Settings& settings, const StepOption& option, Visit&& visit)
{
    return std::visit(
        [&](auto member) -> decltype(auto) {
            if constexpr (std::is_invocable_v<decltype(member), Settings&>)
                return visit(settings.*member);
            else
                return visit(settings.research.*member);
        },
        option.member);
}

// "above 0 and at most 10 s", "0 or more", "true or false", or the names of a list.
std::string allowed_values(const StepOption& option);

// The value as scenes and command lines write it.
std::string option_text(const StepSettings& settings, const StepOption& option);

// Sets an option to a value that is written as in scenes; numbers may be fractions. The message of an error begins
// with `subject`.
Status set_option(StepSettings& settings, const StepOption& option, const std::string& text,
                  const std::string& subject);

// Why a value is out of the range of its option, as static text; null: none is.
const char* find_option_out_of_range(const StepSettings& settings) noexcept;

}  // namespace taut
