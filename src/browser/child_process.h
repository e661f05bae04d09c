// A child process with a socket for communication. It has its own process group and is terminated by the destructor.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <taut/result.h>

#include "core/namespaces.h"

namespace taut::browser {

using Deadline = std::chrono::steady_clock::time_point;
Deadline within(double seconds);

// The full path of the first of these executables that is found; empty if there is none. A name with a slash is a path.
std::string find_program(const std::vector<std::string>& names);

class ChildProcess {
public:
    struct Start {
        std::vector<std::string> line;  // program and arguments
        std::vector<int> ends;  // file descriptors of the child that are connected to the socket
        std::filesystem::path messages;  // file for its stdout and stderr
    };
    static Result<ChildProcess> start(const Start& start);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ~ChildProcess();  // terminates the process group

    Status send(std::string_view bytes, Deadline deadline);
    Result<std::string> receive(Deadline deadline);  // at least one byte; end of file is an error
    void close_writing();                            // shuts down the writing direction

    // Waits for termination and returns the exit code, or 128 plus the signal number.
    Result<int> wait(Deadline deadline);

    // The last lines of its output, for error messages.
    std::string last_output() const;

private:
    ChildProcess(pid_t pid, int socket, Start start)
        : pid_(pid), socket_(socket), start_(std::move(start))
    {}
    Status wait_for(short events, Deadline deadline) const;
    std::string name() const;

    pid_t pid_ = -1;
    int socket_ = -1;
    Start start_;
};

}  // namespace taut::browser
