// taut render: runs a scene and renders images or a video of it without a display.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "browser/video.h"
#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "progress_bar.h"
#include "render_studio.h"
#include "run_command.h"
#include "run_exports.h"
#include "scene_finder.h"
#include "stream/description.h"
#include "viewer_page.h"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;

struct RenderedPicture {
    std::string path;
    Real time;
    std::size_t bytes;
};

// One invocation of the command, from the scene to the image files.
class Rendering {
public:
    Rendering(const RenderOptions& options, const std::string& file)
        : options_(options), file_(file)
    {}

    int run()
    {
        const auto done = work();
        if (!done.ok()) {
            const int code = fail(done.error().message, options_.run.json);
            return interrupted() ? kCheckFailed : code;
        }
        report();
        const bool complete = summary_.status == RunStatus::ExpectationFailed ||
                              summary_.status == RunStatus::Unsettled;
        return complete ? kOk : exit_code(summary_.status);
    }

private:
    Status work()
    {
        auto scene = load_with_options(file_, options_.run);
        if (!scene.ok()) return scene.error();
        auto plan = plan_rendering(options_, planned_end(*scene));
        if (!plan.ok()) return plan.error();
        plan_ = std::move(*plan);
        scene_name_ = scene->name;
        const auto page = viewer_page();
        if (!page.ok()) return page.error();
        TAUT_TRY(Browser::available());
        if (!options_.video.empty()) TAUT_TRY(Video::available());
        TAUT_TRY(open_goal());

        auto folder = TempFolder::make();
        if (!folder.ok()) return folder.error();
        const fs::path replay = folder->path() / "replay.html";
        catch_interrupts();
        TAUT_TRY(record(*scene, *page, replay));
        if (interrupted()) return Error{"interrupted"};
        auto studio = RenderStudio::open(replay, plan_, options_.panels);
        if (!studio.ok()) return studio.error();
        return options_.video.empty() ? take_pictures(*studio) : film(*studio);
    }

    Status open_goal()
    {
        if (!options_.video.empty()) {
            auto file = FileWriter::open(options_.video);
            if (!file.ok()) return Error{"--video: " + file.error().message};
            video_.emplace(std::move(*file));
            return Done{};
        }
        std::error_code error;
        fs::create_directories(options_.png, error);
        if (error)
            return Error{"cannot create the folder '" + options_.png + "': " + error.message()};
        return Done{};
    }

    // Records the run as a replay: frames for smooth plots, and one at each requested image time.
    Status record(Scene& scene, const ViewerPage& page, const fs::path& file)
    {
        auto replay = Replay::open(scene, {.path = file.string(),
                                           .page = page,
                                           .scene_file = file_,
                                           .plots = recorded_plots(scene)});
        if (!replay.ok()) return replay.error();
        const Real start = scene.world.time();
        FrameClock clock(std::max<Real>(60, plan_.frames_per_second), planned_end(scene));

        ProgressBar bar(!options_.run.json);
        RunRequest request;
        request.judge_end = false;
        request.watch = [&](const Moment& moment) {
            const Real now = moment.world.time();
            if (clock.wants(moment) || wanted_at(now - start, scene.settings.dt))
                replay->add(moment);
        };
        request.progress = [&](std::uint64_t done, std::uint64_t planned) {
            bar.show(done, planned);
            return !interrupted();
        };
        auto report = run_scene(scene, request);
        if (!report.ok()) return report.error();
        summary_ = report->summary;
        start_ = start;
        end_ = scene.world.time();
        return replay->finish(summary_.status == RunStatus::Diverged ? summary_.reason : "");
    }

    // Whether an image was requested within half a step of this time.
    bool wanted_at(Real time, Real dt) const
    {
        for (const Real wanted : plan_.times)
            if (std::abs(wanted - time) <= dt / 2) return true;
        return false;
    }

    std::vector<Real> times() const
    {
        constexpr Real kSlack = 1e-6;
        std::vector<Real> all;
        if (plan_.single()) {
            for (const Real time : plan_.times)
                if (start_ + time <= end_ + kSlack) all.push_back(start_ + time);
            return all;
        }
        const auto last =
            static_cast<std::size_t>((end_ - start_) * plan_.frames_per_second + kSlack);
        for (std::size_t i = 0; i <= last; ++i)
            all.push_back(start_ + static_cast<Real>(i) / plan_.frames_per_second);
        return all;
    }

    Status take_pictures(RenderStudio& studio)
    {
        ProgressBar bar(!options_.run.json);
        const auto all = times();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (interrupted()) return Error{"interrupted"};
            const auto png = studio.picture(all[i], Packing::Tight);
            if (!png.ok()) return png.error();
            char name[40];
            if (plan_.single())
                std::snprintf(name, sizeof name, "at_%.6g.png", all[i] - start_);
            else
                std::snprintf(name, sizeof name, "%05zu.png", i);
            auto file = FileWriter::open((fs::path(options_.png) / name).string());
            if (!file.ok()) return file.error();
            TAUT_TRY(file->write(*png));
            TAUT_TRY(file->commit());
            pictures_.push_back({file->path(), all[i] - start_, file->size()});
            bar.show(i + 1, all.size());
        }
        return Done{};
    }

    Status film(RenderStudio& studio)
    {
        ProgressBar bar(!options_.run.json);
        auto video = Video::start(video_->draft(), plan_.frames_per_second);
        if (!video.ok()) return video.error();
        const auto all = times();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (interrupted()) return Error{"interrupted"};
            const auto png = studio.picture(all[i], Packing::Quick);
            if (!png.ok()) return png.error();
            TAUT_TRY(video->add(*png));
            bar.show(i + 1, all.size());
        }
        TAUT_TRY(video->finish());
        TAUT_TRY(video_->commit());
        frames_ = all.size();
        return Done{};
    }

    void report() const
    {
        const bool cut = summary_.status == RunStatus::Diverged;
        const std::string why =
            cut ? "diverged after " + plain(end_ - start_) + " s: " + summary_.reason : "";
        if (options_.run.json)
            std::cout << report_json(why).dump(2, ' ', false, Json::error_handler_t::replace)
                      << std::endl;
        else {
            for (const RenderedPicture& picture : pictures_)
                std::printf("%s: %s\n", picture.path.c_str(), size_text(picture.bytes).c_str());
            if (video_)
                std::printf("%s: %zu frames, %s\n", video_->path().c_str(), frames_,
                            size_text(fs::file_size(video_->path())).c_str());
            if (cut) std::printf("%s\n", why.c_str());
        }
    }

    Json report_json(const std::string& why) const
    {
        Json json = {{"status", why.empty() ? "ok" : "diverged"},
                     {"message", why},
                     {"scene", scene_name_},
                     {"file", file_},
                     {"simulated_seconds", end_ - start_}};
        if (video_) {
            json["video"] = {{"path", video_->path()},
                             {"frames", frames_},
                             {"bytes", fs::file_size(video_->path())}};
            return json;
        }
        json["pictures"] = Json::array();
        for (const RenderedPicture& picture : pictures_)
            json["pictures"].push_back(
                {{"path", picture.path}, {"time", picture.time}, {"bytes", picture.bytes}});
        return json;
    }

    const RenderOptions& options_;
    std::string file_;
    std::string scene_name_;
    RenderPlan plan_;
    RunSummary summary_;
    Real start_ = 0, end_ = 0;  // of the recorded motion [s]
    std::optional<FileWriter> video_;
    std::size_t frames_ = 0;
    std::vector<RenderedPicture> pictures_;
};

}  // namespace

void add_render_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<RenderOptions>();
    CLI::App* command =
        app.add_subcommand("render", "Run a scene and render images or a video of it");
    add_scene_option(*command, options->run.scene);
    add_render_options(*command, *options);
    add_time_option(*command, options->run.time);
    add_step_options(*command, options->run);
    add_control_option(*command, options->run.control);
    command->add_flag("--json", options->run.json, "Print the result as one JSON object on stdout");
    command->footer(
        "Requires Chromium, and ffmpeg for videos (Debian: chromium, ffmpeg); neither a display "
        "nor "
        "a GPU.\n"
        "The environment variables TAUT_CHROMIUM and TAUT_FFMPEG select other executables.\n"
        "\nExamples:\n"
        "  taut render crane --video crane.mp4\n"
        "  taut render dominoes --png pictures --at 0,0.5,1\n"
        "  taut render heavy_chain --set ratio=1e6 --png frames --fps 25 --size 640x360\n"
        "  taut render four_bar --png pictures --at 1 --camera 1,-3,1/0,0,0 --panels\n"
        "\nExit codes: 0 ok, 1 the run diverged or was interrupted, 2 bad usage, bad scene or "
        "missing program.");
    command->callback([options, &action] {
        action = [options] {
            const auto file = find_scene(options->run.scene);
            return file.ok() ? Rendering(*options, *file).run()
                             : fail(file.error().message, options->run.json);
        };
    });
}

}  // namespace taut::cli
