// Controls in the player: the messages of the protocol, rewind, reload.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/mechanisms.h"
#include "support/scratch.h"
#include "view/player.h"

namespace taut::view {
namespace {

using test::must;
using Json = nlohmann::json;

std::unique_ptr<Player> open(const std::string& file)
{
    PlayerOptions options;
    options.file = file;
    return must(Player::open(std::move(options)));
}

std::unique_ptr<Player> crane()
{
    return open(std::string(TAUT_SOURCE_SCENES) + "/control/driven_crane.yaml");
}

Json status(const Player& player) { return Json::parse(player.status({}, 1)); }

Real slide(const Player& player)
{
    return player.world().joint(*player.world().find_joint("ram")).slide;
}

TEST(ControlProtocol, TheSceneListsControlsAndTheStatusTheirValues)
{
    auto player = crane();
    const Json scene = Json::parse(player->description());
    ASSERT_EQ(scene["controls"].size(), 3u);
    EXPECT_EQ(scene["controls"][1],
              Json::parse(R"({"name": "luff", "unit": "m/s", "lowest": -0.2, "highest": 0.2,
                              "value": 0.0, "type": "axis", "keys": ["w", "s"],
                              "gamepad": {"axis": 1, "reversed": true},
                              "doc": "extends the ram and raises the boom"})"));
    EXPECT_EQ(status(*player)["controls"],
              Json::parse(R"({"slew": 0.0, "luff": 0.0, "hoist": 0.0})"));
    must(player->apply(SetControl{"luff", 0.1}));
    EXPECT_EQ(status(*player)["controls"]["luff"], 0.1);

    auto shuttle = open(std::string(TAUT_SOURCE_SCENES) + "/control/shuttle.yaml");
    EXPECT_EQ(Json::parse(shuttle->description())["controls"],
              Json::parse(R"([{"name": "run", "unit": "", "lowest": 0.0, "highest": 1.0,
                               "value": 1.0, "type": "switch", "keys": [" "],
                               "gamepad": {"button": 0},
                               "doc": "off stops the shuttle where it is"}])"));
    auto chain = open(std::string(TAUT_SOURCE_SCENES) + "/heavy_chain.yaml");
    EXPECT_EQ(Json::parse(chain->description())["controls"], Json::array());
}

TEST(ControlCommand, MovesTheCraneAndIsRefusedOutOfRange)
{
    auto player = crane();
    must(player->apply(SetControl{"luff", 0.2}));
    for (int i = 0; i < 120; ++i) player->advance();
    EXPECT_GT(slide(*player), 0.2);
    const auto refused = player->apply(SetControl{"luff", 0.3});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message, "control 'luff' takes -0.2 to 0.2 m/s, not 0.3");
    EXPECT_FALSE(player->apply(SetControl{"boom", 0}).ok());
    EXPECT_EQ(status(*player)["controls"]["luff"], 0.2);
}

// Snapshots are 0.1 s apart: what was set between them is replayed.
TEST(ControlCommand, IsPartOfARewind)
{
    auto player = crane();
    std::vector<std::uint64_t> hashes;
    std::vector<Real> times, wanted;
    const auto set = [&](const char* name, Real value) {
        must(player->apply(SetControl{name, value}));
    };
    for (int i = 0; i < 90; ++i) {
        if (i == 11) set("luff", 0.2);
        if (i == 38) set("slew", -0.15);
        if (i == 39) set("luff", -0.05);
        if (i == 70) set("luff", 0);
        player->advance();
        hashes.push_back(player->world().hash());
        times.push_back(player->world().time());
        wanted.push_back(player->scene().controls.wanted("luff"));
    }
    for (const int to : {80, 69, 44, 40, 39, 38, 25, 11, 5}) {
        must(player->apply(Rewind{times[to] + 1e-6}));
        EXPECT_EQ(player->world().hash(), hashes[to]) << "step " << to;
        // set at the end of this very step, or the value during it
        const Real now = status(*player)["controls"]["luff"];
        EXPECT_TRUE(now == wanted[to] || now == wanted[to + 1]) << "step " << to;
    }
    // driven on from there, what was set later is forgotten
    must(player->apply(Rewind{times[25]}));
    for (int i = 0; i < 40; ++i) player->advance();
    EXPECT_EQ(status(*player)["controls"]["luff"], 0.2);
    EXPECT_EQ(status(*player)["controls"]["slew"], 0);
}

TEST(ControlCommand, ResetTakesTheDefaultsAndAParameterKeepsTheInput)
{
    auto player = crane();
    must(player->apply(SetControl{"hoist", 0.5}));
    for (int i = 0; i < 60; ++i) player->advance();
    const Json before = status(*player);
    must(player->apply(SetParameter{"load", "4000"}));
    EXPECT_EQ(status(*player)["controls"]["hoist"], 0.5);
    must(player->apply(Reset{}));
    EXPECT_EQ(status(*player)["controls"]["hoist"], 0);
    EXPECT_EQ(before["controls"]["hoist"], 0.5);
}

TEST(ControlPlots, ShowControlsAndLogic)
{
    auto player = crane();
    must(player->apply(ChoosePlots{{"control.luff", "logic.rope_left"}}));
    must(player->apply(SetControl{"luff", 0.2}));
    for (int i = 0; i < 90; ++i) player->advance();
    const auto frame = must(decode_frame(player->frame()));
    EXPECT_NEAR(frame.plots[0], 0.2, 1e-6);
    EXPECT_GT(frame.plots[1], 5);
}

TEST(ControlTrouble, IsToldInTheBanner)
{
    const test::Scratch scratch;
    auto player = open(scratch.write("log.yaml", R"(controls: {x: {min: -1, default: 1}}
bodies: {ball: {mass: 1, inertia: [1, 1, 1]}}
commands: {push: {body: ball, force: [log(x), 0, 0]}}
stop: {when: "time > 0.1", reason: it is over}
)"));
    player->advance();
    EXPECT_TRUE(status(*player)["banner"].is_null());
    must(player->apply(SetControl{"x", -1}));
    player->advance();
    EXPECT_NE(status(*player)["banner"].get<std::string>().find("no finite value"),
              std::string::npos);
    // the condition of the scene pauses once
    for (int i = 0; i < 10; ++i) player->advance();
    EXPECT_FALSE(player->playing());
    EXPECT_EQ(status(*player)["banner"], "The scene stopped: it is over.");
    must(player->apply(Play{}));
    player->advance();
    EXPECT_TRUE(player->playing());
}

}  // namespace
}  // namespace taut::view
