// Packs of bodies and of ball joints in the midpoint scheme: joints against their type, and the vector kernels against the scalar
// ones, bit by bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "assembly/midpoint_rows.h"
#include "core/cpu.h"
#include "pack_scene.h"
#include "stepper/packs/midpoint_table.h"

namespace taut::test {
namespace {

using assembly::MidpointEvaluation;
using assembly::MidpointPose;

// Some joints are so soft that the step resolves them, others stiff.
Scene make_midpoint_scene(unsigned seed, int bodies, SceneOptions options = {})
{
    options.compliance = 1e-2;
    Scene scene = make_scene(seed, bodies, options);
    std::mt19937 engine(seed + 1000);
    std::uniform_real_distribution<Real> any(-1, 1);
    State& state = scene.state;
    for (Rates* rates : {&state.rates, &state.history.rates})
        for (std::size_t b = 0; b < state.p.size(); ++b) {
            rates->linear[b] = state.v[b] + 0.1 * Vec3(any(engine), any(engine), any(engine));
            rates->angular[b].head<3>() =
                state.w[b] + 0.1 * Vec3(any(engine), any(engine), any(engine));
        }
    state.last_step.scheme.midpoint_steps = 2;
    return scene;
}

void expect_near(Real a, Real b, const char* what)
{
    EXPECT_NEAR(a, b, 1e-12 * (1 + std::abs(b))) << what;
}

// Packs, and joints one by one where some may break.
TEST(MidpointPacks, BallJointsAreThoseOfTheirType)
{
    bool any_resolved = false, any_stiff = false;
    for (unsigned seed = 1; seed <= 10; ++seed)
        for (const bool breakable : {false, true}) {
            Scene scene = make_midpoint_scene(seed, 60, {.breakable = breakable});
            const Layout& layout = scene.work.context.layout;
            ASSERT_EQ(layout.balls.packs.empty(), breakable);
            const Attempt attempt = midpoint_attempt(scene.state, 0.02);
            begin_attempt(scene.step_model(), scene.state, attempt, scene.work);
            Linearisation& linear = scene.work.context.linear;
            // without forces: M alone; then what joints add
            const std::vector<Real> lambda = scene.work.next.lambda;
            scene.work.next.lambda.assign(lambda.size(), 0);
            linearise_iterate(scene.step_model(), attempt, Stabilisation::Tension, false,
                              Depth::Matrix, scene.work, scene.work.context);
            std::vector<Real> H = linear.system.H, reaction(linear.reaction.size(), 0);
            scene.work.next.lambda = lambda;
            linearise_iterate(scene.step_model(), attempt, Stabilisation::Tension, false,
                              Depth::Matrix, scene.work, scene.work.context);

            const auto& pool = std::get<Pool<Ball>>(scene.model.pools);
            for (std::size_t slot = 0; slot < pool.items.size(); ++slot) {
                const int index = pool.groups[slot];
                const ConstraintRows& group = scene.model.rows.groups[index];
                const JointPlace& place = layout.joints[index];
                const MidpointEvaluation<Ball> at(pool.items[slot], linear, pool.bodies[slot], {},
                                                  attempt.h);
                const RowVector<3> force = Eigen::Map<const RowVector<3>>(&lambda[group.first_row]);
                TensionDiagonal<2> G;
                for (Mat3& g : G) g.setZero();
                pool.items[slot].tension(at.pose, force, G);
                for (int r = 0; r < 3; ++r) {
                    const int k = group.first_row + r;
                    const bool resolved = scene.work.resolved_rows[k] != 0;
                    (resolved ? any_resolved : any_stiff) = true;
                    const RowSoftness& soft = scene.model.rows.softness[k];
                    const auto w =
                        assembly::midpoint_weights(resolved, soft.damping_time, attempt.h);
                    expect_near(linear.rows[k].phi, at.rows.phi[r], "phi");
                    expect_near(
                        linear.system.g[k],
                        -(w.end * at.rows.phi[r] + w.start * at.phi_start[r]) / (w.end * attempt.h),
                        "g");
                    expect_near(linear.system.sigma[k],
                                soft.compliance / (attempt.h_bar * w.end * attempt.h), "sigma");
                }
                for (int s = 0; s < 2; ++s) {
                    if (place.bodies[s].freedoms == 0) continue;
                    for (int c = 0; c < 6; ++c)
                        for (int r = 0; r < 3; ++r) {
                            expect_near(linear.system.J[place.jacobian[s] + 6 * r + c],
                                        at.rows.J[s](r, c), "J");
                            reaction[place.bodies[s].offset + c] +=
                                at.rows.J[s](r, c) * attempt.h_bar * force[r];
                        }
                    for (int r = 0; r < 3; ++r)
                        for (int c = 0; c < 3; ++c)
                            H[place.bodies[s].block + 6 * (r + 3) + c + 3] +=
                                attempt.h_bar * attempt.h_bar * G[s](r, c);
                }
            }
            for (std::size_t k = 0; k < H.size(); ++k) expect_near(linear.system.H[k], H[k], "H");
            for (std::size_t k = 0; k < reaction.size(); ++k)
                expect_near(linear.reaction[k], reaction[k], "reaction");
        }
    EXPECT_TRUE(any_resolved && any_stiff);
}

// The kernels for one number type.
struct Form {
    const char* name;
    const MidpointKernelTable* bodies;
    WriteBalls* write_balls;
};

std::vector<Form> forms()
{
    std::vector<Form> out = {
        {"scalar", &scalar_midpoint_kernels, write_midpoint_balls_scalar},
        {"two wide", &two_wide_midpoint_kernels, write_midpoint_balls_two_wide}};
#ifdef __x86_64__
    if (core::has_avx2())
        out.push_back({"four wide", &four_wide_midpoint_kernels, write_midpoint_balls_four_wide});
#endif
    return out;
}

// All that kernels write.
struct Written {
    std::vector<AttemptPack> attempts;
    State next;
    Linearisation linear;
    std::vector<Real> mean, left, sums;
};

struct Ways {
    bool continued, extrapolate;
    bool matrix, resolved;
};

Written write(const Scene& start, const Ways& ways, const Form& form)
{
    const MidpointStep step = {0.02, {0, 0.1, -9.81}, ways.continued, ways.extrapolate, 0.9};
    Written run;
    run.attempts.resize(start.work.packs.size());
    State& next = run.next = start.state;
    Linearisation& linear = run.linear;
    linear.attach(start.step_model(), start.work.context.layout);
    run.left.assign(linear.reaction.size(), 0);
    run.mean.assign(linear.reaction.size(), 0);
    const auto arrays = [](auto& at) {
        return ConstBodyArrays{at.p.data()->data(), at.q.data()->coeffs().data(),
                               at.v.data()->data(), at.w.data()->data()};
    };
    const BodyArrays out = {next.p.data()->data(), next.q.data()->coeffs().data(),
                            next.v.data()->data(), next.w.data()->data()};
    const PackSpan packs = {start.work.packs.data(), run.attempts.data(),
                            static_cast<long>(run.attempts.size())};
    const Rates &rates = start.state.rates, &before = start.state.history.rates;
    form.bodies->begin(packs, step, arrays(start.state),
                       {rates.linear.data()->data(), rates.angular.data()->data(),
                        before.linear.data()->data(), before.angular.data()->data()},
                       run.mean.data());
    form.bodies->place(packs, step, run.mean.data(), out);
    BodyStart& first = linear.bodies.front();
    MidpointPose& pose = linear.midpoint.front();
    linalg::SaddleSystem& system = linear.system;
    run.sums.push_back(form.bodies->write_system(
        packs, step, run.mean.data(), arrays(next),
        {first.pose.p.data(), first.pose.R.data(), first.v.data(), first.w.data(), system.f.data(),
         linear.reaction.data(), system.H.data(), ways.matrix},
        {pose.end.p.data(), pose.end.R.data(), pose.mid_R.data(), assembly::kMidpointPose,
         first.drift_v.data(), first.drift_w.data()}));
    std::vector<Real> resolved(start.state.lambda.size(), 0);
    for (std::size_t r = 0; r < resolved.size(); r += 2) resolved[r] = 1;
    const BallPacks& balls = start.work.context.layout.balls;
    form.write_balls(balls.packs.data(), static_cast<long>(balls.packs.size()),
                     {first.pose.p.data(), first.pose.R.data(), start.state.lambda.data(),
                      &start.model.rows.softness.front().compliance, &linear.rows.front().phi,
                      system.g.data(), system.sigma.data(), linear.reaction.data(), system.J.data(),
                      system.H.data(), step.h / 2, ways.matrix, ways.matrix, pose.end.p.data(),
                      pose.end.R.data(), step.h, ways.resolved ? resolved.data() : nullptr});
    run.sums.push_back(form.bodies->measure(packs, run.mean.data(), system.f.data(),
                                            linear.reaction.data(), run.left.data()));
    return run;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

void compare_forms(const Scene& scene)
{
    constexpr Ways kWays[] = {{true, true, true, true},
                              {true, false, true, false},
                              {false, false, false, true},
                              {true, true, false, false}};
    const std::vector<Form> all = forms();
    for (const Ways& ways : kWays) {
        const Written a = write(scene, ways, all.front());
        for (std::size_t k = 1; k < all.size(); ++k) {
            SCOPED_TRACE(all[k].name);
            const Written b = write(scene, ways, all[k]);
            EXPECT_EQ(a.sums, b.sums);
            EXPECT_EQ(a.mean, b.mean);
            EXPECT_EQ(a.left, b.left);
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
            EXPECT_TRUE(same_bytes(a.linear.midpoint, b.linear.midpoint));
        }
    }
}

TEST(MidpointPacks, VectorKernelsHaveTheBitsOfTheScalarOnes)
{
    for (unsigned seed = 1; seed <= 15; ++seed) {
        SCOPED_TRACE(seed);
        compare_forms(
            make_midpoint_scene(seed, 43 + static_cast<int>(seed), {.free_bodies = true}));
    }
}

TEST(MidpointPacks, VectorKernelsHaveTheBitsOfTheScalarOnesBeyondTheSeries)
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        Scene scene = make_midpoint_scene(seed, 50, {.free_bodies = true});
        for (std::size_t b = 1; b < scene.state.w.size(); b += 7) {
            scene.state.w[b] = Vec3(200, 10, -30);
            scene.state.rates.angular[b].head<3>() = Vec3(150, -20, -30);
            scene.state.q[b].coeffs() *= 1 + 1e-6;
        }
        compare_forms(scene);
    }
}

}  // namespace
}  // namespace taut::test
