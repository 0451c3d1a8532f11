# clean: remove what was built, and with --all the virtual environment too
#
# usage: ./run clean [--all]
set -euo pipefail

rm -rf build bench/results.json
find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
if [[ ${1:-} == --all ]]; then rm -rf .venv; fi
