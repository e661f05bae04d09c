#include "browser/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

namespace taut::browser {

namespace {

int milliseconds_until(Deadline deadline)
{
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
}

bool can_run(const std::filesystem::path& path) { return access(path.c_str(), X_OK) == 0; }

// RAII wrapper of the attributes and file actions of posix_spawn.
struct SpawnPlan {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;

    SpawnPlan()
    {
        posix_spawn_file_actions_init(&files);
        posix_spawnattr_init(&attributes);
    }
    ~SpawnPlan()
    {
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
};

// Own process group, so that Ctrl-C is handled by this program only; no signal is ignored or blocked.
void set_apart(SpawnPlan& plan)
{
    sigset_t none, usual;
    sigemptyset(&none);
    sigfillset(&usual);
    posix_spawnattr_setpgroup(&plan.attributes, 0);
    posix_spawnattr_setsigmask(&plan.attributes, &none);
    posix_spawnattr_setsigdefault(&plan.attributes, &usual);
    posix_spawnattr_setflags(
        &plan.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int exit_code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Deadline within(double seconds)
{
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(
               std::chrono::duration<double>(seconds));
}

std::string find_program(const std::vector<std::string>& names)
{
    const char* const path = std::getenv("PATH");
    for (const std::string& name : names) {
        if (name.find('/') != std::string::npos) {
            if (can_run(name)) return name;
            continue;
        }
        std::istringstream folders(path ? path : "/usr/bin:/bin");
        for (std::string folder; std::getline(folders, folder, ':');)
            if (const auto file = std::filesystem::path(folder) / name; can_run(file))
                return file.string();
    }
    return {};
}

Result<ChildProcess> ChildProcess::start(const Start& start)
{
    // a socket instead of pipes: writing to a terminated program returns an error instead of raising SIGPIPE
    std::array<int, 2> pair{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
        return Error{std::string("cannot create a socket: ") + std::strerror(errno)};
    // above all descriptor numbers that the child uses
    const int theirs = fcntl(pair[1], F_DUPFD_CLOEXEC, 64);
    close(pair[1]);

    SpawnPlan plan;
    set_apart(plan);
    posix_spawn_file_actions_addopen(&plan.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&plan.files, STDOUT_FILENO, start.messages.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&plan.files, STDOUT_FILENO, STDERR_FILENO);
    for (const int end : start.ends) posix_spawn_file_actions_adddup2(&plan.files, theirs, end);

    std::vector<char*> line;
    for (const std::string& word : start.line) line.push_back(const_cast<char*>(word.c_str()));
    line.push_back(nullptr);
    pid_t pid = -1;
    const int failed =
        posix_spawn(&pid, line[0], &plan.files, &plan.attributes, line.data(), environ);
    close(theirs);
    if (failed != 0) {
        close(pair[0]);
        return Error{"cannot start '" + start.line[0] + "': " + std::strerror(failed)};
    }
    return ChildProcess(pid, pair[0], start);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      socket_(std::exchange(other.socket_, -1)),
      start_(std::move(other.start_))
{}

ChildProcess::~ChildProcess()
{
    if (socket_ >= 0) close(socket_);
    if (pid_ <= 0) return;
    // the whole group, because a browser consists of many processes
    const pid_t group = pid_;
    kill(-group, SIGTERM);
    const bool ended = wait(within(2)).ok();
    kill(-group, SIGKILL);
    if (!ended) (void)wait(within(2));
}

std::string ChildProcess::name() const
{
    return std::filesystem::path(start_.line[0]).filename().string();
}

Status ChildProcess::wait_for(short events, Deadline deadline) const
{
    for (;;) {
        pollfd watched{socket_, events, 0};
        const int ready = poll(&watched, 1, milliseconds_until(deadline));
        if (ready > 0) return Done{};
        if (ready < 0 && errno != EINTR)
            return Error{"cannot wait for " + name() + ": " + std::strerror(errno)};
        if (std::chrono::steady_clock::now() >= deadline)
            return Error{name() + " does not respond"};
    }
}

Status ChildProcess::send(std::string_view bytes, Deadline deadline)
{
    while (!bytes.empty()) {
        TAUT_TRY(wait_for(POLLOUT, deadline));
        const ssize_t sent =
            ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (sent < 0) return Error{name() + " has terminated: " + std::strerror(errno)};
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return Done{};
}

Result<std::string> ChildProcess::receive(Deadline deadline)
{
    std::string buffer(1 << 16, '\0');
    for (;;) {
        TAUT_TRY(wait_for(POLLIN, deadline));
        const ssize_t got = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0) return Error{name() + " has terminated"};
        buffer.resize(static_cast<std::size_t>(got));
        return buffer;
    }
}

void ChildProcess::close_writing() { shutdown(socket_, SHUT_WR); }

Result<int> ChildProcess::wait(Deadline deadline)
{
    using namespace std::chrono_literals;
    for (;;) {
        int status = 0;
        const pid_t ended = waitpid(pid_, &status, WNOHANG);
        if (ended == pid_) {
            pid_ = -1;
            return exit_code_of(status);
        }
        if (ended < 0 && errno != EINTR)
            return Error{"cannot wait for " + name() + ": " + std::strerror(errno)};
        if (std::chrono::steady_clock::now() >= deadline)
            return Error{name() + " does not terminate"};
        std::this_thread::sleep_for(5ms);
    }
}

std::string ChildProcess::last_output() const
{
    constexpr std::size_t kMost = 2000;
    std::ifstream file(start_.messages, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    std::string said = text.str();
    if (said.size() > kMost) said = "…" + said.substr(said.size() - kMost);
    return said;
}

}  // namespace taut::browser
