#include "complementarity/contact_scene.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace taut::test {
namespace {

using Block = Eigen::Matrix<Real, Eigen::Dynamic, 6, Eigen::RowMajor>;

Block contact_directions(const Vec3& normal)
{
    const Vec3 n = normal.normalized();
    const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    Block out = Block::Zero(3, 6);
    out.row(0).head<3>() = n.transpose();
    out.row(1).head<3>() = t1.transpose();
    out.row(2).head<3>() = t2.transpose();
    return out;
}

class Dice {
public:
    explicit Dice(unsigned seed) : random_(seed) {}
    Real uniform(Real low, Real high)
    {
        return std::uniform_real_distribution<Real>(low, high)(random_);
    }
    Vec3 vector(Real size)
    {
        return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
    }
    int index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

private:
    std::mt19937 random_;
};

}  // namespace

linalg::SaddleSolution ComplementarityProblem::zero() const
{
    linalg::SaddleSolution out;
    out.prepare(*pattern);
    return out;
}

int ContactScene::add_box(const Vec3& p, const Vec3& half, Real mass, const Vec3& velocity,
                          const Vec3& spin)
{
    const Vec3 q = half.cwiseProduct(half);
    const Vec3 inertia = mass / 3 * Vec3(q.y() + q.z(), q.z() + q.x(), q.x() + q.y());
    bodies_.push_back({p, half, mass, inertia, velocity, spin, Vec3::Zero(), Vec3::Zero()});
    return bodies() - 1;
}

void ContactScene::add_impulse(int body, const Vec3& impulse, const Vec3& moment)
{
    bodies_[body].impulse += impulse;
    bodies_[body].moment += moment;
}

// Directions (linear, angular) of the motion at p as rows on the body's twist.
ContactScene::Block ContactScene::lever(int body, const Vec3& p, const Block& directions) const
{
    Block out = directions;
    const Vec3 arm = p - bodies_[body].p;
    for (int r = 0; r < out.rows(); ++r) {
        const Vec3 n = directions.row(r).head<3>();
        out.row(r).tail<3>() += arm.cross(n).transpose();
    }
    return out;
}

void ContactScene::add_rows(int a, int b, const Vec3& p, const Block& directions,
                            const Eigen::VectorXd& g, const Law& law)
{
    Rows rows;
    if (a != kWorld) rows.touches.emplace_back(a, -lever(a, p, directions));
    if (b != kWorld) rows.touches.emplace_back(b, lever(b, p, directions));
    rows.g = g;
    rows.law = law;
    rows_.push_back(std::move(rows));
}

void ContactScene::add_contact(int a, int b, const Vec3& p, const Vec3& normal, Real friction,
                               Real gap)
{
    add_rows(a, b, p, contact_directions(normal), Vec3(-gap / kLawStep, 0, 0), Cone{friction});
}

void ContactScene::add_face(int lower, int upper, Real friction, Real inset)
{
    const Body& box = bodies_[upper];
    for (const int i : {-1, 1})
        for (const int j : {-1, 1})
            add_contact(
                lower, upper,
                box.p + Vec3(i * (box.half.x() - inset), j * (box.half.y() - inset), -box.half.z()),
                Vec3::UnitZ(), friction);
}

void ContactScene::add_side(int left, int right, Real friction)
{
    const Body& box = bodies_[right];
    for (const int i : {-1, 1})
        for (const int j : {-1, 1})
            add_contact(left, right,
                        box.p + Vec3(-box.half.x(), i * box.half.y(), j * box.half.z()),
                        Vec3::UnitX(), friction);
}

void ContactScene::add_ball(int a, int b, const Vec3& p)
{
    Block directions = Block::Zero(3, 6);
    directions.leftCols<3>().setIdentity();
    add_rows(a, b, p, directions, Vec3::Zero(), Equal{});
}

void ContactScene::add_motor(int a, int b, const Vec3& axis, Real speed, Real cap)
{
    Block directions = Block::Zero(1, 6);
    directions.row(0).tail<3>() = axis.normalized().transpose();
    // a direction of pure rotation has no lever
    add_rows(a, b, a != kWorld ? bodies_[a].p : bodies_[b].p, directions,
             Eigen::VectorXd::Constant(1, speed), Interval{-cap, cap});
}

void ContactScene::add_limit(int a, int b, const Vec3& p, const Vec3& normal, Real gap)
{
    add_rows(a, b, p, contact_directions(normal).topRows<1>(),
             Eigen::VectorXd::Constant(1, -gap / kLawStep), NonNegative{});
}

void ContactScene::add_spring(int a, int b, Real k) { springs_.push_back({a, b, k}); }

ComplementarityProblem ContactScene::finish(std::string name) const
{
    ComplementarityProblem out;
    out.name = std::move(name);
    auto& p = *out.pattern;
    for (int i = 0; i < bodies(); ++i) p.add_primal(6);
    for (const Spring& s : springs_) p.add_pair(s.a, s.b);
    for (const Rows& rows : rows_) {
        std::vector<int> touched;
        for (const auto& touch : rows.touches) touched.push_back(touch.first);
        const int d = p.add_dual(static_cast<int>(rows.g.size()), touched);
        if (!std::holds_alternative<Equal>(rows.law))
            out.blocks.push_back({p.duals[d].offset, rows.law});
    }

    auto& s = out.system;
    s.prepare(p);
    for (int i = 0; i < bodies(); ++i) {
        const Body& body = bodies_[i];
        Real* const H = &s.H[p.primals[i].block];
        Real* const f = &s.f[p.primals[i].offset];
        const Vec3 momentum =
            body.mass * (body.velocity - Vec3(0, 0, kGravity * kLawStep)) + body.impulse;
        const Vec3 spin = body.inertia.cwiseProduct(body.spin) + body.moment;
        for (int c = 0; c < 3; ++c) {
            H[c * 7] = body.mass;
            H[(c + 3) * 7] = body.inertia[c];
            f[c] = momentum[c];
            f[c + 3] = spin[c];
        }
    }
    for (const Spring& spring : springs_) {
        const auto& pair =
            p.pairs[p.pair_of.at((static_cast<std::uint64_t>(std::max(spring.a, spring.b)) << 32) |
                                 static_cast<std::uint64_t>(std::min(spring.a, spring.b)))];
        const Vec3 u = (bodies_[spring.b].p - bodies_[spring.a].p).normalized();
        const Mat3 K = kLawStep * kLawStep * spring.k * u * u.transpose();
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                s.H[p.primals[spring.a].block + r * 6 + c] += K(r, c);
                s.H[p.primals[spring.b].block + r * 6 + c] += K(r, c);
                s.H[pair.block_ij + r * 6 + c] -= K(r, c);
                s.H[pair.block_ji + r * 6 + c] -= K(r, c);
            }
    }
    for (std::size_t d = 0; d < rows_.size(); ++d) {
        const auto& dual = p.duals[d];
        for (int r = 0; r < dual.size; ++r) s.g[dual.offset + r] = rows_[d].g[r];
        for (int t = 0; t < dual.touches; ++t) {
            const Block& block = rows_[d].touches[t].second;
            std::copy_n(block.data(), block.size(), &s.J[p.touches[dual.first_touch + t].block]);
        }
    }
    return out;
}

ComplementarityProblem box_on_plane(Real friction, Real push, Real height)
{
    ContactScene scene;
    const int box = scene.add_box(Vec3(0, 0, 0.5), Vec3::Constant(0.5), 1);
    scene.add_face(kWorld, box, friction);
    const Real impulse = push * kGravity * kLawStep;
    scene.add_impulse(box, Vec3(impulse, 0, 0), Vec3(0, impulse * height, 0));
    return scene.finish("box_on_plane");
}

ComplementarityProblem stack(int count, Real ratio, Real friction)
{
    ContactScene scene;
    for (int i = 0; i < count; ++i) {
        scene.add_box(Vec3(0, 0, 0.5 + i), Vec3::Constant(0.5), i + 1 == count ? ratio : 1);
        scene.add_face(i - 1, i, friction);  // the first on the world
    }
    return scene.finish("stack");
}

ComplementarityProblem wall(int columns, int rows, Real ratio, Real friction)
{
    ContactScene scene;
    const auto index = [&](int i, int j) { return j * columns + i; };
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i)
            scene.add_box(Vec3(i, 0, 0.5 + j), Vec3::Constant(0.5),
                          (i + 3 * j) % 7 == 6 ? ratio : 1);
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            scene.add_face(j == 0 ? kWorld : index(i, j - 1), index(i, j), friction);
            if (i > 0) scene.add_side(index(i - 1, j), index(i, j), friction);
        }
    for (int j = 0; j < rows; ++j)
        scene.add_impulse(index(0, j), Vec3(0.3 * kGravity * kLawStep * (j + 1), 0, 0));
    return scene.finish("wall");
}

ComplementarityProblem pile(unsigned seed, int contacts, Real ratio, Real friction)
{
    Dice dice(seed);
    ContactScene scene;
    // about three contacts a box, each box resting on earlier ones or on the ground
    const int boxes = std::max(2, contacts / 3);
    const int side = std::max(1, static_cast<int>(std::cbrt(boxes)));
    for (int i = 0; i < boxes; ++i) {
        const Vec3 at(i % side, i / side % side, 0.5 + i / (side * side));
        scene.add_box(at + dice.vector(0.1), Vec3::Constant(0.5),
                      std::pow(ratio, dice.uniform(0, 1)), dice.vector(0.2), dice.vector(0.2));
    }
    for (int k = 0; k < contacts; ++k) {
        const int upper = k % boxes;
        const int below = upper - side * side;
        int lower = below;
        Vec3 normal = Vec3::UnitZ() + dice.vector(0.3);
        if (k >= boxes && upper > 0 && dice.index(2) == 0) {
            lower = std::max(upper - (dice.index(2) == 0 ? 1 : side), 0);
            normal = scene.position(upper) - scene.position(lower) + dice.vector(0.3);
        }
        if (lower < 0) lower = kWorld;
        const Vec3 from =
            lower == kWorld ? scene.position(upper) - Vec3::UnitZ() : scene.position(lower);
        const Vec3 p = (from + scene.position(upper)) / 2 + dice.vector(0.4);
        scene.add_contact(lower, upper, p, normal, friction * dice.uniform(0.5, 1.5),
                          dice.uniform(-2e-3, 2e-3));
    }
    return scene.finish("pile");
}

ComplementarityProblem small(unsigned seed, int contacts, Real ratio, bool with_friction,
                             bool with_joint)
{
    Dice dice(seed);
    ContactScene scene;
    const int bodies = 1 + dice.index(3);
    for (int i = 0; i < bodies; ++i)
        scene.add_box(dice.vector(1), Vec3(0.3, 0.3, 0.3) + dice.vector(0.1),
                      i == 0 ? 1 : std::pow(ratio, dice.uniform(0, 1) > 0.5 ? 1 : 0),
                      dice.vector(1), dice.vector(1));
    if (with_joint && bodies > 1) scene.add_ball(0, 1, (scene.position(0) + scene.position(1)) / 2);
    for (int k = 0; k < contacts; ++k) {
        const int b = dice.index(bodies);
        int a = dice.index(bodies + 1) - 1;
        if (a == b) a = kWorld;
        const Vec3 p = scene.position(b) + dice.vector(0.4);
        const Vec3 n = Vec3::UnitZ() + dice.vector(0.8);
        if (with_friction)
            scene.add_contact(a, b, p, n, dice.uniform(0.1, 0.9), dice.uniform(-0.02, 0.02));
        else
            scene.add_limit(a, b, p, n, dice.uniform(-0.02, 0.02));
    }
    return scene.finish("small");
}

ComplementarityProblem motor_chain(int links, Real speed, Real cap, Real ratio)
{
    ContactScene scene;
    for (int i = 0; i < links; ++i) {
        const int body =
            scene.add_box(Vec3(0.5 + i, 0, 0), Vec3(0.5, 0.05, 0.05), i + 1 == links ? ratio : 1);
        scene.add_ball(body - 1, body, Vec3(i, 0, 0));  // the first from the world
    }
    scene.add_motor(kWorld, 0, Vec3::UnitY(), speed, cap);
    return scene.finish("motor_chain");
}

}  // namespace taut::test
