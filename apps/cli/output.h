// The output of the program: one JSON object, or readable text.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <taut/scene.h>

#include "record/run_scene.h"

namespace taut::cli {

using Json = nlohmann::ordered_json;

// Reports bad input, on stdout as JSON or on stderr as text, and returns its exit code.
int fail(const std::string& message, bool json);

// Whether --json is among the arguments; used when the command line could not be parsed.
bool asks_for_json(int argc, char** argv);

// The report of a completed run. Numbers that are not finite become null.
Json run_json(const Scene& scene, const std::string& file, const RunReport& report);

// The same as readable text.
void print_run(const Scene& scene, const RunReport& report);

// A short form of a number: "1/60" if it is the reciprocal of an integer, otherwise up to six digits.
std::string plain(Real value);

}  // namespace taut::cli
