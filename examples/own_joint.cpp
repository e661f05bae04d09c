// A joint type of one's own: a bead that slides along a wire bent to a parabola, checked against differences before it is used.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include <taut/world.h>

// The origin of frame 1 stays on n = k u², v = 0 of frame 0; two rows, both lengths.
class Parabola : public taut::CustomJoint {
public:
    explicit Parabola(double k) : k_(k) {}
    std::string_view name() const noexcept override { return "parabola"; }
    int rows() const noexcept override { return 2; }
    std::span<const double> parameters() const noexcept override { return {&k_, 1}; }

    void evaluate(const taut::FramePair& X, taut::CustomRows& out) const noexcept override
    {
        const taut::Vec3 d = X[1].p - X[0].p, u = X[0].R.col(0), v = X[0].R.col(1);
        const taut::Vec3 n = X[0].R.col(2), across = n - 2 * k_ * d.dot(u) * u;
        out.phi[0] = d.dot(v);
        out.phi[1] = d.dot(n) - k_ * d.dot(u) * d.dot(u);
        put(0, v, d, out);
        put(1, across, d, out);
    }

private:
    // A row whose φ grows along `slope`, which turns with frame 0.
    static void put(int r, const taut::Vec3& slope, const taut::Vec3& d, taut::CustomRows& out)
    {
        out.J[0].row(r) << -slope.transpose(), slope.cross(d).transpose();
        out.J[1].row(r) << slope.transpose(), 0, 0, 0;
    }

    double k_;  // [1/m]
};

int main()
{
    const auto wire = std::make_shared<Parabola>(0.5);
    if (const auto checked = taut::check_derivatives(*wire); !checked.ok()) {
        std::printf("%s\n", checked.error().message.c_str());
        return 1;
    }

    taut::World world;
    taut::BodyDef bead;
    bead.kind = taut::BodyKind::Particle;
    bead.pose.p = {1, 0, 0.5};
    const taut::BodyId body = world.add_body(bead).value();
    taut::JointDef def;
    def.bodies = {taut::kWorld, body};
    def.frames[1].p = bead.pose.p;
    def.custom = wire;
    world.add_joint(def).value();

    double lowest = 1;
    for (int i = 0; i < 300; ++i) {
        if (world.step({.dt = 0.01}).status != taut::StepStatus::Ok) return 1;
        lowest = std::min(lowest, world.centre_of_mass(body).x());
    }
    std::printf("the bead turns at x = %.3f m, off the wire by %.0e m\n", lowest,
                world.joint_gap());
    return std::abs(lowest + 1) < 0.01 && world.joint_gap() < 1e-6 ? 0 : 1;
}
