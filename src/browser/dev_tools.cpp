#include "browser/dev_tools.h"

namespace taut::browser {

Result<DevTools::Json> DevTools::next_message(Deadline deadline)
{
    for (;;) {
        const std::size_t end = unread_.find('\0', searched_);
        if (end == std::string::npos) {
            searched_ = unread_.size();
            auto more = browser_.receive(deadline);
            if (!more.ok()) return more.error();
            unread_ += *more;
            continue;
        }
        Json message = Json::parse(unread_.substr(0, end), nullptr, false);
        unread_.erase(0, end + 1);
        searched_ = 0;
        if (!message.is_object()) return Error{"the browser sent an invalid message"};
        return message;
    }
}

Result<DevTools::Json> DevTools::call(const std::string& method, const Json& parameters,
                                      Deadline deadline)
{
    const int id = ++calls_;
    Json request = {{"id", id}, {"method", method}, {"params", parameters}};
    if (!session_.empty()) request["sessionId"] = session_;
    TAUT_TRY(browser_.send(request.dump() + '\0', deadline));
    for (;;) {
        auto message = next_message(deadline);
        if (!message.ok()) return Error{method + ": " + message.error().message};
        if (message->value("id", -1) != id) continue;
        if (message->contains("error"))
            return Error{method + ": " + (*message)["error"].value("message", "refused")};
        return message->value("result", Json::object());
    }
}

}  // namespace taut::browser
