// Builder of a binary glTF 2.0 file: one buffer with aligned views, accessors with bounds, and the JSON that refers to
// them by index.
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

    // Target of a buffer view; the values are OpenGL constants, as required by glTF.
    enum class Use { Animation = 0, Vertices = 34962, Indices = 34963 };

    // Each function appends data and returns the index of their accessor.
    int add(std::span<const float> numbers);
    int add(std::span<const std::array<float, 3>> vectors, Use use);
    int add(std::span<const std::array<float, 4>> vectors);
    int add(std::span<const std::array<std::uint32_t, 3>> triangles);

    // The file: `document` with buffer, views and accessors added.
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
