#include "linalg/samples/mechanism.h"

#include <algorithm>

namespace taut::test {

Real Mechanism::uniform(Real low, Real high)
{
    return std::uniform_real_distribution<Real>(low, high)(random_);
}

Vec3 Mechanism::vector(Real size)
{
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
}

int Mechanism::add_body(const Vec3& p, Real mass)
{
    const Quat q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};  // in this order
    return add_body(p, mass, q.normalized().toRotationMatrix());
}

int Mechanism::add_body(const Vec3& p, Real mass, const Mat3& R)
{
    Block H = Block::Zero(6, 6);
    H.topLeftCorner<3, 3>() = mass * Mat3::Identity();
    H.bottomRightCorner<3, 3>() = mass * R * Vec3(0.01, 0.08, 0.09).asDiagonal() * R.transpose();
    H = (0.5 * (H + H.transpose())).eval();
    return add_node(p, H);
}

void Mechanism::add_joint(int a, int b, const Vec3& p, const Block& directions, const Block& axes,
                          Real compliance)
{
    std::vector<std::pair<int, Block>> touches;
    for (const auto& [node, sign] : {std::pair(a, Real(-1)), std::pair(b, Real(1))}) {
        if (node == kGround) continue;
        const Vec3 r = p - p_[node];
        Mat3 lever;
        lever << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
        Block J = Block::Zero(directions.rows() + axes.rows(), h_[node].rows());
        J.topLeftCorner(directions.rows(), 3) = sign * directions;
        if (J.cols() == 6) {
            J.topRightCorner(directions.rows(), 3) = sign * directions * lever;
            J.bottomRightCorner(axes.rows(), 3) = sign * axes;
        }
        touches.emplace_back(node, J);
    }
    add_rows(std::move(touches), compliance);
}

void Mechanism::add_ball(int a, int b, const Vec3& p, Real compliance)
{
    add_joint(a, b, p, Mat3::Identity(), Block(0, 3), compliance);
}

void Mechanism::add_hinge(int a, int b, const Vec3& p, const Vec3& axis, Real compliance)
{
    const Vec3 u = axis.unitOrthogonal();
    Block axes(2, 3);
    axes << u.transpose(), axis.normalized().cross(u).transpose();
    add_joint(a, b, p, Mat3::Identity(), axes, compliance);
}

void Mechanism::add_weld(int a, int b, const Vec3& p, Real compliance)
{
    add_joint(a, b, p, Mat3::Identity(), Mat3::Identity(), compliance);
}

void Mechanism::add_distance(int a, int b, const Vec3& ground_point, Real compliance)
{
    const Vec3 from = a == kGround ? ground_point : p_[a];
    const Vec3 u = (p_[b] - from).normalized();
    std::vector<std::pair<int, Block>> touches;
    for (const auto& [node, sign] : {std::pair(a, Real(-1)), std::pair(b, Real(1))}) {
        if (node == kGround) continue;
        Block J = Block::Zero(1, h_[node].rows());
        J.leftCols(3) = sign * u.transpose();
        touches.emplace_back(node, J);
    }
    add_rows(std::move(touches), compliance);
}

void Mechanism::add_rows(std::vector<std::pair<int, Block>> touches, Real compliance)
{
    duals_.push_back({std::move(touches), compliance});
}

void Mechanism::add_spring(int a, int b, Real k)
{
    const Vec3 u = (p_[b] - p_[a]).normalized();
    h_[a].topLeftCorner(3, 3) += k * u * u.transpose();
    h_[b].topLeftCorner(3, 3) += k * u * u.transpose();
    Block between = Block::Zero(h_[a].rows(), h_[b].rows());
    between.topLeftCorner(3, 3) = -k * u * u.transpose();
    pairs_.push_back({a, b, between});
}

void Mechanism::add_stiffness(Real size)
{
    for (auto& H : h_) {
        Block a(H.rows(), 2);
        for (int k = 0; k < a.size(); ++k) a.data()[k] = uniform(-1, 1);
        a = H.diagonal().cwiseSqrt().asDiagonal() * a;
        H += size * a * a.transpose();
    }
}

Sample Mechanism::finish(std::string name, bool redundant)
{
    Sample out;
    out.name = std::move(name);
    out.redundant = redundant;
    auto& p = *out.pattern;
    for (const auto& H : h_) p.add_primal(static_cast<int>(H.rows()));
    for (const auto& pair : pairs_) p.add_pair(pair.a, pair.b);
    for (const auto& dual : duals_) {
        std::vector<int> touched;
        for (const auto& touch : dual.touches) touched.push_back(touch.first);
        const int rows = dual.touches.empty() ? 1 : static_cast<int>(dual.touches[0].second.rows());
        p.add_dual(rows, touched);
    }
    out.system.prepare(p);
    write_values(out.system);
    write_right_hand_side(out.system);
    return out;
}

int Mechanism::add_node(const Vec3& p, const Block& H)
{
    p_.push_back(p);
    h_.push_back(H);
    return nodes() - 1;
}

void Mechanism::write_values(linalg::SaddleSystem& s)
{
    const auto& p = *s.pattern;
    const auto add = [](Real* to, const Block& block) {
        for (int k = 0; k < block.size(); ++k) to[k] += block.data()[k];
    };
    for (std::size_t i = 0; i < h_.size(); ++i) add(&s.H[p.primals[i].block], h_[i]);
    for (const auto& pair : pairs_) {
        for (const auto& to : p.pairs) {
            const bool same = to.i == pair.a && to.j == pair.b;
            if (!same && !(to.i == pair.b && to.j == pair.a)) continue;
            add(&s.H[to.block_ij], same ? pair.between : Block(pair.between.transpose()));
            add(&s.H[to.block_ji], same ? Block(pair.between.transpose()) : pair.between);
        }
    }
    for (std::size_t d = 0; d < duals_.size(); ++d) {
        const auto& dual = p.duals[d];
        for (int t = 0; t < dual.touches; ++t)
            add(&s.J[p.touches[dual.first_touch + t].block], duals_[d].touches[t].second);
        for (int r = 0; r < dual.size; ++r)
            s.sigma[dual.offset + r] = duals_[d].compliance / (kStep * kStep);
    }
}

void Mechanism::write_right_hand_side(linalg::SaddleSystem& s)
{
    const auto& p = *s.pattern;
    std::vector<Real> u(s.f.size());
    for (std::size_t i = 0; i < h_.size(); ++i) {
        const auto& primal = p.primals[i];
        for (int r = 0; r < primal.size; ++r) {
            u[primal.offset + r] = uniform(-0.1, 0.1);
            s.f[primal.offset + r] = h_[i](r, r) * uniform(-1, 1);
        }
        s.f[primal.offset + std::min(2, primal.size - 1)] -= h_[i](0, 0) * 9.81 * kStep;
    }
    for (std::size_t d = 0; d < duals_.size(); ++d) {
        const auto& dual = p.duals[d];
        for (int r = 0; r < dual.size; ++r) {
            Real speed = s.sigma[dual.offset + r] * uniform(-1, 1);
            for (const auto& [node, J] : duals_[d].touches)
                for (int c = 0; c < J.cols(); ++c) speed += J(r, c) * u[p.primals[node].offset + c];
            s.g[dual.offset + r] = speed;
        }
    }
}

}  // namespace taut::test
