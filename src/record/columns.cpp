#include "record/columns.h"

#include <array>
#include <optional>

#include "core/near_miss.h"

namespace taut {

namespace {

// --- the tables: name, unit, meaning and how to read it, each written once ---

struct WorldField {
    std::string_view name, unit, summary;
    Real (*read)(const Moment&);
};

struct BodyView {
    Pose pose;
    Twist velocity;  // world axes, or the body's own
    Vec3 centre;
    BodyDamping damping;
};

struct BodyField {
    std::string_view name, unit, summary;
    bool has_axes;  // may be asked for in the body's own axes: NAME.wx@body
    Real (*read)(const BodyView&);
};

struct JointField {
    std::string_view name, unit, summary;
    bool has_axes;  // may be asked for in another frame: NAME.force.x@body0
    Real (*read)(const JointReading&);
};

constexpr WorldField kWorldFields[] = {
    {"time", "s", "simulated time", [](const Moment& m) { return m.world.time(); }},

    {"energy.translation", "J", "kinetic energy of the centres of mass",
     [](const Moment& m) { return m.world.energy().translation; }},
    {"energy.rotation", "J", "kinetic energy of spin",
     [](const Moment& m) { return m.world.energy().rotation; }},
    {"energy.gravity", "J", "potential energy, zero at height 0",
     [](const Moment& m) { return m.world.energy().gravity; }},
    {"energy.joints", "J", "stored in compliant joints",
     [](const Moment& m) { return m.world.energy().joints; }},
    {"energy.springs", "J", "stored in springs",
     [](const Moment& m) { return m.world.energy().springs; }},
    {"energy.kinetic", "J", "translation and rotation",
     [](const Moment& m) { return m.world.energy().kinetic(); }},
    {"energy.total", "J", "all of the above: what a conservative scene keeps",
     [](const Moment& m) { return m.world.energy().total(); }},
    {"energy.balance", "J", "total energy less the work done on the scene",
     [](const Moment& m) { return m.world.energy().total() - m.world.work().total(); }},

    {"work.motors", "J", "done by motors and servos since time 0",
     [](const Moment& m) { return m.world.work().motors; }},
    {"work.prescribed", "J", "done by kinematic bodies",
     [](const Moment& m) { return m.world.work().prescribed; }},
    {"work.loads", "J", "done by applied forces",
     [](const Moment& m) { return m.world.work().loads; }},
    {"work.total", "J", "all of the above", [](const Moment& m) { return m.world.work().total(); }},

    {"momentum.linear.x", "kg m/s", "of all bodies",
     [](const Moment& m) { return m.world.momentum().linear.x(); }},
    {"momentum.linear.y", "kg m/s", "",
     [](const Moment& m) { return m.world.momentum().linear.y(); }},
    {"momentum.linear.z", "kg m/s", "",
     [](const Moment& m) { return m.world.momentum().linear.z(); }},
    {"momentum.angular.x", "kg m^2/s", "of all bodies, about the world's origin",
     [](const Moment& m) { return m.world.momentum().angular.x(); }},
    {"momentum.angular.y", "kg m^2/s", "",
     [](const Moment& m) { return m.world.momentum().angular.y(); }},
    {"momentum.angular.z", "kg m^2/s", "",
     [](const Moment& m) { return m.world.momentum().angular.z(); }},

    {"gap.max", "m", "largest error of a joint row that measures length",
     [](const Moment& m) { return m.world.joint_gap(); }},
    {"gap.angular", "rad", "largest error of a joint row that measures angle",
     [](const Moment& m) { return m.world.angular_gap(); }},

    {"solve.residual", "-", "relative residual of the linear solve",
     [](const Moment& m) { return m.step.solve.residual; }},
    {"solve.refinements", "-", "refinements the last solve took",
     [](const Moment& m) { return Real(m.step.solve.refinements); }},
    {"solve.negative_pivots", "-", "of the factorisation; -1 where the solver cannot tell",
     [](const Moment& m) { return Real(m.step.solve.negative_pivots); }},
    {"solve.count", "-", "linear solves of the step",
     [](const Moment& m) { return Real(m.step.solves); }},
    {"step.halvings", "-", "times a part of the step was cut in two",
     [](const Moment& m) { return Real(m.step.halvings); }},
    {"step.restarts", "-", "times the two-step scheme gave way to backward Euler",
     [](const Moment& m) { return Real(m.step.restarts); }},
    {"step.residual_work", "J", "energy that what is left unsettled can make",
     [](const Moment& m) { return m.step.residual_work; }},
    {"step.energy_change", "J", "of the total energy, less the work fed in",
     [](const Moment& m) { return m.step.energy_change; }},
    {"step.settled", "-", "1, or 0 where the cap on solves was reached",
     [](const Moment& m) { return Real(m.step.settled ? 1 : 0); }},
    {"step.status", "-", "0 ok, 1 refused, 2 diverged",
     [](const Moment& m) { return Real(static_cast<int>(m.step.status)); }},
};

constexpr BodyField kBodyFields[] = {
    {"x", "m", "position of the body's origin", false,
     [](const BodyView& b) { return b.pose.p.x(); }},
    {"y", "m", "", false, [](const BodyView& b) { return b.pose.p.y(); }},
    {"z", "m", "", false, [](const BodyView& b) { return b.pose.p.z(); }},
    {"qw", "-", "orientation, a unit quaternion", false,
     [](const BodyView& b) { return b.pose.q.w(); }},
    {"qx", "-", "", false, [](const BodyView& b) { return b.pose.q.x(); }},
    {"qy", "-", "", false, [](const BodyView& b) { return b.pose.q.y(); }},
    {"qz", "-", "", false, [](const BodyView& b) { return b.pose.q.z(); }},
    {"vx", "m/s", "velocity of the centre of mass; world axes unless @body", true,
     [](const BodyView& b) { return b.velocity.linear.x(); }},
    {"vy", "m/s", "", true, [](const BodyView& b) { return b.velocity.linear.y(); }},
    {"vz", "m/s", "", true, [](const BodyView& b) { return b.velocity.linear.z(); }},
    {"wx", "rad/s", "angular velocity; world axes unless @body", true,
     [](const BodyView& b) { return b.velocity.angular.x(); }},
    {"wy", "rad/s", "", true, [](const BodyView& b) { return b.velocity.angular.y(); }},
    {"wz", "rad/s", "", true, [](const BodyView& b) { return b.velocity.angular.z(); }},
    {"speed", "m/s", "of the centre of mass", false,
     [](const BodyView& b) { return b.velocity.linear.norm(); }},
    {"spin", "rad/s", "size of the angular velocity", false,
     [](const BodyView& b) { return b.velocity.angular.norm(); }},
    {"com.x", "m", "position of the centre of mass", false,
     [](const BodyView& b) { return b.centre.x(); }},
    {"com.y", "m", "", false, [](const BodyView& b) { return b.centre.y(); }},
    {"com.z", "m", "", false, [](const BodyView& b) { return b.centre.z(); }},
    {"damping.x", "N s/m", "what adaptive damping added to the freedom in the last step", false,
     [](const BodyView& b) { return b.damping.linear.x(); }},
    {"damping.y", "N s/m", "", false, [](const BodyView& b) { return b.damping.linear.y(); }},
    {"damping.z", "N s/m", "", false, [](const BodyView& b) { return b.damping.linear.z(); }},
    {"damping.rx", "N m s/rad", "the same about the world's axes", false,
     [](const BodyView& b) { return b.damping.angular.x(); }},
    {"damping.ry", "N m s/rad", "", false, [](const BodyView& b) { return b.damping.angular.y(); }},
    {"damping.rz", "N m s/rad", "", false, [](const BodyView& b) { return b.damping.angular.z(); }},
};

constexpr JointField kJointFields[] = {
    {"force", "N", "size of the joint force", false,
     [](const JointReading& r) { return r.force.norm(); }},
    {"force.x", "N",
     "on body 0 (on body 1 if body 0 is the world); world axes unless @body0, @body1 or @joint",
     true, [](const JointReading& r) { return r.force.x(); }},
    {"force.y", "N", "", true, [](const JointReading& r) { return r.force.y(); }},
    {"force.z", "N", "", true, [](const JointReading& r) { return r.force.z(); }},
    {"torque", "N m", "size of the joint torque", false,
     [](const JointReading& r) { return r.torque.norm(); }},
    {"torque.x", "N m", "on the same body, about the joint frame's origin", true,
     [](const JointReading& r) { return r.torque.x(); }},
    {"torque.y", "N m", "", true, [](const JointReading& r) { return r.torque.y(); }},
    {"torque.z", "N m", "", true, [](const JointReading& r) { return r.torque.z(); }},
    {"angle", "rad", "of body 1 against body 0 about the joint's axis, counted over turns", false,
     [](const JointReading& r) { return r.angle; }},
    {"angle_rate", "rad/s", "", false, [](const JointReading& r) { return r.angle_rate; }},
    {"slide", "m", "of body 1 along the joint's axis", false,
     [](const JointReading& r) { return r.slide; }},
    {"slide_rate", "m/s", "", false, [](const JointReading& r) { return r.slide_rate; }},
    {"gap", "m", "error of the joint's rows that measure length", false,
     [](const JointReading& r) { return r.gap; }},
    {"angular_gap", "rad", "error of the joint's rows that measure angle", false,
     [](const JointReading& r) { return r.angular_gap; }},
};

struct RunField {
    std::string_view name, unit, summary;
    Real (*read)(const RunSummary&);
};

constexpr RunField kRunFields[] = {
    {"run.steps", "-", "steps taken",
     [](const RunSummary& s) { return static_cast<Real>(s.steps); }},
    {"run.joint_gap_max", "m", "largest gap.max so far",
     [](const RunSummary& s) { return s.joint_gap_max; }},
    {"run.joint_gap_max_relative", "-", "the same over the size of the scene",
     [](const RunSummary& s) { return s.joint_gap_max_relative; }},
    {"run.angular_gap_max", "rad", "largest gap.angular so far",
     [](const RunSummary& s) { return s.angular_gap_max; }},
    {"run.energy_start", "J", "total energy at the start",
     [](const RunSummary& s) { return s.energy_start; }},
    {"run.kinetic_max", "J", "largest kinetic energy seen",
     [](const RunSummary& s) { return s.kinetic_max; }},
    {"run.energy_rise_max_relative", "-",
     "most energy gained beyond start and work, over run.kinetic_max",
     [](const RunSummary& s) { return s.energy_rise_max_relative; }},
    {"run.energy_kept", "-",
     "largest kinetic energy in the last tenth of the run, over run.kinetic_max",
     [](const RunSummary& s) { return s.energy_kept; }},
    {"run.residual_max", "-", "worst relative residual of a solve",
     [](const RunSummary& s) { return s.residual_max; }},
    {"run.solves_mean", "-", "linear solves per step",
     [](const RunSummary& s) { return s.solves_mean; }},
    {"run.solves_max", "-", "", [](const RunSummary& s) { return Real(s.solves_max); }},
    {"run.wrong_inertia_steps", "-",
     "steps whose factorisation had the wrong count of negative pivots",
     [](const RunSummary& s) { return static_cast<Real>(s.wrong_inertia_steps); }},
};

struct AxesName {
    std::string_view name;
    Axes axes;
};
constexpr AxesName kAxes[] = {{"world", Axes::World},
                              {"body0", Axes::Body0},
                              {"body1", Axes::Body1},
                              {"joint", Axes::JointFrame}};

BodyView look_at(const World& world, BodyId id, bool own_axes)
{
    BodyView view{world.pose(id), world.velocity(id), world.centre_of_mass(id), world.damping(id)};
    if (own_axes) {
        view.velocity.linear = view.pose.q.conjugate() * view.velocity.linear;
        view.velocity.angular = view.pose.q.conjugate() * view.velocity.angular;
    }
    return view;
}

// --- finding ---

template <class Fields>
auto* find_field(const Fields& fields, std::string_view name)
{
    for (const auto& field : fields)
        if (field.name == name) return &field;
    return static_cast<decltype(&fields[0])>(nullptr);
}

template <class Fields>
std::vector<std::string> field_names(const Fields& fields)
{
    std::vector<std::string> names;
    for (const auto& field : fields) names.emplace_back(field.name);
    return names;
}

template <class Names>
std::string join(const Names& names)
{
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

std::vector<std::string> body_names(const World& world)
{
    std::vector<std::string> names;
    for (int i = 0; i < world.body_count(); ++i) names.emplace_back(world.name(BodyId{i}));
    return names;
}

std::vector<std::string> joint_names(const World& world)
{
    std::vector<std::string> names;
    for (int i = 0; i < world.joint_count(); ++i) names.emplace_back(world.name(JointId{i}));
    return names;
}

// "hook.force.x" → "hook" and "force.x". Names of bodies and joints may hold dots themselves: the
// longest that exists wins, so that "hook.motor.torque" is of the drive and not of the joint.
template <class Find>
auto split_owner(std::string_view rest, Find find)
{
    using Found = decltype(find(rest));
    for (auto dot = rest.rfind('.'); dot != std::string_view::npos && dot > 0;
         dot = rest.rfind('.', dot - 1))
        if (Found owner = find(rest.substr(0, dot))) return std::pair{owner, rest.substr(dot + 1)};
    return std::pair{Found{}, std::string_view{}};
}

// "hook.forse" of a joint that does not exist: the part before the first dot is what is unknown.
Error unknown_owner(std::string_view name, std::string_view rest, std::string_view kind,
                    const std::vector<std::string>& known)
{
    const std::string owner(rest.substr(0, rest.rfind('.')));
    std::string text = "reading '" + std::string(name) + "': no " + std::string(kind) +
                       " is called '" + owner + "'";
    text += did_you_mean(owner, known);
    return Error{text};
}

Error unknown_field(std::string_view name, std::string_view field, std::string_view kind,
                    const std::vector<std::string>& known)
{
    const std::string hint = did_you_mean(field, known);
    return Error{"reading '" + std::string(name) + "': a " + std::string(kind) +
                 " has no reading '" + std::string(field) + "'" + hint +
                 (hint.empty() ? "; " : " ") + "It has: " + join(known)};
}

Result<Column> find_body_column(const World& world, std::string_view name, std::string_view rest)
{
    // velocities may be asked for in the body's own axes: top.wx@body
    const auto at = rest.rfind('@');
    const bool own_axes = at != std::string_view::npos;
    if (own_axes && rest.substr(at + 1) != "body")
        return Error{"reading '" + std::string(name) + "': axes '" +
                     std::string(rest.substr(at + 1)) + "' of a body can only be @body"};
    rest = rest.substr(0, at);

    const auto [body, field_name] =
        split_owner(rest, [&](std::string_view n) { return world.find_body(n); });
    if (!body) return unknown_owner(name, rest, "body", body_names(world));

    const BodyField* field = find_field(kBodyFields, field_name);
    if (!field) return unknown_field(name, field_name, "body", field_names(kBodyFields));
    if (own_axes && !field->has_axes)
        return Error{"reading '" + std::string(name) +
                     "': only components of velocities can be had in the body's axes"};
    return Column{std::string(name), std::string(field->unit),
                  [id = *body, own_axes, read = field->read](const Moment& m) {
                      return read(look_at(m.world, id, own_axes));
                  }};
}

Result<Column> find_joint_column(const World& world, std::string_view name, std::string_view rest)
{
    // an axes choice at the end: @world, @body0, @body1, @joint
    Axes axes = Axes::World;
    const auto at = rest.rfind('@');
    const bool axes_given = at != std::string_view::npos;
    if (axes_given) {
        const AxesName* chosen = find_field(kAxes, rest.substr(at + 1));
        if (!chosen)
            return Error{"reading '" + std::string(name) + "': axes '" +
                         std::string(rest.substr(at + 1)) + "' are not one of " +
                         join(field_names(kAxes))};
        axes = chosen->axes;
        rest = rest.substr(0, at);
    }

    const auto [joint, field_name] =
        split_owner(rest, [&](std::string_view n) { return world.find_joint(n); });
    if (!joint) return unknown_owner(name, rest, "joint", joint_names(world));

    const JointField* field = find_field(kJointFields, field_name);
    if (!field) return unknown_field(name, field_name, "joint", field_names(kJointFields));
    if (axes_given && !field->has_axes)
        return Error{"reading '" + std::string(name) + "': '" + std::string(field_name) +
                     "' is the same in all axes; only components of force and torque take @"};
    return Column{std::string(name), std::string(field->unit),
                  [id = *joint, axes, read = field->read](const Moment& m) {
                      return read(m.world.joint(id, axes));
                  }};
}

bool starts_with(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

}  // namespace

Result<Column> find_column(const World& world, std::string_view name)
{
    if (const WorldField* field = find_field(kWorldFields, name))
        return Column{std::string(name), std::string(field->unit), field->read};
    if (const RunField* field = find_field(kRunFields, name))
        return Column{
            std::string(name), std::string(field->unit),
            [read = field->read](const Moment& m) { return read(m.run.summary(m.world)); }};
    if (starts_with(name, "body.")) return find_body_column(world, name, name.substr(5));
    if (starts_with(name, "joint.")) return find_joint_column(world, name, name.substr(6));

    std::vector<std::string> known = field_names(kWorldFields);
    for (const auto& field : kRunFields) known.emplace_back(field.name);
    return Error{"there is no reading '" + std::string(name) + "'" + did_you_mean(name, known) +
                 " ('taut list columns' shows them all)"};
}

std::vector<ColumnInfo> column_catalogue()
{
    std::vector<ColumnInfo> list;
    const auto add = [&](std::string_view prefix, const auto& fields) {
        for (const auto& f : fields)
            list.push_back({std::string(prefix) + std::string(f.name), std::string(f.unit),
                            std::string(f.summary)});
    };
    add("", kWorldFields);
    add("body.NAME.", kBodyFields);
    add("joint.NAME.", kJointFields);
    add("", kRunFields);
    return list;
}

std::vector<std::string> column_names(const World& world)
{
    std::vector<std::string> names = field_names(kWorldFields);
    for (const std::string& body : body_names(world))
        for (const auto& field : kBodyFields)
            names.push_back("body." + body + "." + std::string(field.name));
    for (const std::string& joint : joint_names(world))
        for (const auto& field : kJointFields)
            names.push_back("joint." + joint + "." + std::string(field.name));
    return names;
}

std::vector<std::string> usual_columns(const World& world)
{
    std::vector<std::string> names = {"time",           "energy.kinetic", "energy.gravity",
                                      "energy.joints",  "energy.springs", "energy.total",
                                      "work.total",     "gap.max",        "gap.angular",
                                      "solve.residual", "solve.count"};
    // poses and joint forces of all are welcome in a small scene and a flood in a large one
    constexpr int kFew = 20;
    if (world.body_count() <= kFew)
        for (int i = 0; i < world.body_count(); ++i) {
            if (world.kind(BodyId{i}) == BodyKind::Fixed) continue;
            const std::string body = "body." + std::string(world.name(BodyId{i})) + ".";
            for (const char* field : {"x", "y", "z", "qw", "qx", "qy", "qz"})
                names.push_back(body + field);
        }
    if (world.joint_count() <= kFew)
        for (int i = 0; i < world.joint_count(); ++i) {
            const std::string joint = "joint." + std::string(world.name(JointId{i})) + ".";
            for (const char* field : {"force", "torque"}) names.push_back(joint + field);
        }
    return names;
}

}  // namespace taut
