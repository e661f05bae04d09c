#include "readings/readings.h"

#include <algorithm>
#include <optional>

#include <limits>

#include "core/suggestion.h"
#include "readings/fields.h"

namespace taut::readings {

namespace {

BodyView look_at(const World& world, BodyId id, bool own_axes)
{
    BodyView view{world.pose(id), world.velocity(id), world.centre_of_mass(id), world.damping(id)};
    if (own_axes) {
        view.velocity.linear = view.pose.q.conjugate() * view.velocity.linear;
        view.velocity.angular = view.pose.q.conjugate() * view.velocity.angular;
    }
    return view;
}

// --- lookup ---

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
    for (int i = 0; i < world.body_count(); ++i) names.emplace_back(world.name(world.body_at(i)));
    return names;
}

std::vector<std::string> joint_names(const World& world)
{
    std::vector<std::string> names;
    for (int i = 0; i < world.joint_count(); ++i) names.emplace_back(world.name(world.joint_at(i)));
    return names;
}

// What a reading gives once its body or joint is no longer there.
constexpr Real kRemoved = std::numeric_limits<Real>::quiet_NaN();

// "hook.force.x" → "hook" and "force.x". Names of bodies and joints may contain dots: the longest existing name is
// used, so that "hook.motor.torque" belongs to the drive and not to the joint.
template <class Find>
auto split_owner(std::string_view rest, Find find)
{
    using Found = decltype(find(rest));
    for (auto dot = rest.rfind('.'); dot != std::string_view::npos && dot > 0;
         dot = rest.rfind('.', dot - 1))
        if (Found owner = find(rest.substr(0, dot))) return std::pair{owner, rest.substr(dot + 1)};
    return std::pair{Found{}, std::string_view{}};
}

// The error for "hook.forse" if no such joint exists: the part before the first dot is reported as unknown.
Error unknown_owner(std::string_view name, std::string_view rest, std::string_view kind,
                    const std::vector<std::string>& known)
{
    const std::string owner(rest.substr(0, rest.rfind('.')));
    std::string text = "reading '" + std::string(name) + "': no " + std::string(kind) +
                       " is named '" + owner + "'";
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

Error only_velocities(std::string_view name)
{
    return Error{"reading '" + std::string(name) +
                 "': only components of velocities are available in body axes"};
}

std::vector<std::string> all_body_fields()
{
    std::vector<std::string> names = field_names(kBodyFields);
    for (const auto& field : kBodyContactFields) names.emplace_back(field.name);
    for (const auto& field : kPairFields) names.push_back(std::string(field.name) + "OTHER");
    return names;
}

// Contact readings: contact.force, touches.OTHER. The reading has no function if the name is not one of them.
Result<Reading> find_contact_reading(const World& world, std::string_view name, BodyId body,
                                     std::string_view field_name)
{
    if (const BodyContactField* field = find_field(kBodyContactFields, field_name))
        return Reading{std::string(name), std::string(field->unit),
                       [body, read = field->read](const World& w) {
                           return w.contains(body) ? read(sum_contacts(w, body)) : kRemoved;
                       }};
    for (const BodyContactField& field : kPairFields) {
        if (field_name.substr(0, field.name.size()) != field.name) continue;
        const std::string_view wanted = field_name.substr(field.name.size());
        const auto other = wanted == "world" ? kWorld : world.find_body(wanted);
        if (!other) {
            std::vector<std::string> known = body_names(world);
            known.emplace_back("world");
            return Error{"reading '" + std::string(name) + "': no body is named '" +
                         std::string(wanted) + "'" + did_you_mean(wanted, known)};
        }
        return Reading{std::string(name), std::string(field.unit),
                       [body, other = *other, read = field.read](const World& w) {
                           return w.contains(body) && w.contains(other)
                                      ? read(sum_contacts(w, body, other))
                                      : kRemoved;
                       }};
    }
    return Reading{};
}

Result<Reading> find_body_reading(const World& world, std::string_view name, std::string_view rest)
{
    // velocities are available in body axes: top.wx@body
    const auto at = rest.rfind('@');
    const bool own_axes = at != std::string_view::npos;
    if (own_axes && rest.substr(at + 1) != "body")
        return Error{"reading '" + std::string(name) + "': axes '" +
                     std::string(rest.substr(at + 1)) + "' are not allowed; a body has @body only"};
    rest = rest.substr(0, at);

    const auto [body, field_name] =
        split_owner(rest, [&](std::string_view n) { return world.find_body(n); });
    if (!body) return unknown_owner(name, rest, "body", body_names(world));

    auto of_contact = find_contact_reading(world, name, *body, field_name);
    if (!of_contact.ok()) return of_contact;
    if (of_contact->read) return own_axes ? Result<Reading>(only_velocities(name)) : of_contact;
    const BodyField* field = find_field(kBodyFields, field_name);
    if (!field) return unknown_field(name, field_name, "body", all_body_fields());
    if (own_axes && !field->has_axes) return only_velocities(name);
    return Reading{std::string(name), std::string(field->unit),
                   [id = *body, own_axes, read = field->read](const World& w) {
                       return w.contains(id) ? read(look_at(w, id, own_axes)) : kRemoved;
                   }};
}

Result<Reading> find_joint_reading(const World& world, std::string_view name, std::string_view rest)
{
    // suffix that selects the axes: @world, @body0, @body1, @joint
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
                     "' does not depend on the axes; only components of force and torque allow @"};
    return Reading{std::string(name), std::string(field->unit),
                   [id = *joint, axes, read = field->read](const World& w) {
                       return w.contains(id) ? read(w.joint(id, axes)) : kRemoved;
                   }};
}

bool starts_with(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

}  // namespace

Result<Reading> find_reading(const World& world, std::string_view name)
{
    if (const WorldField* field = find_field(kWorldFields, name))
        return Reading{std::string(name), std::string(field->unit), field->read};
    if (starts_with(name, "body.")) return find_body_reading(world, name, name.substr(5));
    if (starts_with(name, "joint.")) return find_joint_reading(world, name, name.substr(6));

    return Error{"unknown reading '" + std::string(name) + "'" +
                 did_you_mean(name, field_names(kWorldFields)) +
                 " ('taut list columns' lists all readings)"};
}

std::vector<ReadingInfo> reading_catalogue()
{
    std::vector<ReadingInfo> list;
    const auto add = [&](std::string_view prefix, const auto& fields) {
        for (const auto& f : fields)
            list.push_back({std::string(prefix) + std::string(f.name), std::string(f.unit),
                            std::string(f.summary)});
    };
    add("", kWorldFields);
    add("body.NAME.", kBodyFields);
    add("body.NAME.", kBodyContactFields);
    for (const auto& f : kPairFields)
        list.push_back({"body.NAME." + std::string(f.name) + "OTHER", std::string(f.unit),
                        std::string(f.summary)});
    add("joint.NAME.", kJointFields);
    return list;
}

std::vector<ReadingInfo> reading_list(const World& world, int most)
{
    std::vector<ReadingInfo> list;
    const auto add = [&](const std::string& prefix, const auto& fields) {
        for (const auto& f : fields)
            list.push_back(
                {prefix + std::string(f.name), std::string(f.unit), std::string(f.summary)});
    };
    add("", kWorldFields);
    for (int i = 0; i < std::min(world.body_count(), most); ++i) {
        const std::string prefix = "body." + std::string(world.name(world.body_at(i))) + ".";
        add(prefix, kBodyFields);
        add(prefix, kBodyContactFields);
    }
    for (int i = 0; i < std::min(world.joint_count(), most); ++i)
        add("joint." + std::string(world.name(world.joint_at(i))) + ".", kJointFields);
    return list;
}

}  // namespace taut::readings
