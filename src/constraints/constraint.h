// What every constraint type is: rows with φ, J and K̃(λ) as pure functions of the bodies' poses.
//
// A type states geometry only. Compliance, damping time, target and law (laws/law_types.h) belong
// to the pool entry, because they mean the same for every type. Conventions:
//   * poses are those of the centres of mass; increments p ← p + δp, R ← exp([δθ]ₓ) R, world axes;
//   * twists are (linear, angular), so a body gives six columns; a particle uses the first three;
//   * force on the bodies is +Jᵀλ;  K̃ = ∂(Jᵀλ)/∂x with λ held, exact and in general not symmetric;
//   * joint frames are columns (u, v, n); n is the joint's axis.
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

#include <taut/catalogue.h>
#include <taut/types.h>

#include "core/assert.h"
#include "core/namespaces.h"

namespace taut::constraints {

// Pose of a body as constraints see it: centre of mass and rotation matrix body → world.
struct BodyPose {
    Vec3 p = Vec3::Zero();
    Mat3 R = Mat3::Identity();
};

// A joint frame on a body, from the centre of mass, in body axes. Columns of R: u, v, n.
struct BodyFrame {
    Vec3 p = Vec3::Zero();
    Mat3 R = Mat3::Identity();
};

template <int kBodies>
using Poses = std::array<BodyPose, kBodies>;

template <int kRows>
using RowVector = Eigen::Matrix<Real, kRows, 1>;

template <int kRows>
using RowBlock = Eigen::Matrix<Real, kRows, 6, Eigen::RowMajor>;

using Mat6 = Eigen::Matrix<Real, 6, 6, Eigen::RowMajor>;

// Result of evaluate(): every entry of phi and J is written.
template <int kRows, int kBodies>
struct Rows {
    RowVector<kRows> phi;
    std::array<RowBlock<kRows>, kBodies> J;
};

// Blocks (b, c) of ∂(force on b)/∂(pose of c). Functions that take one by reference *add* to it.
template <int kBodies>
struct StiffnessBlocks {
    std::array<std::array<Mat6, kBodies>, kBodies> block;

    void set_zero()
    {
        for (auto& row : block)
            for (auto& b : row) b.setZero();
    }
};

// What remembered angles a type needs to unwrap turns: last committed value of each. The first one
// is always the angle about n of frame 1 against frame 0, i.e. the joint's angle reading.
template <int kMemory>
using Memory = std::array<Real, kMemory>;

// What a row measures; it decides which compliance applies and how residuals are read.
enum class RowUnit { Length, Angle };
inline constexpr RowUnit kLength = RowUnit::Length;
inline constexpr RowUnit kAngle = RowUnit::Angle;

// How a row is held. Velocity and Servo rows still write φ, the coordinate they drive (zero where
// there is none): a reading, never an error to be removed.
enum class RowKind {
    Position,  // φ = 0, or −φ/C where compliant
    Velocity,  // J v = target
    Servo,     // force −k (φ − target) − d (dφ/dt − rate of target)
};

// One scalar parameter of a type: which member, and what may be written into it. A member that is
// NaN by default and not given takes its value from the starting poses, in close().
template <class T>
struct Field {
    Real T::*member;
    std::string_view name;
    std::string_view unit;
    std::string_view summary;
    Real lowest;
    Real highest;
    bool required;
};

// Poses at which a type has no derivatives: its header says why, and the suites of all types keep their samples off.
struct SingularPoses {
    bool opposed_axes = false;    // n of two frames against each other
    bool half_turn = false;       // one frame half a turn from the other, as one rotation
    bool meeting_points = false;  // the origins of two frames meet
};

// The tension form of the geometric stiffness (positive semidefinite part of −K̃ that is worth
// keeping): rotational blocks alone for types whose bodies it does not couple.
template <int kBodies>
using TensionDiagonal = std::array<Mat3, kBodies>;

template <class T>
using TensionBlocks = std::conditional_t<T::kTensionCouples, StiffnessBlocks<T::kBodies>,
                                         TensionDiagonal<T::kBodies>>;

// clang-format off
template <class T>
concept Constraint = requires(const T c, const Poses<T::kBodies>& X,
                              const Memory<T::kMemory>& memory, Memory<T::kMemory>& new_memory,
                              Rows<T::kRows, T::kBodies>& rows, const RowVector<T::kRows>& lambda,
                              StiffnessBlocks<T::kBodies>& K, TensionBlocks<T>& G) {
    { T::kName } -> std::convertible_to<std::string_view>;
    { T::kSummary } -> std::convertible_to<std::string_view>;
    { T::kFamily } -> std::convertible_to<JointFamily>;
    { T::kKind } -> std::convertible_to<RowKind>;
    { T::kLaw } -> std::convertible_to<RowLaw>;
    { T::kUnits } -> std::convertible_to<std::array<RowUnit, T::kRows>>;
    { T::kUsesAxis } -> std::convertible_to<bool>;
    { T::kDrivable } -> std::convertible_to<bool>;
    { T::kKeepsOrientation } -> std::convertible_to<bool>;
    { T::kCrossedAxes } -> std::convertible_to<bool>;
    { T::kHolonomic } -> std::convertible_to<bool>;         // false: no φ, sym K̃ is no Hessian
    { T::kStiffnessCouples } -> std::convertible_to<bool>;  // K̃ has blocks between different bodies
    { T::kTensionCouples } -> std::convertible_to<bool>;    // the tension form has them too
    { T::kSingular } -> std::convertible_to<SingularPoses>;
    requires T::kWorldRows >= 0 && T::kHeldRows >= 1 && T::kHeldRows <= T::kRows;
    requires T::kMeanRows >= 0 && T::kMeanRows <= T::kRows; // see ConstraintBase
    { T::kMeanIsExact } -> std::convertible_to<bool>;
    requires T::kFrames == 2 * (T::kBodies - 1);            // frames 2k, 2k+1: body 0 and body k+1
    { c.frames } -> std::convertible_to<std::array<BodyFrame, T::kFrames>>;
    T::fields();                                            // std::array<Field<T>, n>
    // φ and J at the poses; angles are taken on the turn nearest to memory.
    { c.evaluate(X, memory, rows) } noexcept;
    // K += ∂(Jᵀλ)/∂x, exact.
    { c.geometric_stiffness(X, lambda, K) } noexcept;
    // G += tension form. Torque-only types add nothing.
    { c.tension(X, lambda, G) } noexcept;
    // memory ← unwrapped angles at the poses, following the old ones.
    { c.remember(X, new_memory) } noexcept;
};
// clang-format on

// The kind of row r of a type: kKind, unless the type states it row by row.
template <class T>
constexpr RowKind row_kind(int r) noexcept
{
    TAUT_ASSERT(r >= 0 && r < T::kRows);
    if constexpr (requires { T::kRowKinds; })
        return T::kRowKinds[static_cast<std::size_t>(r)];
    else
        return T::kKind;
}

// What the rows measure, and their law: of the type, unless the entry states its own.
template <class T>
constexpr std::array<RowUnit, T::kRows> units_of(const T& item) noexcept
{
    if constexpr (T::kFromOutside)
        return item.units();
    else
        return T::kUnits;
}
template <class T>
constexpr RowLaw law_of(const T& item) noexcept
{
    if constexpr (T::kFromOutside)
        return item.law();
    else
        return T::kLaw;
}

// Initialises a new constraint at the starting poses: its memory, and for types with a
// `void close(X, memory) noexcept` the constants that were not given, such that φ = 0 there.
template <Constraint T>
void start(T& constraint, const Poses<T::kBodies>& X, Memory<T::kMemory>& memory) noexcept
{
    memory.fill(0);
    constraint.remember(X, memory);
    if constexpr (requires { constraint.close(X, memory); }) constraint.close(X, memory);
}

// Which of its bodies a frame is on: frames 2k and 2k+1 connect body 0 and body k+1.
constexpr int side_of_frame(int frame) noexcept { return frame % 2 == 0 ? 0 : frame / 2 + 1; }

// Sizes and default properties, so that a type states only what differs.
template <int kRowCount, int kBodyCount = 2, int kMemoryCount = 0>
struct ConstraintBase {
    static constexpr int kRows = kRowCount;
    static constexpr int kBodies = kBodyCount;
    static constexpr int kFrames = 2 * (kBodyCount - 1);
    static constexpr int kMemory = kMemoryCount;
    static constexpr RowKind kKind = RowKind::Position;
    static constexpr RowLaw kLaw = RowLaw::Equal;
    static constexpr bool kHolonomic = true;
    static constexpr bool kTensionCouples = false;
    // For the midpoint scheme (assembly/midpoint_rows.h): the leading rows that take J at the mean of the poses at both ends of the
    // step. Count rows whose φ is linear or bilinear in points and axes (points together, dot products): there J Δx = Δφ holds
    // exactly. Angles, such as twist and bend, do not belong to them; 0 is always right. kMeanIsExact = false is for lengths:
    // the direction of J is exact at the mean, its size is not.
    static constexpr int kMeanRows = 0;
    static constexpr bool kMeanIsExact = true;
    static constexpr SingularPoses kSingular{};
    static constexpr int kWorldRows =
        0;  // leading rows in world axes; the others turn with the bodies
    static constexpr int kHeldRows = kRowCount;  // rows that can hold at once: one of two stops
    static constexpr bool kDrivable = false;     // motor, servo and limits may act along or about n
    static constexpr bool kKeepsOrientation = false;  // that of the starting poses: needs no axis
    static constexpr bool kFromOutside = false;       // custom/custom.h: not in the catalogue
    static constexpr bool kCrossedAxes = false;       // axis_2 of a scene gives u of both frames

    std::array<BodyFrame, kFrames> frames{};

    void remember(const Poses<kBodies>&, Memory<0>&) const noexcept {}
    void tension(const Poses<kBodies>&, const RowVector<kRows>&,
                 TensionDiagonal<kBodies>&) const noexcept
    {}
};

}  // namespace taut::constraints
