// A glTF 2.0 binary file in the making: one buffer of aligned views, accessors with their bounds, and
// the JSON that refers to them by index.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/namespaces.h"

namespace taut::exporters {

class GlbBuffer {
public:
    using Json = nlohmann::ordered_json;

    // What a view is for; the numbers are OpenGL's, as glTF wants them.
    enum class Use { Animation = 0, Vertices = 34962, Indices = 34963 };

    // Each appends its numbers and returns the index of an accessor to them.
    int add(std::span<const float> numbers);
    int add(std::span<const std::array<float, 3>> vectors, Use use);
    int add(std::span<const std::array<float, 4>> vectors);
    int add(std::span<const std::array<std::uint32_t, 3>> triangles);

    // The file: `document` completed by what the buffer holds.
    std::string file(Json document) const;

private:
    template <std::size_t N>
    int add_floats(const float* numbers, std::size_t count, const char* type, Use use);
    int append(const void* data, std::size_t bytes, Use use);

    std::string bytes_;
    Json views_ = Json::array();
    Json accessors_ = Json::array();
};

}  // namespace taut::exporters
