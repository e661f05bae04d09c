#include "stepper/classical/reduced/articulated.h"

#include <Eigen/Cholesky>

#include "math/so3.h"

namespace taut::stepper::classical {
namespace {

using Square = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
using Few = Eigen::Matrix<Real, Eigen::Dynamic, 1, 0, 6, 1>;
using Matrix6 = Eigen::Matrix<Real, 6, 6>;

struct Articulated {
    Matrix6 inertia = Matrix6::Zero();
    Vec6 bias = Vec6::Zero();
    Matrix6 X = Matrix6::Identity();
    Columns S, U;
    Vec6 c = Vec6::Zero();
    Eigen::LDLT<Square> D;
    Few drive;  // −Sᵀ bias
};

// The body alone: its inertia, and the wrench that would keep it from accelerating.
void start(const Mechanism& m, const Branch& b, const State& state, const Vector& force,
           Articulated& out)
{
    const BodyModel& body = m.model.bodies[b.body];
    out.inertia.topLeftCorner<3, 3>().diagonal().setConstant(body.mass);
    out.bias.head(body.freedoms()) = -force.segment(m.first[b.body], body.freedoms());
    if (body.kind == BodyKind::Rigid) {
        const Mat3 R = state.q[b.body].toRotationMatrix();
        const Mat3 I = R * body.inertia * R.transpose();
        out.inertia.bottomRightCorner<3, 3>() = I;
        out.bias.tail<3>() += state.w[b.body].cross(I * state.w[b.body]);
    }
    out.X.topRightCorner<3, 3>() = -skew(state.p[b.body] - state.p[b.parent]);
}

Vec6 acceleration_of_root(const Mechanism& m, const State& state, BodyIndex b)
{
    return m.model.bodies[b].kind == BodyKind::Kinematic
               ? prescribed_acceleration(m.model, state, b)
               : Vec6(Vec6::Zero());
}

}  // namespace

TreeAccelerations articulated_bodies(const Mechanism& m, const Tree& tree,
                                     const JointCoordinates& coordinates, const State& state,
                                     const Vector& speed, const Vector& force)
{
    const std::size_t count = tree.branches.size();
    std::vector<Articulated> parts(count);
    std::vector<int> place(m.model.bodies.size(), -1);
    for (std::size_t i = 0; i < count; ++i) {
        const Branch& b = tree.branches[i];
        place[b.body] = static_cast<int>(i);
        start(m, b, state, force, parts[i]);
        coordinates.motion(b, state, speed, parts[i].S, parts[i].c);
    }

    // inward: what a child and all behind it feel like at its parent
    TreeAccelerations out;
    for (std::size_t i = count; i-- > 0;) {
        Articulated& part = parts[i];
        Matrix6 inertia = part.inertia;
        Vec6 bias = part.bias;
        if (tree.branches[i].freedoms() > 0) {
            part.U = part.inertia * part.S;
            part.D.compute(Square(part.S.transpose() * part.U));
            out.solved = out.solved && part.D.info() == Eigen::Success && part.D.isPositive();
            part.drive = -part.S.transpose() * part.bias;
            inertia -= part.U * part.D.solve(Square(part.U.transpose()));
            bias += part.U * part.D.solve(part.drive);
        }
        bias += inertia * part.c;
        const int parent = place[tree.branches[i].parent];
        if (parent < 0) continue;
        parts[parent].inertia += part.X.transpose() * inertia * part.X;
        parts[parent].bias += part.X.transpose() * bias;
    }

    // outward
    out.speed_rates = Vector::Zero(tree.freedoms);
    out.twist.resize(count);
    out.wrench.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Branch& b = tree.branches[i];
        const Articulated& part = parts[i];
        const int parent = place[b.parent];
        const Vec6 a_p = parent >= 0 ? out.twist[parent] : acceleration_of_root(m, state, b.parent);
        Vec6& a = out.twist[i];
        a = part.X * a_p + part.c;
        if (b.freedoms() > 0) {
            const Few rates = part.D.solve(Few(part.drive - part.U.transpose() * a));
            out.speed_rates.segment(b.first, b.freedoms()) = rates;
            a += part.S * rates;
        }
        out.wrench[i] = part.inertia * a + part.bias;
    }
    return out;
}

}  // namespace taut::stepper::classical
