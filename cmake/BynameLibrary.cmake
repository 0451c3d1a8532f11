# One object library per layer, and libbyname.so made from them.

set(BYNAME_LAYERS base object value schema function registry c_api)

file(GLOB BYNAME_PUBLIC_HEADERS CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/byname/*.h")

# What static libraries with registrations are compiled with: the program that links them chooses the runtime.
add_library(byname_headers INTERFACE)
add_library(Byname::headers ALIAS byname_headers)
set_target_properties(byname_headers PROPERTIES EXPORT_NAME headers)
target_include_directories(byname_headers INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                                                    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_compile_features(byname_headers INTERFACE cxx_std_20)
# A module with an STB_GNU_UNIQUE symbol can never be unloaded, so whoever links Byname is kept free of them.
target_compile_options(byname_headers INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>")

set(layers_above "")
set(BYNAME_LAYER_OBJECTS "")
foreach(layer IN LISTS BYNAME_LAYERS)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*.cc")
  if(sources)
    add_library(byname_${layer} OBJECT ${sources})
    set_target_properties(
      byname_${layer} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_compile_options(byname_${layer} PRIVATE ${BYNAME_WARNINGS} $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    target_compile_definitions(byname_${layer} PRIVATE BYNAME_CORE BYNAME_VERSION="${PROJECT_VERSION}")
    target_include_directories(byname_${layer} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>")
    target_link_libraries(byname_${layer} PUBLIC byname_headers ${layers_above})
    list(APPEND BYNAME_LAYER_OBJECTS "$<TARGET_OBJECTS:byname_${layer}>")
    list(APPEND layers_above byname_${layer})
  endif()
endforeach()

# What waits for files and for the loader need not be fast: half as large it is better.
file(GLOB slow CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/registry/module*.cc")
list(APPEND slow "${PROJECT_SOURCE_DIR}/src/registry/image.cc" "${PROJECT_SOURCE_DIR}/src/registry/open_failure.cc"
     "${PROJECT_SOURCE_DIR}/src/registry/trace_file.cc")
set_source_files_properties(${slow} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-Os>")

if(NOT BYNAME_LAYER_OBJECTS)
  set(BYNAME_LAYER_OBJECTS "${PROJECT_BINARY_DIR}/empty.cc")
  file(TOUCH "${BYNAME_LAYER_OBJECTS}")
endif()

add_library(byname SHARED ${BYNAME_LAYER_OBJECTS})
add_library(Byname::byname ALIAS byname)
set_target_properties(byname PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(byname INTERFACE byname_headers)

if(BYNAME_WHEEL)
  # A wheel has no links: the library is there once, under the name that it is searched by.
  set_target_properties(byname PROPERTIES VERSION ${PROJECT_VERSION_MAJOR})
endif()

# For executables that are linked statically. A process has one of the two.
find_package(Threads REQUIRED)
add_library(byname_static STATIC ${BYNAME_LAYER_OBJECTS})
add_library(Byname::byname_static ALIAS byname_static)
set_target_properties(byname_static PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME byname)
target_link_libraries(byname_static INTERFACE byname_headers Threads::Threads ${CMAKE_DL_LIBS})

configure_file("${PROJECT_SOURCE_DIR}/cmake/byname.map.in" "${PROJECT_BINARY_DIR}/byname.map" @ONLY)
target_link_options(byname PRIVATE "LINKER:--version-script=${PROJECT_BINARY_DIR}/byname.map")
set_property(TARGET byname APPEND PROPERTY LINK_DEPENDS "${PROJECT_BINARY_DIR}/byname.map")
# clang leaves the sanitizer runtime's symbols to the executable, so a sanitized library cannot be complete with it.
if(NOT (BYNAME_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang"))
  target_link_options(byname PRIVATE "LINKER:-z,defs")
endif()
