# demo: register libzstd from C++ and use it by name from C++, C and Python
#
# usage: ./run demo [--no-install]
#
# Builds the library, the Python package and the zstd plugin, then runs examples/zstd/demo.sh.
source tools/run/common.sh

(($# == 0)) || die "demo: expected no argument, got '$1'"
need_packages "${packages_build[@]}" "${packages_demo[@]}"
end_if_missing

build release "$(without_tests release)" byname_demo
exec bash examples/zstd/demo.sh build/release
