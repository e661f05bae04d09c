// Every block of the system of a small scene against a dense one that is made here from masses, from φ alone and from
// differences of it.
#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <cmath>

#include "assembly/linearise.h"
#include "model/builder.h"
#include "model/step_model.h"
#include "support/mechanisms.h"

namespace taut::test {
namespace {

using Dense = Eigen::MatrixXd;
using Column = Eigen::VectorXd;
using assembly::Layout;
using assembly::Linearisation;
using assembly::SchemeWeights;

constexpr Real kStep = 0.02;

struct Scene {
    Model model;
    State state = make_state();
    StepRows rows;

    StepModel step_model() const { return {model, rows}; }
};

BodyDef box(const Vec3& p, const Vec3& turn)
{
    BodyDef def;
    def.mass = 2 + p.norm();
    def.inertia = Vec3(1, 2, 2.5).asDiagonal();
    def.pose = {p, Quat(Eigen::AngleAxis<Real>(turn.norm(), turn.normalized()))};
    def.velocity = {Vec3(0.3, -0.2, 0.1), Vec3(0.5, 0.4, -0.7)};
    return def;
}

// Ground, two boxes and a particle; a compliant ball joint, a damped hinge, a rod and a contact with the ground.
Scene make_scene()
{
    Scene scene;
    Model& model = scene.model;
    State& state = scene.state;
    must(add_body(model, state, box({0.2, 0.1, 1}, {0.3, 0.1, -0.2})));
    must(add_body(model, state, box({1.1, -0.2, 1.2}, {-0.4, 0.2, 0.5})));
    BodyDef particle;
    particle.kind = BodyKind::Particle;
    particle.mass = 0.7;
    particle.pose.p = {2, 0.3, 0.9};
    must(add_body(model, state, particle));
    JointDef first = ball(kWorld, BodyId{0}, {0.1, 0, 1.5});
    first.compliance = 1e-3;
    JointDef second = hinge(BodyId{0}, BodyId{1}, {0.7, 0, 1.1}, {0.2, 1, 0.1});
    second.damping_time = 0.05;
    must(add_joint(model, state, first));
    must(add_joint(model, state, second));
    must(add_joint(model, state, rod(BodyId{1}, BodyId{2}, {1.4, 0, 1}, {2, 0.3, 0.9})));
    // off the constraints, so that φ is not zero
    state.p[1] += Vec3(0.01, -0.02, 0.015);
    state.p[3] += Vec3(-0.01, 0.02, 0.01);

    scene.rows.load_joints(model);
    const int contact = scene.rows.append_contact();
    const auto bodies = scene.rows.table.bodies(scene.rows.table.groups[contact]);
    bodies[0] = kGround;
    bodies[1] = BodyIndex(2);
    scene.rows.contacts.bodies[0] = {kGround, BodyIndex(2)};
    Contact& item = scene.rows.contacts.items[0];
    item.frames[0] = {Vec3::Zero(), Mat3::Identity()};
    item.frames[1] = {Vec3(0.2, 0.1, -0.3), Mat3::Identity()};
    state.lambda.resize(scene.rows.table.count);
    state.stretch.resize(scene.rows.table.count);
    for (std::size_t r = 0; r < state.lambda.size(); ++r)
        state.lambda[r] = 5 * std::sin(static_cast<Real>(r) + 1);
    return scene;
}

// Unknowns in the order of the bodies.
int first_unknown(const Model& model, BodyIndex b)
{
    int at = 0;
    for (BodyIndex k = kGround; k < b; ++k) at += model.bodies[k].freedoms();
    return at;
}

State moved(const Model& model, State state, int unknown, Real by)
{
    for (const BodyIndex b : BodyRange(model.bodies.size())) {
        const int k = unknown - first_unknown(model, b);
        if (k < 0 || k >= model.bodies[b].freedoms()) continue;
        if (k < 3)
            state.p[b][k] += by;
        else
            state.q[b] = Quat(Eigen::AngleAxis<Real>(by, Vec3::Unit(k - 3))) * state.q[b];
    }
    return state;
}

// φ of all position rows, and slip directions as J of the velocity rows, constraint by constraint.
template <class Visit>
void each_constraint(const Scene& scene, const State& state, Visit&& visit)
{
    for_each_type(constraints::ConstraintTypes{}, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto& pool = scene.step_model().pool<T>();
        for (std::size_t k = 0; k < pool.items.size(); ++k) {
            constraints::Poses<T::kBodies> X;
            for (int s = 0; s < T::kBodies; ++s) X[s] = body_pose(state, pool.bodies[k][s]);
            constraints::Rows<T::kRows, T::kBodies> out;
            pool.items[k].evaluate(X, {}, out);
            visit(scene.rows.table.groups[pool.groups[k]], pool.bodies[k], out);
        }
    });
}

Column all_phi(const Scene& scene, const State& state)
{
    Column phi = Column::Zero(scene.rows.table.count);
    each_constraint(scene, state, [&](const auto& group, const auto&, const auto& out) {
        phi.segment(group.first_row, group.rows) = out.phi;
    });
    return phi;
}

// Jᵀλ, as forces on the unknowns.
Column reactions(const Scene& scene, const State& state, int unknowns)
{
    Column sum = Column::Zero(unknowns);
    each_constraint(scene, state, [&](const auto& group, const auto& bodies, const auto& out) {
        for (std::size_t s = 0; s < bodies.size(); ++s) {
            const int n = scene.model.bodies[bodies[s]].freedoms();
            for (int r = 0; r < group.rows; ++r)
                sum.segment(first_unknown(scene.model, bodies[s]), n) +=
                    out.J[s].row(r).head(n).transpose() * state.lambda[group.first_row + r];
        }
    });
    return sum;
}

template <class Measure>
Dense differences(const Scene& scene, int rows, int unknowns, Measure&& measure)
{
    constexpr Real kBy = 1e-6;
    Dense out(rows, unknowns);
    for (int k = 0; k < unknowns; ++k)
        out.col(k) = (measure(moved(scene.model, scene.state, k, kBy)) -
                      measure(moved(scene.model, scene.state, k, -kBy))) /
                     (2 * kBy);
    return out;
}

struct Assembled {
    Layout layout;
    Linearisation linear;
    Dense H, J;
};

Assembled assemble(const Scene& scene, Stabilisation stabilisation)
{
    Assembled out;
    const StepModel model = scene.step_model();
    out.layout = make_layout(model, stabilisation);
    Linearisation& linear = out.linear;
    linear.attach(model, out.layout);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        assembly::BodyStart& start = linear.bodies[b];
        start.pose = body_pose(scene.state, static_cast<BodyIndex>(b));
        const Mat3& R = start.pose.R;
        start.inertia = R * model.bodies[b].inertia * R.transpose();
        start.v = start.drift_v = start.carried_v = scene.state.v[b];
        start.w = start.drift_w = scene.state.w[b];
        start.angular_momentum = start.inertia * scene.state.w[b];
        linear.load_force[b] = Vec3(0.1, 0.2, 0.3) * static_cast<Real>(b);
    }
    SchemeWeights scheme;
    scheme.h = kStep;
    linearise(model, scene.state, scheme, stabilisation, out.layout, linear);

    const linalg::SaddlePattern& pattern = out.layout.pattern;
    const auto block = [](const std::vector<Real>& from, int at, int rows, int cols) {
        using Rows = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        return Dense(Eigen::Map<const Rows>(&from[at], rows, cols));
    };
    out.H = Dense::Zero(pattern.primal_unknowns, pattern.primal_unknowns);
    for (const auto& p : pattern.primals)
        out.H.block(p.offset, p.offset, p.size, p.size) =
            block(linear.system.H, p.block, p.size, p.size);
    for (const auto& pair : pattern.pairs) {
        const auto &a = pattern.primals[pair.i], &b = pattern.primals[pair.j];
        out.H.block(a.offset, b.offset, a.size, b.size) =
            block(linear.system.H, pair.block_ij, a.size, b.size);
        out.H.block(b.offset, a.offset, b.size, a.size) =
            block(linear.system.H, pair.block_ji, b.size, a.size);
    }
    out.J = Dense::Zero(pattern.dual_unknowns, pattern.primal_unknowns);
    for (const auto& dual : pattern.duals)
        for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
            const auto& p = pattern.primals[pattern.touches[t].primal];
            out.J.block(dual.offset, p.offset, dual.size, p.size) =
                block(linear.system.J, pattern.touches[t].block, dual.size, p.size);
        }
    return out;
}

Dense mass_matrix(const Scene& scene, int unknowns)
{
    Dense M = Dense::Zero(unknowns, unknowns);
    for (std::size_t b = 0; b < scene.model.bodies.size(); ++b) {
        const BodyModel& body = scene.model.bodies[b];
        const int at = first_unknown(scene.model, static_cast<BodyIndex>(b));
        if (!body.dynamic()) continue;
        M.block(at, at, 3, 3) = body.mass * Mat3::Identity();
        const Mat3 R = scene.state.q[b].toRotationMatrix();
        if (body.freedoms() == 6) M.block(at + 3, at + 3, 3, 3) = R * body.inertia * R.transpose();
    }
    return M;
}

constexpr int kUnknowns = 15, kRows = 12;  // 6 + 6 + 3; ball 3, hinge 5, rod 1, contact 3

TEST(Layout, BodiesAndRowsAreInTheOrderOfModelAndTable)
{
    const Scene scene = make_scene();
    const Layout layout = make_layout(scene.step_model(), Stabilisation::Tension);
    ASSERT_EQ(layout.pattern.primal_unknowns, kUnknowns);
    ASSERT_EQ(layout.pattern.dual_unknowns, kRows);
    EXPECT_EQ(layout.primal[kGround], -1);
    for (BodyIndex b(1); b < 4; ++b)
        EXPECT_EQ(layout.offset(b), first_unknown(scene.model, b)) << b;
    for (std::size_t k = 0; k < layout.pattern.duals.size(); ++k) {
        EXPECT_EQ(layout.pattern.duals[k].offset, scene.rows.table.groups[k].first_row);
        EXPECT_EQ(layout.pattern.duals[k].early, k == 3) << "contacts alone are eliminated early";
    }
    EXPECT_EQ(layout.joints[0].jacobian[0], -1) << "the ground has no columns";
}

TEST(Assembly, MassAndMomentum)
{
    const Scene scene = make_scene();
    const Assembled got = assemble(scene, Stabilisation::None);
    const Dense M = mass_matrix(scene, kUnknowns);
    EXPECT_LT((got.H - M).cwiseAbs().maxCoeff(), 1e-14);
    Column v(kUnknowns), force = Column::Zero(kUnknowns);
    for (BodyIndex b(1); b < 4; ++b) {
        const int at = first_unknown(scene.model, b);
        v.segment(at, 3) = scene.state.v[b];
        if (b < 3) v.segment(at + 3, 3) = scene.state.w[b];
        force.segment(at, 3) =
            scene.model.bodies[b].mass * scene.model.gravity + b * Vec3(0.1, 0.2, 0.3);
    }
    const Column f = M * v + kStep * force;
    EXPECT_LT((Eigen::Map<const Column>(got.linear.system.f.data(), kUnknowns) - f).norm(), 1e-12);
}

TEST(Assembly, JacobianIsTheDifferenceOfTheGaps)
{
    const Scene scene = make_scene();
    const Assembled got = assemble(scene, Stabilisation::None);
    Dense J =
        differences(scene, kRows, kUnknowns, [&](const State& at) { return all_phi(scene, at); });
    // friction has no φ: the velocity of the touching point along x and y of the ground, up to the sign of the axes
    const Vec3 lever = scene.state.q[2] * Vec3(0.2, 0.1, -0.3);
    const Mat3 axes = scene.rows.contacts.items[0].axes(
        {body_pose(scene.state, kGround), body_pose(scene.state, BodyIndex(2))});
    for (int r = 0; r < 2; ++r) {
        const Vec3 t = axes.col(r);
        J.row(10 + r).setZero();
        J.block(10 + r, 6, 1, 3) = t.transpose();
        J.block(10 + r, 9, 1, 3) = lever.cross(t).transpose();
    }
    EXPECT_LT((got.J - J).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Assembly, SoftnessAndRightHandSideOfRows)
{
    const Scene scene = make_scene();
    const Assembled got = assemble(scene, Stabilisation::None);
    const Column phi = all_phi(scene, scene.state);
    for (int r = 0; r < kRows; ++r) {
        const Real compliance = r < 3 ? 1e-3 : 0, damping_time = r >= 3 && r < 8 ? 0.05 : 0;
        EXPECT_NEAR(got.linear.system.sigma[r], compliance / (kStep * (kStep + damping_time)),
                    1e-12)
            << r;
        const Real g = r < 10 ? -phi[r] / (kStep + damping_time) : 0;
        EXPECT_NEAR(got.linear.system.g[r], g, 1e-12) << r;
    }
}

TEST(Assembly, StiffnessIsTheDifferenceOfTheReactions)
{
    Scene scene = make_scene();
    scene.state.lambda[10] = scene.state.lambda[11] = 0;  // friction has no K̃
    const Dense K = differences(scene, kUnknowns, kUnknowns,
                                [&](const State& at) { return reactions(scene, at, kUnknowns); });
    const Dense M = mass_matrix(scene, kUnknowns);
    const Real scale = kStep * kStep;
    const Dense exact = M - scale * K, symmetric = M - scale * (K + K.transpose()) / 2;
    EXPECT_LT((assemble(scene, Stabilisation::Exact).H - exact).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((assemble(scene, Stabilisation::Symmetric).H - symmetric).cwiseAbs().maxCoeff(),
              1e-9);
    // the tension form has no blocks between bodies but those of the rod, and stays positive
    const Dense tension = assemble(scene, Stabilisation::Tension).H;
    EXPECT_GT((tension - M).selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), -1e-12);
}

TEST(Assembly, BrokenJointHoldsNothing)
{
    Scene scene = make_scene();
    scene.state.broken[1] = 1;
    const Assembled got = assemble(scene, Stabilisation::Tension);
    EXPECT_EQ(got.J.middleRows(3, 5).cwiseAbs().maxCoeff(), 0);
    for (int r = 3; r < 8; ++r) {
        EXPECT_EQ(got.linear.system.sigma[r], 1);
        EXPECT_EQ(got.linear.system.g[r], 0);
    }
    EXPECT_GT(got.J.row(8).norm(), 0) << "others hold";
}

}  // namespace
}  // namespace taut::test
