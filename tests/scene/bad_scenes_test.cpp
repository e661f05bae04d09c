// The first line of every file of tests/bad_scenes contains the expected place and message:
//     # expect: 7:12: part of the message
// Large files and files with invalid bytes are generated here.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "reading.h"

namespace taut::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> bad_scenes()
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(TAUT_BAD_SCENES))
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string first_line(const fs::path& file)
{
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

TEST(BadScenes, EachReportsItsMessageAtItsPlace)
{
    const auto files = bad_scenes();
    EXPECT_GE(files.size(), 60u);
    const std::string mark = "# expect: ";
    for (const fs::path& file : files) {
        const std::string line = first_line(file);
        ASSERT_EQ(line.substr(0, mark.size()), mark) << file;
        const std::string expected = line.substr(mark.size());
        const auto scene = load_scene(file.string());
        if (scene.ok()) {
            ADD_FAILURE() << file.filename() << " was read; expected: " << expected;
            continue;
        }
        // the first message is compared: place, then text
        const std::string message =
            scene.error().message.substr(0, scene.error().message.find('\n'));
        const std::size_t place = expected.find(": ") + 2;
        EXPECT_TRUE(contains(message, file.string() + ":" + expected.substr(0, place)))
            << file.filename() << "\n  expected: " << expected << "\n  found:    " << message;
        EXPECT_TRUE(contains(message, expected.substr(place)))
            << file.filename() << "\n  expected: " << expected << "\n  found:    " << message;
    }
}

std::string noise(std::size_t bytes, unsigned seed, bool printable)
{
    std::mt19937 random(seed);
    std::string text(bytes, ' ');
    for (char& c : text) {
        const unsigned r = static_cast<unsigned>(random());
        c = static_cast<char>(printable ? 0x20 + r % 0x5f : r % 256);
    }
    return text;
}

TEST(BadScenes, TenMegabytesAreRefusedBySize)
{
    EXPECT_TRUE(contains(must_fail(noise(10 << 20, 1, false)),
                         "test.yaml: the file has 10485760 bytes; the limit is 4194304"));
}

TEST(BadScenes, RandomBytesAreRefused)
{
    for (unsigned seed = 1; seed <= 50; ++seed) {
        EXPECT_FALSE(read_scene(noise(2000, seed, false), "noise.yaml").ok()) << "seed " << seed;
        EXPECT_FALSE(read_scene(noise(2000, seed, true), "noise.yaml").ok()) << "seed " << seed;
    }
}

TEST(BadScenes, LargeNoiseBelowTheLimitIsRefusedInTime)
{
    const std::size_t size = (4u << 20) - 1;
    EXPECT_TRUE(contains(must_fail(noise(size, 2, false)), "UTF-8 text"));
    EXPECT_TRUE(contains(must_fail(noise(size, 3, true)), "test.yaml:"));
    // hard inputs for parsers: millions of brackets, braces, dashes, question marks, quotes,
    // anchors
    for (const char* part :
         {"[", "{", "- ", "? ", "\"", "&a ", "a: ", "*a ", "!", "|", "{a: ", "[[", "- - "}) {
        std::string text;
        while (text.size() + 8 < size) text += part;
        EXPECT_FALSE(read_scene(text, "noise.yaml").ok()) << part;
    }
}

TEST(BadScenes, EmptyFilesAreReported)
{
    for (const char* text : {"", "   \n", "# only a comment\n", "---\n", "~\n"})
        EXPECT_FALSE(read_scene(text, "empty.yaml").ok()) << text;
    EXPECT_TRUE(contains(must_fail(""), "the file is empty"));
}

TEST(BadScenes, TextThatIsNotUtf8IsRefused)
{
    // a lone continuation byte, a truncated character, an overlong encoding, a surrogate, beyond U+10FFFF
    for (const char* bytes :
         {"\x80", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
        EXPECT_TRUE(contains(
            must_fail(std::string("title: ") + bytes + "\n"),
            "test.yaml:1:8: byte " + std::to_string(static_cast<unsigned char>(bytes[0]))));
    EXPECT_EQ(must_read("title: Grübler · 梁 · 𝜑\nbodies: {a: {type: particle, mass: 1}}\n").title,
              "Grübler · 梁 · 𝜑");
}

TEST(BadScenes, SeveralErrorsAreReportedTogether)
{
    const std::string message =
        must_fail("bodies:\n  a: {type: particle, mass: -1}\n  b: {typ: particle, mass: 1}\n");
    EXPECT_TRUE(contains(message, "test.yaml:2:29: 'mass' of body 'a'"));
    EXPECT_TRUE(contains(message, "\ntest.yaml:3:7: unknown key 'typ'"));
}

TEST(BadScenes, TheNumberOfReportedErrorsIsLimited)
{
    std::string text = "bodies:\n";
    for (int i = 0; i < 100; ++i)
        text += "  b" + std::to_string(i) + ": {type: particle, mass: -1}\n";
    const std::string message = must_fail(text);
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 20);
    EXPECT_TRUE(contains(message, "and 80 more"));
}

TEST(BadScenes, EveryTruncationOfASceneIsReadOrRefused)
{
    std::ifstream in(std::string(kDataFolder) + "/crane.yaml");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    ASSERT_GT(text.size(), 100u);
    for (std::size_t n = 0; n < text.size(); ++n) {
        const auto scene = read_scene(text.substr(0, n), std::string(kDataFolder) + "/cut.yaml");
        if (!scene.ok()) {
            EXPECT_FALSE(scene.error().message.empty()) << n;
        }
    }
}

}  // namespace
}  // namespace taut::test
