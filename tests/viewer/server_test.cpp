// The server on the loopback interface, with correct and misbehaving clients.
#include "view/server.h"

#include <chrono>
#include <limits>

#include <gtest/gtest.h>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <nlohmann/json.hpp>

#include "stream/frame.h"
#include "support/mechanisms.h"
#include "view/session.h"

namespace taut::view {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using test::must;
using Json = nlohmann::json;

constexpr PageAsset kPage[] = {{"index.html", "text/html", "<p>page</p>"},
                               {"viewer.js", "text/javascript", "run()"}};

constexpr Real kNever = std::numeric_limits<Real>::infinity();

// A running session with its server.
struct Show {
    std::unique_ptr<Server> server = must(Server::open(0, kPage));
    Session session;

    explicit Show(const std::string& scene = "pendulum", Overrides overrides = {})
        : session(open(scene, std::move(overrides)), *server)
    {
        server->start({[this](ClientId client, const std::string& name, Command command) {
                           session.submit(client, name, std::move(command));
                       },
                       [this](ClientId client) { session.leave(client); }});
        session.start();
    }
    ~Show()
    {
        session.stop();
        server->stop();
    }

    static std::unique_ptr<Player> open(const std::string& scene, Overrides overrides)
    {
        PlayerOptions options;
        options.file = std::string(TAUT_SOURCE_SCENES) + "/" + scene + ".yaml";
        options.overrides = std::move(overrides);
        return must(Player::open(std::move(options)));
    }
    std::string host() const { return "127.0.0.1:" + std::to_string(server->port()); }
};

tcp::socket dial(net::io_context& io, const Show& show)
{
    tcp::socket socket(io);
    socket.connect({net::ip::address_v4::loopback(), show.server->port()});
    return socket;
}

http::response<http::string_body> get(const Show& show, const std::string& target,
                                      const std::string& host)
{
    net::io_context io;
    tcp::socket socket = dial(io, show);
    http::request<http::empty_body> request(http::verb::get, target, 11);
    request.set(http::field::host, host);
    http::write(socket, request);
    beast::flat_buffer buffer;
    http::response<http::string_body> response;
    http::read(socket, buffer, response);
    return response;
}

class Viewer {
public:
    explicit Viewer(const Show& show) : Viewer(show, show.server->token(), "http://" + show.host())
    {}
    Viewer(const Show& show, const std::string& token, const std::string& origin,
           const std::string& host = "")
        : socket_(dial(io_, show))
    {
        socket_.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
            if (!origin.empty()) request.set(http::field::origin, origin);
        }));
        socket_.handshake(host.empty() ? show.host() : host, "/stream?token=" + token, failure_);
    }

    bool taken() const { return !failure_; }
    bool declined() const { return failure_ == websocket::error::upgrade_declined; }
    void send(const std::string& text) { socket_.write(net::buffer(text), failure_); }
    void send_binary(const std::string& bytes)
    {
        socket_.binary(true);
        send(bytes);
    }

    // The next message of that type ("frame" for binary ones); empty after the connection was closed.
    std::string next(const std::string& type)
    {
        while (true) {
            buffer_.clear();
            socket_.read(buffer_, failure_);
            if (failure_) return "";
            const std::string text = beast::buffers_to_string(buffer_.data());
            if (socket_.got_binary()) {
                if (type == "frame") return text;
            } else if (Json::parse(text)["type"] == type) {
                return text;
            }
        }
    }
    Json next_json(const std::string& type)
    {
        const std::string text = next(type);
        return text.empty() ? Json() : Json::parse(text);
    }
    // Reads until the server closes the connection and returns the close code.
    unsigned closed_with()
    {
        next("never");
        return socket_.reason().code;
    }
    tcp::socket& raw() { return socket_.next_layer(); }

private:
    net::io_context io_;
    websocket::stream<tcp::socket> socket_;
    beast::flat_buffer buffer_;
    beast::error_code failure_;
};

// --- access control ---

TEST(Server, ServesThePageWithAValidTokenOnly)
{
    Show show;
    const auto page = get(show, "/?token=" + show.server->token(), show.host());
    EXPECT_EQ(page.result_int(), 200u);
    EXPECT_EQ(page.body(), "<p>page</p>");
    EXPECT_NE(page["Content-Security-Policy"].find("script-src 'self'"), beast::string_view::npos);
    EXPECT_EQ(get(show, "/viewer.js", show.host()).body(), "run()");

    EXPECT_EQ(get(show, "/", show.host()).result_int(), 403u);
    EXPECT_EQ(get(show, "/?token=0", show.host()).result_int(), 403u);
    EXPECT_EQ(get(show, "/../../etc/passwd", show.host()).result_int(), 404u);
    // another host name of this machine
    EXPECT_EQ(get(show, "/?token=" + show.server->token(), "evil.example").result_int(), 403u);
    EXPECT_EQ(get(show, "/viewer.js", "evil.example").result_int(), 403u);
}

TEST(Server, RequiresTokenOriginAndHostForTheStream)
{
    Show show;
    const std::string token = show.server->token(), own = "http://" + show.host();
    EXPECT_TRUE(Viewer(show, token, own).taken());
    EXPECT_TRUE(Viewer(show, token, "").taken()) << "clients without origin are accepted";
    EXPECT_TRUE(Viewer(show, "", own).declined());
    EXPECT_TRUE(Viewer(show, token.substr(1), own).declined());
    EXPECT_TRUE(Viewer(show, token, "http://evil.example").declined());
    EXPECT_TRUE(Viewer(show, token, "null").declined());
    EXPECT_TRUE(Viewer(show, token, "http://evil.example", "evil.example").declined());
}

TEST(Server, AcceptsAtMostSixteenClients)
{
    Show show;
    std::vector<std::unique_ptr<Viewer>> viewers;
    for (int i = 0; i < 16; ++i) {
        viewers.push_back(std::make_unique<Viewer>(show));
        EXPECT_TRUE(viewers.back()->taken());
    }
    EXPECT_TRUE(Viewer(show).declined());
    EXPECT_FALSE(viewers[0]->next("frame").empty());
}

TEST(Server, APortInUseIsAnError)
{
    Show show;
    const auto second = Server::open(show.server->port(), kPage);
    ASSERT_FALSE(second.ok());
    EXPECT_NE(second.error().message.find(std::to_string(show.server->port())), std::string::npos);
}

// --- messages ---

TEST(Server, SendsSceneThenStatusThenFrames)
{
    Show show;
    Viewer viewer(show);
    const Json scene = viewer.next_json("scene");
    EXPECT_EQ(scene["revision"], 1);
    EXPECT_EQ(scene["bodies"].size(), 2u);
    EXPECT_TRUE(viewer.next_json("status")["error"].is_null());
    const std::string bytes = viewer.next("frame");
    const Frame frame = must(decode_frame(std::as_bytes(std::span(bytes))));
    EXPECT_EQ(frame.bodies.size(), 2u);
    EXPECT_EQ(frame.revision, 1u);
}

TEST(Server, CommandsAreExecutedAndInvalidOnesRefused)
{
    Show show;
    Viewer viewer(show);
    viewer.send(R"({"command": "fly"})");
    EXPECT_EQ(viewer.next_json("refused")["command"], "fly");
    viewer.send(R"({"command": "speed", "value": 1e9})");
    EXPECT_EQ(viewer.next_json("refused")["command"], "speed");
    viewer.send(R"({"command": "pause"})");
    Json status;
    do status = viewer.next_json("status");
    while (!status.is_null() && !status["paused"].get<bool>());
    EXPECT_TRUE(status["paused"].get<bool>());
    viewer.send(R"({"command": "reset"})");
    EXPECT_EQ(viewer.next_json("scene")["revision"], 2);
}

TEST(Server, ADisconnectedClientReleasesItsSpring)
{
    Show show;
    Viewer watcher(show);
    const auto wait_for = [&](bool grabbed) {
        for (int i = 0; i < 20; ++i)
            if (watcher.next_json("status")["grabbed"].is_null() != grabbed) return true;
        return false;
    };
    {
        Viewer hand(show);
        hand.send(R"({"command": "grab", "body": 1, "point": [0, 0, 0], "target": [0, 0, 1]})");
        EXPECT_TRUE(wait_for(true));
        hand.raw().close();
    }
    EXPECT_TRUE(wait_for(false));
}

// --- misbehaving clients ---

TEST(Server, MalformedMessagesCloseTheConnectionOnly)
{
    Show show;
    Viewer good(show);
    {
        Viewer bad(show);
        bad.send("this is no JSON");
        EXPECT_EQ(bad.closed_with(), 1008u);
    }
    {
        Viewer bad(show);
        bad.send("[1, 2]");
        EXPECT_EQ(bad.closed_with(), 1008u);
    }
    {
        Viewer bad(show);
        bad.send_binary("{\"command\": \"play\"}");
        EXPECT_EQ(bad.closed_with(), 1008u);
    }
    {
        Viewer bad(show);
        bad.send(std::string(65 * 1024, ' '));
        EXPECT_EQ(bad.closed_with(), 1009u);
    }
    {
        // not a WebSocket frame
        Viewer bad(show);
        net::write(bad.raw(), net::buffer(std::string(4096, '\xff')));
        bad.closed_with();
    }
    {
        // not HTTP, and a header without an end
        net::io_context io;
        tcp::socket raw = dial(io, show), endless = dial(io, show);
        net::write(raw, net::buffer(std::string(100, '\0') + "\r\n\r\n"));
        beast::error_code failure;
        for (int i = 0; i < 1000 && !failure; ++i)
            net::write(endless, net::buffer(std::string(1024, 'x')), failure);
    }
    EXPECT_FALSE(good.next("frame").empty());
    EXPECT_TRUE(Viewer(show).taken());
}

// Fifteen clients do not read, although megabytes are sent to each, more than the system buffers. A server that waits for
// them would block.
TEST(Server, SlowClientsDelayNoStep)
{
    Show show("heavy_chain", {{"links", "200"}});
    std::vector<std::unique_ptr<Viewer>> sleepers;
    for (int i = 0; i < 15; ++i) sleepers.push_back(std::make_unique<Viewer>(show));
    Viewer awake(show);
    std::uint64_t first = 0, last = 0;
    const auto begin = std::chrono::steady_clock::now();
    int frames = 0;
    while (last < first + 200) {
        const std::string bytes = awake.next("frame");
        ASSERT_FALSE(bytes.empty());
        last = must(decode_frame(std::as_bytes(std::span(bytes)))).step;
        if (frames++ == 0) first = last;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LE(frames, 60 * took.count() + 10) << "at most 60 frames per second";
}

// A client that has not read for a while gets the few buffered frames and then the current one, not all skipped frames.
TEST(Server, ASlowClientGetsTheLatestFrame)
{
    Show show("net", {});
    Viewer slow(show);
    const auto time_of_next = [](Viewer& viewer) {
        const std::string bytes = viewer.next("frame");
        return bytes.empty() ? kNever : must(decode_frame(std::as_bytes(std::span(bytes)))).time;
    };
    const Real start = time_of_next(slow);
    Viewer awake(show);
    Real now = start;
    while (now < start + 4) ASSERT_LT(now = time_of_next(awake), kNever);
    Real time = 0;
    for (int i = 0; i < 40; ++i) time = time_of_next(slow);
    ASSERT_LT(time, kNever);
    EXPECT_GT(time, now - 1) << "of all that it missed it has had the first 40 frames";
}

}  // namespace
}  // namespace taut::view
