# Tests of the scene reader: sections, bad scenes, schema.
taut_test_folder(scene taut_scene_library taut)
target_compile_definitions(test_scene PRIVATE
    TAUT_TEST_SCENE_DATA="${CMAKE_CURRENT_SOURCE_DIR}/scene/data"
    TAUT_BAD_SCENES="${CMAKE_CURRENT_SOURCE_DIR}/bad_scenes"
    TAUT_SCENE_FORMAT="${PROJECT_SOURCE_DIR}/docs/scene-format.md"
    TAUT_SCENE_SCHEMA="${PROJECT_SOURCE_DIR}/schema/taut-scene.schema.json")

# Needs python3-jsonschema and python3-yaml.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME scenes_follow_the_schema COMMAND ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_SOURCE_DIR}/scene/validate_scenes.py
    ${PROJECT_SOURCE_DIR}/schema/taut-scene.schema.json
    ${PROJECT_SOURCE_DIR}/scenes ${CMAKE_CURRENT_SOURCE_DIR}/scene/data)
