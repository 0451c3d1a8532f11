# Language level, warnings and instrumentation of everything that is built here. Nothing of this reaches a consumer.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(BYNAME_WARNINGS -Wall -Wextra $<$<BOOL:${BYNAME_WERROR}>:-Werror>)

# Also handed to the other compiler, whose commands CMake does not write (see BynameOtherCompiler.cmake).
set(BYNAME_SANITIZE_FLAGS "")
if(BYNAME_SANITIZE)
  list(JOIN BYNAME_SANITIZE "," sanitizers)
  set(BYNAME_SANITIZE_FLAGS -fsanitize=${sanitizers} -fno-omit-frame-pointer)
  if("undefined" IN_LIST BYNAME_SANITIZE)
    list(APPEND BYNAME_SANITIZE_FLAGS -fno-sanitize-recover=all)
  endif()
  add_compile_options(${BYNAME_SANITIZE_FLAGS})
  add_link_options(${BYNAME_SANITIZE_FLAGS})
endif()

if(BYNAME_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()

# Adds every directory below `parent` that has a CMakeLists.txt, but for those that are wheels of their own.
function(byname_add_subdirectories parent)
  file(GLOB lists CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${parent}/*/CMakeLists.txt")
  foreach(list IN LISTS lists)
    cmake_path(GET list PARENT_PATH directory)
    if(NOT EXISTS "${directory}/pyproject.toml")
      add_subdirectory("${directory}")
    endif()
  endforeach()
endfunction()
