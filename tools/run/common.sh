# What the tasks share: `need` installs, `build` builds. To be sourced, with the root of the tree as directory.
# shellcheck shell=bash
set -euo pipefail

export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

source tools/run/install.sh

die() {
  echo "./run: $*" >&2
  exit 1
}

# Prints one of a build's lines every 30 seconds and writes all of them to the log.
follow_build() {
  local line last=$SECONDS
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    if [[ $line == \[* ]] && ((SECONDS - last >= 30)); then
      last=$SECONDS
      echo "  ${line:0:110}"
    fi
  done
}

# build PRESET [-D…] [--keep-going] [target…]: configures and builds, quietly unless it fails. Empty arguments are none.
build() {
  local preset=$1 log start=$SECONDS
  shift
  local definitions=() targets=() ninja_flags=()
  for argument in "$@"; do
    case $argument in
      -D*) definitions+=("$argument") ;;
      --keep-going) ninja_flags=(-k 0) ;;
      ?*) targets+=(--target "$argument") ;;
    esac
  done
  mkdir -p build
  log=build/$preset.log
  echo "building $preset (log: $log)"
  if ! {
    cmake --preset "$preset" ${definitions[@]+"${definitions[@]}"} &&
      cmake --build --preset "$preset" ${targets[@]+"${targets[@]}"} -- ${ninja_flags[@]+"${ninja_flags[@]}"}
  } 2>&1 | follow_build 3>"$log"; then
    # From the first error on, without the lines of what went well.
    sed -n '/^FAILED\|CMake Error\|[Ee]rror:/,$p' "$log" | grep -vE '^\[[0-9]+/[0-9]+\]' | head -n 200 >&2
    die "the build of '$preset' failed (log: $log)"
  fi
  echo "built $preset in $((SECONDS - start)) s"
}

# The definition that leaves a preset's tests out where nobody has asked for them, since they need more packages.
without_tests() {
  [[ -f build/$1/CMakeCache.txt ]] || echo "-DBYNAME_BUILD_TESTS=OFF"
}
