# The kinds of test; tests/CMakeLists.txt says which directory holds which. Executables of GoogleTest are listed in
# BYNAME_GTESTS for tools/run_tests.py, which counts their cases; every other test is a CTest test and counts as one.

find_package(GTest REQUIRED)
find_package(Threads REQUIRED)

set(BYNAME_TEST_PLUGIN_DIR "${PROJECT_BINARY_DIR}/tests/plugins")
set_property(GLOBAL PROPERTY BYNAME_GTESTS "")

function(byname_configure_test target)
  # A test may use assert(). Instrumented ones are not optimised: what checks their own lines doubles their compile time.
  target_compile_options(${target} PRIVATE ${BYNAME_WARNINGS} -UNDEBUG $<$<BOOL:${BYNAME_SANITIZE}>:-O0>)
  target_compile_definitions(
    ${target} PRIVATE BYNAME_TEST_PLUGIN_DIR="${BYNAME_TEST_PLUGIN_DIR}" BYNAME_VERSION="${PROJECT_VERSION}"
                      BYNAME_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()

# The headers that most tests include cost more to read than the tests do to compile, so they are compiled once as for a
# program and once as for a plugin. CMake's prologue would make ours system headers, whose warnings nobody sees.
set(CMAKE_PCH_PROLOGUE "")
file(WRITE "${PROJECT_BINARY_DIR}/precompiled.cc" "")
add_executable(byname_gtest_header EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/precompiled.cc")
target_link_libraries(byname_gtest_header PRIVATE Byname::byname GTest::gtest_main Threads::Threads)
target_precompile_headers(byname_gtest_header PRIVATE <gtest/gtest.h> "${PROJECT_SOURCE_DIR}/include/byname/byname.h")
byname_configure_test(byname_gtest_header)

byname_add_plugin(byname_plugin_header "${PROJECT_BINARY_DIR}/precompiled.cc")
target_precompile_headers(byname_plugin_header PRIVATE "${PROJECT_SOURCE_DIR}/include/byname/byname.h")
set_target_properties(byname_plugin_header PROPERTIES EXCLUDE_FROM_ALL ON DEFINE_SYMBOL "")
byname_configure_test(byname_plugin_header)

function(byname_list_gtest target command)
  set_property(GLOBAL APPEND PROPERTY BYNAME_GTESTS "{\"name\": \"${target}\", \"command\": \"${command}\"}")
  add_test(NAME gtest/${target} COMMAND "${command}")
  set_tests_properties(gtest/${target} PROPERTIES LABELS gtest)
endfunction()

# One executable of the directory's tests over the public headers, and one of those that include a private header. The
# latter are linked from the layers' objects, because libbyname.so hides what they test, and so cannot load a plugin:
# it would bring a second runtime.
function(byname_add_gtests directory)
  file(GLOB sources CONFIGURE_DEPENDS "${directory}/*_test.cc")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  cmake_path(GET directory FILENAME name)
  list(JOIN BYNAME_LAYERS "|" layers)
  set(public "")
  set(private "")
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" includes REGEX "^#include \"(${layers})/")
    if(includes)
      list(APPEND private "${source}")
    else()
      list(APPEND public "${source}")
    endif()
  endforeach()
  if(public)
    add_executable(${name}_test ${public})
    target_link_libraries(${name}_test PRIVATE Byname::byname)
    byname_configure_gtest(${name}_test)
  endif()
  if(private)
    add_executable(${name}_internal_test ${private} ${BYNAME_LAYER_OBJECTS})
    target_include_directories(${name}_internal_test PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${name}_internal_test PRIVATE byname_headers)
    target_compile_options(${name}_internal_test PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    byname_configure_gtest(${name}_internal_test)
  endif()
endfunction()

function(byname_configure_gtest target)
  target_link_libraries(${target} PRIVATE GTest::gtest_main Threads::Threads)
  target_precompile_headers(${target} REUSE_FROM byname_gtest_header)
  # gcc 12 forgets that a precompiled header came from the system, and warns about what std::string is made of.
  target_compile_options(
    ${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>)
  byname_configure_test(${target})
  byname_list_gtest(${target} "$<TARGET_FILE:${target}>")
endfunction()

# The same tests over the public headers again, from the other compiler.
function(byname_add_gtests_of_other_compiler directory)
  file(GLOB sources CONFIGURE_DEPENDS "${directory}/*_test.cc")
  if(sources AND BYNAME_OTHER_CXX AND NOT BYNAME_SANITIZE)
    cmake_path(GET directory FILENAME name)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}_test_${BYNAME_OTHER}")
    byname_other_compile(${name}_test SOURCES ${sources} FLAGS "-DBYNAME_TEST_PLUGIN_DIR=\"${BYNAME_TEST_PLUGIN_DIR}\"")
    byname_other_link(${name}_test "${output}" ${objects} FLAGS -lgtest_main -lgtest -pthread)
    byname_list_gtest(${name}_test_${BYNAME_OTHER} "${output}")
  endif()
endfunction()

# Each C file of the directory is a program of its own that fails by its exit code and is skipped by 77, compiled by
# both compilers.
function(byname_add_c_tests directory)
  file(GLOB sources CONFIGURE_DEPENDS "${directory}/*.c")
  cmake_path(GET directory FILENAME group)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    set(target ${group}_${stem}_c)
    add_executable(${target} "${source}")
    target_link_libraries(${target} PRIVATE Byname::byname Threads::Threads)
    target_compile_options(${target} PRIVATE -Wpedantic)
    byname_configure_test(${target})
    add_test(NAME c/${group}/${stem}/${BYNAME_THIS} COMMAND ${target})
    set_tests_properties(c/${group}/${stem}/${BYNAME_THIS} PROPERTIES SKIP_RETURN_CODE 77)
    if(BYNAME_OTHER_C AND NOT BYNAME_SANITIZE)
      set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_${BYNAME_OTHER}")
      byname_other_compile(${target} SOURCES "${source}" FLAGS -Wpedantic "-DBYNAME_TEST_PLUGIN_DIR=\"${BYNAME_TEST_PLUGIN_DIR}\""
                                                               "-DBYNAME_VERSION=\"${PROJECT_VERSION}\"")
      byname_other_link(${target} "${output}" ${objects} FLAGS -pthread)
      add_test(NAME c/${group}/${stem}/${BYNAME_OTHER} COMMAND "${output}")
      set_tests_properties(c/${group}/${stem}/${BYNAME_OTHER} PROPERTIES SKIP_RETURN_CODE 77)
    endif()
  endforeach()
endfunction()

# Each source of the directory becomes a plugin of each compiler, in plugins/gcc and plugins/clang. The source's property
# BYNAME_LINK_FLAGS has what it is linked with beyond that.
function(byname_add_test_plugins directory)
  file(GLOB sources CONFIGURE_DEPENDS "${directory}/*.cc" "${directory}/*.c")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    get_source_file_property(link_flags "${source}" BYNAME_LINK_FLAGS)
    if(NOT link_flags)
      set(link_flags "")
    endif()
    byname_add_plugin(${stem} "${source}")
    target_link_options(${stem} PRIVATE ${link_flags})
    byname_configure_test(${stem})
    if(source MATCHES "\\.cc$")
      target_precompile_headers(${stem} REUSE_FROM byname_plugin_header)
    endif()
    set_target_properties(${stem} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${BYNAME_TEST_PLUGIN_DIR}/${BYNAME_THIS}")
    if(BYNAME_OTHER_CXX)
      byname_other_compile(${stem} SOURCES "${source}")
      byname_other_link(${stem} "${BYNAME_TEST_PLUGIN_DIR}/${BYNAME_OTHER}/lib${stem}.so" ${objects} FLAGS -shared ${link_flags})
    endif()
  endforeach()
endfunction()
