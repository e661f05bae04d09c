#include "output.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "commands.h"
#include "stream/option_json.h"

namespace taut::cli {

int fail(const std::string& message, bool json)
{
    if (json)
        std::cout << Json{{"status", "error"}, {"message", message}}.dump(
                         2, ' ', false, Json::error_handler_t::replace)
                  << "\n";
    else
        std::cerr << "taut: " << message << "\n";
    return kBadInput;
}

bool asks_for_json(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "--json") == 0) return true;
    return false;
}

std::string plain(Real value)
{
    // time steps are usually 1/n
    const Real inverse = 1 / value;
    if (value > 0 && value < 1 && std::abs(inverse - std::round(inverse)) < 1e-9 * inverse &&
        inverse < 1e5 && std::round(value * 1e4) != value * 1e4)
        return "1/" + std::to_string(std::llround(inverse));
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

namespace {

// Names the part of the scene that the share of numerical dissipation is of, where there are several.
std::string of_part(const RunSummary& s)
{
    return s.numerical_dissipation_body.empty()
               ? ""
               : " by what '" + s.numerical_dissipation_body + "' is connected with";
}

// What is to be said of a run whose energy the time integration did not leave alone, however it ended; empty: nothing.
std::string energy_warning(const RunSummary& s)
{
    const Real share = s.numerical_dissipation_relative;
    if (!(std::abs(share) > kMostNumericalDissipation)) return "";
    char text[80];
    std::snprintf(text, sizeof text, "the time integration %s %.3g %% of the energy throughput",
                  share > 0 ? "took" : "added", 100 * std::abs(share));
    return text + of_part(s) + "; take a shorter time step or another scheme";
}

}  // namespace

Json run_json(const Scene& scene, const std::string& file, const RunReport& report)
{
    const RunSummary& s = report.summary;
    Json json = {
        {"status", verdict_name(s)},
        {"message", s.reason},
        {"scene", scene.name},
        {"title", scene.title},
        {"file", file},
        {"steps", s.steps},
        {"simulated_seconds", s.simulated_seconds},
        {"wall_seconds", s.wall_seconds},
        {"realtime_factor", s.realtime_factor},
        {"solves_mean", s.solves_mean},
        {"solves_max", s.solves_max},
        {"midpoint_steps", s.midpoint_steps},
        {"hard_steps", s.hard_steps},
        {"halvings", s.halvings},
        {"unsettled_steps", s.unsettled_steps},
        {"unsettled_reason", s.unsettled_reason},
        {"unsettled_time", s.unsettled_time},
        {"unsettled_stretch", s.unsettled_stretch},
        {"hardest_reason", s.hardest_reason},
        {"hardest_body", s.hardest_body},
        {"hardest_time", s.hardest_time},
        {"residual_max", s.residual_max},
        {"refinements", s.refinements},
        {"wrong_inertia_steps", s.wrong_inertia_steps},
        {"joint_gap_max", s.joint_gap_max},
        {"joint_gap_max_relative", s.joint_gap_max_relative},
        {"angular_gap_max", s.angular_gap_max},
        {"contacts_max", s.contacts_max},
        {"penetration_max", s.penetration_max},
        {"energy_start", s.energy_start},
        {"energy_end", s.energy_end},
        {"work", s.work_end},
        {"kinetic_max", s.kinetic_max},
        {"energy_rise_max_relative", s.energy_rise_max_relative},
        {"energy_kept", s.energy_kept},
        {"dissipation",
         {{"damping", s.dissipation.damping},
          {"friction", s.dissipation.friction},
          {"impacts", s.dissipation.impacts},
          {"numerical", s.dissipation.numerical}}},
        {"energy_throughput", s.energy_throughput},
        {"numerical_dissipation_relative", s.numerical_dissipation_relative},
        {"numerical_dissipation_body", s.numerical_dissipation_body},
        {"energy_warning", energy_warning(s)},
        {"state_hash", s.state_hash},
    };
    for (const StepOption& option : kStepOptions)
        if (option.places & kInSummary)
            json[std::string(option.name)] = option_json(s.settings, option);
    json.update({
        {"bodies", scene.world.body_count()},
        {"joints", scene.world.joint_count()},
        {"rows", scene.world.row_count()},
    });
    json["parameters"] = Json::object();
    for (const SceneParameter& p : scene.parameters) json["parameters"][p.name] = p.value;
    json["broken_joints"] = Json::array();
    for (const BreakEvent& event : s.breaks)
        json["broken_joints"].push_back({{"joint", event.joint}, {"time", event.time}});
    json["expectations"] = Json::array();
    for (const ExpectationResult& e : report.expectations)
        json["expectations"].push_back({{"reading", e.expected.reading},
                                        {"unit", e.unit},
                                        {"value", e.value},
                                        {"lowest", e.expected.lowest},
                                        {"highest", e.expected.highest},
                                        {"met", e.met},
                                        {"judged", e.judged},
                                        {"where", e.expected.where}});
    json["controls"] = Json::object();
    for (const ControlInfo& c : scene.controls.list())
        json["controls"][c.name] = scene.controls.wanted(c.name);
    json["stopped"] = report.stopped;
    json["controls_warning"] = report.controls_warning;
    json["warnings"] = scene.warnings;
    return json;
}

namespace {

std::string digits(const char* format, Real value)
{
    char text[40];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string bounds(const Expectation& expected)
{
    const bool below = std::isfinite(expected.highest), above = std::isfinite(expected.lowest);
    if (below && above)
        return digits("%.8g", (expected.lowest + expected.highest) / 2) + " ± " +
               digits("%.2g", (expected.highest - expected.lowest) / 2);
    if (above) return "at least " + digits("%.8g", expected.lowest);
    return "at most " + digits("%.8g", expected.highest);
}

void print_expectation(const ExpectationResult& e)
{
    const std::string unit = e.unit == "-" ? "" : " " + e.unit;
    const char* const mark = !e.judged ? "·" : e.met ? "✓" : "✗";
    std::printf("  %s %s = %.8g%s   (%s%s)\n", mark, e.expected.reading.c_str(), e.value,
                unit.c_str(), bounds(e.expected).c_str(),
                e.judged ? "" : " at the end of the scene's duration; not checked");
}

// Only the first few: later breaks are usually consequences of the first.
void print_breaks(const RunSummary& s)
{
    constexpr std::size_t kFew = 5;
    if (s.breaks.empty()) return;
    std::printf("  broken    ");
    for (std::size_t i = 0; i < s.breaks.size() && i < kFew; ++i)
        std::printf("%s%s at %.6g s", i ? ", " : "", s.breaks[i].joint.c_str(), s.breaks[i].time);
    if (s.breaks.size() > kFew) std::printf(", and %zu more", s.breaks.size() - kFew);
    std::printf("\n");
}

void print_dissipation(const RunSummary& s)
{
    const Dissipation& d = s.dissipation;
    if (d.damping != 0 || d.friction != 0 || d.impacts != 0)
        std::printf("            damping took %.6g J, friction %.6g J, impacts %.6g J\n", d.damping,
                    d.friction, d.impacts);
    const std::string part = of_part(s);
    std::printf(
        "            numerical dissipation: %.3g %% of the energy throughput%s (%.3g J of %.6g "
        "J)\n",
        100 * s.numerical_dissipation_relative, part.c_str(), s.numerical_dissipation_of_part,
        s.energy_throughput_of_part);
}

}  // namespace

void print_run(const Scene& scene, const RunReport& report)
{
    const RunSummary& s = report.summary;
    const auto text = [&](const char* name) {
        return option_text(s.settings, *find_step_option(name));
    };
    std::printf("%s%s%s\n", scene.name.c_str(), scene.title.empty() ? "" : ": ",
                scene.title.c_str());
    if (!scene.warnings.empty())
        std::printf("  warnings  %zu; 'taut check' shows them\n", scene.warnings.size());
    std::printf("  model     %d bodies, %d joints, %d constraint rows\n", scene.world.body_count(),
                scene.world.joint_count(), scene.world.row_count());
    std::printf("  method    %s, %s stabilisation, %s solver, time step %s s\n",
                text("scheme").c_str(), text("stabilisation").c_str(), text("solver").c_str(),
                plain(s.settings.dt).c_str());
    std::printf("  time      %.6g s simulated in %.3g s (%.3g x real time), %llu steps\n",
                s.simulated_seconds, s.wall_seconds, s.realtime_factor,
                static_cast<unsigned long long>(s.steps));
    std::printf("  solves    %.3g linear solves per step (at most %d)", s.solves_mean,
                s.solves_max);
    if (s.residual_max >= 0) std::printf(", relative residual up to %.1e", s.residual_max);
    std::printf("\n");
    if (s.midpoint_steps > 0)
        std::printf("            midpoint in %llu of %llu steps\n",
                    static_cast<unsigned long long>(s.midpoint_steps),
                    static_cast<unsigned long long>(s.steps));
    if (s.hard_steps > 0)
        std::printf(
            "            %llu steps were retried or not settled; the hardest at %.6g s%s%s: %s\n",
            static_cast<unsigned long long>(s.hard_steps), s.hardest_time,
            s.hardest_body.empty() ? "" : ", body ", s.hardest_body.c_str(),
            s.hardest_reason.c_str());
    if (s.unsettled_steps > 0)
        std::printf("            %llu steps were not settled; the first at %.6g s: %s\n",
                    static_cast<unsigned long long>(s.unsettled_steps), s.unsettled_time,
                    s.unsettled_reason.c_str());
    if (s.wrong_inertia_steps > 0)
        std::printf("            wrong number of negative pivots in %llu steps\n",
                    static_cast<unsigned long long>(s.wrong_inertia_steps));
    std::printf("  joints    gap up to %.2e m (%.1e of the scene's size), %.2e rad\n",
                s.joint_gap_max, s.joint_gap_max_relative, s.angular_gap_max);
    print_breaks(s);
    if (s.contacts_max > 0)
        std::printf("  contacts  up to %d points at once, penetration up to %.2e m\n",
                    s.contacts_max, s.penetration_max);
    std::printf("  energy    %.6g J at the start, %.6g J at the end, work done %.6g J\n",
                s.energy_start, s.energy_end, s.work_end);
    std::printf("            kinetic up to %.6g J; largest spurious gain: %.2e of that\n",
                s.kinetic_max, s.energy_rise_max_relative);
    print_dissipation(s);
    std::printf("  state     %s\n", s.state_hash.c_str());
    for (const ExpectationResult& e : report.expectations) print_expectation(e);
    const std::string warning = energy_warning(s);
    if (!warning.empty()) std::printf("warning: %s\n", warning.c_str());
    if (!report.controls_warning.empty())
        std::printf("warning: %s\n", report.controls_warning.c_str());
    if (!report.stopped.empty())
        std::printf("stopped after %.6g s: %s\n", s.simulated_seconds, report.stopped.c_str());
    if (s.status != RunStatus::Ok)
        std::printf("%s after %.6g s: %s\n", std::string(status_name(s.status)).c_str(),
                    s.simulated_seconds, s.reason.c_str());
    else if (warning.empty())
        std::printf("ok\n");
}

}  // namespace taut::cli
