// Values of a resolved map: numbers, vectors, rotations, schedules. Their forms have been checked by the tables; the
// functions check conditions that involve several numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <taut/schedule.h>
#include <taut/types.h>
#include "scene/node.h"

namespace taut::scene {

std::optional<Real> number(const Node& map, std::string_view key);
Real number_or(const Node& map, std::string_view key, Real fallback);
bool flag_or(const Node& map, std::string_view key, bool fallback);
std::string text_or(const Node& map, std::string_view key, const std::string& fallback);
std::vector<Real> numbers(const Node& map, std::string_view key);
std::optional<Vec3> vector(const Node& map, std::string_view key);
Vec3 vector_or(const Node& map, std::string_view key, const Vec3& fallback);

// A vector of any length except zero, normalised.
std::optional<Vec3> direction(const Node& map, std::string_view key, const std::string& label,
                              Problems& problems);

// The rotation of the key, or the identity if it is missing.
Quat rotation_or_identity(const Node& map, std::string_view key, const std::string& label,
                          Problems& problems);

// The schedule of the key, or `fallback` if it is missing.
Schedule schedule_or(const Node& map, std::string_view key, const Schedule& fallback,
                     const std::string& label, Problems& problems);

}  // namespace taut::scene
