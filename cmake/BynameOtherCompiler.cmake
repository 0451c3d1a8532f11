# What has to work when gcc and clang are mixed is built with both. One of them is CMake's; the other one's commands
# are written here. BYNAME_OTHER_CXX is empty where there is no other compiler.

set(BYNAME_THIS gcc)
set(BYNAME_OTHER clang)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(BYNAME_THIS clang)
  set(BYNAME_OTHER gcc)
endif()
set(other_names_gcc g++ gcc)
set(other_names_clang clang++ clang)
list(GET other_names_${BYNAME_OTHER} 0 other_cxx_name)
list(GET other_names_${BYNAME_OTHER} 1 other_c_name)
find_program(BYNAME_OTHER_CXX ${other_cxx_name})
find_program(BYNAME_OTHER_C ${other_c_name})
if(NOT BYNAME_OTHER_CXX OR NOT BYNAME_OTHER_C)
  message(STATUS "${BYNAME_OTHER} not found: nothing is tested across compilers")
  set(BYNAME_OTHER_CXX "")
  set(BYNAME_OTHER_C "")
endif()

string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
separate_arguments(BYNAME_OTHER_CONFIG_FLAGS UNIX_COMMAND "${CMAKE_CXX_FLAGS_${config}}")
# ThreadSanitizer has to see every access, whichever compiler wrote it; the runtime is the executable's.
if("thread" IN_LIST BYNAME_SANITIZE)
  list(APPEND BYNAME_OTHER_CONFIG_FLAGS -fsanitize=thread)
endif()

# byname_precompile(header command…): makes `header`, which includes byname.h, and what the command, of either compiler,
# precompiles it to. `-include header` then reads that, if the rest of the command is the same.
function(byname_precompile header)
  file(CONFIGURE OUTPUT "${header}" CONTENT "#include <byname/byname.h>\n")
  add_custom_command(
    OUTPUT "${header}.gch"
    COMMAND ${ARGN} -MD -MF "${header}.d" -x c++-header "${header}" -o "${header}.gch"
    DEPENDS "${header}"
    DEPFILE "${header}.d"
    COMMENT "Precompiling ${header}"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

set(other_flags ${BYNAME_OTHER_CONFIG_FLAGS} -UNDEBUG -fPIC -fvisibility=hidden ${BYNAME_WARNINGS} "-I${PROJECT_SOURCE_DIR}/include")
set(other_cxx ${BYNAME_OTHER_CXX} -std=c++20 ${other_flags})
set(other_c ${BYNAME_OTHER_C} -std=c11 ${other_flags})
if(BYNAME_OTHER STREQUAL "gcc")
  list(APPEND other_cxx -fno-gnu-unique)
endif()
set(other_header "${CMAKE_CURRENT_BINARY_DIR}/${BYNAME_OTHER}.dir/everything.h")
if(BYNAME_OTHER_CXX)
  byname_precompile("${other_header}" ${other_cxx})
endif()

# Compiles sources with the other compiler and sets `objects`. More flags follow FLAGS.
function(byname_other_compile name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;FLAGS")
  set(objects "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(GET source FILENAME file)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${BYNAME_OTHER}.dir/${name}/${file}.o")
    set(compile ${other_cxx} -include "${other_header}")
    set(header "${other_header}.gch")
    if(source MATCHES "\\.c$")
      set(compile ${other_c})
      set(header "")
    endif()
    add_custom_command(
      OUTPUT "${object}"
      COMMAND ${compile} ${arg_FLAGS} -MD -MF "${object}.d" -c "${source}" -o "${object}"
      DEPENDS "${source}" ${header}
      DEPFILE "${object}.d"
      COMMENT "Compiling ${name} with ${BYNAME_OTHER}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  set(objects "${objects}" PARENT_SCOPE)
endfunction()

# byname_other_link(name output objects… FLAGS …): makes `output` of objects and libbyname as part of `all`.
function(byname_other_link name output)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FLAGS")
  cmake_path(GET output PARENT_PATH directory)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${directory}"
    COMMAND ${BYNAME_OTHER_CXX} ${arg_UNPARSED_ARGUMENTS} -o "${output}" "$<TARGET_FILE:byname>"
            "-Wl,-rpath,$<TARGET_FILE_DIR:byname>" ${arg_FLAGS}
    DEPENDS ${arg_UNPARSED_ARGUMENTS} byname
    COMMENT "Linking ${name} with ${BYNAME_OTHER}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name}_by_${BYNAME_OTHER} ALL DEPENDS "${output}")
endfunction()
