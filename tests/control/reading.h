// Helpers of the tests of controls: scenes from text.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <taut/scene.h>

namespace taut::test {

inline Scene must_read(const std::string& text, const std::string& file = "test.yaml")
{
    auto scene = read_scene(text, file);
    if (scene.ok()) return std::move(scene).value();
    ADD_FAILURE() << scene.error().message;
    return {};
}

inline Scene must_load(const std::string& name)
{
    auto scene = load_scene(std::string(TAUT_SOURCE_SCENES) + "/" + name + ".yaml");
    if (scene.ok()) return std::move(scene).value();
    ADD_FAILURE() << scene.error().message;
    return {};
}

inline std::string must_fail(const std::string& text)
{
    auto scene = read_scene(text, "test.yaml");
    if (!scene.ok()) return scene.error().message;
    ADD_FAILURE() << "read without an error:\n" << text;
    return {};
}

inline bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

// The value of control.NAME or logic.NAME.
inline Real value(const Scene& scene, const std::string& name)
{
    const auto place = scene.controls.find_value(name);
    if (!place) ADD_FAILURE() << "no value " << name;
    return scene.controls.value_at(place.value_or(-1));
}

inline void run(Scene& scene, int steps)
{
    for (int i = 0; i < steps; ++i)
        ASSERT_EQ(scene.step(scene.settings).status, StepStatus::Ok) << "step " << i;
}

// A slider between stops that no formula uses unless the test adds one.
inline std::string slider(const std::string& more, const std::string& speed = "0")
{
    return R"(bodies:
  cart: {mass: 2, inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, between: [world, cart], at: [0, 0, 0], axis: [1, 0, 0], motor: {speed: )" +
           speed + "}}\nstep: {dt: 1/100}\n" + more;
}

}  // namespace taut::test
