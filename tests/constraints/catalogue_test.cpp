// The public catalogue of joint types.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <taut/catalogue.h>

#include "constraints/constraint_types.h"

namespace taut::test {
namespace {

// All but what collision makes and what comes from outside, which come last.
TEST(Catalogue, ListsEveryTypeOnceInOrder)
{
    const auto& types = joint_types();
    std::size_t k = 0;
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if (T::kFamily == JointFamily::Contact || T::kFromOutside) return;
        ASSERT_LT(k, types.size());
        EXPECT_EQ(types[k].name, T::kName);
        EXPECT_EQ(types[k].rows, T::kRows);
        EXPECT_EQ(types[k].bodies, T::kBodies);
        EXPECT_EQ(types[k].parameters.size(), T::fields().size());
        ++k;
    });
    EXPECT_EQ(types.size(), k);
    std::set<std::string_view> names;
    for (const auto& type : types) EXPECT_TRUE(names.insert(type.name).second) << type.name;
}

TEST(Catalogue, EveryEntryCanBeShownAndItsDefaultsAreAllowed)
{
    for (const auto& type : joint_types()) {
        EXPECT_FALSE(type.summary.empty()) << type.name;
        EXPECT_EQ(type.frames, 2 * (type.bodies - 1)) << type.name;
        for (const auto& parameter : type.parameters) {
            EXPECT_FALSE(parameter.name.empty() || parameter.unit.empty() ||
                         parameter.summary.empty())
                << type.name;
            EXPECT_LT(parameter.lowest, parameter.highest) << type.name << '.' << parameter.name;
            if (!parameter.fallback || std::isnan(*parameter.fallback)) continue;
            EXPECT_GE(*parameter.fallback, parameter.lowest) << type.name << '.' << parameter.name;
            EXPECT_LE(*parameter.fallback, parameter.highest) << type.name << '.' << parameter.name;
        }
    }
}

TEST(Catalogue, FindsByNameAndOnlyByName)
{
    const JointTypeInfo* screw = find_joint_type("screw");
    ASSERT_NE(screw, nullptr);
    EXPECT_EQ(screw->rows, 5);
    ASSERT_EQ(screw->parameters.size(), 1u);
    EXPECT_FALSE(screw->parameters[0].fallback.has_value()) << "pitch must be given";

    const JointTypeInfo* rod = find_joint_type("rod");
    ASSERT_NE(rod, nullptr);
    EXPECT_TRUE(std::isnan(*rod->parameters.at(0).fallback))
        << "length is read off the starting poses";

    EXPECT_EQ(find_joint_type("Screw"), nullptr);
    EXPECT_EQ(find_joint_type(""), nullptr);
    EXPECT_EQ(find_joint_type("contact"), nullptr) << "made by collision only";
}

}  // namespace
}  // namespace taut::test
