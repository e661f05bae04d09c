// The page over HTTP and the stream over a WebSocket, on one port of this machine alone.
//
// Taken is only who comes to 127.0.0.1 by that name, from the page itself, with the token of this run. Each client is sent
// the newest of everything: what it is too slow for it does not get, and nobody waits for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <taut/result.h>

#include "page/page_assets.h"
#include "view/audience.h"
#include "view/command.h"

namespace taut::view {

struct ServerFigures {
    std::uint64_t clients = 0;       // that were taken
    std::uint64_t refused = 0;       // connections that were not
    std::uint64_t frames_sent = 0;   // to all clients together
    std::uint64_t closed_by_us = 0;  // clients that sent what no page sends
};

class Server : public Audience {
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
    ServerFigures figures() const noexcept;  // once it has stopped

    // From any thread.
    void publish(News news) override;
    void refuse(ClientId client, const std::string& command, const std::string& reason) override;

private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace taut::view
