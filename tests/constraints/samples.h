// Where each constraint type is tested: random poses, aligned and nearly aligned, at the limits of
// its range, many turns on, with levers of a kilometre and of a micrometre.
//
// A type says itself where it is singular (kSingular), and the suites keep off these poses alone. Required parameters are filled
// at random; a type whose parameters depend on each other has a line of its own below.
#pragma once

#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraints/constraint_types.h"
#include "constraints/curved_joint.h"
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

// How frame j stands against frame i: swung by `swing` about an axis across n, turned by `twist`
// about n, and shifted by d (point of i minus point of j).
struct Relation {
    Real swing = 0;
    Real twist = 0;
    Vec3 d = Vec3::Zero();
};

// Where a type may be tested.
struct Range {
    Real largest_swing = kPi;     // of n_j against n_i
    Real largest_rotation = 100;  // of frame j against frame i as one rotation vector
    bool needs_distance = false;  // the points must not meet
};

template <class T>
constexpr Range range_of()
{
    Range range;
    if (T::kSingular.opposed_axes) range.largest_swing = kPi - 0.05;
    if (T::kSingular.half_turn) range.largest_rotation = kPi - 0.01;
    range.needs_distance = T::kSingular.meeting_points;
    return range;
}

// How the parameters of a type are chosen.
template <class T>
struct Samples {
    static void set_fields(T& c, Random& random)
    {
        for (const auto& field : T::fields())
            if (field.required)
                c.*(field.member) =
                    random.in(std::max<Real>(field.lowest, -2), std::min<Real>(field.highest, 2));
    }
};

template <class T>
struct Sample {
    std::string what;
    T constraint;
    Poses<T::kBodies> X;
    Memory<T::kMemory> memory;
    RowVector<T::kRows> lambda;
    Real step = 0;  // of differences: small against the distance to the nearest singular pose
};

// The pose of body j whose frame stands in the given relation to the frame of body i.
inline BodyPose placed(const BodyPose& X_i, const BodyFrame& F_i, const BodyFrame& F_j,
                       const Relation& relation, const Range& range, Random& random)
{
    const Real plane = random.in(-kPi, kPi);
    Mat3 turn = exp_so3(relation.swing * Vec3(std::cos(plane), std::sin(plane), 0)) *
                exp_so3(relation.twist * Vec3::UnitZ());
    const Vec3 log = log_so3(turn);
    if (log.norm() > range.largest_rotation)
        turn = exp_so3(log * (range.largest_rotation / log.norm()));
    BodyPose X_j;
    X_j.R = X_i.R * F_i.R * turn * F_j.R.transpose();
    X_j.p = X_i.p + X_i.R * F_i.p - relation.d - X_j.R * F_j.p;
    return X_j;
}

// Differences must stay well inside the range: off opposed axes, half turns and meeting points.
// Bodies are moved by up to four steps against each other.
inline Real difference_step(const Mat3& turn, const Relation& relation, Real lever,
                            const Range& range)
{
    Real step = 0.02;
    if (range.largest_swing < kPi) step = std::min(step, 0.02 * (kPi - relation.swing));
    if (range.needs_distance) step = std::min(step, 0.02 * relation.d.norm() / (1 + lever));
    if (range.largest_rotation < kPi) step = std::min(step, 0.2 * (kPi - log_so3(turn).norm()));
    return step;
}

template <class T>
Sample<T> make_sample(std::string what, Random& random, Relation relation, Real lever = 1)
{
    constexpr Range range = range_of<T>();
    relation.swing = std::min(relation.swing, range.largest_swing);
    Sample<T> sample;
    sample.what = std::move(what);
    auto& frames = sample.constraint.frames;
    for (BodyFrame& frame : frames) frame = {lever * random.vector(), random.rotation()};
    if constexpr (requires { Samples<T>::set_fields(sample.constraint, random); })
        Samples<T>::set_fields(sample.constraint, random);
    if constexpr (requires { Samples<T>::leans(sample.constraint); })
        if (Samples<T>::leans(sample.constraint))
            relation.swing = std::clamp<Real>(relation.swing, 0.3, kPi - 0.3);
    sample.X[0] = {random.vector(), random.rotation()};
    for (int k = 1; k < T::kBodies; ++k)
        sample.X[k] =
            placed(sample.X[0], frames[2 * k - 2], frames[2 * k - 1], relation, range, random);
    start(sample.constraint, sample.X, sample.memory);
    sample.memory.fill(relation.twist + random.in(-0.5, 0.5));
    for (int r = 0; r < T::kRows; ++r) sample.lambda[r] = 10 * random.normal();
    const Mat3 Q_0 = sample.X[0].R * frames[0].R, Q_1 = sample.X[1].R * frames[1].R;
    Range of_this = range;
    if constexpr (requires { Samples<T>::needs_distance(sample.constraint); })
        of_this.needs_distance = Samples<T>::needs_distance(sample.constraint);
    sample.step = difference_step(Q_0.transpose() * Q_1, relation, lever, of_this);
    if constexpr (requires { Samples<T>::leans(sample.constraint); })
        if (Samples<T>::leans(sample.constraint)) sample.step /= 4;
    if constexpr (requires { Samples<T>::keep_off_kinks(sample, random); })
        Samples<T>::keep_off_kinks(sample, random);
    return sample;
}

struct Recipe {
    const char* what;
    Relation relation;
    Real lever;
};

// d of a type whose points must keep apart is never zero.
inline std::vector<Recipe> recipes(const Range& range, Random& random)
{
    std::vector<Recipe> all;
    const auto add = [&](const char* what, Real swing, Real twist, Real d, Real lever) {
        const Vec3 offset = range.needs_distance ? Vec3((d + 0.05) * random.direction())
                                                 : Vec3(d * random.vector());
        all.push_back({what, {swing, twist, offset}, lever});
    };
    for (int i = 0; i < 200; ++i) {
        const Real swing = random.in(0, std::min<Real>(range.largest_swing, 3));
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

template <class T>
std::vector<Sample<T>> make_samples()
{
    Random random(kSeed);
    std::vector<Sample<T>> all;
    for (const Recipe& recipe : recipes(range_of<T>(), random))
        all.push_back(make_sample<T>(recipe.what, random, recipe.relation, recipe.lever));
    return all;
}

// --- types whose parameters are not chosen one by one ---

struct WithLength {
    template <class T>
    static void set_fields(T& c, Random& random)
    {
        c.length = random.in(0.1, 2);
    }
};
// Two stops of one coordinate: at one of them, never at both.
struct Stops {
    template <class T>
    static void set_fields(T& c, Random& random)
    {
        c.lower = random.in(-2, 1);
        c.upper = c.lower + random.in(0, 3);
    }
};

// clang-format off
template <> struct Samples<Distance> : WithLength {};
template <> struct Samples<Rod> : WithLength {};
template <> struct Samples<Rope> : WithLength {};
template <> struct Samples<AngleLimits> : Stops {};
template <> struct Samples<SlideLimits> : Stops {};
template <> struct Samples<Gear> {
    static void set_fields(Gear& c, Random& random)
    {
        c.radius_1 = random.in(0.1, 2);
        c.radius_2 = random.in(-2, 2);
    }
};
template <int kRowCount> struct Samples<Custom<kRowCount>> {
    static void set_fields(Custom<kRowCount>& c, Random&) { c.joint = &curved_joint(kRowCount); }
};
// A corner or a round body 1 on the flat of body 0, and two round bodies: there the line of centres is the
// normal, and needs a length; centres slide along axes. A rim leans: its axis is not along n.
template <> struct Samples<Contact> {
    static void set_fields(Contact& c, Random& random)
    {
        c.radius_1 = random.in(0, 1) < 0.5 ? 0 : random.in(0.1, 2);
        c.radius_0 = random.in(0, 1) < 0.5 ? 0 : random.in(0.1, 2);
        if (random.in(0, 1) < 0.3) {
            c.radius_0 = c.radius_1 = 0;
            c.rim = random.in(0.1, 2);
        }
        c.slides = {};
        if (c.radius_0 == 0) return;
        for (auto& slide : c.slides)
            if (random.in(0, 1) < 0.6)
                slide = {random.direction(), -random.in(0, 3), random.in(0, 3)};
    }
    // Where centres slide, φ has kinks at the ends of their ranges, and bends sharply where they nearly meet or the axes are nearly parallel.
    static void keep_off_kinks(Sample<Contact>& sample, Random& random)
    {
        Contact& c = sample.constraint;
        if (!c.slides[0].any() && !c.slides[1].any()) return;
        const Real lever = std::max(c.frames[0].p.norm(), c.frames[1].p.norm());
        Contact given = c;
        given.slides = {};
        const Vec3 d = given.centres(sample.X).at.d;
        const Real distance = d.norm();
        // mostly nearly across d: then the nearest points are within their ranges
        for (int k = 0; k < 2; ++k) {
            if (random.in(0, 1) < 0.4) continue;
            const Vec3 any = random.direction();
            const Vec3 across = (any - d * (any.dot(d) / d.squaredNorm())).normalized();
            c.slides[k].axis = sample.X[k].R.transpose() * (across + 0.2 * d / distance).normalized();
        }
        for (auto& slide : c.slides) {
            slide.low *= std::min(distance, Real(1));
            slide.high *= std::min(distance, Real(1));
        }
        const auto here = c.centres(sample.X);
        // long levers and short distances multiply the error of differences
        bool smooth = lever < 10 && distance > 0.2 && here.at.d.norm() > 0.5 * distance;
        if (here.slides_i && here.slides_j) smooth = smooth && here.a_i.cross(here.a_j).norm() > 0.5;
        for (int k = 0; k < 40; ++k) {
            auto X = sample.X;
            for (auto& pose : X) {
                pose.R = exp_so3(8 * sample.step * random.direction()) * pose.R;
                pose.p += 8 * sample.step * random.direction();
            }
            const auto moved = c.centres(X);
            smooth = smooth && moved.slides_i == here.slides_i && moved.slides_j == here.slides_j;
        }
        if (!smooth)
            c.slides = {};
        else
            sample.step /= 4;
    }
    static bool leans(const Contact& c) { return c.rim > 0; }
    static bool needs_distance(const Contact& c) { return c.radius_0 > 0; }
};
// clang-format on

// --- the typed suites ---

struct All {
    template <class T>
    static constexpr bool kKeeps = true;
};
// Leading rows whose J is the derivative of their φ, and whose force K̃ is the derivative of.
template <class T>
constexpr int geometric_rows()
{
    if constexpr (requires { T::kGeometricRows; })
        return T::kGeometricRows;
    else
        return T::kHolonomic ? T::kRows : 0;
}
struct Stiff {  // has a K̃ at all
    template <class T>
    static constexpr bool kKeeps = []() {
        if constexpr (requires { T::kGeometricRows; }) return T::kGeometricRows > 0;
        return true;
    }();
};
struct Holonomic {
    template <class T>
    static constexpr bool kKeeps = (geometric_rows<T>() > 0);
};
struct Counting {  // turns
    template <class T>
    static constexpr bool kKeeps = (T::kMemory > 0);
};

struct ExactAtMean {  // has rows that the midpoint scheme evaluates at the mean pose
    template <class T>
    static constexpr bool kKeeps = (T::kMeanRows > 0 && T::kMeanIsExact);
};

// The types of a list that a filter keeps, as GoogleTest wants them.
template <class Filter, class List, class... Kept>
struct Select {
    using type = ::testing::Types<Kept...>;
};

template <class Filter, class T, class... Rest, class... Kept>
struct Select<Filter, TypeList<T, Rest...>, Kept...>
    : std::conditional_t<Filter::template kKeeps<T>, Select<Filter, TypeList<Rest...>, Kept..., T>,
                         Select<Filter, TypeList<Rest...>, Kept...>> {};

template <class Filter>
using TestTypes = typename Select<Filter, ConstraintTypes>::type;

struct TypeNames {
    template <class T>
    static std::string GetName(int)
    {
        return std::string(T::kName);
    }
};

}  // namespace taut::test
