# byname_add_plugin(name [SHARED] sources…): a library that registers functions and types, to be given to byname::load or
# byname.load as lib<name>.so. It links Byname::byname, exports nothing it does not mark, and can be unloaded. With SHARED
# others can link it.

function(byname_add_plugin name)
  set(type MODULE)
  if("SHARED" IN_LIST ARGN)
    set(type "")
  endif()
  add_library(${name} ${type} ${ARGN})
  target_link_libraries(${name} PRIVATE Byname::byname)
  set_target_properties(
    ${name}
    PROPERTIES PREFIX lib
               C_VISIBILITY_PRESET hidden
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               POSITION_INDEPENDENT_CODE ON)
endfunction()

# byname_link_libraries(target libraries…): links static libraries whole. A linker takes of a static library what somebody
# refers to, and nobody refers to a registration block.
function(byname_link_libraries target)
  foreach(library IN LISTS ARGN)
    target_link_libraries(${target} PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,${library}>")
  endforeach()
endfunction()
