// A player with a clock: steps in a thread of its own, each at its time, and tells an audience of it.
//
// Steps that come too late are caught up with as long as they are few; beyond that the simulation slows down
// and says so. Nothing that the audience does or fails to do delays a step.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "view/audience.h"
#include "view/player.h"

namespace taut::view {

// What a session was like.
struct SessionFigures {
    LatenessFigures lateness;      // of all steps
    std::uint64_t frames = 0;      // that were published
    Real simulated = 0, wall = 0;  // [s]; wall: while it played
    std::uint64_t slips = 0;       // times the schedule was given up because steps took too long
};

class Session {
public:
    Session(std::unique_ptr<Player> player, Audience& audience);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void start();
    void stop();  // waits for the step that is being taken

    // From any thread. A command that cannot be taken is refused through the audience.
    void submit(ClientId client, const std::string& name, Command command);
    // Who has gone holds nothing any more.
    void leave(ClientId client);

    // Once it has stopped.
    const Player& player() const noexcept { return *player_; }
    const SessionFigures& figures() const noexcept { return figures_; }

private:
    using Clock = std::chrono::steady_clock;
    struct Request {
        ClientId client;
        std::string name;
        std::optional<Command> command;  // none: the client has gone
    };

    void run();
    void handle(const Request& request);
    // What throws, out of memory, costs the command and not the program.
    template <class Work>
    void attempt(const Request* request, Work&& work);
    Real period() const;  // of a step, by the clock
    void step(Real now);
    void tell(Real now);
    Real next_deadline() const;
    Real now() const;

    std::unique_ptr<Player> player_;
    Audience& audience_;
    SessionFigures figures_;
    Lateness lateness_;
    Clock::time_point origin_;

    // schedule, in seconds since the origin
    Real due_ = 0;          // the next step
    Real next_frame_ = 0;   // none before
    Real next_status_ = 0;  // at the latest
    Real next_look_ = 0;    // at the scene's files
    bool played_ = false;   // in the last round
    Real last_round_ = 0;
    bool frame_due_ = true, status_due_ = true;
    std::uint32_t told_revision_ = 0;
    Real pace_ = 0, pace_since_ = 0, pace_time_ = 0;
    std::optional<ClientId> holder_;  // of the mouse spring

    std::mutex mutex_;  // of what follows
    std::condition_variable wake_;
    std::deque<Request> inbox_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace taut::view
