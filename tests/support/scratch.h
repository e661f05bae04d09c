// A folder of its own for a test, gone when the test is over.
#pragma once

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace taut::test {

class Scratch {
public:
    Scratch()
    {
        static int count = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("taut_test_" + std::to_string(getpid()) + "_" + std::to_string(++count));
        std::filesystem::create_directories(path_);
    }
    ~Scratch() { std::filesystem::remove_all(path_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

    // `later` seconds after now, as the file system has it: so that a change is one on coarse clocks, too.
    std::string write(const std::string& name, const std::string& text, int later = 0) const
    {
        namespace fs = std::filesystem;
        std::ofstream(path_ / name, std::ios::binary) << text;
        if (later != 0)
            fs::last_write_time(path_ / name,
                                fs::file_time_type::clock::now() + std::chrono::seconds(later));
        return (path_ / name).string();
    }

private:
    std::filesystem::path path_;
};

}  // namespace taut::test
