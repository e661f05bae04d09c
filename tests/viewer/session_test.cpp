// A player with a clock, and a publisher that records its calls.
#include "view/session.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/mechanisms.h"

namespace taut::view {
namespace {

using test::must;
using Json = nlohmann::json;
using namespace std::chrono_literals;

std::string shipped(const std::string& name)
{
    return std::string(TAUT_SOURCE_SCENES) + "/" + name + ".yaml";
}

class Notes : public Publisher {
public:
    void publish(Update update) override
    {
        const std::lock_guard lock(mutex_);
        if (update.status) status_ = *update.status;
        frames_ += update.frame != nullptr;
    }
    void refuse(ClientId client, const std::string& command, const std::string& reason) override
    {
        const std::lock_guard lock(mutex_);
        refusals_.push_back(std::to_string(client) + " " + command + ": " + reason);
    }

    Json status() const
    {
        const std::lock_guard lock(mutex_);
        return status_.empty() ? Json::object() : Json::parse(status_);
    }
    std::vector<std::string> refusals() const
    {
        const std::lock_guard lock(mutex_);
        return refusals_;
    }
    // Waits for a condition; ten minutes are a guard against hangs, not a measure of speed.
    bool comes(const std::function<bool(const Json&)>& holds) const
    {
        for (int i = 0; i < 60'000; ++i) {
            if (const Json now = status(); !now.empty() && holds(now)) return true;
            std::this_thread::sleep_for(10ms);
        }
        return false;
    }

private:
    mutable std::mutex mutex_;
    std::string status_;
    int frames_ = 0;
    std::vector<std::string> refusals_;
};

struct Watched {
    Notes notes;
    Session session;

    explicit Watched(const std::string& scene, Real speed = 1) : session(open(scene, speed), notes)
    {
        session.start();
    }
    ~Watched() { session.stop(); }

    static std::unique_ptr<Player> open(const std::string& scene, Real speed)
    {
        PlayerOptions options;
        options.file = shipped(scene);
        options.speed = speed;
        options.find_scene = [](const std::string& name) -> Result<std::string> {
            if (name == "too large") throw std::bad_alloc();
            if (name == "odd") throw std::runtime_error("an odd thing happened");
            return shipped(name);
        };
        return must(Player::open(std::move(options)));
    }
};

TEST(Session, ReleaseIsAlwaysAccepted)
{
    Watched watched("heavy_chain");
    watched.session.submit(1, "grab", Grab{3, Vec3::Zero(), Vec3(0, 0, 1), 1});
    ASSERT_TRUE(watched.notes.comes([](const Json& now) { return now["grabbed"] == 3; }));
    for (int i = 0; i < 4000; ++i) watched.session.submit(1, "step", SingleStep{});
    watched.session.submit(1, "release", Release{});
    EXPECT_TRUE(watched.notes.comes([](const Json& now) { return now["grabbed"].is_null(); }));
    for (const std::string& refusal : watched.notes.refusals())
        EXPECT_EQ(refusal.find("release"), std::string::npos) << refusal;
}

// More commands than the queue holds: moves of one slider replace each other, and the last one is executed.
TEST(Session, TheLastMoveOfASliderIsExecuted)
{
    Watched watched("heavy_chain");
    for (int i = 1; i <= 2000; ++i)
        watched.session.submit(1, "set", SetParameter{"ratio", std::to_string(i)});
    EXPECT_TRUE(
        watched.notes.comes([](const Json& now) { return now["parameters"]["ratio"] == "2000"; }));
    EXPECT_TRUE(watched.notes.refusals().empty());
}

TEST(Session, ClientsHaveSeparateQueues)
{
    Watched watched("heavy_chain");
    for (int i = 0; i < 4000; ++i) watched.session.submit(1, "step", SingleStep{});
    watched.session.submit(2, "speed", SetSpeed{2});
    EXPECT_TRUE(watched.notes.comes([](const Json& now) { return now["speed"] == 2; }));
}

TEST(Session, OnlyTheHolderMovesAndReleasesTheSpring)
{
    Watched watched("heavy_chain");
    watched.session.submit(1, "grab", Grab{3, Vec3::Zero(), Vec3(0, 0, 1), 1});
    ASSERT_TRUE(watched.notes.comes([](const Json& now) { return now["grabbed"] == 3; }));
    watched.session.submit(2, "release", Release{});
    watched.session.submit(2, "drag", Drag{Vec3(9, 9, 9)});
    watched.session.submit(2, "speed", SetSpeed{0.5});  // executed after these
    ASSERT_TRUE(watched.notes.comes([](const Json& now) { return now["speed"] == 0.5; }));
    EXPECT_EQ(watched.notes.status()["grabbed"], 3);
    ASSERT_EQ(watched.notes.refusals().size(), 1u);
    EXPECT_EQ(watched.notes.refusals()[0], "2 drag: another client holds the spring");
    watched.session.leave(2);
    watched.session.leave(1);
    EXPECT_TRUE(watched.notes.comes([](const Json& now) { return now["grabbed"].is_null(); }));
}

ChangeSettings step_of(Real dt)
{
    ChangeSettings change;
    change.options["dt"] = std::to_string(dt);
    return change;
}

// At a hundredth of real time a step of 1 s, the longest of a viewer, is due after 100 s; a change of speed must reschedule it. The
// bound tells that wait from none at all, and is no measure of speed.
TEST(Session, AChangeOfSpeedTakesEffectImmediately)
{
    Watched watched("pendulum");
    watched.session.submit(1, "settings", step_of(1));
    watched.session.submit(1, "speed", SetSpeed{0.01});
    ASSERT_TRUE(watched.notes.comes([](const Json& now) { return now["speed"] == 0.01; }));
    watched.session.submit(1, "settings", step_of(0.01));
    watched.session.submit(1, "speed", SetSpeed{1});
    EXPECT_TRUE(watched.notes.comes([](const Json& now) { return now["latest"] > 0.1; }));
    watched.session.stop();
    EXPECT_LT(watched.session.figures().wall, 90) << "it waited for a step that nobody wants";
}

TEST(Session, AnExceptionFailsTheCommandOnly)
{
    Watched watched("pendulum");
    watched.session.submit(7, "scene", SwitchScene{"too large"});
    ASSERT_TRUE(watched.notes.comes([](const Json& now) { return now["paused"] == true; }));
    EXPECT_EQ(watched.notes.status()["error"], "out of memory");
    watched.session.submit(7, "scene", SwitchScene{"odd"});
    ASSERT_TRUE(watched.notes.comes(
        [](const Json& now) { return now["error"] == "an odd thing happened"; }));
    const auto refusals = watched.notes.refusals();
    ASSERT_EQ(refusals.size(), 2u);
    EXPECT_EQ(refusals[0], "7 scene: out of memory");
    EXPECT_EQ(refusals[1], "7 scene: an odd thing happened");
    // the session continues
    watched.session.submit(7, "play", Play{});
    EXPECT_TRUE(watched.notes.comes([](const Json& now) { return now["paused"] == false; }));
}

}  // namespace
}  // namespace taut::view
