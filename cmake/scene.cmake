# Scene files: taut::scene, which reads YAML into a World. The only part that needs yaml-cpp.
find_package(yaml-cpp REQUIRED)

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/scene/*.cpp)
add_library(taut_scene_library ${sources})
add_library(taut::scene ALIAS taut_scene_library)
target_link_libraries(taut_scene_library PUBLIC taut PRIVATE $<BUILD_INTERFACE:taut_options> yaml-cpp)
set_target_properties(taut_scene_library PROPERTIES OUTPUT_NAME taut_scene)
