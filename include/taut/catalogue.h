// The catalogue of the engine: joint types, schemes, stabilisations, solvers and solvers of inequality rows, each with
// its name.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <taut/types.h>

namespace taut {

enum class Scheme {
    Automatic,
    Midpoint,
    Adams,
    Bdf2,
    BackwardEuler,
    AlphaBeta,
    // classical methods of constrained dynamics, for comparison; see src/stepper/classical
    Penalty,
    ImplicitPenalty,
    Lagrange,
    Baumgarte,
    PostStabilisation,
    Shake,
    FastProjection,
    Reduced,
};
enum class Stabilisation {
    None,
    Exact,
    Symmetric,
    Projected,
    Tension,
    Diagonal,
    InertialDamping,
    RotationalDamping,
    ConstraintDamping,
    ConstraintDampingPrinted,
    BlockDamping,
};
// Solver of the inequality rows (limits, contacts, force limits of drives), and the friction model.
enum class LawMethod { Newton, Pgs, Nncg, ActiveSetMinres };
enum class FrictionShape {
    Cone,     // |(y_t1, y_t2)| ≤ μ y_n
    Pyramid,  // |y_t1| ≤ μ y_n and |y_t2| ≤ μ y_n, each row separately
};
enum class Solver { Auto, Ldlt, DenseLu, EigenLdlt, EigenLu, FullRank, LowRank };

// One entry of a list. `value` is the enumerator.
template <class Enum>
struct Choice {
    Enum value;
    std::string_view name;
    std::string_view summary;
};

std::span<const Choice<Scheme>> schemes() noexcept;
std::span<const Choice<Stabilisation>> stabilisations() noexcept;
std::span<const Choice<Solver>> solvers() noexcept;
std::span<const Choice<LawMethod>> law_methods() noexcept;
std::span<const Choice<FrictionShape>> friction_shapes() noexcept;

// The list that an enumerator belongs to.
inline std::span<const Choice<Scheme>> choices_of(Scheme) noexcept { return schemes(); }
inline std::span<const Choice<Stabilisation>> choices_of(Stabilisation) noexcept
{
    return stabilisations();
}
inline std::span<const Choice<Solver>> choices_of(Solver) noexcept { return solvers(); }
inline std::span<const Choice<LawMethod>> choices_of(LawMethod) noexcept { return law_methods(); }
inline std::span<const Choice<FrictionShape>> choices_of(FrictionShape) noexcept
{
    return friction_shapes();
}

// The name of that list for `taut list`.
inline std::string_view topic_of(Scheme) noexcept { return "schemes"; }
inline std::string_view topic_of(Stabilisation) noexcept { return "stabilisations"; }
inline std::string_view topic_of(Solver) noexcept { return "solvers"; }
inline std::string_view topic_of(LawMethod) noexcept { return "laws"; }
inline std::string_view topic_of(FrictionShape) noexcept { return "frictions"; }

template <class Enum>
std::optional<Enum> find_choice(std::span<const Choice<Enum>> list, std::string_view name) noexcept
{
    for (const auto& choice : list)
        if (choice.name == name) return choice.value;
    return std::nullopt;
}

template <class Enum>
std::string_view choice_name(std::span<const Choice<Enum>> list, Enum value) noexcept
{
    for (const auto& choice : list)
        if (choice.value == value) return choice.name;
    return "?";
}

// A parameter of a joint type besides frames and compliances.
struct ParameterInfo {
    std::string_view name;
    std::string_view unit;
    std::string_view summary;
    Real lowest;
    Real highest;
    std::optional<Real> fallback;  // empty: required; NaN: computed from the initial poses
};

enum class JointFamily { Primitive, Joint, Motor, Servo, Limit, Contact };

// The admissible set of the multipliers of a type's rows.
enum class RowLaw {
    Equal,        // any force, φ = 0
    NonNegative,  // λ ≥ 0: limits, ropes, contacts
    Interval,     // λ in [−cap, cap]: drives with a force limit
    Cone,         // Coulomb friction over three rows
};

struct JointTypeInfo {
    std::string_view name;
    std::string_view summary;
    JointFamily family;
    int rows;
    int bodies;
    int frames;
    RowLaw law;
    bool uses_axis;          // false: only the origins of the frames are used
    bool drivable;           // a motor, a servo or limits may act along or about n
    bool keeps_orientation;  // the initial relative orientation: no axis has to be given
    bool crossed_axes;       // n of frame 0 and u of frame 1 are given, as for a universal joint
    std::vector<ParameterInfo> parameters;
};

const std::vector<JointTypeInfo>& joint_types();
const JointTypeInfo* find_joint_type(std::string_view name);

}  // namespace taut
