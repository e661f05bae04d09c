// The one list of constraint types. Storage, assembly, scene files, catalogue, snapshot and the
// derivative tests all follow from it: a new type is one line here.
#pragma once

#include <cstddef>
#include <utility>

#include "constraints/contact/contact.h"
#include "constraints/contact/rolling.h"
#include "constraints/custom/custom.h"
#include "constraints/drives/drives.h"
#include "constraints/joints/ball.h"
#include "constraints/joints/hinge.h"
#include "constraints/joints/sliding.h"
#include "constraints/joints/transmission.h"
#include "constraints/joints/universal.h"
#include "constraints/joints/weld.h"
#include "constraints/limits/limits.h"
#include "constraints/primitives/angles.h"
#include "constraints/primitives/distance.h"
#include "constraints/primitives/dot.h"

namespace taut::constraints {

template <class... Ts>
struct TypeList {
    static constexpr std::size_t kSize = sizeof...(Ts);
};

template <class T>
struct TypeTag {
    using type = T;
};

// The order is that of the catalogue, and of pools in the model.
// clang-format off
using ConstraintTypes = TypeList<
    Distance,
    AxialLock,
    Dot1,
    Dot2,
    Bend,
    TwistAngle,
    RotationVector,
    Ball,
    Universal,
    Hinge,
    Prismatic,
    Cylindrical,
    Planar,
    Weld,
    PointOnLine,
    PointOnPlane,
    Rod,
    Screw,
    Gear,
    RackAndPinion,
    HingeMotor,
    SlideMotor,
    HingeServo,
    SlideServo,
    AngleLimits,
    SlideLimits,
    Rope,
    Custom<1>,
    Custom<2>,
    Custom<3>,
    Custom<4>,
    Custom<5>,
    Custom<6>,
    Contact,
    Rolling>;
// clang-format on

// Calls visit(TypeTag<T>{}) for every type of the list, in order.
template <class... Ts, class Visit>
constexpr void for_each_type(TypeList<Ts...>, Visit&& visit)
{
    (visit(TypeTag<Ts>{}), ...);
}

}  // namespace taut::constraints
