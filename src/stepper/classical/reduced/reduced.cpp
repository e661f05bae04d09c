// Reduced coordinates: the tree's joint coordinates by Runge-Kutta 4, accelerations by articulated bodies.
//
// The state stays in poses and twists of bodies. A step reads joint coordinates off it, integrates them
// and puts the bodies where they say: joints hold to round-off whatever the step. Springs, loads and
// servos are forces. Nothing of the joints' φ and J enters the motion, which is what makes the method
// an oracle for the others; only the multipliers are read off J afterwards, from the joints' wrenches.
#include <Eigen/QR>

#include "math/so3.h"
#include "stepper/classical/method.h"
#include "stepper/classical/reduced/articulated.h"
#include "stepper/classical/runge_kutta.h"

namespace taut::stepper::classical {
namespace {

// Joints that are further open than this do not describe the poses they are read from.
constexpr Real kOpen = 1e-3;  // of the scene's size or the distance from its origin [-], and [rad]

struct TreeInstant {
    TreeAccelerations tree;
    Vector lambda;
    EnergyRates power;
};

// λ of a branch's joint from its wrench: J_cᵀ λ = wrench, one least-squares solve of at most 6×6.
void multipliers_from_wrenches(const Mechanism& m, const Tree& tree, const RowValues& rows,
                               TreeInstant& now)
{
    for (std::size_t i = 0; i < tree.branches.size(); ++i) {
        const Branch& b = tree.branches[i];
        if (b.joint < 0) continue;
        const ConstraintRows& joint = m.model.rows.groups[b.joint];
        const int n = m.model.bodies[b.body].freedoms();
        const Matrix Jt = rows.J.block(joint.first_row, m.first[b.body], joint.rows, n).transpose();
        now.lambda.segment(joint.first_row, joint.rows) =
            Jt.colPivHouseholderQr().solve(now.tree.wrench[i].head(n));
    }
}

TreeInstant accelerate_tree(const Mechanism& m, const Tree& tree,
                            const JointCoordinates& coordinates, const State& state,
                            const Vector& speed)
{
    RowValues rows;
    evaluate(m, state, Detail::Rates, rows);
    TreeInstant now;
    now.lambda = Vector::Zero(m.rows);
    const Vector force = applied_force(m, state, rows, now.lambda);
    now.tree = articulated_bodies(m, tree, coordinates, state, speed, force);
    multipliers_from_wrenches(m, tree, rows, now);
    now.power = power(m, state, rows, now.lambda);
    return now;
}

bool far_apart(const Mechanism& m, const State& a, const State& b)
{
    const auto& extent = m.model.extent;
    const Real size = extent.isEmpty() ? 0 : extent.diagonal().norm();
    for (std::size_t k = 0; k < a.p.size(); ++k)
        if ((a.p[k] - b.p[k]).norm() > kOpen * std::max(size, a.p[k].norm()) ||
            log_so3(a.q[k] * b.q[k].conjugate()).norm() > kOpen)
            return true;
    return false;
}

}  // namespace

Outcome step_reduced(const Mechanism& m, State& next)
{
    Outcome outcome;
    const Tree tree = make_tree(m.model);
    if (tree.refused) {
        outcome.refused = tree.refused;
        return outcome;
    }
    const State start = next;
    const JointCoordinates coordinates(m, tree, start);
    const int n = tree.freedoms;
    Vector y(2 * n + EnergyRates::kCount);
    y << coordinates.positions(), coordinates.speeds(), Vector::Zero(EnergyRates::kCount);
    const auto at = [&](Real t, const Vector& now) {
        State state = start;
        set_prescribed(m, t, state);
        coordinates.place(now.head(n), now.segment(n, n), state);
        return state;
    };
    if (far_apart(m, start, at(start.time, y))) {
        outcome.refused = "reduced: joints are open, so poses do not follow from joint coordinates";
        return outcome;
    }

    // y = (coordinates, speeds, work)
    bool solved = true;
    y = runge_kutta_4(y, start.time, m.h, [&](Real t, const Vector& now) {
        State state = at(t, now);
        state.time = clamp_into_step(t, start.time, m.h);
        const TreeInstant instant = accelerate_tree(m, tree, coordinates, state, now.segment(n, n));
        solved = solved && instant.tree.solved;
        Vector slope(2 * n + EnergyRates::kCount);
        slope << coordinates.rates(now.head(n), now.segment(n, n)), instant.tree.speed_rates,
            instant.power.vector();
        return slope;
    });
    if (!solved) {
        outcome.failed = "a joint of the tree moves nothing that has mass";
        return outcome;
    }
    next = at(start.time + m.h, y);
    add_work(next.last_step, EnergyRates::from(y.tail<EnergyRates::kCount>()), 1);
    const TreeInstant end = accelerate_tree(m, tree, coordinates, next, y.segment(n, n));
    next.lambda.assign(end.lambda.data(), end.lambda.data() + m.model.rows.count);
    outcome.solves = 5;
    return outcome;
}

}  // namespace taut::stepper::classical
