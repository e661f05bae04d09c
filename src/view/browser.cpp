#include "view/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>
#include <vector>

namespace taut::view {

namespace {

bool has_screen()
{
    const auto given = [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value;
    };
    return given("DISPLAY") || given("WAYLAND_DISPLAY");
}

bool write_all(int file, const std::string& text)
{
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = write(file, text.data() + done, text.size() - done);
        if (n <= 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return true;
}

// Starts a detached program without standard streams; it is not waited for.
bool start(const char* program, const std::string& argument)
{
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string name = program, copy = argument;
    std::vector<char*> words = {name.data(), copy.data(), nullptr};
    pid_t child = 0;
    posix_spawnattr_t apart;  // own process group, so that Ctrl-C does not reach it
    posix_spawnattr_init(&apart);
    posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETSID);
    const int failed = posix_spawnp(&child, program, &quiet, &apart, words.data(), environ);
    posix_spawnattr_destroy(&apart);
    posix_spawn_file_actions_destroy(&quiet);
    if (failed) return false;
    std::thread([child] { waitpid(child, nullptr, 0); }).detach();
    return true;
}

}  // namespace

std::unique_ptr<BrowserPage> write_browser_page(const std::string& address)
{
    auto folder = TempFolder::make();
    if (!folder.ok()) return nullptr;
    auto page = std::make_unique<BrowserPage>(std::move(*folder));
    const int file =
        open(page->file().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return nullptr;
    const bool written = write_all(file,
                                   "<!doctype html><meta charset=\"utf-8\"><title>Taut</title>"
                                   "<meta http-equiv=\"refresh\" content=\"0; url=" +
                                       address + "\">\n");
    close(file);
    return written ? std::move(page) : nullptr;
}

std::unique_ptr<BrowserPage> open_in_browser(const std::string& address)
{
    if (!has_screen()) return nullptr;
    auto page = write_browser_page(address);
    if (!page || !start("xdg-open", page->file().string())) return nullptr;
    return page;
}

}  // namespace taut::view
