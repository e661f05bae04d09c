#include "stepper/classical/reduced/tree.h"

#include <type_traits>

namespace taut::stepper::classical {
namespace {

template <class T, class... Any>
constexpr bool is_one_of = (std::is_same_v<T, Any> || ...);

// What a joint leaves free when `child` of its two bodies hangs on the other. False for types without
// joint coordinates here, among them the point joints with the line or plane on the child.
template <class T>
bool describe(const T& item, int child, bool particle, Branch& branch)
{
    if constexpr (T::kBodies != 2 || T::kKind != RowKind::Position) {
        return false;
    } else {
        branch.on_parent = item.frames[1 - child];
        branch.on_child = item.frames[child];
        if constexpr (is_one_of<T, Hinge, Cylindrical, Planar>) branch.turn = Turn::About;
        if constexpr (is_one_of<T, Prismatic, Cylindrical>) branch.slides = {2};
        if constexpr (is_one_of<T, Planar>) branch.slides = {0, 1};
        if constexpr (is_one_of<T, Universal>) {
            // n of frame 0 turns with body 0, u of frame 1 with body 1
            branch.turn = Turn::Crossed;
            branch.first_axis = child == 1 ? 2 : 0;
            branch.second_axis = child == 1 ? 0 : 2;
        }
        if constexpr (is_one_of<T, Ball, PointOnLine, PointOnPlane>) {
            branch.turn = particle ? Turn::None : Turn::Free;
            if constexpr (is_one_of<T, PointOnLine>) branch.slides = {2};
            if constexpr (is_one_of<T, PointOnPlane>) branch.slides = {0, 1};
            return is_one_of<T, Ball> || child == 1;
        }
        return is_one_of<T, Hinge, Prismatic, Cylindrical, Planar, Universal, Weld>;
    }
}

class ArticulatedTreeBuilder {
public:
    explicit ArticulatedTreeBuilder(const Model& model)
        : model_(model), joints_(model.bodies.size())
    {
        reached_.assign(model.bodies.size(), false);
        used_.assign(model.joints.size(), false);
    }

    Tree build()
    {
        for (std::size_t j = 0; j < model_.joints.size() && !tree_.refused; ++j)
            take(static_cast<int>(j));
        // from all that does not move by force, then from one body of each part that flies
        std::vector<BodyIndex> front;
        for (std::size_t b = 0; b < model_.bodies.size(); ++b)
            if (!model_.bodies[b].dynamic()) front.push_back(static_cast<BodyIndex>(b));
        for (const BodyIndex b : front) reached_[b] = true;
        spread(front);
        for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
            if (reached_[b]) continue;
            Branch branch;
            branch.body = static_cast<BodyIndex>(b);
            branch.slides = {0, 1, 2};
            if (model_.bodies[b].kind == BodyKind::Rigid) branch.turn = Turn::Free;
            add(branch);
            spread({branch.body});
        }
        return std::move(tree_);
    }

private:
    void refuse(const char* why) { tree_.refused = why; }

    // A joint becomes an edge; servos act as forces and are none.
    void take(int j)
    {
        const ConstraintRows& joint = model_.rows.groups[j];
        if (joint.kind == RowKind::Servo) return;
        if (joint.kind == RowKind::Velocity)
            return refuse(
                "reduced: motors and axial locks prescribe a velocity, which joint "
                "coordinates here do not take");
        for (int r = 0; r < joint.rows; ++r)
            if (model_.rows.softness[joint.first_row + r].compliance > 0)
                return refuse("reduced: a joint with compliance has no joint coordinates");
        if (joint.body_count != 2)
            return refuse("reduced: gears and racks tie coordinates together");
        for (int s = 0; s < 2; ++s) joints_[model_.rows.bodies(joint)[s]].push_back(j);
    }

    void add(Branch branch)
    {
        branch.first = tree_.freedoms;
        tree_.freedoms += branch.freedoms();
        reached_[branch.body] = true;
        tree_.branches.push_back(branch);
    }

    void spread(std::vector<BodyIndex> front)
    {
        for (std::size_t k = 0; k < front.size() && !tree_.refused; ++k)
            for (const int j : joints_[front[k]]) {
                if (used_[j]) continue;
                used_[j] = true;
                const ConstraintRows& joint = model_.rows.groups[j];
                const int child = model_.rows.bodies(joint)[0] == front[k] ? 1 : 0;
                const BodyIndex b = model_.rows.bodies(joint)[child];
                if (reached_[b])
                    return refuse(
                        "reduced: the joints close a loop; joint coordinates describe "
                        "open trees");
                Branch branch;
                branch.body = b;
                branch.parent = front[k];
                branch.joint = j;
                bool known = false;
                visit_joint(model_, joint, [&](const auto& item) {
                    known =
                        describe(item, child, model_.bodies[b].kind == BodyKind::Particle, branch);
                });
                if (!known)
                    return refuse(
                        "reduced: supports hinge, prismatic, cylindrical, planar, universal, "
                        "ball and weld, and point_on_line and point_on_plane whose body 1 "
                        "is farther from the root");
                add(branch);
                front.push_back(b);
            }
    }

    const Model& model_;
    std::vector<std::vector<int>> joints_;  // per body
    std::vector<bool> reached_, used_;
    Tree tree_;
};

}  // namespace

Tree make_tree(const Model& model) { return ArticulatedTreeBuilder(model).build(); }

}  // namespace taut::stepper::classical
