# The command line tool `taut`, and what it shares with the scene tests: readings and the run loop.
if(NOT TARGET taut_scene_library)
    message(STATUS "taut: no scene reader (TAUT_SCENE), so no command line tool")
    return()
endif()
find_package(CLI11 REQUIRED)
find_package(nlohmann_json 3.7 REQUIRED)

taut_layer(record USES core)

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/cli/*.cpp)
add_executable(taut_cli ${sources})
set_target_properties(taut_cli PROPERTIES OUTPUT_NAME taut RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_compile_definitions(taut_cli PRIVATE
    TAUT_SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes"
    TAUT_INSTALLED_SCENES="${CMAKE_INSTALL_FULL_DATADIR}/taut/scenes")
target_link_libraries(taut_cli PRIVATE taut_record taut_scene_library taut taut_options
    CLI11::CLI11 nlohmann_json::nlohmann_json)
