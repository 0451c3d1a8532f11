# lint: check layout, common faults and scripts: clang-format, clang-tidy, ruff, shellcheck
#
# usage: ./run lint [--no-install]
#
# clang-tidy runs as part of the preset `tidy`, so a second run looks only at what changed.
source tools/run/common.sh

(($# == 0)) || die "lint: expected no argument, got '$1'"
need_packages "${packages_build[@]}" "${packages_plugins[@]}" python3-venv clang clang-tidy shellcheck git
need_python python/requirements-lint.txt
end_if_missing

failed=()
check() {
  local name=$1
  shift
  echo "$name"
  "$@" || failed+=("$name")
}

# Names the files that are laid out otherwise; what they should look like is for `./run format` to say.
layout() {
  local output
  output=$(.venv/bin/clang-format --dry-run -Werror "$@" 2>&1) && return
  sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: error.*/  \1/p' <<<"$output" | uniq
  return 1
}
clang_tidy() { (build tidy --keep-going); }

mapfile -t cxx < <(git ls-files -co --exclude-standard '*.h' '*.cc' '*.c')
mapfile -t scripts < <(git ls-files -co --exclude-standard '*.sh' run .ci/run)
check clang-format layout "${cxx[@]}"
check ruff-format .venv/bin/ruff format --check .
check ruff .venv/bin/ruff check --quiet --output-format concise .
check faults "$python" tools/check_faults.py tests
check shellcheck shellcheck --shell=bash --external-sources "${scripts[@]}"
check clang-tidy clang_tidy

if ((${#failed[@]})); then die "lint failed: ${failed[*]}"; fi
echo "lint passed"
