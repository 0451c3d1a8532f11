# bench: measure calls, look-ups, objects and sizes against their floors and peers
#
# usage: ./run bench [--quick] [--no-install]
#
#   --quick   few repeats, to see that every benchmark runs
#
# Any other option goes to bench/run.py. Writes bench/results.json.
source tools/run/common.sh

need_packages "${packages_build[@]}" nlohmann-json3-dev python3-venv
need_python bench/requirements.txt
end_if_missing

# The peers are packages of the virtual environment.
build release "$(without_tests release)" -DBYNAME_BUILD_BENCH=ON -DPython3_EXECUTABLE="$venv_python" byname_bench
exec "$venv_python" bench/run.py "$@"
