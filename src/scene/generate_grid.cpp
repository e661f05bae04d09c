// Generates a grid: particles in rows and columns with distance constraints between neighbours.
#include "scene/readers.h"
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

class GridGenerator {
public:
    GridGenerator(const Node& node, const Where& where, SceneDraft& draft, Problems& problems)
        : node_(node),
          where_(where),
          draft_(draft),
          problems_(problems),
          name_(text_or(node, "name", "grid")),
          label_("grid " + quote(name_)),
          type_(find_joint_type(text_or(node, "joint", "distance")))
    {
        nx_ = static_cast<int>(number_or(node, "nx", 1));
        ny_ = static_cast<int>(number_or(node, "ny", 1));
    }

    void generate()
    {
        const std::size_t before = problems_.error_count();
        allow_generated(static_cast<Real>(nx_) * ny_, label_, node_.find("nx")->where, draft_,
                        problems_);
        if (!type_) problems_.error(where_, label_ + ": there is no joint type 'distance'");
        along_ = direction(node_, "along", label_, problems_).value_or(Vec3::UnitX());
        across_ = direction(node_, "across", label_, problems_).value_or(Vec3::UnitY());
        if (along_.cross(across_).norm() < 1e-6)
            problems_.error(
                where_, label_ + " has parallel 'along' and 'across'; they must not be parallel");
        if (problems_.error_count() != before) return;
        add_particles();
        if (problems_.error_count() == before) add_joints();
    }

private:
    static std::string place(int i, int j) { return std::to_string(i) + "_" + std::to_string(j); }

    bool is_fixed(int i, int j) const
    {
        const std::string where = text_or(node_, "fixed", "corners");
        const bool end_x = i == 1 || i == nx_, end_y = j == 1 || j == ny_;
        if (where == "corners") return end_x && end_y;
        if (where == "edge") return j == 1;
        return where == "rim" && (end_x || end_y);
    }

    void add_particles()
    {
        const Vec3 from = vector_or(node_, "from", Vec3::Zero());
        const Real spacing = number_or(node_, "spacing", 1);
        const Real mass = number_or(node_, "particle_mass",
                                    number_or(node_, "mass", 1) / (static_cast<Real>(nx_) * ny_));
        DrawnShape dot{Shape::sphere(spacing / 10)};
        dot.colour = text_or(node_, "colour", "");

        first_ = static_cast<std::int32_t>(draft_.bodies.size());
        for (int j = 1; j <= ny_; ++j)
            for (int i = 1; i <= nx_; ++i) {
                DraftBody particle;
                particle.where = where_;
                particle.shapes = {dot};
                particle.def.name = name_ + ".p" + place(i, j);
                particle.def.kind = is_fixed(i, j) ? BodyKind::Fixed : BodyKind::Particle;
                particle.def.mass = mass;
                particle.def.pose.p = from + spacing * ((i - 1) * along_ + (j - 1) * across_);
                add_colliders(node_, draft_, particle);
                draft_.add(std::move(particle), problems_);
            }
    }

    BodyId particle(int i, int j) const { return {first_ + (j - 1) * nx_ + (i - 1)}; }

    void add_joint(const char* kind, int i, int j, BodyId a, BodyId b)
    {
        const bool ground = draft_.body(a)->def.kind == BodyKind::Fixed &&
                            draft_.body(b)->def.kind == BodyKind::Fixed;
        if (ground) return;
        DraftJoint joint;
        joint.where = where_;
        joint.type = type_;
        JointDef& def = joint.def;
        def.name = name_ + kind + place(i, j);
        def.type = std::string(type_->name);
        def.bodies = {a, b, kWorld};
        def.frames[0].p = draft_.pose(a).p;
        def.frames[1].p = draft_.pose(b).p;
        def.compliance = number_or(node_, "compliance", 0);
        def.damping_time = number_or(node_, "damping_time", 0);
        draft_.add(std::move(joint), problems_);
    }

    void add_joints()
    {
        const bool diagonals = flag_or(node_, "diagonals", false);
        for (int j = 1; j <= ny_; ++j)
            for (int i = 1; i <= nx_; ++i) {
                if (i < nx_) add_joint(".x", i, j, particle(i, j), particle(i + 1, j));
                if (j < ny_) add_joint(".y", i, j, particle(i, j), particle(i, j + 1));
                if (!diagonals || i == nx_ || j == ny_) continue;
                add_joint(".a", i, j, particle(i, j), particle(i + 1, j + 1));
                add_joint(".b", i, j, particle(i + 1, j), particle(i, j + 1));
            }
    }

    const Node& node_;
    Where where_;
    SceneDraft& draft_;
    Problems& problems_;
    std::string name_;
    std::string label_;
    const JointTypeInfo* type_;
    int nx_ = 1;
    int ny_ = 1;
    Vec3 along_ = Vec3::UnitX();
    Vec3 across_ = Vec3::UnitY();
    std::int32_t first_ = 0;
};

}  // namespace

void generate_grid(const Node& grid, const Where& where, SceneDraft& draft, Problems& problems)
{
    GridGenerator(grid, where, draft, problems).generate();
}

}  // namespace taut::scene
