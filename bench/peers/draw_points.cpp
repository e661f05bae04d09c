// peer_points FILE.svg: draws the chart that it reads as JSON from standard input, for tools/bench_peers.
//     {title, subtitle, x: {label, low, high, limit, limit_label}, y: {…}, names: […], caption: […],
//      panels: [{title, points: [null | {x, y, x_largest, y_largest, hollow, variant: null | {x, y}}…]}…]}       both
//      axes are logarithmic
#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "plot/point_chart.h"

namespace {

using namespace taut::plot;

Axis axis(const nlohmann::json& in)
{
    return {in.at("low"), in.at("high"), Scaling::Log, in.at("label")};
}

PointPanel panel(const nlohmann::json& in)
{
    PointPanel out;
    out.title = in.at("title");
    for (const auto& point : in.at("points")) {
        auto& place = out.points.emplace_back();
        if (point.is_null()) continue;
        place = ChartPoint{{point.at("x"), point.at("y")},
                           {point.at("x_largest"), point.at("y_largest")},
                           point.at("hollow"),
                           {}};
        if (const auto& variant = point.at("variant"); !variant.is_null())
            place->variant = Point{variant.at("x"), variant.at("y")};
    }
    return out;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: peer_points FILE.svg < figure.json\n", stderr);
        return 2;
    }
    try {
        const auto in = nlohmann::json::parse(std::cin);
        PointFigure figure;
        figure.title = in.at("title");
        figure.subtitle = in.at("subtitle");
        figure.x = axis(in.at("x"));
        figure.y = axis(in.at("y"));
        figure.x_limit = in.at("x").at("limit");
        figure.x_limit_label = in.at("x").at("limit_label");
        figure.y_limit = in.at("y").at("limit");
        figure.y_limit_label = in.at("y").at("limit_label");
        figure.names = in.at("names");
        figure.caption = in.at("caption");
        for (const auto& each : in.at("panels")) figure.panels.push_back(panel(each));
        if (const taut::Status drawn = write_svg(point_picture(figure), argv[1]); !drawn.ok()) {
            std::fprintf(stderr, "peer_points: %s\n", drawn.error().message.c_str());
            return 1;
        }
    } catch (const std::exception& trouble) {
        std::fprintf(stderr, "peer_points: %s\n", trouble.what());
        return 1;
    }
    return 0;
}
