// Selection of the steps that become frames, and atomic writing of files.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "cli/tool.h"
#include "exporters/file_writer.h"
#include "exporters/frame_clock.h"
#include "exporters/recording.h"
#include "record/run_scene.h"

namespace taut::test {
namespace {

std::vector<Real> frame_times(Real dt, Real duration, Real fps)
{
    auto scene = read_scene("name: empty\nbodies: {b: {type: particle, mass: 1}}\n", "test.yaml");
    EXPECT_TRUE(scene.ok());
    scene->settings.dt = dt;
    scene->duration = duration;
    FrameClock clock(fps, static_cast<Real>(planned_steps(duration, dt)) * dt);
    std::vector<Real> times;
    RunRequest request;
    request.watch = [&](const Moment& moment) {
        if (clock.wants(moment)) times.push_back(moment.world.time());
    };
    EXPECT_TRUE(run_scene(*scene, request).ok());
    return times;
}

TEST(FrameClock, SelectsTheRequestedRate)
{
    EXPECT_EQ(frame_times(1.0 / 60, 10, 60).size(), 601u);
    EXPECT_EQ(frame_times(1.0 / 240, 10, 60).size(), 601u);
    EXPECT_EQ(frame_times(1e-3, 2, 60).size(), 121u);
    EXPECT_EQ(frame_times(1e-3, 2, 30).size(), 61u);
}

TEST(FrameClock, SelectsAtMostOneFramePerStep) { EXPECT_EQ(frame_times(0.1, 1, 60).size(), 11u); }

TEST(FrameClock, SelectsTheLastStep)
{
    const auto times = frame_times(0.01, 1.07, 10);
    ASSERT_EQ(times.size(), 12u);
    EXPECT_NEAR(times.back(), 1.07, 1e-9);
    EXPECT_NEAR(times[10], 1, 1e-9);
}

TEST(FrameClock, DoesNotDriftIfTheRateIsNotAMultiple)
{
    const auto times = frame_times(0.007, 3, 60);
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        EXPECT_GE(times[i], static_cast<Real>(i) / 60 - 1e-6);
        EXPECT_LT(times[i], static_cast<Real>(i) / 60 + 0.007);
    }
}

// After 10⁶ s single precision cannot resolve 1/60 s; a frame with the same time is skipped.
TEST(Recording, TimesIncreaseStrictly)
{
    World world;
    world.add_body(BodyDef()).value();
    ASSERT_TRUE(world.set_gravity(Vec3::Zero()).ok());
    Recording recording;
    recording.add(world);
    recording.add(world);
    EXPECT_EQ(recording.times().size(), 1u);
    ASSERT_EQ(world.step({.dt = 0.5}).status, StepStatus::Ok);
    recording.add(world);
    EXPECT_EQ(recording.times(), (std::vector<float>{0, 0.5f}));
    EXPECT_FALSE(recording.bodies()[0].moves());
}

TEST(FileWriter, LeavesNothingUnlessCommitted)
{
    const Scratch scratch;
    const std::string path = scratch.write("file", "before");
    {
        auto file = FileWriter::open(path);
        ASSERT_TRUE(file.ok());
        ASSERT_TRUE(file->write("half").ok());
    }
    EXPECT_EQ(read_text(path), "before");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch / ""), {}), 1);
    auto file = FileWriter::open(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->write("who").ok());
    ASSERT_TRUE(file->write("le").ok());
    ASSERT_TRUE(file->commit().ok());
    EXPECT_EQ(read_text(path), "whole");
    EXPECT_EQ(file->size(), 5u);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch / ""), {}), 1);

    // the permissions are those of other new files of the user
    struct stat made {
    }, usual{};
    const std::string beside = scratch.write("beside", "");
    ASSERT_EQ(stat(path.c_str(), &made), 0);
    ASSERT_EQ(stat(beside.c_str(), &usual), 0);
    EXPECT_EQ(made.st_mode, usual.st_mode);
}

TEST(FileWriter, ReportsInvalidPaths)
{
    const Scratch scratch;
    const auto missing = FileWriter::open((scratch / "no/such").string());
    ASSERT_FALSE(missing.ok());
    EXPECT_TRUE(has(missing.error().message, "the folder does not exist"))
        << missing.error().message;
    const auto folder = FileWriter::open((scratch / "").string());
    ASSERT_FALSE(folder.ok());
    EXPECT_TRUE(has(folder.error().message, "is a folder")) << folder.error().message;
    // renaming a file to the name of a device would remove the device
    const auto device = FileWriter::open("/dev/null");
    ASSERT_FALSE(device.ok());
    EXPECT_TRUE(has(device.error().message, "not a regular file")) << device.error().message;
}

TEST(FileWriter, ReplacesTheTargetOfASymbolicLink)
{
    const Scratch scratch;
    const std::string real = scratch.write("real", "before"), link = (scratch / "link").string();
    std::filesystem::create_symlink(real, link);
    auto file = FileWriter::open(link);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->write("after").ok());
    ASSERT_TRUE(file->commit().ok());
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_EQ(read_text(real), "after");
}

}  // namespace
}  // namespace taut::test
