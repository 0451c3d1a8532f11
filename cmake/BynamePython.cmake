# The Python package, complete in <build>/python/byname: PYTHONPATH=<build>/python imports it.

# The system's interpreter, not whichever shim comes first in PATH; -D Python3_EXECUTABLE=… chooses another.
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter Development.Module)

set(BYNAME_PYTHON_DIR "${PROJECT_BINARY_DIR}/python")

file(GLOB_RECURSE package_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/python"
     "${PROJECT_SOURCE_DIR}/python/byname/*.py" "${PROJECT_SOURCE_DIR}/python/byname/*.pyi"
     "${PROJECT_SOURCE_DIR}/python/byname/py.typed")
file(GLOB_RECURSE linked_files RELATIVE "${BYNAME_PYTHON_DIR}" "${BYNAME_PYTHON_DIR}/byname/*.py*")
list(REMOVE_ITEM linked_files ${package_files})
foreach(file IN LISTS linked_files)
  if(IS_SYMLINK "${BYNAME_PYTHON_DIR}/${file}")
    file(REMOVE "${BYNAME_PYTHON_DIR}/${file}")
  endif()
endforeach()
# Of another interpreter, or of the time when it was named for none.
file(GLOB other_extensions "${BYNAME_PYTHON_DIR}/byname/_native*.so")
list(REMOVE_ITEM other_extensions "${BYNAME_PYTHON_DIR}/byname/_native.${Python3_SOABI}.so")
if(other_extensions)
  file(REMOVE ${other_extensions})
endif()
foreach(file IN LISTS package_files)
  cmake_path(GET file PARENT_PATH directory)
  file(MAKE_DIRECTORY "${BYNAME_PYTHON_DIR}/${directory}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/python/${file}" "${BYNAME_PYTHON_DIR}/${file}" SYMBOLIC)
endforeach()

file(GLOB native_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/native/*.cc")
if(native_sources)
  # Named for the interpreter that it is built for: others must not load it.
  Python3_add_library(byname_native MODULE WITH_SOABI ${native_sources})
  target_link_libraries(byname_native PRIVATE Byname::byname)
  # CPython's tables are initialised by their head, and hold functions of several types behind a cast.
  target_compile_options(
    byname_native PRIVATE ${BYNAME_WARNINGS} -Wno-missing-field-initializers -Wno-cast-function-type -fno-rtti
                          -fno-threadsafe-statics -fno-plt) # statics are made with the GIL held
  # Without exceptions, but for the calls; python/native/base.h says why.
  list(FILTER native_sources EXCLUDE REGEX "/(call|direct)\\.cc$")
  set_source_files_properties(${native_sources} PROPERTIES COMPILE_OPTIONS -fno-exceptions)
  set_target_properties(
    byname_native
    PROPERTIES OUTPUT_NAME _native
               PREFIX ""
               LIBRARY_OUTPUT_DIRECTORY "${BYNAME_PYTHON_DIR}/byname"
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               BUILD_RPATH "$ORIGIN"
               BUILD_RPATH_USE_ORIGIN ON
               INSTALL_RPATH "$ORIGIN/lib")
  if(BYNAME_WHEEL)
    install(TARGETS byname_native LIBRARY DESTINATION .)
  endif()
  # A link, not a copy: two images of the runtime in one process are refused.
  add_custom_command(
    TARGET byname_native POST_BUILD
    COMMAND "${CMAKE_COMMAND}" -E create_symlink "$<TARGET_FILE:byname>"
            "${BYNAME_PYTHON_DIR}/byname/$<TARGET_SONAME_FILE_NAME:byname>" VERBATIM)
  add_dependencies(byname_demo byname_native)
endif()
