# demo: register libzstd from C++ and use it by name from C++, C and Python
#
# usage: ./run demo [--no-install]
#
# Builds the library, the Python package and the zstd plugin, then runs examples/zstd/demo.sh.
source tools/run/common.sh

(($# == 0)) || die "demo: expected no argument, got '$1'"
need_packages "${packages_build[@]}" "${packages_plugins[@]}"
end_if_missing

# The tests need more than the demonstration, so they are built only where they were asked for before.
definitions=()
[[ -f build/release/CMakeCache.txt ]] || definitions=(-DBYNAME_BUILD_TESTS=OFF)
build release ${definitions[@]+"${definitions[@]}"} byname_demo
exec bash examples/zstd/demo.sh build/release
