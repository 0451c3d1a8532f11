# format: lay out the C++, C and Python sources
#
# usage: ./run format [--no-install]
source tools/run/common.sh

(($# == 0)) || die "format: expected no argument, got '$1'"
need_packages git python3 python3-venv
need_python python/requirements-lint.txt
end_if_missing

git ls-files -z -co --exclude-standard '*.h' '*.cc' '*.c' | xargs -0 .venv/bin/clang-format -i
.venv/bin/ruff format --quiet .
.venv/bin/ruff check --quiet --select I --fix .
