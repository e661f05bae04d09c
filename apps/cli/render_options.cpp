#include "render_options.h"

#include <sstream>

#include "output.h"

namespace taut::cli {

namespace {

Result<PictureSize> parse_size(const std::string& text)
{
    constexpr int kLeast = 16, kMost = 8192;
    const auto cross = text.find('x');
    const auto side = [](const std::string& digits) {
        const bool whole = !digits.empty() && digits.size() <= 5 &&
                           digits.find_first_not_of("0123456789") == std::string::npos;
        return whole ? std::stoi(digits) : 0;
    };
    if (cross != std::string::npos) {
        const PictureSize size{side(text.substr(0, cross)), side(text.substr(cross + 1))};
        if (size.width >= kLeast && size.width <= kMost && size.height >= kLeast &&
            size.height <= kMost)
            return size;
    }
    return Error{
        "--size must be WIDTHxHEIGHT in pixels, each from 16 to 8192, such as 1280x720, not '" +
        text + "'"};
}

Result<std::vector<Real>> parse_list(const std::string& option, const std::string& text)
{
    std::vector<Real> numbers;
    std::istringstream in(text);
    for (std::string item; std::getline(in, item, ',');) {
        const auto number = parse_number(option, item);
        if (!number.ok()) return number.error();
        numbers.push_back(*number);
    }
    return numbers;
}

Result<View> parse_view(const std::string& text)
{
    const Error wrong{"--camera must be position/target in metres, such as 3,-8,4/0,0,2, not '" +
                      text + "'"};
    const auto slash = text.find('/');
    if (slash == std::string::npos) return wrong;
    const auto eye = parse_list("--camera", text.substr(0, slash));
    const auto target = parse_list("--camera", text.substr(slash + 1));
    if (!eye.ok() || !target.ok() || eye->size() != 3 || target->size() != 3) return wrong;
    const View view{{(*eye)[0], (*eye)[1], (*eye)[2]}, {(*target)[0], (*target)[1], (*target)[2]}};
    if ((view.eye - view.target).norm() == 0)
        return Error{"--camera must have a position different from its target, not '" + text + "'"};
    return view;
}

Status check_goal(const RenderOptions& options)
{
    if (options.png.empty() == options.video.empty())
        return Error{"exactly one of --png DIR and --video FILE is required"};
    if (!options.video.empty() && !options.at.empty())
        return Error{"--at requires --png; a video shows the whole motion"};
    if (!options.at.empty() && !options.run.fps.empty())
        return Error{"--at (single images) and --fps (all images) exclude each other"};
    return Done{};
}

Status check_times(const std::vector<Real>& times, Real end)
{
    for (const Real time : times)
        if (!(time >= 0 && time <= end + 1e-9))
            return Error{"--at " + plain(time) + " is outside the run, which lasts from 0 to " +
                         plain(end) + " s (--time)"};
    return Done{};
}

}  // namespace

void add_render_options(CLI::App& command, RenderOptions& options)
{
    const char* const pictures = "Pictures";
    command
        .add_option("--png", options.png,
                    "Folder for PNG images of the whole motion, or at the times of --at")
        ->type_name("DIR")
        ->group(pictures);
    command.add_option("--video", options.video, "Write a video of the whole motion (.mp4)")
        ->type_name("FILE")
        ->group(pictures);
    command.add_option("--at", options.at, "Times of single images in seconds: 0,1.5,4")
        ->type_name("T1,T2,…")
        ->group(pictures);
    command.add_option("--fps", options.run.fps, "Images per second of simulated time; default 30")
        ->type_name("N")
        ->group(pictures);
    command.add_option("--size", options.size, "Image size in pixels; default 1280x720")
        ->type_name("WxH")
        ->group(pictures);
    command
        .add_option("--camera", options.camera,
                    "Camera position and target in metres; default: a view that contains the whole "
                    "motion")
        ->type_name("X,Y,Z/X,Y,Z")
        ->group(pictures);
    command
        .add_flag("--panels", options.panels,
                  "Include the title, plots and colour scale of the viewer")
        ->group(pictures);
}

Result<RenderPlan> plan_rendering(const RenderOptions& options, Real end)
{
    constexpr Real kUsualRate = 30;
    RenderPlan plan;
    TAUT_TRY(check_goal(options));
    if (!options.at.empty()) {
        auto times = parse_list("--at", options.at);
        if (!times.ok()) return times.error();
        TAUT_TRY(check_times(*times, end));
        plan.times = std::move(*times);
    }
    plan.frames_per_second = kUsualRate;
    if (!options.run.fps.empty()) {
        const auto rate = parse_frame_rate(options.run.fps);
        if (!rate.ok()) return rate.error();
        plan.frames_per_second = *rate;
    }
    const auto size = parse_size(options.size);
    if (!size.ok()) return size.error();
    plan.size = *size;
    if (!options.camera.empty()) {
        const auto view = parse_view(options.camera);
        if (!view.ok()) return view.error();
        plan.view = *view;
    }
    return plan;
}

}  // namespace taut::cli
