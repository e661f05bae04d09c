#include "scene/values.h"

#include <cmath>
#include <numbers>

#include "scene/text_format.h"

namespace taut::scene {
namespace {

constexpr Real kDegree = std::numbers::pi / 180;

Quat about_fixed_axes(const Vec3& rpy)
{
    return Quat(Eigen::AngleAxis<Real>(rpy.z(), Vec3::UnitZ()) *
                Eigen::AngleAxis<Real>(rpy.y(), Vec3::UnitY()) *
                Eigen::AngleAxis<Real>(rpy.x(), Vec3::UnitX()));
}

void warn_of_degrees(const Node& map, std::string_view key, Real angle, const std::string& label,
                     Problems& problems)
{
    if (std::abs(angle) <= 2 * std::numbers::pi * (1 + 1e-9)) return;
    problems.warning(map.find(key)->where, quote(key) + " of " + label + " is " +
                                               to_short_text(angle) +
                                               " rad, more than a full turn; for degrees write '" +
                                               std::string(key) + "_deg'");
}

Schedule keyframes(const Node& map, const std::string& label, Problems& problems)
{
    const std::string kind = text_or(map, "interpolation", "linear");
    std::vector<Schedule::Key> keys;
    for (const NodePtr& pair : map.find("keys")->items) {
        const Schedule::Key key{pair->items[0]->number, pair->items[1]->number};
        if (!keys.empty() && !(key.time > keys.back().time)) {
            problems.error(pair->where, "the keys of " + label + " are not ascending: time " +
                                            to_short_text(keys.back().time) + " to " +
                                            to_short_text(key.time) + "; times must ascend");
            return {};
        }
        keys.push_back(key);
    }
    return Schedule::through(std::move(keys), kind == "smooth"  ? Schedule::Kind::Smooth
                                              : kind == "steps" ? Schedule::Kind::Steps
                                                                : Schedule::Kind::Linear);
}

}  // namespace

std::optional<Real> number(const Node& map, std::string_view key)
{
    const Node* node = map.find(key);
    return node ? std::optional(node->number) : std::nullopt;
}

Real number_or(const Node& map, std::string_view key, Real fallback)
{
    return number(map, key).value_or(fallback);
}

bool flag_or(const Node& map, std::string_view key, bool fallback)
{
    const auto value = number(map, key);
    return value ? *value != 0 : fallback;
}

std::string text_or(const Node& map, std::string_view key, const std::string& fallback)
{
    const Node* node = map.find(key);
    return node ? node->filled : fallback;
}

std::vector<Real> numbers(const Node& map, std::string_view key)
{
    std::vector<Real> values;
    if (const Node* node = map.find(key))
        for (const NodePtr& item : node->items) values.push_back(item->number);
    return values;
}

std::optional<Vec3> vector(const Node& map, std::string_view key)
{
    const Node* node = map.find(key);
    if (!node) return std::nullopt;
    return Vec3(node->items[0]->number, node->items[1]->number, node->items[2]->number);
}

Vec3 vector_or(const Node& map, std::string_view key, const Vec3& fallback)
{
    return vector(map, key).value_or(fallback);
}

std::optional<Vec3> direction(const Node& map, std::string_view key, const std::string& label,
                              Problems& problems)
{
    const auto given = vector(map, key);
    if (!given) return std::nullopt;
    // scaled first, because the squared norm of a huge or tiny vector may overflow or underflow
    const Real largest = given->cwiseAbs().maxCoeff();
    if (largest > 0) return (*given / largest).normalized();
    problems.error(map.find(key)->where,
                   quote(key) + " of " + label + " is [0, 0, 0]; a non-zero vector is required");
    return std::nullopt;
}

Quat rotation_or_identity(const Node& map, std::string_view key, const std::string& label,
                          Problems& problems)
{
    const Node* node = map.find(key);
    if (!node) return Quat::Identity();
    const std::string name = std::string(key) + " of " + label;
    if (const auto rpy = vector(*node, "rpy")) {
        for (const Real angle : *rpy) warn_of_degrees(*node, "rpy", angle, name, problems);
        return about_fixed_axes(*rpy);
    }
    if (const auto rpy = vector(*node, "rpy_deg")) return about_fixed_axes(*rpy * kDegree);
    if (node->has("quaternion")) {
        const auto q = numbers(*node, "quaternion");
        const Quat quaternion(q[0], q[1], q[2], q[3]);
        const Real norm = quaternion.norm();
        if (!(std::abs(norm - 1) < 1e-3)) {
            problems.error(node->find("quaternion")->where,
                           "the quaternion of " + name + " has length " + to_short_text(norm) +
                               "; it must be 1");
            return Quat::Identity();
        }
        return quaternion.normalized();
    }
    const auto axis = direction(*node, "axis", name, problems);
    if (!node->has("angle") && !node->has("angle_deg")) {
        problems.error(node->where,
                       name + " has an axis but neither 'angle' [rad] nor 'angle_deg'");
        return Quat::Identity();
    }
    if (const auto angle = number(*node, "angle"))
        warn_of_degrees(*node, "angle", *angle, name, problems);
    const Real angle = number_or(*node, "angle", number_or(*node, "angle_deg", 0) * kDegree);
    return Quat(Eigen::AngleAxis<Real>(angle, axis.value_or(Vec3::UnitZ())));
}

Schedule schedule_or(const Node& map, std::string_view key, const Schedule& fallback,
                     const std::string& label, Problems& problems)
{
    const Node* node = map.find(key);
    if (!node) return fallback;
    if (!node->is_map()) return node->number;
    if (node->has("formula")) return fallback;  // a command; see controls.h
    if (node->has("keys")) return keyframes(*node, quote(key) + " of " + label, problems);
    const Node& sine = *node->find("sine");
    return Schedule::sine(number_or(sine, "mean", 0), number_or(sine, "amplitude", 0),
                          number_or(sine, "frequency", 0), number_or(sine, "phase", 0));
}

}  // namespace taut::scene
