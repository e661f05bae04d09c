// A replay contains a page, a scene and frames that can be decoded.
#include <cstring>
#include <map>

#include <gtest/gtest.h>

#include "browser/browser.h"
#include "cli/tool.h"
#include "exporters/frame_clock.h"
#include "exporters/replay.h"
#include "record/run_scene.h"
#include "stream/frame.h"

namespace taut::test {
namespace {

constexpr ViewerPage kPage{
    "<html><head><link rel=\"stylesheet\" href=\"viewer.css\"></head><body>\n"
    "<script src=\"viewer.js\" defer></script>\n</body></html>\n",
    "start();", "body {}"};

// The text between the tags of the element with this id.
std::string element(const std::string& html, const std::string& id)
{
    const auto open = html.find("id=\"" + id + "\">");
    if (open == std::string::npos) return {};
    const auto begin = html.find('>', open) + 1;
    return html.substr(begin, html.find("</script>", begin) - begin);
}

std::vector<Frame> frames_of(const std::string& html)
{
    const auto bytes = decode_base64(element(html, "taut-frames"));
    EXPECT_TRUE(bytes.ok());
    std::vector<Frame> frames;
    for (std::size_t at = 0; at + 4 <= bytes->size();) {
        std::uint32_t length = 0;
        std::memcpy(&length, bytes->data() + at, 4);
        EXPECT_EQ(length % 4, 0u);
        EXPECT_LE(at + 4 + length, bytes->size());
        const auto frame = decode_frame(
            std::as_bytes(std::span(bytes->data() + at + 4, static_cast<std::size_t>(length))));
        EXPECT_TRUE(frame.ok()) << frame.error().message;
        if (!frame.ok()) return frames;
        frames.push_back(*frame);
        at += 4 + length;
    }
    return frames;
}

std::string replay_of(const std::string& text, const std::string& path,
                      std::string_view failure = "")
{
    auto scene = read_scene(text, "test.yaml");
    EXPECT_TRUE(scene.ok()) << scene.error().message;
    auto replay = Replay::open(
        *scene,
        {.path = path, .page = kPage, .scene_file = "test.yaml", .plots = {"energy.total"}});
    EXPECT_TRUE(replay.ok()) << replay.error().message;
    FrameClock clock(50, scene->duration);
    RunRequest request;
    request.watch = [&](const Moment& moment) {
        if (clock.wants(moment)) replay->add(moment);
    };
    EXPECT_TRUE(run_scene(*scene, request).ok());
    EXPECT_EQ(replay->frames(), 51u);
    EXPECT_FALSE(std::filesystem::exists(path)) << "the file does not exist before it is complete";
    EXPECT_TRUE(replay->finish(failure).ok());
    EXPECT_EQ(replay->size(), std::filesystem::file_size(path));
    return read_text(path);
}

// The trapezoidal rule is exact for constant forces. The title contains an end tag of the script element.
constexpr const char* kThrown = R"(name: thrown
title: "</script><!-- <b>"
bodies:
  stone: {type: particle, mass: 2, position: [1, 2, 3], velocity: [4, -1, 5]}
step: {dt: 1/100, scheme: alpha_beta, alpha: 0.5, beta: 0.5}
duration: 1
)";

TEST(Replay, FramesDecodeToTheMotion)
{
    const Scratch scratch;
    const auto frames = frames_of(replay_of(kThrown, (scratch / "r.html").string()));
    ASSERT_EQ(frames.size(), 51u);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Real t = 0.02 * static_cast<Real>(i);
        EXPECT_NEAR(frames[i].time, t, 1e-12);
        ASSERT_EQ(frames[i].bodies.size(), 2u);
        const Vec3 expected(1 + 4 * t, 2 - t, 3 + 5 * t - 9.81 / 2 * t * t);
        EXPECT_LT((frames[i].bodies[1].p - expected).norm(), 2e-6);  // single precision
        EXPECT_EQ(frames[i].plots.size(), 1u);
        EXPECT_FALSE(frames[i].diverged);
    }
}

TEST(Replay, OnlyTheLastFrameOfAnAbortedRunIsFlagged)
{
    const Scratch scratch;
    const std::string html =
        replay_of(kThrown, (scratch / "r.html").string(), "torn </script> apart");
    const auto frames = frames_of(html);
    ASSERT_EQ(frames.size(), 51u);
    EXPECT_TRUE(frames.back().diverged);
    EXPECT_FALSE(frames[49].diverged);
    EXPECT_EQ(nlohmann::json::parse(element(html, "taut-end"))["failure"], "torn </script> apart");
    EXPECT_FALSE(has(replay_of(kThrown, (scratch / "s.html").string()), "taut-end"));
}

TEST(Replay, ThePageIsCompleteAndTextsAreEscaped)
{
    const Scratch scratch;
    const std::string html = replay_of(kThrown, (scratch / "r.html").string());
    const auto scene = nlohmann::json::parse(element(html, "taut-scene"), nullptr, false);
    ASSERT_FALSE(scene.is_discarded());
    EXPECT_EQ(scene["type"], "scene");
    EXPECT_EQ(scene["title"], "</script><!-- <b>");
    EXPECT_FALSE(has(html, "<!--"));
    EXPECT_TRUE(has(html, "<style>body {}</style>"));
    EXPECT_FALSE(has(html, "viewer.js"));
    EXPECT_FALSE(has(html, "viewer.css"));
    EXPECT_LT(html.find("taut-frames"), html.find("<script>start();</script>"))
        << "the data precede the script";
}

TEST(Replay, AnotherPageIsRefused)
{
    const Scratch scratch;
    const auto scene = read_scene(kThrown, "test.yaml");
    const std::string path = (scratch / "r.html").string();
    EXPECT_FALSE(
        Replay::open(*scene,
                     {.path = path, .page = {"<html>", "", ""}, .scene_file = "", .plots = {}})
            .ok());
    EXPECT_FALSE(
        Replay::open(*scene, {.path = path, .page = kPage, .scene_file = "", .plots = {"no.such"}})
            .ok());
    EXPECT_TRUE(std::filesystem::is_empty(scratch / ""));
}

TEST(Base64, RoundTripInPieces)
{
    const std::string text = "any carnal pleasure.";
    for (std::size_t length = 0; length <= text.size(); ++length)
        for (std::size_t cut = 0; cut <= length; ++cut) {
            const auto bytes = std::as_bytes(std::span(text)).first(length);
            Base64 base64;
            std::string encoded = base64.add(bytes.first(cut));
            encoded += base64.add(bytes.subspan(cut));
            encoded += base64.finish();
            EXPECT_EQ(encoded.size() % 4, 0u);
            EXPECT_EQ(*decode_base64(encoded), text.substr(0, length));
        }
    Base64 base64;
    std::string encoded = base64.add(std::as_bytes(std::span(text)));
    encoded += base64.finish();
    EXPECT_EQ(encoded, "YW55IGNhcm5hbCBwbGVhc3VyZS4=");
    EXPECT_FALSE(decode_base64("a?b").ok());
}

}  // namespace
}  // namespace taut::test
