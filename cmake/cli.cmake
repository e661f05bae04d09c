# The command line tool `taut`, and what it shares with tests: readings, the run loop, studies of many
# runs, and pictures of them. Pictures are the only part that needs cairo.
if(NOT TARGET taut_scene_library)
    message(STATUS "taut: no scene reader (TAUT_SCENE), so no command line tool")
    return()
endif()
find_package(CLI11 REQUIRED)
find_package(nlohmann_json 3.7 REQUIRED)
find_package(Threads REQUIRED)  # of the program itself: studies run side by side

find_path(TAUT_CAIRO_INCLUDE cairo/cairo-svg.h)
find_library(TAUT_CAIRO_LIBRARY cairo)
if(NOT TAUT_CAIRO_INCLUDE OR NOT TAUT_CAIRO_LIBRARY)
    message(FATAL_ERROR "taut: the command line tool draws with cairo, which was not found (Debian: "
        "libcairo2-dev); -DTAUT_CLI=OFF builds the libraries without it")
endif()

taut_layer(record USES core readings)
taut_layer(stream USES core record)
target_link_libraries(taut_stream PUBLIC nlohmann_json::nlohmann_json)
taut_layer(study USES core record)
target_link_libraries(taut_study PUBLIC Threads::Threads)
taut_layer(plot USES core)
target_include_directories(taut_plot SYSTEM PRIVATE ${TAUT_CAIRO_INCLUDE})
target_link_libraries(taut_plot PUBLIC ${TAUT_CAIRO_LIBRARY})
taut_layer(exporters USES core record stream)
target_link_libraries(taut_exporters PUBLIC nlohmann_json::nlohmann_json)
taut_layer(browser USES core)
target_link_libraries(taut_browser PUBLIC nlohmann_json::nlohmann_json)

include(viewer)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/cli/*.cpp)
if(NOT TAUT_HAS_VIEWER)
    list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/apps/cli/view_scene.cpp)
endif()
add_executable(taut_cli ${sources})
set_target_properties(taut_cli PROPERTIES OUTPUT_NAME taut RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_compile_definitions(taut_cli PRIVATE
    TAUT_SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes"
    TAUT_INSTALLED_SCENES="${CMAKE_INSTALL_FULL_DATADIR}/taut/scenes")
if(TAUT_HAS_VIEWER)
    target_compile_definitions(taut_cli PRIVATE TAUT_HAS_VIEWER)
    target_link_libraries(taut_cli PRIVATE taut_view)
endif()
target_link_libraries(taut_cli PRIVATE taut_page taut_browser taut_exporters taut_stream taut_study taut_plot taut_record
    taut_scene_library taut taut_options
    CLI11::CLI11 nlohmann_json::nlohmann_json)
