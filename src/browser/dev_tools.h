// Chromium's DevTools protocol over its pipe: JSON texts, each ended by a zero.
#pragma once

#include <nlohmann/json.hpp>

#include "browser/child_process.h"

namespace taut::browser {

class DevTools {
public:
    using Json = nlohmann::json;

    explicit DevTools(ChildProcess browser) : browser_(std::move(browser)) {}

    // Asks and waits for the answer; what the browser tells of its own accord is passed over.
    Result<Json> call(const std::string& method, const Json& parameters, Deadline deadline);

    // All further calls are about this page.
    void attach(std::string session) { session_ = std::move(session); }

    ChildProcess& process() noexcept { return browser_; }

private:
    Result<Json> next_message(Deadline deadline);

    ChildProcess browser_;
    std::string session_;
    std::string unread_;
    std::size_t searched_ = 0;  // of unread_, without finding an end
    int calls_ = 0;
};

}  // namespace taut::browser
