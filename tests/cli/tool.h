// Runs the program and captures its output.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/scratch.h"

namespace taut::test {

struct Said {
    int code = -1;
    std::string out;
    std::string err;
};

inline std::string read_text(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// `arguments` are interpreted by the shell and must be quoted accordingly.
inline Said taut(const std::string& arguments, const std::string& environment = "")
{
    const Scratch scratch;
    const std::string err = (scratch / "stderr").string();
    const std::string line = environment + " " TAUT_PROGRAM " " + arguments + " 2>" + err;
    Said said;
    FILE* pipe = popen(line.c_str(), "r");
    if (!pipe) return said;
    std::array<char, 4096> buffer;
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
        said.out.append(buffer.data(), n);
    const int status = pclose(pipe);
    said.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    said.err = read_text(err);
    return said;
}

inline nlohmann::json parse(const Said& said)
{
    auto json = nlohmann::json::parse(said.out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << "stdout is not one JSON value:\n" << said.out;
    return json;
}

inline bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace taut::test
