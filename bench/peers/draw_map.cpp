// peer_map FILE.svg: draws the heat map that it reads as JSON from standard input, for tools/bench_peers.
//     {title, subtitle, x_label, y_label, x_values, y_values, scale, caption: [...], columns,
//      panels: [{title, cells: [{failed, value, text, note}…]}…]}       a value that is null: grey
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "plot/heat_map.h"

int main(int argc, char** argv)
{
    using namespace taut::plot;
    if (argc != 2) {
        std::fputs("usage: peer_map FILE.svg < figure.json\n", stderr);
        return 2;
    }
    try {
        const auto in = nlohmann::json::parse(std::cin);
        HeatFigure figure;
        figure.title = in.at("title");
        figure.subtitle = in.value("subtitle", "");
        figure.x_label = in.at("x_label");
        figure.y_label = in.at("y_label");
        figure.x_values = in.at("x_values");
        figure.y_values = in.at("y_values");
        figure.columns = in.value("columns", 4);
        figure.scale.label = in.at("scale");
        figure.failed_label = "unstable";
        figure.caption = in.value("caption", std::vector<std::string>());
        for (const auto& panel : in.at("panels")) {
            HeatPanel& out = figure.panels.emplace_back();
            out.title = panel.at("title");
            for (const auto& cell : panel.at("cells"))
                out.cells.push_back({cell.value("failed", false),
                                     cell.at("value").is_null()
                                         ? std::numeric_limits<double>::quiet_NaN()
                                         : cell.at("value").get<double>(),
                                     cell.value("text", ""), cell.value("note", "")});
        }
        if (const taut::Status drawn = write_svg(heat_picture(figure), argv[1]); !drawn.ok()) {
            std::fprintf(stderr, "peer_map: %s\n", drawn.error().message.c_str());
            return 1;
        }
    } catch (const std::exception& trouble) {
        std::fprintf(stderr, "peer_map: %s\n", trouble.what());
        return 1;
    }
    return 0;
}
