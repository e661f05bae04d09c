# Tests of readings, studies and pictures, of every shipped scene, and of the real program.
taut_test_folder(record taut_record taut)
taut_test_folder(scenes taut_record taut_scene_library taut)
target_compile_definitions(test_scenes PRIVATE TAUT_SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes")

taut_test_folder(study taut_study taut_record taut_scene_library taut)
target_compile_definitions(test_study PRIVATE TAUT_SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes")
taut_test_folder(plot taut_plot taut)

taut_test_folder(cli taut nlohmann_json::nlohmann_json)
target_compile_definitions(test_cli PRIVATE TAUT_PROGRAM="$<TARGET_FILE:taut_cli>")
add_dependencies(test_cli taut_cli)
