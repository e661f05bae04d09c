// Where each constraint type is tested: random poses, aligned and nearly aligned, at the limits of its
// range, many turns on, with levers of a kilometre and of a micrometre.
//
// Samples<T> is declared and not defined: a type of the list without its own line below does not
// compile the suites.
#pragma once

#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraints/constraint_types.h"
#include "math/so3.h"

namespace taut::test {

inline constexpr unsigned kSeed = 20240229;
inline constexpr Real kPi = std::numbers::pi_v<Real>;

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    Real in(Real low, Real high)
    {
        return std::uniform_real_distribution<Real>(low, high)(engine_);
    }
    Real normal() { return std::normal_distribution<Real>()(engine_); }
    Vec3 vector() { return {normal(), normal(), normal()}; }
    Vec3 direction() { return vector().normalized(); }
    Mat3 rotation() { return exp_so3(in(0, kPi) * direction()); }

private:
    std::mt19937 engine_;
};

// How frame j stands against frame i: swung by `swing` about an axis across n, turned by `twist` about
// n, and shifted by d (point of i minus point of j).
struct Relation {
    Real swing = 0;
    Real twist = 0;
    Vec3 d = Vec3::Zero();
};

template <class T>
struct Sample {
    std::string what;
    T constraint;
    Poses<T::kBodies> X;
    Memory<T::kMemory> memory;
    RowVector<T::kRows> lambda;
    Real step;  // of differences: small against the distance to the nearest singular pose
};

template <class T>
struct Samples;  // one line per type, below

// What the usual samples need to know of a type.
template <class T>
struct UsualSamples {
    static constexpr Real kLargestSwing = kPi;  // of n_j against n_i
    static constexpr Real kLargestRotation =
        100;  // of frame j against frame i as one rotation vector
    static constexpr bool kNeedsDistance = false;  // the points must not meet
    static constexpr int kWorldRows = 0;           // leading rows in world axes
    static void set_fields(T&, Random&) {}
};

// Places body k so that its frame stands in the given relation to body 0's.
template <class T>
void place(const T& c, Poses<T::kBodies>& X, int k, const Relation& relation, Random& random)
{
    const Frame &F_i = c.frames[2 * k - 2], &F_j = c.frames[2 * k - 1];
    const Real plane = random.in(-kPi, kPi);
    Mat3 turn = exp_so3(relation.swing * Vec3(std::cos(plane), std::sin(plane), 0)) *
                exp_so3(relation.twist * Vec3::UnitZ());
    const Vec3 log = log_so3(turn);
    if (log.norm() > Samples<T>::kLargestRotation)
        turn = exp_so3(log * (Samples<T>::kLargestRotation / log.norm()));
    X[k].R = X[0].R * F_i.R * turn * F_j.R.transpose();
    X[k].p = X[0].p + X[0].R * F_i.p - relation.d - X[k].R * F_j.p;
}

// Differences must stay well inside the range: off opposed axes, half turns and meeting points.
// Bodies are moved by up to four steps against each other.
template <class T>
Real difference_step(const Sample<T>& sample, const Relation& relation, Real lever)
{
    Real step = 0.02;
    if (Samples<T>::kLargestSwing < kPi) step = std::min(step, 0.02 * (kPi - relation.swing));
    if (Samples<T>::kNeedsDistance) step = std::min(step, 0.02 * relation.d.norm() / (1 + lever));
    if (Samples<T>::kLargestRotation < kPi) {
        const Mat3 Q_0 = sample.X[0].R * sample.constraint.frames[0].R;
        const Mat3 Q_1 = sample.X[1].R * sample.constraint.frames[1].R;
        step = std::min(step, 0.2 * (kPi - log_so3(Mat3(Q_0.transpose() * Q_1)).norm()));
    }
    return step;
}

template <class T>
Sample<T> make_sample(std::string what, Random& random, Relation relation, Real lever)
{
    relation.swing = std::min(relation.swing, Samples<T>::kLargestSwing);
    Sample<T> sample;
    sample.what = std::move(what);
    for (Frame& frame : sample.constraint.frames)
        frame = {lever * random.vector(), random.rotation()};
    Samples<T>::set_fields(sample.constraint, random);
    sample.X[0] = {random.vector(), random.rotation()};
    for (int k = 1; k < T::kBodies; ++k) place(sample.constraint, sample.X, k, relation, random);
    start(sample.constraint, sample.X, sample.memory);
    sample.memory.fill(relation.twist + random.in(-0.5, 0.5));
    for (int r = 0; r < T::kRows; ++r) sample.lambda[r] = 10 * random.normal();
    sample.step = difference_step(sample, relation, lever);
    return sample;
}

// d of a type whose points must keep apart is never zero.
template <class T>
Vec3 offset(Random& random, Real size)
{
    return Samples<T>::kNeedsDistance ? Vec3((size + 0.05) * random.direction())
                                      : Vec3(size * random.vector());
}

template <class T>
std::vector<Sample<T>> make_samples(unsigned seed)
{
    Random random(seed);
    std::vector<Sample<T>> all;
    const auto add = [&](const char* what, Real swing, Real twist, Real d, Real lever) {
        all.push_back(make_sample<T>(what, random, {swing, twist, offset<T>(random, d)}, lever));
    };
    for (int i = 0; i < 200; ++i) {
        const Real swing = random.in(0, std::min<Real>(Samples<T>::kLargestSwing, 3));
        add("random", swing, random.in(-kPi, kPi), 1, 1);
    }
    for (const Real swing : {0.0, 1e-15, 1e-12, 1e-8, 1e-6, 1e-4, 1e-2, 0.1, 0.45, 0.5}) {
        add("nearly straight", swing, random.in(-0.1, 0.1), 1e-6, 1);
        add("nearly straight, far turned", swing, random.in(-3, 3), 1e-6, 1);
    }
    add("exactly aligned", 0, 0, 0, 1);
    for (const Real gap : {0.5, 0.1, 0.05, 0.0})
        add("nearly folded", kPi - gap, random.in(-3, 3), 0.3, 1);
    for (const Real gap : {1e-1, 1e-3, 1e-6, 1e-9, 0.0}) {
        add("nearly half a turn", random.in(0, 1), kPi - gap, 0.3, 1);
        add("nearly minus half a turn", random.in(0, 1), gap - kPi, 0.3, 1);
    }
    for (const Real turns : {-20.0, -3.0, -1.0, 1.0, 2.0, 7.0, 20.0})
        add("several turns", random.in(0, 0.5), 2 * kPi * turns + random.in(-kPi, kPi), 0.3, 1);
    for (int i = 0; i < 10; ++i) {
        add("long levers", random.in(0, 1), random.in(-2, 2), 1, 1000);
        add("tiny levers", random.in(0, 1), random.in(-2, 2), 1e-3, 1e-6);
        add("no levers", random.in(0, 1), random.in(-2, 2), 1e-3, 0);
    }
    return all;
}

// --- one line per type ---

template <class T>
struct LengthSamples : UsualSamples<T> {
    static constexpr bool kNeedsDistance = true;
    static void set_fields(T& c, Random& random) { c.length = random.in(0.1, 2); }
};

template <class T>
struct WorldRowSamples : UsualSamples<T> {
    static constexpr int kWorldRows = 3;
};

// Twist is singular where the axes oppose each other: 1/(1 + n_0·n_1).
template <class T>
struct TwistSamples : UsualSamples<T> {
    static constexpr Real kLargestSwing = kPi - 0.05;
};

template <class T>
struct RotationVectorSamples : UsualSamples<T> {
    static constexpr Real kLargestRotation = kPi - 0.01;
};

// clang-format off
template <> struct Samples<Distance> : LengthSamples<Distance> {};
template <> struct Samples<Rod> : LengthSamples<Rod> {};
template <> struct Samples<AxialLock> : UsualSamples<AxialLock> {};
template <> struct Samples<Dot1> : UsualSamples<Dot1> {};
template <> struct Samples<Dot2> : UsualSamples<Dot2> {};
template <> struct Samples<Bend> : TwistSamples<Bend> {};
template <> struct Samples<TwistAngle> : TwistSamples<TwistAngle> {};
template <> struct Samples<RotationVector> : RotationVectorSamples<RotationVector> {};
template <> struct Samples<Ball> : WorldRowSamples<Ball> {};
template <> struct Samples<Universal> : WorldRowSamples<Universal> {};
template <> struct Samples<Hinge> : WorldRowSamples<Hinge> {};
template <> struct Samples<Prismatic> : UsualSamples<Prismatic> {};
template <> struct Samples<Cylindrical> : UsualSamples<Cylindrical> {};
template <> struct Samples<Planar> : UsualSamples<Planar> {};
template <> struct Samples<Weld> : RotationVectorSamples<Weld> {};
template <> struct Samples<PointOnLine> : UsualSamples<PointOnLine> {};
template <> struct Samples<PointOnPlane> : UsualSamples<PointOnPlane> {};
template <> struct Samples<HingeMotor> : TwistSamples<HingeMotor> {};
template <> struct Samples<SlideMotor> : UsualSamples<SlideMotor> {};
template <> struct Samples<HingeServo> : TwistSamples<HingeServo> {};
template <> struct Samples<SlideServo> : UsualSamples<SlideServo> {};
// clang-format on

template <>
struct Samples<Screw> : TwistSamples<Screw> {
    static void set_fields(Screw& c, Random& random) { c.pitch = random.in(-2, 2); }
};
template <>
struct Samples<Gear> : TwistSamples<Gear> {
    static void set_fields(Gear& c, Random& random)
    {
        c.radius_1 = random.in(0.1, 2);
        c.radius_2 = random.in(-2, 2);
    }
};
template <>
struct Samples<RackAndPinion> : TwistSamples<RackAndPinion> {
    static void set_fields(RackAndPinion& c, Random& random) { c.radius = random.in(-2, 2); }
};

// --- the typed suites ---

template <class List>
struct AsTestTypes;

template <class... Ts>
struct AsTestTypes<TypeList<Ts...>> {
    using type = ::testing::Types<Ts...>;
};

struct TypeNames {
    template <class T>
    static std::string GetName(int)
    {
        return std::string(T::kName);
    }
};

}  // namespace taut::test
