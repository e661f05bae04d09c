// Serves the page over HTTP and the stream over a WebSocket on one port of the loopback interface.
//
// Only connections to the loopback address with the origin of the page and the token of this run are accepted. Each client
// is sent the latest state: a slow client skips frames and delays nobody.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <taut/result.h>

#include "page/page_assets.h"
#include "view/command.h"
#include "view/publisher.h"

namespace taut::view {

struct ServerFigures {
    std::uint64_t clients = 0;       // accepted clients
    std::uint64_t refused = 0;       // refused connections
    std::uint64_t frames_sent = 0;   // sum over all clients
    std::uint64_t closed_by_us = 0;  // connections closed because of invalid messages
};

class Server : public Publisher {
public:
    struct Listener {
        std::function<void(ClientId, const std::string& name, Command)> on_command;
        std::function<void(ClientId)> on_leave;
        std::function<void(ClientId)> on_join{};
    };

    // Binds the port; 0 takes a free one. The content of `assets` must outlive the server.
    static Result<std::unique_ptr<Server>> open(std::uint16_t port,
                                                std::span<const PageAsset> assets);
    ~Server() override;

    std::uint16_t port() const noexcept;
    const std::string& token() const noexcept;
    std::string address() const;  // with the token

    void start(Listener listener);
    void stop();
    ServerFigures figures() const noexcept;  // valid after stop()

    // Thread-safe.
    void publish(Update update) override;
    void refuse(ClientId client, const std::string& command, const std::string& reason) override;

private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace taut::view
