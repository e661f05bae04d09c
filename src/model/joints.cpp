// Joints and springs: from a description by type name to an entry of the right pool.
#include <cmath>

#include "core/text.h"
#include "model/apply_commands.h"
#include "model/builder.h"
#include "model/thresholds.h"

namespace taut::model {
namespace {

bool body_exists(const Model& model, BodyId id)
{
    return id == kWorld || (id.valid() && id.index + 1 < static_cast<int>(model.bodies.size()));
}

// A joint frame given in the world or in the body's own axes, from the centre of mass.
BodyFrame frame_on_body(const Model& model, const State& state, BodyIndex b,
                        const JointFrame& given, Coordinates coordinates)
{
    const Mat3 R = given.q.normalized().toRotationMatrix();
    if (coordinates == Coordinates::Body) return {given.p - model.bodies[b].com, R};
    const BodyPose X = body_pose(state, b);
    return {X.R.transpose() * (given.p - X.p), X.R.transpose() * R};
}

Status check_frame(const std::string& me, const JointFrame& frame)
{
    if (!frame.p.allFinite() || !frame.q.coeffs().allFinite())
        return Error{text(me, ": its frames must be finite")};
    if (!(frame.q.norm() > kDescription.least_length))
        return Error{text(me, ": a frame's rotation has no length")};
    return Done{};
}

// Bodies exist, differ, and at least one of them can move.
Status check_bodies(const Model& model, const std::string& me, std::span<const BodyId> bodies)
{
    bool moves = false;
    for (std::size_t s = 0; s < bodies.size(); ++s) {
        if (!body_exists(model, bodies[s]))
            return Error{text(me, ": body number ", s + 1,
                              " is none of this world's; allowed are its bodies, and kWorld for "
                              "the ground")};
        for (std::size_t t = 0; t < s; ++t)
            if (bodies[s] == bodies[t])
                return Error{text(me, ": connects '", model.body_details[bodies[s].index + 1].name,
                                  "' with itself")};
        moves = moves || model.bodies[bodies[s].index + 1].dynamic();
    }
    if (!moves) return Error{text(me, ": none of its bodies can move")};
    return Done{};
}

template <class T>
Status read_parameters(const std::string& me, const JointDef& def, T& item)
{
    const auto fields = T::fields();
    std::string allowed;
    for (const auto& field : fields) allowed += text(allowed.empty() ? "" : ", ", field.name);
    for (const auto& [name, value] : def.parameters) {
        bool known = false;
        for (const auto& field : fields) {
            if (field.name != name) continue;
            known = true;
            if (!(value >= field.lowest && value <= field.highest))
                return Error{text(me, ": ", name, " is ", value, "; allowed is ", field.lowest,
                                  " to ", field.highest, " ", field.unit)};
            item.*(field.member) = value;
        }
        if (!known)
            return Error{
                text(me, ": has no parameter '", name, "'; ",
                     allowed.empty() ? "this type takes none" : text("allowed: ", allowed))};
    }
    for (const auto& field : fields) {
        bool given = !field.required;
        for (const auto& [name, value] : def.parameters) given = given || name == field.name;
        if (!given)
            return Error{text(me, ": parameter '", field.name, "' is missing: ", field.summary)};
    }
    return Done{};
}

template <class T>
Result<std::array<RowSoftness, T::kRows>> read_softness(const std::string& me, const JointDef& def,
                                                        const T& item)
{
    const auto bad = [](Real x) { return !(x >= 0 && std::isfinite(x)); };
    if (bad(def.compliance) || bad(def.angular_compliance) || bad(def.damping_time))
        return Error{text(me, ": compliance and damping time must be finite and not negative")};
    for (const auto* list : {&def.row_compliance, &def.row_damping_time}) {
        if (!list->empty() && list->size() != T::kRows)
            return Error{text(me, ": ", list->size(), " values per row given, but it has ",
                              T::kRows, " rows")};
        for (const Real x : *list)
            if (bad(x))
                return Error{
                    text(me, ": compliance and damping time must be finite and not negative")};
    }
    if (T::kKind != RowKind::Position &&
        (def.compliance > 0 || def.angular_compliance > 0 || def.damping_time > 0 ||
         !def.row_compliance.empty() || !def.row_damping_time.empty()))
        return Error{
            text(me, ": holds a velocity or is a servo; it has no compliance or damping time")};
    std::array<RowSoftness, T::kRows> softness;
    for (int r = 0; r < T::kRows; ++r) {
        softness[r].compliance = !def.row_compliance.empty()            ? def.row_compliance[r]
                                 : units_of(item)[r] == RowUnit::Length ? def.compliance
                                                                        : def.angular_compliance;
        softness[r].damping_time =
            def.row_damping_time.empty() ? def.damping_time : def.row_damping_time[r];
    }
    return softness;
}

// A particle cannot take a torque: the type's rows must not ask for one where they act.
template <class T>
Status check_particles(const Model& model, const std::string& me, const T& item,
                       const std::array<BodyIndex, T::kBodies>& bodies, const Poses<T::kBodies>& X,
                       const Memory<T::kMemory>& memory)
{
    Rows<T::kRows, T::kBodies> rows;
    item.evaluate(X, memory, rows);
    for (int s = 0; s < T::kBodies; ++s) {
        if (model.bodies[bodies[s]].kind != BodyKind::Particle) continue;
        const Real linear = rows.J[s].template leftCols<3>().cwiseAbs().maxCoeff();
        const Real angular = rows.J[s].template rightCols<3>().cwiseAbs().maxCoeff();
        if (angular > kDescription.torque_rounding * (1 + linear))
            return Error{text(me, ": '", model.body_details[bodies[s]].name,
                              "' is a particle, which has no orientation; this joint would turn it "
                              "(particles take joints at their own position)")};
    }
    return Done{};
}

template <class T>
Status check_strength(const std::string& me, const JointDef& def)
{
    if (!(def.max_force > 0)) return Error{text(me, ": max_force must be above zero")};
    if (std::isfinite(def.max_force) && T::kKind == RowKind::Position)
        return Error{text(me, ": max_force is for motors and servos; joints have break_force")};
    if (!(def.break_force > 0) || !(def.break_torque > 0))
        return Error{text(me, ": break_force and break_torque must be above zero")};
    if ((std::isfinite(def.break_force) || std::isfinite(def.break_torque)) &&
        T::kKind != RowKind::Position)
        return Error{text(me, ": motors and servos do not break; they have max_force")};
    return Done{};
}

// Two bounds of one coordinate must leave room.
template <class T>
Status check_bounds(const std::string& me, const T& item)
{
    if constexpr (requires { item.lower, item.upper; })
        if (!(item.lower <= item.upper))
            return Error{text(me, ": lower is ", item.lower, ", above upper, ", item.upper)};
    return Done{};
}

// A joint of one type as it will be in the model, before anything is changed.
template <class T>
struct Draft {
    T item;
    std::array<BodyIndex, T::kBodies> bodies;
    Poses<T::kBodies> X;
    Memory<T::kMemory> memory;
    std::array<RowSoftness, T::kRows> softness;
    Rows<T::kRows, T::kBodies> rows;  // where it starts
    JointModel joint;
};

// Every row must have a direction at the start, on a body that can move.
template <class T>
Status check_directions(const Model& model, const std::string& me, const Draft<T>& draft)
{
    for (int r = 0; r < T::kRows; ++r) {
        Real largest = 0;
        for (int k = 0; k < T::kBodies; ++k)
            if (model.bodies[draft.bodies[k]].dynamic())
                largest = std::max(largest, draft.rows.J[k].row(r).cwiseAbs().maxCoeff());
        if (!(largest > 0))
            return Error{text(me, ": row ", r + 1,
                              " has no direction where it starts (points that coincide?)")};
    }
    return Done{};
}

template <class T>
Result<Draft<T>> make_draft(const Model& model, const State& state, const std::string& me,
                            const JointDef& def)
{
    TAUT_TRY(check_bodies(model, me, std::span(def.bodies).first(T::kBodies)));
    for (int k = 0; k < T::kFrames; ++k) TAUT_TRY(check_frame(me, def.frames[k]));
    TAUT_TRY(check_strength<T>(me, def));
    TAUT_TRY(check_schedule(me, def.target));

    Draft<T> draft;
    T& item = draft.item;
    if constexpr (T::kFromOutside) item.joint = def.custom.get();
    TAUT_TRY(read_parameters(me, def, item));
    TAUT_TRY(check_bounds(me, item));
    auto softness = read_softness<T>(me, def, item);
    if (!softness) return softness.error();
    draft.softness = *softness;

    for (int s = 0; s < T::kBodies; ++s) {
        draft.bodies[s] = index_of(def.bodies[s]);
        draft.X[s] = body_pose(state, draft.bodies[s]);
    }
    for (int k = 0; k < T::kFrames; ++k)
        item.frames[k] = frame_on_body(model, state, draft.bodies[side_of_frame(k)], def.frames[k],
                                       def.coordinates);
    start(item, draft.X, draft.memory);
    TAUT_TRY(check_particles(model, me, item, draft.bodies, draft.X, draft.memory));
    JointModel& joint = draft.joint;
    joint.name = def.name;
    joint.custom = def.custom;
    joint.target = def.target;
    joint.max_force = def.max_force;
    joint.break_force = def.break_force;
    joint.break_torque = def.break_torque;
    joint.described = {def.max_force, command_parameters(item)};
    if constexpr (T::kKind == RowKind::Servo) {
        joint.stiffness = item.stiffness;
        joint.damping = item.damping;
        if (!(joint.stiffness + joint.damping > 0))
            return Error{text(me, ": a servo needs a stiffness or a damping above zero")};
    }
    item.evaluate(draft.X, draft.memory, draft.rows);
    TAUT_TRY(check_directions(model, me, draft));
    return draft;
}

template <class T>
Result<int> add_typed(Model& model, State& state, const JointDef& def)
{
    const std::string_view type = def.custom ? def.custom->name() : T::kName;
    const std::string me = text(type, def.name.empty() ? "" : text(" '", def.name, "'"));
    Result<Draft<T>> made = make_draft<T>(model, state, me, def);
    if (!made) return made.error();
    Draft<T>& draft = *made;

    const int index = static_cast<int>(model.joints.size());
    Pool<T>& pool = model.pool<T>();
    ConstraintRows group;
    group.type = type_index<T>();
    group.slot = static_cast<int>(pool.items.size());
    group.kind = T::kKind;
    group.law = std::isfinite(def.max_force) ? RowLaw::Interval : law_of(draft.item);
    group.first_memory = model.memories;
    group.memories = T::kMemory;
    model.rows.append_joint(group, draft.bodies, draft.softness, units_of(draft.item));
    pool.items.push_back(draft.item);
    pool.bodies.push_back(draft.bodies);
    pool.groups.push_back(index);
    if (!def.name.empty()) model.joint_names.emplace(def.name, index);
    for (int k = 0; k < T::kFrames; ++k) {
        const BodyPose& X = draft.X[side_of_frame(k)];
        const Vec3 anchor = X.p + X.R * draft.item.frames[k].p;
        model.extent.extend(anchor);
        for (const BodyIndex b : draft.bodies)
            if (model.bodies[b].dynamic()) model.body_details[b].extent.extend(anchor);
    }
    model.breakable |= draft.joint.breakable();
    model.memories += T::kMemory;
    model.joints.push_back(std::move(draft.joint));
    ++model.topology;

    for (int r = 0; r < T::kRows; ++r) {
        state.lambda.push_back(0);
        state.stretch.push_back(loaded_stretch(group.law, draft.rows.phi[r]));
    }
    state.memory.insert(state.memory.end(), draft.memory.begin(), draft.memory.end());
    state.broken.push_back(0);
    state.commands.joints.emplace_back();
    return index;
}

template <class T>
void append_spring(Pool<T>& pool, const T& item, const SpringModel& spring, int index)
{
    pool.items.push_back(item);
    pool.bodies.push_back(spring.bodies);
    pool.groups.push_back(index);
}

Status check_custom(const CustomJoint& type, const std::string& name)
{
    const std::string me = text("joint '", name, "' of type '", type.name(), "'");
    if (type.rows() < 1 || type.rows() > kMostCustomRows)
        return Error{text(me, ": has ", type.rows(), " rows; allowed are 1 to ", kMostCustomRows)};
    if (find_joint_type(type.name()))
        return Error{text(me, ": the engine has a type of that name")};
    if (type.law() != RowLaw::Equal && type.law() != RowLaw::NonNegative)
        return Error{text(me, ": its law may be Equal or NonNegative")};
    return Done{};
}

template <class T>
bool is_of_type(const JointDef& def)
{
    if constexpr (T::kFromOutside)
        return def.custom && def.custom->rows() == T::kRows;
    else
        return !def.custom && T::kName == def.type;
}

}  // namespace

Model::Model()
{
    bodies.emplace_back();
    body_details.push_back({"world", {}, {}});
}

void extend(Model& model, BodyIndex b, const Vec3& point)
{
    model.extent.extend(point);
    model.body_details[b].extent.extend(point);
}

Result<int> add_joint(Model& model, State& state, const JointDef& def)
{
    if (!def.name.empty() && model.joint_names.contains(def.name))
        return Error{text("joint '", def.name, "': there is a joint of that name already")};
    if (def.custom) TAUT_TRY(check_custom(*def.custom, def.name));
    Result<int> added =
        Error{text("joint '", def.name, "': there is no joint type '", def.type, "'")};
    for_each_joint_type([&](auto tag) {
        using T = typename decltype(tag)::type;
        if (is_of_type<T>(def)) added = add_typed<T>(model, state, def);
    });
    return added;
}

Result<int> add_spring(Model& model, State& state, const SpringDef& def)
{
    const std::string me = def.name.empty() ? "spring" : text("spring '", def.name, "'");
    TAUT_TRY(check_bodies(model, me, def.bodies));
    for (const JointFrame& frame : def.frames) TAUT_TRY(check_frame(me, frame));
    const auto bad = [](Real x) { return !(x >= 0 && std::isfinite(x)); };
    if (bad(def.stiffness) || bad(def.damping))
        return Error{text(me, ": stiffness and damping must be finite and not negative")};
    if (!std::isfinite(def.rest)) return Error{text(me, ": rest length or angle must be finite")};

    SpringModel spring{def.name, def.kind,       0,
                       {},       def.stiffness,  def.damping,
                       def.rest, model.memories, {def.stiffness, def.damping, def.rest}};
    std::array<BodyFrame, 2> frames;
    Poses<2> X;
    for (int s = 0; s < 2; ++s) {
        spring.bodies[s] = index_of(def.bodies[s]);
        X[s] = body_pose(state, spring.bodies[s]);
        frames[s] = frame_on_body(model, state, spring.bodies[s], def.frames[s], def.coordinates);
    }
    const int index = static_cast<int>(model.springs.size());
    if (def.kind == SpringDef::Kind::Linear) {
        Rod item;
        item.frames = frames;
        item.length = 0;  // φ is the length itself
        TAUT_TRY(check_particles(model, me, item, spring.bodies, X, {}));
        spring.slot = static_cast<int>(model.linear_springs.items.size());
        append_spring(model.linear_springs, item, spring, index);
    } else {
        TwistAngle item;
        item.frames = frames;
        Memory<TwistAngle::kMemory> memory;
        start(item, X, memory);
        TAUT_TRY(check_particles(model, me, item, spring.bodies, X, memory));
        spring.slot = static_cast<int>(model.torsional_springs.items.size());
        append_spring(model.torsional_springs, item, spring, index);
        state.memory.insert(state.memory.end(), memory.begin(), memory.end());
        model.memories += TwistAngle::kMemory;
    }
    model.springs.push_back(spring);
    state.commands.springs.emplace_back();
    ++model.topology;
    return index;
}

}  // namespace taut::model
