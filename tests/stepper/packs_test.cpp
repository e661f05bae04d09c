// Packs of bodies and of ball joints: the scalar kernels against the equations, and the vector kernels against the scalar ones,
// bit by bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/cpu.h"
#include "model/energy.h"
#include "pack_scene.h"

namespace taut::test {
namespace {

void linearise(Scene& scene, const Attempt& attempt, Depth depth)
{
    linearise_iterate(scene.step_model(), attempt, Stabilisation::Tension, false, depth, scene.work,
                      scene.work.context);
}

// Momentum rows by the equations of newton.h, body by body.
TEST(Packs, BodiesHaveTheMomentumOfTheirEquations)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        Scene scene = make_scene(seed, 11 + static_cast<int>(seed));
        for (Real& force : scene.state.lambda) force = 0;
        const Attempt attempt = bdf2_attempt(scene.state, 0.02);
        ASSERT_GT(attempt.a, 0);
        begin_attempt(scene.step_model(), scene.state, attempt, scene.work);
        linearise(scene, attempt, Depth::Matrix);
        const State &now = scene.state, &next = scene.work.next;
        const History& past = now.history;
        Real kinetic = 0;
        for (std::size_t b = 1; b < now.p.size(); ++b) {
            const BodyModel& body = scene.model.bodies[b];
            const Real* f =
                &scene.work.context.linear.system.f[scene.work.context.layout.offset(BodyIndex(b))];
            const Vec3 V = now.v[b] + attempt.a * (now.v[b] - past.v[b]);
            const Vec3 linear = body.mass * (V - next.v[b] + attempt.h_bar * scene.model.gravity);
            EXPECT_LT((linear - Vec3(f[0], f[1], f[2])).norm(), 1e-13) << seed << ' ' << b;
            kinetic += body.mass * next.v[b].squaredNorm() / 2;
            if (body.kind == BodyKind::Particle) continue;

            // swing and spin apart, as in body_kernels.h
            const auto parts = [&](const Quat& q, const Vec3& w) {
                const Mat3 R = q.toRotationMatrix();
                const Vec3 L = R * body.inertia * R.transpose() * w, s = R * body.spin_axis;
                return std::pair(Vec3(L - s * s.dot(L)), s.dot(L));
            };
            const auto [swing_1, spin_1] = parts(now.q[b], now.w[b]);
            const auto [swing_0, spin_0] = parts(past.q[b], past.w[b]);
            const Vec3 swing_start = swing_1 + attempt.a * (swing_1 - swing_0);
            const Real spin_start = spin_1 + attempt.a * (spin_1 - spin_0);
            const Mat3 R = next.q[b].toRotationMatrix();
            const Vec3 w = next.w[b], s = R * body.spin_axis;
            const Vec3 L = R * body.inertia * R.transpose() * w;
            const Vec3 wanted = swing_start - s * s.dot(swing_start) +
                                (spin_start + attempt.h_bar * s.dot(L.cross(w))) * s -
                                attempt.h_bar * L.dot(s) * w.cross(s) - L;
            EXPECT_LT((wanted - Vec3(f[3], f[4], f[5])).norm(), 1e-12) << seed << ' ' << b;
            kinetic += w.dot(L) / 2;
        }
        EXPECT_NEAR(scene.work.context.kinetic, kinetic, 1e-12 * kinetic);
    }
}

TEST(Packs, EnergyIsThatOfAllBodies)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        Scene scene = make_scene(seed, 11 + static_cast<int>(seed));
        const Energy slow = read_energy(scene.model, scene.state);
        const Energy quick = energy_of(scene.step_model(), scene.state, scene.work);
        EXPECT_NEAR(quick.translation, slow.translation, 1e-13 * slow.translation);
        EXPECT_NEAR(quick.rotation, slow.rotation, 1e-13 * slow.rotation);
        EXPECT_NEAR(quick.gravity, slow.gravity, 1e-12);
        EXPECT_NEAR(quick.joints, slow.joints, 1e-13 * slow.joints + 1e-300);
    }
}

// Joints that might break are written one by one: the same numbers come out.
TEST(Packs, BallJointsAreThoseOfTheirType)
{
    for (unsigned seed = 1; seed <= 20; ++seed)
        for (const int bodies : {30, 700}) {
            Scene quick = make_scene(seed, bodies),
                  slow = make_scene(seed, bodies, {.breakable = true});
            ASSERT_FALSE(quick.work.context.layout.balls.packs.empty());
            ASSERT_TRUE(slow.work.context.layout.balls.packs.empty());
            const Attempt attempt = bdf2_attempt(quick.state, 0.02);
            for (Scene* scene : {&quick, &slow}) {
                begin_attempt(scene->step_model(), scene->state, attempt, scene->work);
                linearise(*scene, attempt, Depth::Matrix);
            }
            const auto expect_alike = [&](const std::vector<Real>& a, const std::vector<Real>& b,
                                          const char* what) {
                ASSERT_EQ(a.size(), b.size());
                for (std::size_t k = 0; k < a.size(); ++k)
                    ASSERT_NEAR(a[k], b[k], 1e-12 * (1 + std::abs(b[k]))) << what << ' ' << k;
            };
            const linalg::SaddleSystem &a = quick.work.context.linear.system,
                                       &b = slow.work.context.linear.system;
            expect_alike(a.H, b.H, "H");
            expect_alike(a.J, b.J, "J");
            expect_alike(a.sigma, b.sigma, "sigma");
            expect_alike(a.f, b.f, "f");
            expect_alike(a.g, b.g, "g");
            expect_alike(quick.work.context.linear.reaction, slow.work.context.linear.reaction,
                         "reaction");

            const Residuals one =
                measure(quick.step_model(), attempt, quick.work, quick.work.context);
            const Residuals other =
                measure(slow.step_model(), attempt, slow.work, slow.work.context);
            EXPECT_NEAR(one.work, other.work, 1e-12 * other.work);
            EXPECT_NEAR(one.gap, other.gap, 1e-12 * other.gap);
            EXPECT_NEAR(one.rounding, other.rounding, 1e-12 * other.rounding);

            // right-hand sides alone: the same again, and the matrix stays
            const std::vector<Real> H = a.H;
            linearise(quick, attempt, Depth::Values);
            EXPECT_EQ(a.H, H);
            expect_alike(a.f, b.f, "f");
            expect_alike(quick.work.context.linear.reaction, slow.work.context.linear.reaction,
                         "reaction");
        }
}

BallArrays ball_arrays(const Scene& scene, Linearisation& linear, Real h, bool matrix, bool tension)
{
    BodyStart& first = linear.bodies.front();
    linalg::SaddleSystem& system = linear.system;
    return {first.pose.p.data(),
            first.pose.R.data(),
            scene.state.lambda.data(),
            &scene.model.rows.softness.front().compliance,
            &linear.rows.front().phi,
            system.g.data(),
            system.sigma.data(),
            linear.reaction.data(),
            system.J.data(),
            system.H.data(),
            h,
            matrix,
            tension};
}

// A joint that is written by itself has the bits of constraints/joints/ball.h, whose sums Eigen forms.
TEST(Packs, OneBallHasTheBitsOfItsType)
{
    constexpr Real kH = 0.013;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        Scene scene = make_scene(seed, 40);
        const Layout& layout = scene.work.context.layout;
        const auto& pool = std::get<Pool<Ball>>(scene.model.pools);
        for (std::size_t slot = 0; slot < pool.items.size(); ++slot) {
            if (!layout.balls.plain[slot]) continue;
            Linearisation linear;
            linear.attach(scene.step_model(), layout);
            const auto& bodies = pool.bodies[slot];
            for (const BodyIndex b : bodies) linear.bodies[b].pose = body_pose(scene.state, b);
            write_one_ball(layout.balls.by_slot[slot / 4], static_cast<int>(slot % 4),
                           ball_arrays(scene, linear, kH, true, true));

            const ConstraintRows& joint = scene.model.rows.groups[pool.groups[slot]];
            const JointPlace& place = layout.joints[pool.groups[slot]];
            const Poses<2> X = {linear.bodies[bodies[0]].pose, linear.bodies[bodies[1]].pose};
            const RowVector<3> lambda =
                Eigen::Map<const RowVector<3>>(&scene.state.lambda[joint.first_row]);
            Rows<3, 2> rows;
            pool.items[slot].evaluate(X, {}, rows);
            TensionDiagonal<2> G;
            for (Mat3& g : G) g.setZero();
            pool.items[slot].tension(X, lambda, G);
            for (int r = 0; r < 3; ++r)
                ASSERT_EQ(linear.rows[joint.first_row + r].phi, rows.phi[r]) << seed << ' ' << slot;
            for (int s = 0; s < 2; ++s) {
                if (place.bodies[s].freedoms == 0) continue;
                const Real* const J = &linear.system.J[place.jacobian[s]];
                const Real* const H = &linear.system.H[place.bodies[s].block];
                const Real* const reaction = &linear.reaction[place.bodies[s].offset];
                for (int c = 0; c < 6; ++c) {
                    Real sum = 0;
                    for (int r = 0; r < 3; ++r) {
                        ASSERT_EQ(J[6 * r + c], rows.J[s](r, c));
                        sum += rows.J[s](r, c) * (kH * lambda[r]);
                    }
                    ASSERT_EQ(reaction[c], sum);
                }
                for (int r = 0; r < 3; ++r)
                    for (int c = 0; c < 3; ++c)
                        ASSERT_EQ(H[6 * (r + 3) + c + 3], kH * kH * G[s](r, c));
            }
        }
    }
}

// The kernels for one number type.
struct Form {
    const char* name;
    const BodyKernelTable* bodies;
    WriteBalls* write_balls;
};

// Those that this machine runs, the scalar reference first.
std::vector<Form> forms()
{
    std::vector<Form> out = {{"scalar", &scalar_body_kernels, write_balls_scalar},
                             {"two wide", &two_wide_body_kernels, write_balls_two_wide}};
#ifdef __x86_64__
    if (core::has_avx2())
        out.push_back({"four wide", &four_wide_body_kernels, write_balls_four_wide});
#endif
    return out;
}

// All that kernels write.
struct Written {
    std::vector<AttemptPack> attempts;
    State next;
    Linearisation linear;
    std::vector<Real> left, psi, sums;
};

struct Ways {
    AttemptCoefficients::Past past;
    bool matrix;  // H, J and Σ as well
    bool tension, rates;
};

Written write(const Scene& start, const Ways& ways, const Form& form)
{
    const BodyKernelTable& kernels = *form.bodies;
    const AttemptCoefficients attempt = {0.02,      0.35, 0.013, 0.02, {0, 0.1, -9.81},
                                         ways.past, 0.3,  0.1};
    Written run;
    run.attempts.resize(start.work.packs.size());
    run.next = start.state;
    run.linear.attach(start.step_model(), start.work.context.layout);
    run.left.assign(run.linear.reaction.size(), 0);
    run.psi.assign(start.state.lambda.size(), 0);
    const auto arrays = [](auto& at) {
        return ConstBodyArrays{at.p.data()->data(), at.q.data()->coeffs().data(),
                               at.v.data()->data(), at.w.data()->data()};
    };
    State& next = run.next;
    const BodyArrays out = {next.p.data()->data(), next.q.data()->coeffs().data(),
                            next.v.data()->data(), next.w.data()->data()};
    const PackSpan packs = {start.work.packs.data(), run.attempts.data(),
                            static_cast<long>(run.attempts.size())};
    const Rates &rates = start.state.rates, &before = start.state.history.rates;
    kernels.begin(packs, attempt, arrays(start.state), arrays(start.state.history),
                  {rates.linear.data()->data(), rates.angular.data()->data(),
                   before.linear.data()->data(), before.angular.data()->data()},
                  out);
    BodyStart& first = run.linear.bodies.front();
    linalg::SaddleSystem& system = run.linear.system;
    run.sums.push_back(kernels.write_system(
        packs, attempt, arrays(next),
        {first.pose.p.data(), first.pose.R.data(), ways.rates ? first.v.data() : nullptr,
         ways.rates ? first.w.data() : nullptr, system.f.data(), run.linear.reaction.data(),
         system.H.data(), ways.matrix}));
    const BallPacks& balls = start.work.context.layout.balls;
    form.write_balls(balls.packs.data(), static_cast<long>(balls.packs.size()),
                     ball_arrays(start, run.linear, attempt.h_bar, ways.matrix, ways.tension));
    run.sums.push_back(kernels.measure(packs, arrays(next), system.f.data(),
                                       run.linear.reaction.data(), run.left.data()));
    const RowsLeft rows = kernels.measure_rows(static_cast<int>(run.psi.size()), attempt.h_bar,
                                               start.state.lambda.data(), system.g.data(),
                                               system.sigma.data(), run.psi.data());
    run.sums.insert(run.sums.end(), {rows.work, rows.force, rows.psi});
    // the axes of another matrix
    for (std::size_t k = 0; k < run.attempts.size(); ++k)
        for (int i = 0; i < 3; ++i)
            for (int lane = 0; lane < 4; ++lane)
                run.attempts[k].factor_axis[i][lane] = run.attempts[k].axis[(i + 1) % 3][lane];
    kernels.turn_axes(packs, TurnTo::Factor, 1e-3, run.left.data());
    kernels.correct(packs, attempt, run.left.data(), out);
    const BodyEnergy energy = kernels.energy(packs, attempt.gravity, arrays(next));
    run.sums.insert(run.sums.end(), {energy.translation, energy.rotation, energy.gravity});
    return run;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Lanes that repeat a body need not be written.
bool same_attempts(const Scene& scene, const Written& a, const Written& b)
{
    for (std::size_t k = 0; k < a.attempts.size(); ++k) {
        const auto* one = reinterpret_cast<const double*>(&a.attempts[k]);
        const auto* other = reinterpret_cast<const double*>(&b.attempts[k]);
        for (std::size_t i = 0; i < sizeof(AttemptPack) / sizeof(double); ++i)
            if (static_cast<int>(i % 4) < scene.work.packs[k].count && one[i] != other[i])
                return false;
    }
    return true;
}

void expect_same_bits(const Scene& scene, const Written& a, const Written& b)
{
    EXPECT_TRUE(same_attempts(scene, a, b));
    EXPECT_EQ(a.sums, b.sums);
    EXPECT_EQ(a.left, b.left);
    EXPECT_EQ(a.psi, b.psi);
    EXPECT_EQ(a.next.p, b.next.p);
    EXPECT_EQ(a.next.v, b.next.v);
    EXPECT_EQ(a.next.w, b.next.w);
    EXPECT_TRUE(same_bytes(a.next.q, b.next.q));
    const linalg::SaddleSystem &one = a.linear.system, &other = b.linear.system;
    EXPECT_EQ(one.H, other.H);
    EXPECT_EQ(one.J, other.J);
    EXPECT_EQ(one.f, other.f);
    EXPECT_EQ(one.g, other.g);
    EXPECT_EQ(one.sigma, other.sigma);
    EXPECT_EQ(a.linear.reaction, b.linear.reaction);
    EXPECT_TRUE(same_bytes(a.linear.rows, b.linear.rows));
    EXPECT_TRUE(same_bytes(a.linear.bodies, b.linear.bodies));
}

void compare_forms(const Scene& scene)
{
    using Past = AttemptCoefficients::Past;
    constexpr Ways kWays[] = {{Past::Bdf2, true, true, true},
                              {Past::None, true, true, false},
                              {Past::Adams, true, true, true},
                              {Past::Bdf2, false, false, true},
                              {Past::None, true, false, false}};
    const std::vector<Form> all = forms();
    for (const Ways& ways : kWays) {
        const Written reference = write(scene, ways, all.front());
        for (std::size_t k = 1; k < all.size(); ++k) {
            SCOPED_TRACE(all[k].name);
            expect_same_bits(scene, reference, write(scene, ways, all[k]));
        }
    }
}

// Bodies of every kind, in numbers that leave lanes over, held and free.
TEST(Packs, VectorKernelsHaveTheBitsOfTheScalarOnes)
{
    std::set<std::pair<BodyPack::Kind, bool>> kinds;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        const Scene scene = make_scene(seed, 43 + static_cast<int>(seed), {.free_bodies = true});
        for (const BodyPack& pack : scene.work.packs) kinds.insert({pack.kind, pack.is_free});
        compare_forms(scene);
    }
    EXPECT_EQ(kinds.size(), 5) << "free particles, rods and boxes both ways";
}

TEST(Packs, VectorKernelsHaveTheBitsOfTheScalarOnesBeyondTheSeries)
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        Scene scene = make_scene(seed, 50, {.free_bodies = true});
        for (std::size_t b = 1; b < scene.state.w.size(); b += 7) {
            scene.state.w[b] = scene.state.history.w[b] = Vec3(200, 10, -30);
            scene.state.q[b].coeffs() *= 1 + 1e-6;  // not unit by more than rounding
        }
        compare_forms(scene);
    }
}

TEST(Packs, VectorKernelsHaveTheBitsOfTheScalarOnesAmongDenormals)
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        Scene scene = make_scene(seed, 50, {.free_bodies = true});
        for (Real& force : scene.state.lambda) force *= 1e-310;
        for (std::size_t b = 1; b < scene.state.w.size(); b += 2) {
            for (auto* at :
                 {&scene.state.v, &scene.state.w, &scene.state.history.v, &scene.state.history.w})
                (*at)[b] *= 1e-310;
            scene.state.history.q[b] = scene.state.q[b];
        }
        compare_forms(scene);
    }
}

// What is turned into the axes of the matrix has the same part along them, and comes back.
TEST(Packs, AnAxisIsTurnedIntoThatOfTheMatrix)
{
    Scene scene = make_scene(5, 60);
    std::mt19937 engine(5);
    std::uniform_real_distribution<Real> any(-1, 1);
    const Attempt attempt = bdf2_attempt(scene.state, 0.02);
    begin_attempt(scene.step_model(), scene.state, attempt, scene.work);
    linearise(scene, attempt, Depth::Matrix);
    for (std::size_t b = 1; b < scene.work.next.q.size(); ++b)
        scene.work.next.q[b] =
            (Quat(1, any(engine), any(engine), any(engine)).normalized() * scene.work.next.q[b]);
    linearise(scene, attempt, Depth::Values);
    const auto axis_of = [](const double(&axis)[3][4], int lane) {
        return Vec3(axis[0][lane], axis[1][lane], axis[2][lane]);
    };
    std::vector<Real> vectors(scene.work.defect_f.size());
    for (Real& each : vectors) each = any(engine);
    std::vector<Real> turned = vectors;
    const PackSpan packs = {scene.work.packs.data(), scene.work.attempts.data(),
                            static_cast<long>(scene.work.packs.size())};
    fastest_body_kernels().turn_axes(packs, TurnTo::Factor, 1e-3, turned.data());
    int seen = 0;
    for (std::size_t k = 0; k < scene.work.packs.size(); ++k) {
        const BodyPack& pack = scene.work.packs[k];
        if (pack.kind != BodyPack::Kind::Axial) continue;
        for (int lane = 0; lane < pack.count; ++lane) {
            const Vec3 now = axis_of(scene.work.attempts[k].axis, lane);
            const Vec3 then = axis_of(scene.work.attempts[k].factor_axis, lane);
            const Vec3 r = Eigen::Map<const Vec3>(&vectors[pack.offset.at[lane] + 3]);
            const Vec3 t = Eigen::Map<const Vec3>(&turned[pack.offset.at[lane] + 3]);
            EXPECT_LT((t - Quat::FromTwoVectors(now, then) * r).norm(), 1e-12);
            if (now.norm() > 0) {
                EXPECT_GT((now - then).norm(), 1e-3);
            }
            ++seen;
        }
    }
    EXPECT_GT(seen, 10);
    fastest_body_kernels().turn_axes(packs, TurnTo::Iterate, 1e-3, turned.data());
    for (std::size_t k = 0; k < turned.size(); ++k) EXPECT_NEAR(turned[k], vectors[k], 1e-12);
}

// One number that is too large, infinite or none among many, at any place.
TEST(Packs, BoundedFindsEveryNumberThatIsNot)
{
    constexpr Real kLimit = 1e100, kInfinity = std::numeric_limits<Real>::infinity();
    for (const Form& form : forms()) {
        SCOPED_TRACE(form.name);
        for (std::size_t count = 0; count < 40; ++count) {
            std::vector<Real> numbers(count, -0.5 * kLimit);
            const auto bounded = [&](Real limit) {
                return form.bodies->bounded(numbers.data(), static_cast<long>(count), limit);
            };
            EXPECT_TRUE(bounded(kLimit));
            for (std::size_t k = 0; k < count; ++k) {
                for (const Real bad : {kLimit, -kLimit, kInfinity, -kInfinity,
                                       std::numeric_limits<Real>::quiet_NaN()}) {
                    numbers[k] = bad;
                    EXPECT_FALSE(bounded(kLimit)) << count << ' ' << k << ' ' << bad;
                    EXPECT_EQ(bounded(kInfinity), std::isfinite(bad));
                }
                numbers[k] = 0;
            }
        }
    }
}

}  // namespace
}  // namespace taut::test
