# What an installed tree holds and how other projects find it:
#     find_package(taut CONFIG)                    → taut::taut, needs Eigen and (TAUT_THREADS) threads
#     find_package(taut CONFIG COMPONENTS scene)   → taut::scene as well, needs yaml-cpp
#     pkg-config taut, pkg-config taut-scene
# Warnings and other settings of our own build stay here: the exported targets carry an include
# folder, C++20 and the packages they need. The tree may be moved after it was installed.
include(CMakePackageConfigHelpers)

function(taut_export target name)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_features(${target} PUBLIC cxx_std_20)
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    install(TARGETS ${target} EXPORT taut-${name}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(EXPORT taut-${name} NAMESPACE taut:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/taut)
endfunction()

function(taut_pkg_config template)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${template}.pc.in
        ${PROJECT_BINARY_DIR}/${template}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${template}.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# --- libraries ---
# How a pkg-config file finds its own prefix, wherever the tree is put.
file(RELATIVE_PATH TAUT_PC_TO_PREFIX
    /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
target_link_libraries(taut PUBLIC Eigen3::Eigen)
if(TAUT_THREADS)
    target_link_libraries(taut PUBLIC Threads::Threads)
endif()
taut_export(taut taut)
taut_pkg_config(taut)
if(TARGET taut_scene_library)
    target_link_libraries(taut_scene_library PUBLIC taut)
    taut_export(taut_scene_library scene)
    taut_pkg_config(taut-scene)
endif()

# --- how find_package sees them ---
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/taut-config.cmake.in
    ${PROJECT_BINARY_DIR}/taut-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/taut)
# Before 1.0 a minor version may break what the one before promised.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/taut-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taut-config.cmake ${PROJECT_BINARY_DIR}/taut-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/taut)

# --- headers, program, scenes ---
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/taut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET taut_cli)
    install(TARGETS taut_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes ${PROJECT_SOURCE_DIR}/schema
    DESTINATION ${CMAKE_INSTALL_DATADIR}/taut)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
