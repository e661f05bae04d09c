// Another program, talked to over a socket. It is in a process group of its own and ends with its owner.
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

// The full path of the first of these names that can be run; empty where none can. A name with a slash is a path.
std::string find_program(const std::vector<std::string>& names);

class ChildProcess {
public:
    struct Start {
        std::vector<std::string> line;   // program and arguments
        std::vector<int> ends;           // its file descriptors that are our socket
        std::filesystem::path messages;  // where its stdout and stderr go
    };
    static Result<ChildProcess> start(const Start& start);

    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ~ChildProcess();  // ends the program and what it started

    Status send(std::string_view bytes, Deadline deadline);
    Result<std::string> receive(Deadline deadline);  // at least one byte; an end is an error
    void close_writing();                            // no more will be sent

    // Waits for its end and returns its exit code, or 128 plus the signal that ended it.
    Result<int> wait(Deadline deadline);

    // What it said last, to be shown when it failed.
    std::string last_words() const;

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
