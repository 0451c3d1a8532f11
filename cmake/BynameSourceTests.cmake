# Tests of the sources rather than of what they compile to. They are the same in every build, so instrumented ones
# leave them out.

set(BYNAME_COMPILERS ${BYNAME_THIS})
set(BYNAME_CXX_${BYNAME_THIS} "${CMAKE_CXX_COMPILER}")
set(BYNAME_C_${BYNAME_THIS} "${CMAKE_C_COMPILER}")
if(BYNAME_OTHER_CXX)
  list(APPEND BYNAME_COMPILERS ${BYNAME_OTHER})
  set(BYNAME_CXX_${BYNAME_OTHER} "${BYNAME_OTHER_CXX}")
  set(BYNAME_C_${BYNAME_OTHER} "${BYNAME_OTHER_C}")
endif()

# Each file must be refused with a message that matches the regular expression in its first line, `// expect: …`.
function(byname_add_compile_fail_tests directory)
  file(GLOB sources CONFIGURE_DEPENDS "${directory}/*.cc")
  set(precompiled "")
  foreach(compiler IN LISTS BYNAME_COMPILERS)
    set(header "${CMAKE_CURRENT_BINARY_DIR}/compile_fail/${compiler}.h")
    set(compile "${BYNAME_CXX_${compiler}}" -std=c++20 "-I${PROJECT_SOURCE_DIR}/include")
    byname_precompile("${header}" ${compile})
    list(APPEND precompiled "${header}.gch")
    foreach(source IN LISTS sources)
      cmake_path(GET source STEM stem)
      add_test(NAME compile_fail/${stem}/${compiler}
               COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/expect_compile_error.py" "${source}"
                       ${compile} -fsyntax-only -include "${header}")
    endforeach()
  endforeach()
  add_custom_target(byname_compile_fail_headers ALL DEPENDS ${precompiled})
endfunction()

# Each public header must compile alone, and twice, in C++20; c_api.h, and what it includes, in C11 too.
function(byname_add_header_tests)
  set(flags -fsyntax-only "-I${PROJECT_SOURCE_DIR}/include" -Wall -Wextra -Wpedantic -Werror)
  foreach(header IN LISTS BYNAME_PUBLIC_HEADERS)
    cmake_path(GET header STEM stem)
    set(alone "${CMAKE_CURRENT_BINARY_DIR}/headers/${stem}")
    file(CONFIGURE OUTPUT "${alone}.cc" CONTENT "#include <byname/${stem}.h>\n#include <byname/${stem}.h>\n")
    file(CONFIGURE OUTPUT "${alone}.c" CONTENT "#include <byname/${stem}.h>\n#include <byname/${stem}.h>\nint unused;\n")
    foreach(compiler IN LISTS BYNAME_COMPILERS)
      add_test(NAME header/${stem}/${compiler}
               COMMAND "${BYNAME_CXX_${compiler}}" -std=c++20 ${flags} "${alone}.cc")
      if(stem MATCHES "^c_")
        add_test(NAME header/${stem}/c/${compiler}
                 COMMAND "${BYNAME_C_${compiler}}" -std=c11 ${flags} "${alone}.c")
      endif()
    endforeach()
  endforeach()
endfunction()

# A layer includes only the layers before it and uses nothing that a later one defines, and the library exports the C
# interface alone.
function(byname_add_layer_tests)
  add_test(NAME layers/includes COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/check_layers.py"
                                        "${PROJECT_SOURCE_DIR}/src" ${BYNAME_LAYERS})
  set(objects "")
  foreach(layer IN LISTS BYNAME_LAYERS)
    if(TARGET byname_${layer})
      list(APPEND objects --layer ${layer} "$<TARGET_OBJECTS:byname_${layer}>")
    endif()
  endforeach()
  add_test(NAME layers/symbols
           COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/check_layer_symbols.py" ${objects}
           COMMAND_EXPAND_LISTS)
  add_test(NAME layers/exports COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/check_exports.py" "$<TARGET_FILE:byname>")
endfunction()

# Projects of somebody else's that use what this build installs, or its sources.
function(byname_add_package_tests directory)
  set(of_build "${PROJECT_BINARY_DIR}" ${PROJECT_VERSION} "${PROJECT_SOURCE_DIR}/.venv/bin/python")
  foreach(way find_package add_subdirectory pkg_config wheel)
    add_test(NAME package/${way} COMMAND bash "${directory}/check.sh" ${way} ${of_build})
  endforeach()
  foreach(compiler IN LISTS BYNAME_COMPILERS)
    add_test(NAME package/static/${compiler} COMMAND bash "${directory}/check.sh" static ${of_build})
    set_tests_properties(package/static/${compiler} PROPERTIES ENVIRONMENT "CXX=${BYNAME_CXX_${compiler}}")
  endforeach()
  # These build most, so they begin first.
  set_tests_properties(package/wheel package/add_subdirectory PROPERTIES COST 60)
endfunction()
