// What the tool prints: one JSON object for programs, or a page for people.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <taut/scene.h>

#include "record/run_scene.h"

namespace taut::cli {

using Json = nlohmann::ordered_json;

// Reports bad input, on stdout as JSON or on stderr as text, and returns the exit code for it.
int fail(const std::string& message, bool json);

// Whether --json stands on the line; asked where the line itself could not be parsed.
bool asks_for_json(int argc, char** argv);

// Everything about a finished run. Numbers that are not finite become null.
Json run_json(const Scene& scene, const std::string& file, const RunReport& report);

// The same for people.
void print_run(const Scene& scene, const RunReport& report);

// A number as people write it: 1/60 where it is that, else up to six digits.
std::string plain(Real value);

}  // namespace taut::cli
