#include "exporters/replay.h"

#include <array>
#include <cstring>

#include <nlohmann/json.hpp>

#include "stream/description.h"

namespace taut::exporters {

namespace {

// Escapes JSON text so that it cannot end a script element or open a comment.
std::string harmless(std::string json)
{
    for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;)
        json.replace(at, 1, "\\u003c");
    return json;
}

// The page with inlined style, split before the script, where scene and frames are inserted.
struct CutPage {
    std::string head, tail;
};

Result<CutPage> cut(const ViewerPage& page)
{
    constexpr std::string_view kStyle = R"(<link rel="stylesheet" href="viewer.css">)";
    constexpr std::string_view kScript = R"(<script src="viewer.js" defer></script>)";
    std::string html(page.html);
    const std::size_t style = html.find(kStyle);
    if (style != std::string::npos)
        html.replace(style, kStyle.size(), "<style>" + std::string(page.style) + "</style>");
    const std::size_t script = html.find(kScript, style);
    if (style == std::string::npos || script == std::string::npos)
        return Error{"the page of the viewer has no style and script elements to be inlined"};
    return CutPage{html.substr(0, script), "<script>" + std::string(page.script) + "</script>" +
                                               html.substr(script + kScript.size())};
}

constexpr std::size_t kFlagsAt = 24;  // offset of the flags in a frame
constexpr std::byte kDivergedFlag{2};

}  // namespace

std::string Base64::add(std::span<const std::byte> bytes)
{
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
    const std::size_t whole = waiting_.size() / 3 * 3;
    std::string text;
    text.reserve(whole / 3 * 4);
    for (std::size_t i = 0; i < whole; i += 3) {
        const auto a = std::to_integer<unsigned>(waiting_[i]);
        const auto b = std::to_integer<unsigned>(waiting_[i + 1]);
        const auto c = std::to_integer<unsigned>(waiting_[i + 2]);
        text += kDigits[a >> 2];
        text += kDigits[(a & 3) << 4 | b >> 4];
        text += kDigits[(b & 15) << 2 | c >> 6];
        text += kDigits[c & 63];
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(whole));
    return text;
}

std::string Base64::finish()
{
    const std::size_t left = waiting_.size();
    if (left == 0) return {};
    const std::array<std::byte, 2> zeros{};
    std::string text = add(std::span(zeros).first(3 - left));
    for (std::size_t i = 0; i < 3 - left; ++i) text[3 - i] = '=';
    return text;
}

Result<Replay> Replay::open(const Scene& scene, const ReplayRequest& request)
{
    auto page = cut(request.page);
    if (!page.ok()) return page.error();
    auto encoder = FrameEncoder::make(scene, request.plots);
    if (!encoder.ok()) return encoder.error();
    auto file = FileWriter::open(request.path);
    if (!file.ok()) return file.error();

    DescriptionNote note;
    note.file = request.scene_file;
    note.plots = request.plots;
    TAUT_TRY(file->write(page->head));
    TAUT_TRY(file->write(R"(<script type="application/json" id="taut-scene">)"));
    TAUT_TRY(file->write(harmless(describe_scene(scene, note))));
    TAUT_TRY(file->write(R"(</script>
<script type="application/octet-stream" id="taut-frames">)"));
    return Replay(std::move(*file), std::move(*encoder), std::move(page->tail));
}

void Replay::write_last()
{
    if (last_.empty() || !status_.ok()) return;
    const auto length = static_cast<std::uint32_t>(last_.size());
    std::array<std::byte, 4> prefix;
    std::memcpy(prefix.data(), &length, 4);
    std::string text = base64_.add(prefix);
    text += base64_.add(last_);
    status_ = file_.write(text);
}

void Replay::add(const Moment& moment)
{
    write_last();
    const auto bytes = encoder_.encode(moment, {});
    last_.assign(bytes.begin(), bytes.end());
    last_.resize((last_.size() + 3) / 4 * 4);
    ++frames_;
}

Status Replay::finish(std::string_view failure)
{
    if (!failure.empty() && last_.size() > kFlagsAt) last_[kFlagsAt] |= kDivergedFlag;
    write_last();
    last_.clear();
    TAUT_TRY(status_);
    TAUT_TRY(file_.write(base64_.finish() + "</script>\n"));
    if (!failure.empty()) {
        const nlohmann::json end = {{"failure", failure}};
        TAUT_TRY(file_.write(
            R"(<script type="application/json" id="taut-end">)" +
            harmless(end.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) +
            "</script>\n"));
    }
    TAUT_TRY(file_.write(tail_));
    return file_.commit();
}

}  // namespace taut::exporters
