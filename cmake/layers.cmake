# One target per folder of src/: taut_layer(NAME USES a b …) compiles src/NAME/**.cpp into the object
# library taut_NAME, which sees only the folders it names. tools/check_layers tells on includes that
# point elsewhere.
set(TAUT_LAYERS "" CACHE INTERNAL "")

function(taut_layer name)
    cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
    if(sources)
        add_library(taut_${name} OBJECT ${sources})
        target_link_libraries(taut_${name} PUBLIC taut_options)
        foreach(used ${ARG_USES})
            target_link_libraries(taut_${name} PUBLIC taut_${used})
        endforeach()
        set(TAUT_LAYERS ${TAUT_LAYERS} taut_${name} CACHE INTERNAL "")
    else()
        add_library(taut_${name} INTERFACE)
        target_link_libraries(taut_${name} INTERFACE taut_options)
        foreach(used ${ARG_USES})
            target_link_libraries(taut_${name} INTERFACE taut_${used})
        endforeach()
    endif()
endfunction()

# Folders that are built in their own way but are under the same rule: for tools/check_layers alone.
function(taut_layer_rule)
endfunction()
taut_layer_rule(scene USES core geometry collision readings control)
