// Motors and servos on the axis n of a hinge or a slide. They constrain nothing else: each belongs to the
// joint whose frames it shares.
//
//     angle drives   φ = Ω         of body 1 against body 0 about n, counted over whole turns [rad]
//     slide drives   φ = −d·n_0    of body 1 along n of body 0 [m]
// i.e. exactly the angle and slide readings, so that a target of +1 reads +1. (The rows of the
// joints have d·n_0, body 0 minus body 1; their sign is not visible outside.)
// λ is the torque on body 1 about n [N m], or the force on body 1 along n [N].
//     motor   J v = target speed
//     servo   λ = −stiffness (φ − target) − damping (dφ/dt − its rate), implicit in the step
// J, K̃: parts/twist.h, and parts/dot.h with u = −n_0. Singular as twist: axes opposed.
#pragma once

#include "constraints/parts/dot.h"
#include "constraints/parts/twist.h"

namespace taut::constraints {

// The row of both angle drives.
struct AngleDrive : ConstraintBase<1, 2, 1> {
    static constexpr SingularPoses kSingular{.opposed_axes = true};
    static constexpr std::array<RowUnit, 1> kUnits = {kAngle};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;

    void evaluate(const Poses<2>& X, const Memory<1>& memory, Rows<1, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void remember(const Poses<2>& X, Memory<1>& memory) const noexcept;
};

// The row of both slide drives.
struct SlideDrive : ConstraintBase<1> {
    static constexpr int kMeanRows = 1;
    static constexpr std::array<RowUnit, 1> kUnits = {kLength};
    static constexpr bool kUsesAxis = true;
    static constexpr bool kStiffnessCouples = true;

    void evaluate(const Poses<2>& X, const Memory<0>&, Rows<1, 2>& out) const noexcept;
    void geometric_stiffness(const Poses<2>& X, const RowVector<1>& lambda,
                             StiffnessBlocks<2>& K) const noexcept;
    void tension(const Poses<2>& X, const RowVector<1>& lambda,
                 TensionDiagonal<2>& G) const noexcept;
};

struct HingeMotor : AngleDrive {
    static constexpr std::string_view kName = "hinge_motor";
    static constexpr std::string_view kSummary =
        "turns body 1 against body 0 about n at a given speed";
    static constexpr JointFamily kFamily = JointFamily::Motor;
    static constexpr RowKind kKind = RowKind::Velocity;
    static constexpr std::array<Field<HingeMotor>, 0> fields() { return {}; }
};
static_assert(Constraint<HingeMotor>);

struct SlideMotor : SlideDrive {
    static constexpr std::string_view kName = "slide_motor";
    static constexpr std::string_view kSummary = "moves body 1 along n of body 0 at a given speed";
    static constexpr JointFamily kFamily = JointFamily::Motor;
    static constexpr RowKind kKind = RowKind::Velocity;
    static constexpr std::array<Field<SlideMotor>, 0> fields() { return {}; }
};
static_assert(Constraint<SlideMotor>);

// A servo without stiffness and damping has no row to solve; the world rejects one with both zero.
struct HingeServo : AngleDrive {
    static constexpr std::string_view kName = "hinge_servo";
    static constexpr std::string_view kSummary =
        "pulls the angle about n to a target with stiffness and damping";
    static constexpr JointFamily kFamily = JointFamily::Servo;
    static constexpr RowKind kKind = RowKind::Servo;
    static constexpr std::array<Field<HingeServo>, 2> fields()
    {
        return {{{&HingeServo::stiffness, "stiffness", "N m/rad", "torque per angle off the target",
                  0, 1e15, true},
                 {&HingeServo::damping, "damping", "N m s/rad", "torque per speed off the target's",
                  0, 1e15, false}}};
    }

    Real stiffness = 1;
    Real damping = 0;
};
static_assert(Constraint<HingeServo>);

struct SlideServo : SlideDrive {
    static constexpr std::string_view kName = "slide_servo";
    static constexpr std::string_view kSummary =
        "pulls the slide along n to a target with stiffness and damping";
    static constexpr JointFamily kFamily = JointFamily::Servo;
    static constexpr RowKind kKind = RowKind::Servo;
    static constexpr std::array<Field<SlideServo>, 2> fields()
    {
        return {{{&SlideServo::stiffness, "stiffness", "N/m", "force per distance off the target",
                  0, 1e15, true},
                 {&SlideServo::damping, "damping", "N s/m", "force per speed off the target's", 0,
                  1e15, false}}};
    }

    Real stiffness = 1;
    Real damping = 0;
};
static_assert(Constraint<SlideServo>);

}  // namespace taut::constraints
