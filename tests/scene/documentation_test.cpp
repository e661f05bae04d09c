// The examples of docs/scene-format.md are valid scenes.
#include <fstream>

#include "reading.h"

namespace taut::test {
namespace {

std::vector<std::string> yaml_blocks(const std::string& file)
{
    std::ifstream in(file);
    std::vector<std::string> blocks;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        if (line == "```yaml") {
            blocks.emplace_back();
            inside = true;
        } else if (line == "```") {
            inside = false;
        } else if (inside) {
            blocks.back() += line + "\n";
        }
    }
    return blocks;
}

TEST(Documentation, ExamplesAreValidScenes)
{
    const auto blocks = yaml_blocks(TAUT_SCENE_FORMAT);
    ASSERT_EQ(blocks.size(), 5u);
    EXPECT_EQ(must_read(blocks[0]).world.body_count(), 11);
    EXPECT_EQ(must_read(blocks[1]).world.body_count(), 2);
    // the joints of the fourth example refer to the bodies of the one before
    EXPECT_EQ(must_read(blocks[2] + blocks[3]).world.joint_count(), 3);
    EXPECT_EQ(must_read(blocks[4]).controls.list().size(), 1u);
}

}  // namespace
}  // namespace taut::test
