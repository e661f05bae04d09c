// Client of the Chromium DevTools protocol over a pipe: JSON messages terminated by a zero byte.
#pragma once

#include <nlohmann/json.hpp>

#include "browser/child_process.h"

namespace taut::browser {

class DevTools {
public:
    using Json = nlohmann::json;

    explicit DevTools(ChildProcess browser) : browser_(std::move(browser)) {}

    // Sends a request and waits for its reply; events are ignored.
    Result<Json> call(const std::string& method, const Json& parameters, Deadline deadline);

    // Further calls refer to this page.
    void attach(std::string session) { session_ = std::move(session); }

    ChildProcess& process() noexcept { return browser_; }

private:
    Result<Json> next_message(Deadline deadline);

    ChildProcess browser_;
    std::string session_;
    std::string unread_;
    std::size_t searched_ = 0;  // bytes of unread_ that contain no terminator
    int calls_ = 0;
};

}  // namespace taut::browser
