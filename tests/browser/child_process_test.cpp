// Child processes that respond, do not respond, terminate, or do not exist.
#include <unistd.h>

#include <csignal>
#include <fstream>

#include <gtest/gtest.h>

#include "browser/browser.h"
#include "browser/child_process.h"
#include "browser/dev_tools.h"
#include "browser/temp_folder.h"
#include "browser/video.h"

namespace taut::test {
namespace {

constexpr int kHang = 600;  // [s] a net against hangs: all that is waited for comes by itself

ChildProcess shell(const TempFolder& folder, const std::string& script, std::vector<int> ends = {3})
{
    auto process = ChildProcess::start(
        {{"/bin/sh", "-c", script}, std::move(ends), folder.path() / "messages"});
    EXPECT_TRUE(process.ok());
    return std::move(*process);
}

TEST(ChildProcess, ReceivesAndSends)
{
    const TempFolder folder = TempFolder::make().value();
    ChildProcess echo = shell(folder, "read line <&3; echo \"got $line\" >&4; exit 7", {3, 4});
    ASSERT_TRUE(echo.send("hello\n", within(kHang)).ok());
    EXPECT_EQ(*echo.receive(within(kHang)), "got hello\n");
    EXPECT_EQ(*echo.wait(within(kHang)), 7);
}

// Writing to a terminated program must not raise a signal.
TEST(ChildProcess, ReportsATerminatedProgram)
{
    const TempFolder folder = TempFolder::make().value();
    ChildProcess brief = shell(folder, "echo sorry; exit 1");
    ASSERT_EQ(*brief.wait(within(kHang)), 1);
    EXPECT_FALSE(brief.receive(within(kHang)).ok());
    EXPECT_FALSE(brief.send(std::string(1 << 20, 'x'), within(kHang)).ok());
    EXPECT_EQ(brief.last_output(), "sorry\n");
}

TEST(ChildProcess, RespectsTheDeadline)
{
    const TempFolder folder = TempFolder::make().value();
    ChildProcess silent = shell(folder, "sleep 6000");
    const auto answer = silent.receive(within(0.1));
    EXPECT_FALSE(answer.ok());
    // a terminated program gives another message
    EXPECT_EQ(answer.error().message, "sh does not respond");
}

// The shell terminates on SIGTERM; its child processes must terminate as well.
TEST(ChildProcess, TheWholeGroupIsTerminated)
{
    const TempFolder folder = TempFolder::make().value();
    pid_t grandchild = 0;
    {
        ChildProcess parent = shell(folder, "sleep 6000 & echo $! >&3; wait");
        grandchild = std::stoi(*parent.receive(within(kHang)));
        ASSERT_EQ(kill(grandchild, 0), 0);
    }
    // the process may remain a zombie until init reaps it
    const auto alive = [&] {
        std::ifstream status("/proc/" + std::to_string(grandchild) + "/stat");
        std::string pid, name, state;
        return status >> pid >> name >> state && state != "Z";
    };
    for (int i = 0; i < 50 * kHang && alive(); ++i) usleep(20'000);
    EXPECT_FALSE(alive());
}

TEST(ChildProcess, AMissingProgramIsAnError)
{
    const TempFolder folder = TempFolder::make().value();
    EXPECT_FALSE(ChildProcess::start({{"/no/such/program"}, {3}, folder.path() / "messages"}).ok());
    EXPECT_EQ(find_program({"no-such-program-anywhere", "/no/such/program"}), "");
    EXPECT_NE(find_program({"no-such-program-anywhere", "sh"}), "");
}

TEST(TempFolder, IsPrivateAndRemoved)
{
    std::filesystem::path path;
    {
        const TempFolder folder = TempFolder::make().value();
        path = folder.path();
        EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
        std::filesystem::create_directories(path / "a" / "b");
        std::ofstream(path / "a" / "b" / "file") << "text";
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

// A replacement of Chromium that sends events and other replies first, in pieces.
TEST(DevTools, FindsTheReplyAmongOtherMessages)
{
    const TempFolder folder = TempFolder::make().value();
    DevTools tools(shell(folder, R"(head -c 10 <&3 >/dev/null
        printf '{"method":"Some.event"}\0{"id":99,"result":{}}\0{"id":1,"res' >&4; sleep 0.1
        printf 'ult":{"x":5}}\0{"id":2,"error":{"message":"no such page"}}\0' >&4; sleep 6000)",
                         {3, 4}));
    const auto answer = tools.call("First", {{"a", 1}}, within(kHang));
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ((*answer)["x"], 5);
    const auto refused = tools.call("Second", {}, within(kHang));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message, "Second: no such page");
}

TEST(Browser, ReportsAMissingProgram)
{
    setenv("TAUT_CHROMIUM", "/no/such/chromium", 1);
    setenv("TAUT_FFMPEG", "/no/such/ffmpeg", 1);
    const auto browser = Browser::start({});
    ASSERT_FALSE(browser.ok());
    EXPECT_NE(browser.error().message.find("Debian: chromium"), std::string::npos);
    const auto video = Video::start("x.mp4", 30);
    ASSERT_FALSE(video.ok());
    EXPECT_NE(video.error().message.find("Debian: ffmpeg"), std::string::npos);
    unsetenv("TAUT_CHROMIUM");
    unsetenv("TAUT_FFMPEG");
}

// A program that terminates immediately is reported with its output.
TEST(Browser, ReportsWhyItDoesNotStart)
{
    const TempFolder folder = TempFolder::make().value();
    const std::string fake = (folder.path() / "fake").string();
    std::ofstream(fake) << "#!/bin/sh\necho no display today >&2\nexit 1\n";
    std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
    setenv("TAUT_CHROMIUM", fake.c_str(), 1);
    const auto browser = Browser::start({});
    unsetenv("TAUT_CHROMIUM");
    ASSERT_FALSE(browser.ok());
    EXPECT_NE(browser.error().message.find("no display today"), std::string::npos)
        << browser.error().message;
}

}  // namespace
}  // namespace taut::test
