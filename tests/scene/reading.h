// Helpers of the scene tests.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <taut/scene.h>

namespace taut::test {

inline const char* const kDataFolder = TAUT_TEST_SCENE_DATA;

// The scene; a test failure with the message if it is invalid.
inline Scene must_read(const std::string& text, const Overrides& overrides = {})
{
    auto scene = read_scene(text, std::string(kDataFolder) + "/test.yaml", overrides);
    if (scene.ok()) return std::move(scene).value();
    ADD_FAILURE() << scene.error().message;
    return {};
}

// The error; a test failure if the scene is valid.
inline std::string must_fail(const std::string& text, const Overrides& overrides = {})
{
    auto scene = read_scene(text, "test.yaml", overrides);
    if (!scene.ok()) return scene.error().message;
    ADD_FAILURE() << "read without an error:\n" << text;
    return {};
}

inline BodyId body(const Scene& scene, const std::string& name)
{
    const auto id = scene.world.find_body(name);
    if (!id) ADD_FAILURE() << "no body " << name;
    return id.value_or(kWorld);
}

inline JointId joint(const Scene& scene, const std::string& name)
{
    const auto id = scene.world.find_joint(name);
    if (!id) ADD_FAILURE() << "no joint " << name;
    return id.value_or(JointId{});
}

inline bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

// Whether a warning contains this text.
inline bool warns(const Scene& scene, const std::string& part)
{
    for (const auto& warning : scene.warnings)
        if (contains(warning, part)) return true;
    return false;
}

}  // namespace taut::test
