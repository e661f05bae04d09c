// The public catalogue of joint types, made from the one list and each type's fields().
#include <taut/catalogue.h>

#include "constraints/constraint_types.h"

namespace taut::constraints {

namespace {

// Types that no scene file, schema or listing offers: contacts, and the entries for types from outside. They come last in the
// list of types, so that positions in both lists agree.
template <Constraint T>
constexpr bool is_listed()
{
    return T::kFamily != JointFamily::Contact && !T::kFromOutside;
}

template <Constraint T>
JointTypeInfo describe()
{
    JointTypeInfo info{.name = T::kName,
                       .summary = T::kSummary,
                       .family = T::kFamily,
                       .rows = T::kRows,
                       .bodies = T::kBodies,
                       .frames = T::kFrames,
                       .law = T::kLaw,
                       .uses_axis = T::kUsesAxis,
                       .drivable = T::kDrivable,
                       .keeps_orientation = T::kKeepsOrientation,
                       .crossed_axes = T::kCrossedAxes,
                       .parameters = {}};
    const T defaults;
    for (const Field<T>& field : T::fields()) {
        info.parameters.push_back(
            {field.name, field.unit, field.summary, field.lowest, field.highest,
             field.required ? std::nullopt : std::optional<Real>(defaults.*field.member)});
    }
    return info;
}

}  // namespace

}  // namespace taut::constraints

namespace taut {

const std::vector<JointTypeInfo>& joint_types()
{
    static const std::vector<JointTypeInfo> types = [] {
        std::vector<JointTypeInfo> list;
        for_each_type(constraints::ConstraintTypes{}, [&list](auto tag) {
            using T = typename decltype(tag)::type;
            if constexpr (constraints::is_listed<T>()) list.push_back(constraints::describe<T>());
        });
        return list;
    }();
    return types;
}

const JointTypeInfo* find_joint_type(std::string_view name)
{
    for (const JointTypeInfo& type : joint_types())
        if (type.name == name) return &type;
    return nullptr;
}

}  // namespace taut
