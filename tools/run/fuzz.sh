# fuzz: feed generated input to the parsers and the C interface
#
# usage: ./run fuzz [--no-install] [NAME…]
#
# Runs the programs of tests/fuzz, or those named, for BYNAME_FUZZ_SECONDS (60) each or, if BYNAME_FUZZ_RUNS is set, for
# so many inputs. Ends with `N passed, N failed`; an input that fails is left in build/fuzz/failures.
source tools/run/common.sh

need_packages "${packages_build[@]}" clang libclang-rt-14-dev
end_if_missing

names=("$@")
if ((${#names[@]} == 0)); then
  for source in tests/fuzz/*_fuzz.cc; do
    [[ -f $source ]] && names+=("$(basename "$source" _fuzz.cc)")
  done
fi
((${#names[@]})) || die "fuzz: no program in tests/fuzz"

build fuzz
mkdir -p build/fuzz/failures

limit=(-max_total_time="${BYNAME_FUZZ_SECONDS:-60}")
[[ -z ${BYNAME_FUZZ_RUNS:-} ]] || limit=(-runs="$BYNAME_FUZZ_RUNS")
# Leaks are looked for once, at the end: after each input it took nine tenths of the time, since what the core keeps
# looks like one.
limit+=(-detect_leaks=0)

fuzz_one() {
  local name=$1 corpus=build/fuzz/corpus/$1 log=build/fuzz/$1.log
  local inputs=("$corpus") options=("${limit[@]}" -print_final_stats=1 -artifact_prefix="build/fuzz/failures/$name-")
  mkdir -p "$corpus"
  [[ ! -d tests/fuzz/corpus/$name ]] || inputs+=("tests/fuzz/corpus/$name")
  [[ ! -f tests/fuzz/$name.dict ]] || options+=(-dict="tests/fuzz/$name.dict")
  "build/fuzz/fuzz/${name}_fuzz" "${options[@]}" "${inputs[@]}" >"$log" 2>&1
}

# As many at a time as there are cores; each is judged when all of its batch have ended.
passed=0
failed=0
while ((${#names[@]})); do
  batch=("${names[@]:0:CMAKE_BUILD_PARALLEL_LEVEL}")
  names=("${names[@]:CMAKE_BUILD_PARALLEL_LEVEL}")
  echo "fuzzing ${batch[*]} (logs: build/fuzz)"
  pids=()
  for name in "${batch[@]}"; do
    fuzz_one "$name" &
    pids+=($!)
  done
  for i in "${!batch[@]}"; do
    log=build/fuzz/${batch[i]}.log
    if wait "${pids[i]}"; then
      ((++passed))
      echo "  ${batch[i]}: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
    else
      ((++failed))
      echo "  ${batch[i]}: failed" >&2
      tail -n 40 "$log" >&2
    fi
  done
done
echo "$passed passed, $failed failed"
((failed == 0))
