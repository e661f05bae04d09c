// The contents of an exported glTF file.
#include <cmath>

#include <gtest/gtest.h>

#include "exporters/frame_clock.h"
#include "exporters/gltf.h"
#include "glb_file.h"
#include "record/run_scene.h"

namespace taut::test {
namespace {

// The trapezoidal rule is exact for constant forces.
constexpr const char* kThrown = R"(name: thrown
bodies:
  stone: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 2, 3], velocity: [4, -1, 5], angular_velocity: [0, 0, 9],
          shapes: [{box: [0.2, 0.2, 0.2], colour: "#ff0080"}]}
  twin:  {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 9], shapes: [{box: [0.2, 0.2, 0.2], colour: "#ff0080"}]}
  other: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 3, 9], shapes: [{box: [0.2, 0.2, 0.2], colour: "#00ff00"}]}
  wall:  {type: fixed, position: [5, 0, 0], shapes: [{box: [1, 1, 1]}, {sphere: 1, position: [0, 0, 1]}]}
  point: {type: particle, mass: 1, position: [0, 0, 1]}
step: {dt: 1/100, scheme: alpha_beta, alpha: 0.5, beta: 0.5}
duration: 2
)";

struct Exported {
    GlbFile file;
    std::vector<Pose> end;  // of all bodies
};

Exported export_scene(const std::string& text, Real fps)
{
    auto scene = read_scene(text, "test.yaml");
    EXPECT_TRUE(scene.ok()) << scene.error().message;
    FrameClock clock(fps, scene->duration);
    Recording recording;
    RunRequest request;
    request.watch = [&](const Moment& moment) {
        if (clock.wants(moment)) recording.add(moment.world);
    };
    EXPECT_TRUE(run_scene(*scene, request).ok());
    const auto bytes = gltf_file(*scene, recording);
    EXPECT_TRUE(bytes.ok());
    Exported exported{GlbFile(*bytes), {}};
    for (int i = 0; i < scene->world.body_count(); ++i)
        exported.end.push_back(scene->world.pose({i}));
    return exported;
}

TEST(Gltf, AThrownBodyFollowsTheParabola)
{
    const GlbFile file = export_scene(kThrown, 25).file;
    const auto times = file.times("stone");
    const auto places = file.track("stone", "translation");
    ASSERT_EQ(times.size(), 51u);
    ASSERT_EQ(places.size(), 3 * times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double t = 0.04 * static_cast<double>(i);
        EXPECT_NEAR(times[i], t, 1e-6);
        // single precision for numbers up to 10
        EXPECT_NEAR(places[3 * i], 1 + 4 * t, 2e-6);
        EXPECT_NEAR(places[3 * i + 1], 2 - t, 2e-6);
        EXPECT_NEAR(places[3 * i + 2], 3 + 5 * t - 9.81 / 2 * t * t, 2e-6) << "at " << t;
    }
}

// More than two turns: the signs of the quaternions must be consistent for interpolation.
TEST(Gltf, RotationsAreContinuousAndEndWhereTheBodyIs)
{
    const Exported exported = export_scene(kThrown, 25);
    const auto turns = exported.file.track("stone", "rotation");
    ASSERT_EQ(turns.size(), 4u * 51);
    bool negative = false;
    for (std::size_t i = 4; i < turns.size(); i += 4) {
        float dot = 0, norm = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            dot += turns[i + k] * turns[i - 4 + k];
            norm += turns[i + k] * turns[i + k];
        }
        EXPECT_GT(dot, 0.9f);
        EXPECT_NEAR(norm, 1, 1e-6);
        negative = negative || turns[i + 3] < 0;
    }
    EXPECT_TRUE(negative) << "2 s at 9 rad/s pass through w < 0";
    const Quat last(turns[203], turns[200], turns[201], turns[202]);
    EXPECT_NEAR(std::abs(last.dot(exported.end[0].q)), 1, 1e-6);
}

TEST(Gltf, EqualShapesShareMeshes)
{
    const GlbFile file = export_scene(kThrown, 25).file;
    const auto node = [&](const char* name) { return file.json["nodes"][file.node(name)]; };
    EXPECT_EQ(node("stone")["mesh"], node("twin")["mesh"]);
    EXPECT_NE(node("stone")["mesh"], node("other")["mesh"]);
    const auto& meshes = file.json["meshes"];
    const auto primitive = [&](const char* name) {
        return meshes[node(name)["mesh"].get<int>()]["primitives"][0];
    };
    EXPECT_EQ(primitive("stone")["attributes"], primitive("other")["attributes"]);
    EXPECT_NE(primitive("stone")["material"], primitive("other")["material"]);
    EXPECT_EQ(meshes.size(), 5u);  // two boxes, the wall's two, the dot
    EXPECT_EQ(file.json["materials"].size(), 3u);
}

TEST(Gltf, ColoursAreLinear)
{
    const GlbFile file = export_scene(kThrown, 25).file;
    const auto& colour = file.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"];
    EXPECT_EQ(file.json["materials"][0]["name"], "#ff0080");
    EXPECT_DOUBLE_EQ(colour[0].get<double>(), 1);
    EXPECT_DOUBLE_EQ(colour[1].get<double>(), 0);
    EXPECT_NEAR(colour[2].get<double>(), 0.21586, 1e-5);  // sRGB 128/255
}

TEST(Gltf, BodiesAtRestHaveNoTrack)
{
    const GlbFile file = export_scene(kThrown, 25).file;
    EXPECT_TRUE(file.track("wall", "translation").empty());
    const auto& wall = file.json["nodes"][file.node("wall")];
    EXPECT_EQ(wall["translation"], nlohmann::json({5.0, 0.0, 0.0}));
    EXPECT_EQ(wall["children"].size(), 2u);
    EXPECT_FALSE(file.track("point", "translation").empty());
}

// The z axis of the world is the y axis of glTF.
TEST(Gltf, TheRootConvertsZUpToYUp)
{
    const GlbFile file = export_scene(kThrown, 25).file;
    const auto& root = file.json["nodes"][file.json["scenes"][0]["nodes"][0].get<int>()];
    const auto q = root["rotation"].get<std::vector<double>>();
    const Vec3 up = Quat(q[3], q[0], q[1], q[2]) * Vec3::UnitZ();
    EXPECT_LT((up - Vec3::UnitY()).norm(), 1e-12);
    EXPECT_EQ(root["name"], "thrown");
}

// Every recorded position of every body is visible in a square image.
TEST(Gltf, TheCameraContainsTheWholeMotion)
{
    const GlbFile file = export_scene(kThrown, 25).file;
    const auto& node = file.json["nodes"][file.node("camera")];
    const auto p = node["translation"].get<std::vector<double>>();
    const auto q = node["rotation"].get<std::vector<double>>();
    const auto& lens = file.json["cameras"][0]["perspective"];
    const double slope = std::tan(lens["yfov"].get<double>() / 2);
    for (const char* name : {"stone", "twin", "other", "point"}) {
        const auto places = file.track(name, "translation");
        ASSERT_FALSE(places.empty());
        for (std::size_t i = 0; i < places.size(); i += 3) {
            const Vec3 seen = Quat(q[3], q[0], q[1], q[2]).conjugate() *
                              Vec3(places[i] - p[0], places[i + 1] - p[1], places[i + 2] - p[2]);
            EXPECT_LT(std::hypot(seen.x(), seen.y()), -slope * seen.z()) << name;
            EXPECT_GT(-seen.z(), lens["znear"].get<double>());
            EXPECT_LT(-seen.z(), lens["zfar"].get<double>());
        }
    }
}

TEST(Gltf, BoundsOfAccessorsAreThoseOfTheirNumbers)
{
    const GlbFile file = export_scene(kThrown, 25).file;
    for (std::size_t a = 0; a < file.json["accessors"].size(); ++a) {
        const auto& accessor = file.json["accessors"][a];
        if (accessor["componentType"] != 5126) continue;
        const auto numbers = file.floats(static_cast<int>(a));
        const std::size_t width = accessor["min"].size();
        for (std::size_t k = 0; k < width; ++k) {
            float low = numbers[k], high = numbers[k];
            for (std::size_t i = k; i < numbers.size(); i += width) {
                low = std::min(low, numbers[i]);
                high = std::max(high, numbers[i]);
            }
            EXPECT_EQ(accessor["min"][k].get<float>(), low);
            EXPECT_EQ(accessor["max"][k].get<float>(), high);
        }
    }
}

TEST(Gltf, ASceneAtRestIsExported)
{
    const GlbFile file =
        export_scene("name: rest\nbodies: {wall: {type: fixed}}\nduration: 0.1\n", 60).file;
    EXPECT_FALSE(file.json.contains("animations"));
    EXPECT_EQ(file.json["meshes"].size(), 1u);
    EXPECT_GE(file.node("camera"), 0);
}

TEST(Gltf, NothingRecordedIsAnError)
{
    const auto scene = read_scene(kThrown, "test.yaml");
    ASSERT_TRUE(scene.ok());
    EXPECT_FALSE(gltf_file(*scene, Recording()).ok());
}

}  // namespace
}  // namespace taut::test
