# The live viewer: its page, built by npm and embedded in the program, and the server that shows it.
#     TAUT_VIEWER   AUTO (with npm and Boost, in a build of our own), ON, OFF
#     TAUT_PAGE     a folder with a page that was built elsewhere (index.html, viewer.js, viewer.css): no npm then
set(TAUT_VIEWER AUTO CACHE STRING "the live viewer (needs npm and Boost's headers): AUTO, ON or OFF")
set_property(CACHE TAUT_VIEWER PROPERTY STRINGS AUTO ON OFF)
set(TAUT_PAGE "" CACHE PATH "a page of the viewer that was built elsewhere, instead of building it with npm")

# --- is everything there? ---
find_program(TAUT_NPM npm)
find_package(Boost 1.74 QUIET)
set(web ${PROJECT_SOURCE_DIR}/web)
set(missing)
if(NOT TAUT_PAGE AND NOT TAUT_NPM)
    list(APPEND missing "npm (Debian: nodejs npm)")
endif()
if(NOT Boost_FOUND)
    list(APPEND missing "Boost's headers (Debian: libboost-dev)")
endif()
if(NOT TAUT_PAGE AND NOT EXISTS ${web}/package-lock.json)
    list(APPEND missing "the page's sources (web/)")
endif()
list(JOIN missing ", " missing)

set(TAUT_HAS_VIEWER ON)
if(TAUT_VIEWER STREQUAL "AUTO")
    if(NOT PROJECT_IS_TOP_LEVEL)
        set(TAUT_HAS_VIEWER OFF)
    elseif(missing)
        set(TAUT_HAS_VIEWER OFF)
        message(STATUS "taut: without viewer, for want of ${missing}")
    endif()
elseif(NOT TAUT_VIEWER)
    set(TAUT_HAS_VIEWER OFF)
elseif(missing)
    message(FATAL_ERROR "taut: the viewer needs ${missing}; -DTAUT_VIEWER=OFF builds without it")
endif()

# --- the page ---
taut_layer(page)
if(TAUT_HAS_VIEWER)
    set(page ${TAUT_PAGE})
    if(NOT page)
        # built in a copy, so that the source tree stays as it is
        set(copy ${PROJECT_BINARY_DIR}/web)
        set(page ${copy}/dist)
        file(GLOB sources CONFIGURE_DEPENDS ${web}/src/* ${web}/test/* ${web}/*.json ${web}/*.mjs ${web}/.npmrc)
        set(packages ${web}/package.json ${web}/package-lock.json ${web}/.npmrc)
        add_custom_command(OUTPUT ${copy}/packages.stamp
            COMMAND ${CMAKE_COMMAND} -E make_directory ${copy}
            COMMAND ${CMAKE_COMMAND} -E copy ${packages} ${copy}
            COMMAND ${TAUT_NPM} ci --no-audit --no-fund --ignore-scripts
            COMMAND ${CMAKE_COMMAND} -E touch ${copy}/packages.stamp
            DEPENDS ${packages} WORKING_DIRECTORY ${copy} VERBATIM
            COMMENT "fetching what the viewer's page is made of (-DTAUT_VIEWER=OFF and -DTAUT_PAGE=FOLDER do without)")
        file(GLOB scripts CONFIGURE_DEPENDS ${web}/*.json ${web}/*.mjs)
        add_custom_command(OUTPUT ${page}/index.html ${page}/viewer.js ${page}/viewer.css
            COMMAND ${CMAKE_COMMAND} -E copy ${scripts} ${copy}
            COMMAND ${CMAKE_COMMAND} -E rm -rf ${copy}/src ${copy}/test
            COMMAND ${CMAKE_COMMAND} -E copy_directory ${web}/src ${copy}/src
            COMMAND ${CMAKE_COMMAND} -E copy_directory ${web}/test ${copy}/test
            COMMAND ${TAUT_NPM} run --silent build
            DEPENDS ${sources} ${copy}/packages.stamp WORKING_DIRECTORY ${copy} VERBATIM
            COMMENT "building the viewer's page")
    endif()
    target_compile_definitions(taut_page PRIVATE TAUT_PAGE_FOLDER="${page}")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/page/page_assets.cpp PROPERTIES
        OBJECT_DEPENDS "${page}/index.html;${page}/viewer.js;${page}/viewer.css"
        SKIP_UNITY_BUILD_INCLUSION ON)
endif()

# --- the session and its server ---
if(TAUT_HAS_VIEWER)
    taut_layer(view USES core record stream page browser)
    target_include_directories(taut_view SYSTEM PRIVATE ${Boost_INCLUDE_DIRS})
    target_link_libraries(taut_view PUBLIC Threads::Threads nlohmann_json::nlohmann_json)
    # Boost's headers are large and bring many names
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/view/server.cpp PROPERTIES
        SKIP_UNITY_BUILD_INCLUSION ON)
endif()
