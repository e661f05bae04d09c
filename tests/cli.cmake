# Tests of readings, studies and pictures, of every shipped scene, and of the real program.
taut_test_folder(record taut_record taut)
taut_test_folder(control taut_record taut_scene_library taut)
target_sources(test_control PRIVATE solver/counting_new.cpp)
target_compile_definitions(test_control PRIVATE TAUT_SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes")
taut_test_folder(stream taut_stream taut_record taut_scene_library taut)
target_compile_definitions(test_stream PRIVATE TAUT_SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes")
taut_test_folder(scenes taut_record taut_scene_library taut)
target_compile_definitions(test_scenes PRIVATE TAUT_SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes")

taut_test_folder(study taut_study taut_record taut_scene_library taut)
target_compile_definitions(test_study PRIVATE TAUT_SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes")
taut_test_folder(plot taut_plot taut)

taut_test_folder(cli taut nlohmann_json::nlohmann_json)
target_compile_definitions(test_cli PRIVATE TAUT_PROGRAM="$<TARGET_FILE:taut_cli>")
add_dependencies(test_cli taut_cli)

taut_test_folder(browser taut_browser taut)
taut_test_folder(exporters taut_browser taut_exporters taut_stream taut_record taut_scene_library taut nlohmann_json::nlohmann_json)
target_compile_definitions(test_exporters PRIVATE TAUT_PROGRAM="$<TARGET_FILE:taut_cli>")
add_dependencies(test_exporters taut_cli)
# Needs Node and npm, and a registry the first time; says so and is skipped where the programs are missing.
add_test(NAME gltf_files_are_valid COMMAND ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_SOURCE_DIR}/exporters/validate_gltf.py $<TARGET_FILE:taut_cli> ${CMAKE_CURRENT_BINARY_DIR}/gltf_validator)
set_tests_properties(gltf_files_are_valid PROPERTIES SKIP_RETURN_CODE 77)

if(TARGET taut_view)
    taut_test_folder(viewer taut_view taut_browser taut_page taut_stream taut_record taut_scene_library taut)
    target_compile_definitions(test_viewer PRIVATE TAUT_SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes")
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    add_test(NAME viewer_bears_every_client COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/soak_viewer
        --time 10 --growth 400 --program $<TARGET_FILE:taut_cli>)  # sanitizers keep what was freed for a while
endif()
