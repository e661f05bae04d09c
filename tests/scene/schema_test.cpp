#include <fstream>

#include "reading.h"

namespace taut::test {
namespace {

TEST(Schema, TheCommittedFileIsTheGeneratedOne)
{
    std::ifstream in(TAUT_SCENE_SCHEMA);
    const std::string committed{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(committed, scene_schema())
        << "regenerate it: taut schema > schema/taut-scene.schema.json";
}

}  // namespace
}  // namespace taut::test
