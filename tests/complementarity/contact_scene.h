// Saddle systems under laws, built by hand from contact Jacobians: for the tests and the bench of
// complementarity.
//
//     b            J_a = −[nᵀ  (s_a × n)ᵀ],  J_b = +[nᵀ  (s_b × n)ᵀ]        n from a to b, s from each
//     ▲ n          and so for both tangents; s_n > 0 separates.              centre of mass, world axes
//     a            f = M (v + h g_W): momentum after gravity has acted for h = 1/60 s.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "complementarity/complementarity_solver.h"

namespace taut::test {

inline constexpr int kWorld = -1;
inline constexpr Real kLawStep = Real(1) / 60;
inline constexpr Real kGravity = 9.81;

struct ComplementarityProblem {
    std::string name;
    std::unique_ptr<linalg::SaddlePattern> pattern = std::make_unique<linalg::SaddlePattern>();
    linalg::SaddleSystem system;
    std::vector<InequalityBlock> blocks;

    linalg::SaddleSolution zero() const;
};

class ContactScene {
public:
    // A box of edges 2·half at p, axes those of the world. Velocities are those before the step.
    int add_box(const Vec3& p, const Vec3& half, Real mass, const Vec3& velocity = Vec3::Zero(),
                const Vec3& spin = Vec3::Zero());
    void add_impulse(int body, const Vec3& impulse, const Vec3& moment = Vec3::Zero());
    // Point contact with Coulomb friction; `gap` metres apart (negative: overlap).
    void add_contact(int a, int b, const Vec3& p, const Vec3& normal, Real friction, Real gap = 0);
    // Four corners of the face of `upper` that rests on what is below.
    void add_face(int lower, int upper, Real friction, Real inset = 0);
    // A face whose normal is x: neighbours in a wall.
    void add_side(int left, int right, Real friction);
    // Rows of equality: the points of a and b at p stay together.
    void add_ball(int a, int b, const Vec3& p);
    // One row: relative spin about `axis` follows `speed` with at most `cap` N m s.
    void add_motor(int a, int b, const Vec3& axis, Real speed, Real cap);
    // One row without friction.
    void add_limit(int a, int b, const Vec3& p, const Vec3& normal, Real gap = 0);
    // Stiffness between two centres, as a spring puts it into H.
    void add_spring(int a, int b, Real k);

    int bodies() const { return static_cast<int>(bodies_.size()); }
    const Vec3& position(int body) const { return bodies_[body].p; }
    ComplementarityProblem finish(std::string name) const;

private:
    using Block = Eigen::Matrix<Real, Eigen::Dynamic, 6, Eigen::RowMajor>;
    struct Body {
        Vec3 p, half;
        Real mass;
        Vec3 inertia;
        Vec3 velocity, spin, impulse, moment;
    };
    struct Rows {
        std::vector<std::pair<int, Block>> touches;
        Eigen::VectorXd g;
        Law law;
    };
    struct Spring {
        int a, b;
        Real k;
    };
    Block lever(int body, const Vec3& p, const Block& directions) const;
    void add_rows(int a, int b, const Vec3& p, const Block& directions, const Eigen::VectorXd& g,
                  const Law& law);

    std::vector<Body> bodies_;
    std::vector<Rows> rows_;
    std::vector<Spring> springs_;
};

// A box of 1 kg on four points, pushed along x with `push` times its weight at `height` above its centre.
ComplementarityProblem box_on_plane(Real friction, Real push, Real height);
// `count` unit boxes, the top one `ratio` times heavier.
ComplementarityProblem stack(int count, Real ratio, Real friction);
// columns × rows boxes side by side, pushed a little from the left; every `odd`-th box is `ratio` times heavier.
ComplementarityProblem wall(int columns, int rows, Real ratio, Real friction);
// A network of `contacts` random contacts between boxes that fall towards each other, masses over `ratio`.
ComplementarityProblem pile(unsigned seed, int contacts, Real ratio, Real friction);
// Small and wild: random bodies, one to four contacts, some of them limits, perhaps a joint.
ComplementarityProblem small(unsigned seed, int contacts, Real ratio, bool with_friction,
                             bool with_joint);
// A chain of links on ball joints from the world, a motor at its root whose cap it meets or does not.
ComplementarityProblem motor_chain(int links, Real speed, Real cap, Real ratio);

}  // namespace taut::test
