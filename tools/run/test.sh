# test: build and run every test: C++, C, Python, sources that must be refused, examples
#
# usage: ./run test [-k FILTER] [--preset NAME] [--no-install]
#
#   -k FILTER       only tests whose name contains FILTER
#   --preset NAME   a preset of CMakePresets.json instead of release: debug, asan, tsan, coverage
#
# Ends with `N passed, N failed`, and fails if a test failed or none ran. With CI=true a skipped test that
# tests/skips.txt does not list counts as failed.
source tools/run/common.sh

preset=release
filter=()
while (($#)); do
  case $1 in
    -k | --preset) (($# > 1)) || die "test: expected a value after '$1'" ;;&
    -k) filter=(-k "$2"); shift 2 ;;
    --preset) preset=$2; shift 2 ;;
    *) die "test: expected -k or --preset, got '$1'" ;;
  esac
done

need_packages "${packages_build[@]}" "${packages_plugins[@]}" python3-venv libgtest-dev clang lld pkg-config
need_python python/requirements-dev.txt
end_if_missing

build "$preset" -DBYNAME_BUILD_TESTS=ON -DBYNAME_BUILD_BENCH=OFF
exec "$python" tools/run_tests.py "build/$preset" --pytest-python "$venv_python" ${filter[@]+"${filter[@]}"}
