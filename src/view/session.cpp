#include "view/session.h"

#include <algorithm>
#include <exception>
#include <new>

namespace taut::view {

namespace {

constexpr Real kFrameInterval = 1.0 / 60;  // [s]
constexpr Real kStatusInterval = 1;
constexpr Real kFileCheckInterval = 0.25;
// maximum delay that is caught up [s]; beyond it the simulation slows down
constexpr Real kMostBehind = 0.1;
constexpr std::size_t kMostWaiting = 64;  // queued commands per client
constexpr std::size_t kMostUrgent = 256;  // the same for urgent commands

// Whether a newer command makes a queued one obsolete: mouse moves, sliders, the time slider.
bool replaces(const Command& now, const Command& before)
{
    if (now.index() != before.index()) return false;
    if (const auto* set = std::get_if<SetParameter>(&now))
        return set->name == std::get<SetParameter>(before).name;
    if (const auto* set = std::get_if<SetControl>(&now))
        return set->name == std::get<SetControl>(before).name;
    return std::holds_alternative<Drag>(now) || std::holds_alternative<Rewind>(now);
}

}  // namespace

Session::Session(std::unique_ptr<Player> player, Publisher& publisher)
    : player_(std::move(player)), publisher_(publisher), origin_(Clock::now())
{}

Session::~Session() { stop(); }

void Session::start()
{
    thread_ = std::thread([this] { run(); });
}

void Session::stop()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
    figures_.lateness = lateness_.overall();
}

void Session::submit(ClientId client, const std::string& name, Command command)
{
    {
        const std::lock_guard lock(mutex_);
        if (!inbox_.empty() && inbox_.back().client == client && inbox_.back().command &&
            replaces(command, *inbox_.back().command))
            inbox_.pop_back();
        // release, pause and disconnection are always accepted
        const bool urgent =
            std::holds_alternative<Release>(command) || std::holds_alternative<Pause>(command);
        const auto waiting = static_cast<std::size_t>(
            std::count_if(inbox_.begin(), inbox_.end(),
                          [&](const Request& request) { return request.client == client; }));
        if (waiting < (urgent ? kMostUrgent : kMostWaiting)) {
            inbox_.push_back({client, name, std::move(command)});
            wake_.notify_one();
            return;
        }
    }
    publisher_.refuse(client, name, "too many queued commands");
}

void Session::leave(ClientId client)
{
    const std::lock_guard lock(mutex_);
    inbox_.push_back({client, "", std::nullopt});
    wake_.notify_one();
}

Real Session::now() const { return std::chrono::duration<Real>(Clock::now() - origin_).count(); }

Real Session::next_deadline() const
{
    Real deadline = std::min(next_status_, next_file_check_);
    if (player_->playing()) deadline = std::min(deadline, due_);
    if (frame_due_) deadline = std::min(deadline, next_frame_);
    return status_due_ ? now() : deadline;
}

template <class Work>
void Session::attempt(const Request* request, Work&& work)
{
    std::string why;
    try {
        return work();
    } catch (const std::bad_alloc&) {
        why = "out of memory";
    } catch (const std::exception& error) {
        why = error.what();
    }
    try {
        if (request && request->command) publisher_.refuse(request->client, request->name, why);
        player_->halt(why);
        status_due_ = true;
    } catch (const std::exception&) {  // not enough memory to report it
    }
}

Real Session::period() const { return player_->settings().dt / player_->speed(); }

void Session::run()
{
    while (true) {
        std::deque<Request> requests;
        {
            std::unique_lock lock(mutex_);
            const auto until = origin_ + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<Real>(next_deadline()));
            wake_.wait_until(lock, until, [&] { return stopping_ || !inbox_.empty(); });
            if (stopping_) return;
            requests.swap(inbox_);
        }
        for (const Request& request : requests) attempt(&request, [&] { handle(request); });

        if (now() >= next_file_check_) {
            next_file_check_ = now() + kFileCheckInterval;
            attempt(nullptr, [&] {
                if (!player_->reload_if_changed()) return;
                frame_due_ = status_due_ = true;
                played_ = false;
            });
        }
        if (played_) figures_.wall += now() - last_round_;
        last_round_ = now();
        const bool plays = player_->playing();
        // time spent on other work is not caught up
        if (plays && !played_) due_ = now();
        played_ = plays;
        if (plays && now() >= due_) attempt(nullptr, [&] { step(now()); });
        attempt(nullptr, [&] { publish_changes(now()); });
    }
}

void Session::handle(const Request& request)
{
    if (!request.command) {
        if (holder_ != request.client) return;
        (void)player_->apply(Release{});
        holder_.reset();
        frame_due_ = status_due_ = true;
        return;
    }
    // only the client that grabbed a body may move or release the spring
    if (!player_->grabbed()) holder_.reset();
    if (holder_ && holder_ != request.client) {
        if (std::holds_alternative<Release>(*request.command)) return;
        if (std::holds_alternative<Drag>(*request.command))
            return publisher_.refuse(request.client, request.name,
                                     "another client holds the spring");
    }
    const std::uint32_t before = player_->revision();
    if (const auto done = player_->apply(*request.command); !done.ok())
        publisher_.refuse(request.client, request.name, done.error().message);
    else if (std::holds_alternative<Grab>(*request.command))
        holder_ = request.client;
    // a rebuilt scene restarts the schedule
    if (player_->revision() != before) played_ = false;
    due_ = std::min(due_, now() + period());  // the period of steps may have become shorter
    frame_due_ = true;
    status_due_ |= !std::holds_alternative<Drag>(*request.command);
}

void Session::step(Real now)
{
    lateness_.add(now, now - due_);
    const bool was_valid = !player_->banner();
    const Real before = player_->world().time();
    player_->advance();
    figures_.simulated += player_->world().time() - before;
    pace_time_ += player_->world().time() - before;

    const Real after = this->now();
    due_ += period();
    if (after - due_ > std::max(kMostBehind, period())) {
        due_ = after;
        ++figures_.slips;
    }
    frame_due_ = true;
    status_due_ |= was_valid && player_->banner().has_value();
}

void Session::publish_changes(Real now)
{
    Update update;
    if (player_->revision() != published_revision_) {
        update.scene = std::make_shared<const std::string>(player_->description());
        published_revision_ = player_->revision();
        status_due_ = frame_due_ = true;
    }
    if (now >= pace_since_ + 1) {
        pace_ = pace_time_ / (now - pace_since_);
        pace_time_ = 0;
        pace_since_ = now;
    }
    if (status_due_ || now >= next_status_) {
        update.status =
            std::make_shared<const std::string>(player_->status(lateness_.lately(now), pace_));
        next_status_ = now + kStatusInterval;
        status_due_ = false;
    }
    // a late frame does not delay the next one, but the average rate is at most 60 per second
    if (frame_due_ && (now >= next_frame_ || update.scene)) {
        const auto bytes = player_->frame();
        update.frame = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
        next_frame_ = std::max(next_frame_ + kFrameInterval, now);
        frame_due_ = false;
        ++figures_.frames;
    }
    if (update.scene || update.status || update.frame) publisher_.publish(std::move(update));
}

}  // namespace taut::view
