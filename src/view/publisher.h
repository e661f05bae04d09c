// Interface between a session and the server that sends its updates to clients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/namespaces.h"

namespace taut::view {

using ClientId = std::uint64_t;
using Text = std::shared_ptr<const std::string>;
using Bytes = std::shared_ptr<const std::vector<std::byte>>;

// Parts of the state that have changed; unchanged parts are null.
struct Update {
    Text scene, status;
    Bytes frame;
};

// Called from the thread of the session; the functions must not block.
class Publisher {
public:
    virtual ~Publisher() = default;
    virtual void publish(Update update) = 0;
    virtual void refuse(ClientId client, const std::string& command, const std::string& reason) = 0;
};

}  // namespace taut::view
