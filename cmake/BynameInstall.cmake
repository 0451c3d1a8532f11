# Headers, library, CMake package (find_package(Byname)) and pkg-config file (byname).

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Byname")

install(TARGETS byname_headers EXPORT BynameTargets)
if(BYNAME_WHEEL)
  install(TARGETS byname EXPORT BynameTargets LIBRARY NAMELINK_SKIP)
else()
  install(TARGETS byname byname_static EXPORT BynameTargets)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/byname" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(EXPORT BynameTargets NAMESPACE Byname:: DESTINATION "${package_dir}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/BynameConfig.cmake.in" "${PROJECT_BINARY_DIR}/BynameConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/BynameConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/BynameConfig.cmake" "${PROJECT_BINARY_DIR}/BynameConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/BynamePlugin.cmake" DESTINATION "${package_dir}")

# The file finds its prefix from where it lies, so that `cmake --install --prefix` is enough to move it.
file(RELATIVE_PATH BYNAME_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file("${PROJECT_SOURCE_DIR}/cmake/byname.pc.in" "${PROJECT_BINARY_DIR}/byname.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/byname.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
