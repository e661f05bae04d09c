// The player: commands without clock or network.
#include "view/player.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/mechanisms.h"
#include "support/scratch.h"

namespace taut::view {
namespace {

using test::must;
using Json = nlohmann::json;

std::string shipped(const std::string& name)
{
    return std::string(TAUT_SOURCE_SCENES) + "/" + name + ".yaml";
}

std::unique_ptr<Player> play(const std::string& name, Overrides overrides = {},
                             std::function<void(StepSettings&)> change = {})
{
    PlayerOptions options;
    options.file = std::filesystem::exists(name) ? name : shipped(name);
    options.overrides = std::move(overrides);
    options.adjust = [change](Scene& scene) -> Status {
        if (change) change(scene.settings);
        return Done{};
    };
    options.find_scene = [](const std::string& n) -> Result<std::string> {
        if (!std::filesystem::exists(shipped(n))) return Error{"unknown scene '" + n + "'"};
        return shipped(n);
    };
    return must(Player::open(std::move(options)));
}

void advance(Player& player, Real seconds)
{
    const Real end = player.world().time() + seconds - 1e-9;
    while (player.world().time() < end && !player.diverged()) player.advance();
}

Json status(const Player& player) { return Json::parse(player.status({}, 1)); }

// --- rewind ---

TEST(Rewind, IsBitwiseReproducible)
{
    for (const char* scene : {"heavy_chain", "contacts/dominoes"}) {
        auto player = play(scene);
        advance(*player, 0.55);
        std::vector<std::uint64_t> first;
        for (int i = 0; i < 40; ++i) {
            player->advance();
            first.push_back(player->world().hash());
        }
        const Real end = player->world().time();
        must(player->apply(Rewind{0.545}));
        EXPECT_FALSE(player->playing());
        EXPECT_LE(player->world().time(), 0.545 + 1e-9);
        EXPECT_GT(player->world().time(), 0.545 - 1.01 * player->settings().dt);

        std::vector<std::uint64_t> again;
        while (player->world().time() < end - 1e-9) {
            player->advance();
            again.push_back(player->world().hash());
        }
        ASSERT_GE(again.size(), first.size());
        again.erase(again.begin(), again.end() - static_cast<std::ptrdiff_t>(first.size()));
        EXPECT_EQ(again, first) << scene;
    }
}

// Steps back from any time reproduce the earlier states; later times remain available.
TEST(Rewind, StepsBack)
{
    auto player = play("heavy_chain");
    std::vector<std::uint64_t> hashes = {player->world().hash()};
    for (int i = 0; i < 25; ++i) {
        player->advance();
        hashes.push_back(player->world().hash());
    }
    for (int i = 24; i >= 0; --i) {
        must(player->apply(Rewind{player->world().time() - player->settings().dt}));
        ASSERT_EQ(player->world().steps(), static_cast<std::uint64_t>(i));
        EXPECT_EQ(player->world().hash(), hashes[static_cast<std::size_t>(i)]) << i;
    }
    must(player->apply(Rewind{99}));
    EXPECT_EQ(player->world().hash(), hashes.back());
}

TEST(Rewind, IsLimitedToOneMinute)
{
    auto player = play("pendulum", {}, [](StepSettings& s) { s.dt = 0.05; });
    advance(*player, 90);
    EXPECT_NEAR(status(*player)["earliest"].get<Real>(), 30, 0.2);
    EXPECT_NEAR(status(*player)["latest"].get<Real>(), 90, 0.06);
    must(player->apply(Rewind{-5}));
    EXPECT_NEAR(player->world().time(), 30, 0.2);
}

// Later times remain available until the simulation is continued.
TEST(Rewind, GoesBackAndForward)
{
    auto player = play("pendulum");
    advance(*player, 3);
    const auto hash = player->world().hash();
    must(player->apply(Rewind{1}));
    EXPECT_NEAR(status(*player)["latest"].get<Real>(), 3, 0.02);
    must(player->apply(Rewind{99}));
    EXPECT_EQ(player->world().hash(), hash);
    must(player->apply(Rewind{1}));
    player->advance();
    EXPECT_LT(status(*player)["latest"].get<Real>(), 1.2);
}

// --- mouse spring ---

TEST(Mouse, MovesTheLoadToItsTargetAndIsReleased)
{
    auto player = play("heavy_chain");
    const int load = player->world().body_count();
    advance(*player, 0.5);
    const Vec3 target = player->world().centre_of_mass(BodyId{load - 1}) + Vec3(0, 0.1, 0.1);
    must(player->apply(Grab{load, Vec3::Zero(), target, 1}));
    EXPECT_EQ(status(*player)["grabbed"].get<int>(), load);
    advance(*player, 3);
    // static deflection g/ω² = 0.1 m
    EXPECT_LT((player->world().centre_of_mass(BodyId{load - 1}) - target).norm(), 0.15);
    EXPECT_FALSE(player->banner()) << *player->banner();
    must(player->apply(Release{}));
    EXPECT_TRUE(status(*player)["grabbed"].is_null());
}

// Snapshots do not contain the mouse spring: after a rewind the motion is free.
TEST(Mouse, RewindAndResetReleaseTheSpring)
{
    auto player = play("pendulum");
    advance(*player, 0.2);
    must(player->apply(Grab{1, Vec3::Zero(), Vec3(0, 0, 5), 1}));
    advance(*player, 1);
    EXPECT_GT(player->grabbed()->force().norm(), 1);
    must(player->apply(Rewind{0.7}));
    EXPECT_EQ(player->grabbed(), nullptr);
    const Real energy = player->world().energy().total();
    advance(*player, 1);
    // with the spring the energy would increase; without it the energy is constant
    EXPECT_LT(player->world().energy().total(), energy + 1e-3 * std::abs(energy));

    must(player->apply(Grab{1, Vec3::Zero(), Vec3(0, 0, 5), 1}));
    must(player->apply(Reset{}));
    EXPECT_EQ(player->grabbed(), nullptr);
    auto fresh = play("pendulum");
    advance(*player, 0.5);
    advance(*fresh, 0.5);
    EXPECT_EQ(player->world().hash(), fresh->world().hash());
}

TEST(Mouse, RefusesFixedBodiesAndInvalidTargets)
{
    auto player = play("pendulum");
    EXPECT_FALSE(player->apply(Grab{0, Vec3::Zero(), Vec3::Zero(), 1}).ok());
    EXPECT_FALSE(player->apply(Grab{77, Vec3::Zero(), Vec3::Zero(), 1}).ok());
    EXPECT_FALSE(player->apply(Grab{1, Vec3::Zero(), Vec3::Zero(), -1}).ok());
    EXPECT_FALSE(player->apply(Drag{Vec3::Zero()}).ok());
}

// --- methods that fail ---

TEST(Banner, IsShownWhenAMethodFailsAndClearedByReset)
{
    auto player = play("heavy_chain", {{"ratio", "1e6"}}, [](StepSettings& s) {
        s.research.scheme = Scheme::BackwardEuler;
        s.research.stabilisation = Stabilisation::None;
    });
    advance(*player, 5);
    ASSERT_TRUE(player->banner());
    EXPECT_NE(player->banner()->find("automatic with tension"), std::string::npos)
        << *player->banner();
    EXPECT_EQ(status(*player)["banner"].get<std::string>(), *player->banner());

    must(player->apply(ChangeSettings{{{"scheme", "bdf2"}, {"stabilisation", "tension"}}}));
    must(player->apply(Reset{}));
    EXPECT_FALSE(player->banner());
    EXPECT_EQ(player->world().time(), 0);
    advance(*player, 5);
    EXPECT_FALSE(player->banner()) << *player->banner();
}

// The pause due to a divergence ends with the next scene.
TEST(Banner, TheNextSceneAfterADivergencePlays)
{
    const auto stop = [] {
        auto player = play("heavy_chain", {{"ratio", "1e9"}}, [](StepSettings& s) {
            s.research.scheme = Scheme::Penalty;
            s.research.penalty_stiffness = 1e18;
        });
        advance(*player, 60);
        EXPECT_TRUE(player->diverged()) << "precondition of this test";
        EXPECT_FALSE(player->playing());
        return player;
    };
    for (const Command& next :
         {Command(SwitchScene{"pendulum"}), Command(Defaults{}), Command(Reset{})}) {
        auto player = stop();
        must(player->apply(next));
        EXPECT_TRUE(player->playing());
        EXPECT_FALSE(player->banner());
        EXPECT_EQ(player->world().time(), 0);
    }
    // a pause requested by the user is kept
    auto player = play("pendulum");
    must(player->apply(Pause{}));
    must(player->apply(Defaults{}));
    EXPECT_FALSE(player->playing());
}

// --- parameters and files ---

TEST(Parameters, AChangeKeepsTheMotion)
{
    auto player = play("heavy_chain");
    advance(*player, 1);
    const int load = player->world().body_count() - 1;
    const Vec3 where = player->world().centre_of_mass(BodyId{load});
    const auto revision = player->revision();
    must(player->apply(SetParameter{"ratio", "500"}));
    EXPECT_EQ(player->revision(), revision + 1);
    EXPECT_EQ(status(*player)["parameters"]["ratio"].get<std::string>(), "500");
    EXPECT_NEAR(player->world().time(), 1, 0.02);
    EXPECT_LT((player->world().centre_of_mass(BodyId{load}) - where).norm(), 1e-9);
    advance(*player, 1);
    EXPECT_FALSE(player->banner()) << *player->banner();

    // another number of links, or links of another length, is a different mechanism
    must(player->apply(SetParameter{"links", "4"}));
    EXPECT_EQ(player->world().time(), 0);
    advance(*player, 1);
    must(player->apply(SetParameter{"link_length", "0.2"}));
    EXPECT_EQ(player->world().time(), 0);

    EXPECT_FALSE(player->apply(SetParameter{"rtio", "500"}).ok());
    const auto many = player->apply(SetParameter{"ratio", "many"});
    ASSERT_FALSE(many.ok());
    EXPECT_EQ(many.error().message.find("--set"), std::string::npos) << many.error().message;
    EXPECT_EQ(status(*player)["parameters"]["ratio"].get<std::string>(), "500");
    must(player->apply(Defaults{}));
    EXPECT_NE(status(*player)["parameters"]["ratio"].get<std::string>(), "500");
}

TEST(Parameters, TooManyBodiesAreRefused)
{
    auto player = play("heavy_chain");
    const auto refused = player->apply(SetParameter{"links", "30000"});
    ASSERT_FALSE(refused.ok());
    EXPECT_LT(player->world().body_count(), 100);
}

TEST(Files, AreReloadedWhenTheyChange)
{
    const test::Scratch folder;
    const std::string part =
        folder.write("part.yaml", "bodies:\n  ball: {mass: 1, shapes: [{sphere: 0.1}]}\n");
    const std::string file = folder.write("scene.yaml", "include: [part.yaml]\n");
    auto player = play(file);
    advance(*player, 0.5);
    EXPECT_FALSE(player->reload_if_changed());

    // an error is reported, and the previous scene continues
    folder.write("part.yaml", "bodies:\n  ball: {maas: 2}\n", 1);
    EXPECT_FALSE(player->reload_if_changed()) << "wait for a check without further change";
    EXPECT_TRUE(player->reload_if_changed());
    ASSERT_TRUE(player->error());
    EXPECT_NE(player->error()->find("maas"), std::string::npos);
    EXPECT_EQ(player->world().mass(BodyId{0}), 1);
    advance(*player, 0.1);

    folder.write("part.yaml", "bodies:\n  ball: {mass: 2, shapes: [{sphere: 0.1}]}\n", 2);
    player->reload_if_changed();
    EXPECT_TRUE(player->reload_if_changed());
    EXPECT_FALSE(player->error());
    EXPECT_EQ(player->world().mass(BodyId{0}), 2);
    EXPECT_NEAR(player->world().time(), 0.6, 0.03) << "the motion continues";
}

// The error is a missing included file, which is created later: the scene file itself does not change.
TEST(Files, MissingFilesAreDetectedLater)
{
    const test::Scratch folder;
    const std::string file =
        folder.write("scene.yaml", "bodies: {ball: {mass: 1, shapes: [{sphere: 0.1}]}}\n");
    auto player = play(file);
    folder.write("scene.yaml", "include: [part.yaml]\n", 1);
    player->reload_if_changed();
    EXPECT_TRUE(player->reload_if_changed());
    ASSERT_TRUE(player->error());
    for (int i = 0; i < 20; ++i)
        EXPECT_FALSE(player->reload_if_changed()) << "the same error is reported once";
    folder.write("part.yaml", "bodies: {ball: {mass: 3, shapes: [{sphere: 0.1}]}}\n", 2);
    int looks = 0;
    while (!player->reload_if_changed() && looks < 20) ++looks;
    EXPECT_LT(looks, 20);
    EXPECT_FALSE(player->error());
    EXPECT_EQ(player->world().mass(BodyId{0}), 3);
}

TEST(Commands, SwitchScenesPlotsAndSettings)
{
    auto player = play("pendulum");
    must(player->apply(ChoosePlots{{"time", "energy.total"}}));
    EXPECT_EQ(must(decode_frame(player->frame())).plots.size(), 2u);
    EXPECT_FALSE(player->apply(ChoosePlots{{"tme"}}).ok());
    must(player->apply(SwitchScene{"four_bar"}));
    EXPECT_EQ(player->scene().name, "four_bar");
    EXPECT_FALSE(player->apply(SwitchScene{"../../etc/passwd"}).ok());
    EXPECT_EQ(Json::parse(player->description())["name"], "four_bar");

    EXPECT_FALSE(player->apply(ChangeSettings{{{"dt", "-1"}}}).ok());
    EXPECT_FALSE(player->apply(ChangeSettings{{{"scheme", "euler"}}}).ok());
    must(player->apply(
        ChangeSettings{{{"dt", "0.002"}, {"scheme", "backward_euler"}, {"max_solves", "3"}}}));
    EXPECT_EQ(player->settings().dt, 0.002);
    EXPECT_EQ(player->settings().max_solves, 3);
    EXPECT_FALSE(player->apply(SetSpeed{1000}).ok());
    must(player->apply(SetSpeed{0.5}));
    EXPECT_NEAR(status(*player)["budget"].get<Real>(), 0.004, 1e-12);
    must(player->apply(SingleStep{}));
    EXPECT_FALSE(player->playing());
    EXPECT_EQ(player->world().steps(), 1u);
}

// All scenes except the piles, where a disturbed step takes seconds.
TEST(Commands, EveryShippedSceneCanBePulled)
{
    for (const auto& entry : std::filesystem::recursive_directory_iterator(TAUT_SOURCE_SCENES)) {
        if (entry.path().extension() != ".yaml") continue;
        const std::string name = entry.path().stem();
        if (name == "pile" || name == "masonry_arch") continue;
        auto player = play(entry.path().string());
        advance(*player, 0.1);
        for (int body = 1; body <= std::min(player->world().body_count(), 3); ++body) {
            const Vec3 at = player->world().pose(BodyId{body - 1}).p;
            if (!player->apply(Grab{body, Vec3::Zero(), at + Vec3(0.1, 0.1, 0.2), 1}).ok())
                continue;
            for (int i = 0; i < 10; ++i) player->advance();
            EXPECT_FALSE(player->banner())
                << entry.path() << ", body " << body << ": " << *player->banner();
        }
    }
}

}  // namespace
}  // namespace taut::view
