// Who a session talks to, and who talks to it.
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

// News that belong together; what is null has not changed.
struct News {
    Text scene, status;
    Bytes frame;
};

// Called from the session's thread; must return at once.
class Audience {
public:
    virtual ~Audience() = default;
    virtual void publish(News news) = 0;
    virtual void refuse(ClientId client, const std::string& command, const std::string& reason) = 0;
};

}  // namespace taut::view
