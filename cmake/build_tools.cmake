# Tools around the compiler. Only the top-level project decides about them.
option(TAUT_TIDY "run clang-tidy on every source that is compiled" OFF)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(TAUT_CCACHE ccache)
    if(TAUT_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${TAUT_CCACHE})
    endif()
endif()

if(TAUT_TIDY)
    find_program(TAUT_CLANG_TIDY NAMES clang-tidy-14 clang-tidy REQUIRED)
    set(CMAKE_CXX_CLANG_TIDY ${TAUT_CLANG_TIDY} --quiet)
endif()

# The library is put together from object libraries, which know nothing of its kind.
if(BUILD_SHARED_LIBS)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
