// The public catalogue of joint types, made from the one list and each type's fields().
#include <taut/catalogue.h>

#include "constraints/constraint_types.h"

namespace taut {

namespace {

template <Constraint T>
JointTypeInfo describe()
{
    JointTypeInfo info{T::kName,   T::kSummary, T::kFamily,   T::kRows, T::kBodies,
                       T::kFrames, T::kLaw,     T::kUsesAxis, {}};
    const T defaults;
    for (const Field<T>& field : T::fields()) {
        info.parameters.push_back(
            {field.name, field.unit, field.summary, field.lowest, field.highest,
             field.required ? std::nullopt : std::optional<Real>(defaults.*field.member)});
    }
    return info;
}

}  // namespace

const std::vector<JointTypeInfo>& joint_types()
{
    static const std::vector<JointTypeInfo> types = [] {
        std::vector<JointTypeInfo> list;
        for_each_type(ConstraintTypes{}, [&list](auto tag) {
            list.push_back(describe<typename decltype(tag)::type>());
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
