#include "browser/browser.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

namespace taut::browser {

namespace {

// Time limit of one call; software rendering on a busy machine is slow.
constexpr double kTimeout = 60;  // [s]

std::string find_chromium()
{
    if (const char* named = std::getenv("TAUT_CHROMIUM"); named && *named)
        return find_program({named});
    return find_program({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"});
}

std::vector<std::string> command_line(const std::string& chromium,
                                      const std::filesystem::path& profile, PictureSize size)
{
    std::vector<std::string> line = {
        chromium,
        "--headless=new",
        "--remote-debugging-pipe",
        "--user-data-dir=" + profile.string(),
        "--window-size=" + std::to_string(size.width) + "," + std::to_string(size.height),
        // WebGL in software
        "--use-gl=angle",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--ignore-gpu-blocklist",
        "--disable-dev-shm-usage",
        // no network access, no prompts, no crash reports
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-extensions",
        "--disable-quic",
        "--disable-sync",
        "--disable-breakpad",
        "--no-default-browser-check",
        "--no-first-run",
        "--hide-scrollbars",
        "--mute-audio",
    };
    // Chromium refuses to run its sandbox as root; it only opens the local page
    if (geteuid() == 0) line.emplace_back("--no-sandbox");
    return line;
}

// Text of an exception, from the reply to Runtime.evaluate.
std::string exception_text(const DevTools::Json& details)
{
    const auto exception = details.value("exception", DevTools::Json::object());
    const std::string text = exception.value("description", details.value("text", "unknown"));
    return text.substr(0, text.find('\n'));
}

std::string file_address(const std::filesystem::path& file)
{
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~/";
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string address = "file://";
    for (const char c : std::filesystem::absolute(file).string()) {
        const auto byte = static_cast<unsigned char>(c);
        if (kPlain.find(c) != std::string_view::npos)
            address += c;
        else
            (address += '%', address += kDigits[byte >> 4], address += kDigits[byte & 15]);
    }
    return address;
}

}  // namespace

Status Browser::available()
{
    if (!find_chromium().empty()) return Done{};
    return Error{
        "rendering requires Chromium, which was not found (Debian: chromium); the environment "
        "variable "
        "TAUT_CHROMIUM may give its path"};
}

Result<Browser> Browser::start(PictureSize size)
{
    TAUT_TRY(available());
    const std::string chromium = find_chromium();
    auto profile = TempFolder::make();
    if (!profile.ok()) return profile.error();

    auto process = ChildProcess::start({command_line(chromium, profile->path() / "profile", size),
                                        {3, 4},
                                        profile->path() / "messages"});
    if (!process.ok()) return process.error();
    Browser browser(std::move(*profile), DevTools(std::move(*process)));
    if (auto attached = browser.attach(size); !attached.ok())
        return Error{"'" + chromium + "' does not start: " + attached.error().message + "\n" +
                     browser.tools_.process().last_output()};
    return browser;
}

Status Browser::attach(PictureSize size)
{
    const Deadline deadline = within(kTimeout);
    const auto target = tools_.call("Target.createTarget", {{"url", "about:blank"}}, deadline);
    if (!target.ok()) return target.error();
    const auto session =
        tools_.call("Target.attachToTarget",
                    {{"targetId", target->value("targetId", "")}, {"flatten", true}}, deadline);
    if (!session.ok()) return session.error();
    tools_.attach(session->value("sessionId", ""));
    TAUT_TRY(tools_.call("Emulation.setDeviceMetricsOverride",
                         {{"width", size.width},
                          {"height", size.height},
                          {"deviceScaleFactor", 1},
                          {"mobile", false}},
                         deadline));
    return Done{};
}

Status Browser::open(const std::filesystem::path& page, const std::string& fragment)
{
    const Deadline deadline = within(kTimeout);
    const auto answer = tools_.call(
        "Page.navigate", {{"url", file_address(page) + (fragment.empty() ? "" : "#" + fragment)}},
        deadline);
    if (!answer.ok()) return answer.error();
    if (answer->contains("errorText"))
        return Error{"cannot open '" + page.string() + "': " + answer->value("errorText", "")};
    // wait until the page reports that it is loaded
    for (;;) {
        const auto state = evaluate("location.protocol + document.readyState");
        if (!state.ok()) return state.error();
        if (*state == "file:complete") return Done{};
        if (std::chrono::steady_clock::now() >= deadline)
            return Error{"'" + page.string() + "' does not load"};
        usleep(20'000);
    }
}

Result<DevTools::Json> Browser::evaluate(const std::string& expression)
{
    const auto answer =
        tools_.call("Runtime.evaluate",
                    {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}},
                    within(kTimeout));
    if (!answer.ok()) return answer.error();
    if (answer->contains("exceptionDetails"))
        return Error{"error in the page: " + exception_text((*answer)["exceptionDetails"])};
    return answer->value("result", DevTools::Json::object()).value("value", DevTools::Json());
}

Result<std::string> Browser::picture(Packing packing)
{
    const auto answer = tools_.call(
        "Page.captureScreenshot",
        {{"format", "png"}, {"optimizeForSpeed", packing == Packing::Quick}}, within(kTimeout));
    if (!answer.ok()) return answer.error();
    return decode_base64(answer->value("data", ""));
}

Result<std::string> decode_base64(std::string_view text)
{
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<int, 256> value;
    value.fill(-1);
    for (std::size_t i = 0; i < kDigits.size(); ++i)
        value[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
    while (text.ends_with('=')) text.remove_suffix(1);

    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    unsigned bits = 0;
    int count = 0;
    for (const char c : text) {
        const int digit = value[static_cast<unsigned char>(c)];
        if (digit < 0) return Error{"not base64"};
        bits = bits << 6 | static_cast<unsigned>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 255);
    }
    return bytes;
}

}  // namespace taut::browser
