# Each tests/fuzz/<name>_fuzz.cc is a libFuzzer program over the layers' objects. Inputs to begin from are in
# tests/fuzz/corpus/<name>, words of the language in tests/fuzz/<name>.dict; tools/run/fuzz.sh runs them.

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "the fuzz targets need clang (use the preset 'fuzz')")
endif()

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cc")
add_custom_target(byname_fuzz)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM stem)
  add_executable(${stem} "${source}" ${BYNAME_LAYER_OBJECTS})
  target_include_directories(${stem} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${stem} PRIVATE byname_headers)
  target_compile_options(${stem} PRIVATE ${BYNAME_WARNINGS} -UNDEBUG)
  target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${stem} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  add_dependencies(byname_fuzz ${stem})
endforeach()
