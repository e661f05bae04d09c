// `taut render`: error messages and contents of the images.
#include <cstdlib>

#include "browser/browser.h"
#include "browser/video.h"
#include "cli/tool.h"

namespace taut::test {
namespace {

// A red sphere that falls; the camera looks at its initial position.
constexpr const char* kFall = R"(name: fall
bodies:
  ball: {type: particle, mass: 1, position: [0, 0, 10], shapes: [{sphere: 1, colour: "#ff0000"}]}
step: {dt: 1/100}
duration: 1
)";
constexpr const char* kCamera = " --size 160x100 --camera 0,-6,10/0,0,10 ";

std::string run_shell(const std::string& line)
{
    std::string out;
    FILE* pipe = popen(line.c_str(), "r");
    if (!pipe) return out;
    std::array<char, 4096> buffer;
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
        out.append(buffer.data(), n);
    pclose(pipe);
    return out;
}

struct Pixel {
    int red, green, blue;
    bool is_red() const { return red > 100 && red > 2 * green && red > 2 * blue; }
};

// One pixel of an image, or of the first frame of a video.
Pixel pixel(const std::string& file, int x, int y)
{
    const std::string bytes = run_shell("ffmpeg -v error -i '" + file +
                                        "' -vf format=rgb24,crop=1:1:" + std::to_string(x) + ":" +
                                        std::to_string(y) + " -frames:v 1 -f rawvideo -");
    EXPECT_EQ(bytes.size(), 3u) << file;
    if (bytes.size() != 3) return {};
    const auto value = [&](std::size_t i) {
        return static_cast<int>(static_cast<unsigned char>(bytes[i]));
    };
    return {value(0), value(1), value(2)};
}

std::string missing_programs()
{
    if (const auto browser = Browser::available(); !browser.ok()) return browser.error().message;
    if (const auto video = Video::available(); !video.ok()) return video.error().message;
    const Scratch scratch;
    const Said said = taut("run " + scratch.write("fall.yaml", kFall) + " --time 0.1 --replay " +
                           (scratch / "r.html").string());
    return has(said.err, "was built without") ? said.err : "";
}

TEST(Render, RefusesInvalidOptions)
{
    const Scratch scratch;
    const std::string scene = scratch.write("fall.yaml", kFall);
    const auto refused = [&](const std::string& options, const std::string& why) {
        const Said said = taut("render " + scene + " " + options);
        EXPECT_EQ(said.code, 2) << said.out;
        EXPECT_TRUE(has(said.err, why)) << options << "\n" << said.err;
    };
    const std::string folder = "--png " + (scratch / "p").string();
    refused("", "exactly one of --png DIR and --video FILE is required");
    refused(folder + " --video x.mp4 --at 0",
            "exactly one of --png DIR and --video FILE is required");
    refused(folder + " --at 0 --fps 30", "exclude each other");
    refused("--video x.mp4 --at 0", "--at requires --png");
    refused(folder + " --at 2", "--at 2 is outside the run, which lasts from 0 to 1 s");
    refused(folder + " --at -1", "--at -1 is outside the run");
    refused(folder + " --at soon", "--at must be a number");
    refused(folder + " --fps 0", "--fps must be above 0");
    refused(folder + " --at 0 --size 1280", "--size must be WIDTHxHEIGHT");
    refused(folder + " --at 0 --size 1x1", "--size must be WIDTHxHEIGHT");
    refused(folder + " --at 0 --camera 1,2,3", "--camera must be position/target");
    refused(folder + " --at 0 --camera 1,2,3/1,2", "--camera must be position/target");
    refused(folder + " --at 0 --camera 1,2,3/1,2,3",
            "--camera must have a position different from its target");
    EXPECT_FALSE(std::filesystem::exists(scratch / "p"));
}

TEST(Render, ReportsAMissingProgram)
{
    const Scratch scratch;
    const std::string scene = scratch.write("fall.yaml", kFall);
    const std::string out = (scratch / "p").string();
    const Said browser = taut("render " + scene + " --at 0 --png " + out, "TAUT_CHROMIUM=/none");
    EXPECT_EQ(browser.code, 2);
    EXPECT_TRUE(has(browser.err, "(Debian: chromium)")) << browser.err;
    EXPECT_FALSE(std::filesystem::exists(out));
    if (!Browser::available().ok()) return;
    const Said video = taut("render " + scene + " --json --video " + out, "TAUT_FFMPEG=/none");
    EXPECT_EQ(video.code, 2);
    EXPECT_TRUE(has(parse(video)["message"], "(Debian: ffmpeg)")) << video.out;
    EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(Render, ImagesShowTheBodyAtItsPosition)
{
    if (const auto missing = missing_programs(); !missing.empty()) GTEST_SKIP() << missing;
    const Scratch scratch;
    const Said said = taut("render " + scratch.write("fall.yaml", kFall) +
                           " --json --at 0,0.9 --png " + (scratch / "p").string() + kCamera);
    ASSERT_EQ(said.code, 0) << said.out << said.err;
    const auto pictures = parse(said)["pictures"];
    ASSERT_EQ(pictures.size(), 2u);
    const std::string start = pictures[0]["path"], later = pictures[1]["path"];
    EXPECT_EQ(start, (scratch / "p/at_0.png").string());
    EXPECT_EQ(later, (scratch / "p/at_0.9.png").string());
    EXPECT_EQ(pictures[0]["bytes"], std::filesystem::file_size(start));
    EXPECT_EQ(read_text(start).substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_TRUE(pixel(start, 80, 50).is_red());
    EXPECT_FALSE(pixel(start, 4, 50).is_red());
    EXPECT_FALSE(pixel(later, 80, 50).is_red()) << "it has fallen by four metres";
}

// 30 images per second of the whole motion by default.
TEST(Render, ImagesOfTheWholeMotion)
{
    if (const auto missing = missing_programs(); !missing.empty()) GTEST_SKIP() << missing;
    const Scratch scratch;
    const Said said = taut("render " + scratch.write("fall.yaml", kFall) +
                           " --json --time 0.1 --png " + (scratch / "p").string() + kCamera);
    ASSERT_EQ(said.code, 0) << said.out << said.err;
    const auto pictures = parse(said)["pictures"];
    ASSERT_EQ(pictures.size(), 4u);
    EXPECT_EQ(pictures[3]["path"].get<std::string>(), (scratch / "p/00003.png").string());
    EXPECT_TRUE(pixel(pictures[0]["path"], 80, 50).is_red());
}

TEST(Render, VideosShowTheWholeMotion)
{
    if (const auto missing = missing_programs(); !missing.empty()) GTEST_SKIP() << missing;
    const Scratch scratch;
    const std::string file = (scratch / "fall.mp4").string();
    const Said said = taut("render " + scratch.write("fall.yaml", kFall) +
                           " --json --fps 5 --video " + file + kCamera);
    ASSERT_EQ(said.code, 0) << said.out << said.err;
    const auto video = parse(said)["video"];
    EXPECT_EQ(video["frames"], 6);
    EXPECT_EQ(video["bytes"], std::filesystem::file_size(file));
    EXPECT_TRUE(pixel(file, 80, 50).is_red());
    const std::string facts = run_shell(
        "ffprobe -v error -select_streams v -show_entries "
        "stream=codec_name,width,height,nb_frames -of csv=p=0 '" +
        file + "'");
    EXPECT_EQ(facts, "h264,160,100,6\n");
}

}  // namespace
}  // namespace taut::test
