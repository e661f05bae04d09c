// Reads the parts of a binary glTF file that the tests need.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <taut/types.h>

namespace taut::test {

class GlbFile {
public:
    explicit GlbFile(const std::string& bytes)
    {
        EXPECT_EQ(bytes.substr(0, 4), "glTF");
        EXPECT_EQ(number(bytes, 4), 2u);
        EXPECT_EQ(number(bytes, 8), bytes.size());
        const std::uint32_t length = number(bytes, 12);
        EXPECT_EQ(bytes.substr(16, 4), "JSON");
        EXPECT_EQ(length % 4, 0u);
        json = nlohmann::json::parse(bytes.substr(20, length), nullptr, false);
        EXPECT_FALSE(json.is_discarded());
        if (bytes.size() > 20 + length) {
            EXPECT_EQ(bytes.substr(24 + length, 4), std::string("BIN\0", 4));
            binary_ = bytes.substr(28 + length);
            EXPECT_EQ(number(bytes, 20 + length), binary_.size());
            EXPECT_EQ(binary_.size() % 4, 0u);
        }
    }

    // All values of an accessor of floats.
    std::vector<float> floats(int accessor) const
    {
        const auto& a = json["accessors"][accessor];
        EXPECT_EQ(a["componentType"], 5126);
        const std::size_t width = a["type"] == "VEC4"     ? 4
                                  : a["type"] == "VEC3"   ? 3
                                  : a["type"] == "SCALAR" ? 1
                                                          : 0;
        std::vector<float> out(a["count"].get<std::size_t>() * width);
        const auto& view = json["bufferViews"][a["bufferView"].get<int>()];
        const auto offset = view["byteOffset"].get<std::size_t>();
        EXPECT_EQ(offset % 4, 0u);
        EXPECT_EQ(view["byteLength"].get<std::size_t>(), out.size() * 4);
        EXPECT_LE(offset + out.size() * 4, binary_.size());
        if (offset + out.size() * 4 <= binary_.size())
            std::memcpy(out.data(), binary_.data() + offset, out.size() * 4);
        return out;
    }

    // Index of the node of this name; −1 if there is none.
    int node(const std::string& name) const
    {
        for (std::size_t i = 0; i < json["nodes"].size(); ++i)
            if (json["nodes"][i]["name"] == name) return static_cast<int>(i);
        return -1;
    }

    // Samples of a node's track ("translation", "rotation"); empty if it has none.
    std::vector<float> track(const std::string& name, const std::string& path) const
    {
        return floats_of(name, path, "output");
    }
    std::vector<float> times(const std::string& name) const
    {
        return floats_of(name, "translation", "input");
    }

    nlohmann::json json;

private:
    static std::uint32_t number(const std::string& bytes, std::size_t at)
    {
        std::uint32_t value = 0;
        if (at + 4 <= bytes.size()) std::memcpy(&value, bytes.data() + at, 4);
        return value;
    }

    std::vector<float> floats_of(const std::string& name, const std::string& path,
                                 const char* end) const
    {
        if (!json.contains("animations")) return {};
        const auto& animation = json["animations"][0];
        for (const auto& channel : animation["channels"])
            if (channel["target"]["node"] == node(name) && channel["target"]["path"] == path)
                return floats(animation["samplers"][channel["sampler"].get<int>()][end]);
        return {};
    }

    std::string binary_;
};

}  // namespace taut::test
