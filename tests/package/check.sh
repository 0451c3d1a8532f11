#!/usr/bin/env bash
# Installs a build and uses it as an outsider does.
#
# usage: check.sh find_package|pkg_config|static BUILD VERSION
set -euo pipefail
source=$(dirname "${BASH_SOURCE[0]}")
way=$1
build=$2
version=$3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
DESTDIR='' cmake --install "$build" --prefix "$prefix" >"$work/install.log"

case $way in
  find_package)
    cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix"
    cmake --build "$work/build"
    consumer=$work/build/consumer
    nm --dynamic --undefined-only "$work/build/libconsumer_plugin.so" | grep -q byname_version
    ;;
  pkg_config)
    pc=$(dirname "$(find "$prefix" -name byname.pc)")
    consumer=$work/consumer
    # shellcheck disable=SC2046
    cc "$source/consumer.c" -o "$consumer" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs byname)
    LD_LIBRARY_PATH=$(PKG_CONFIG_PATH=$pc pkg-config --variable=libdir byname)
    export LD_LIBRARY_PATH
    ;;
  static)
    cmake -G Ninja -S "$source/static" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release
    cmake --build "$work/build"
    ctest --test-dir "$work/build" --output-on-failure
    exit
    ;;
  *)
    echo "expected find_package, pkg_config or static, got '$way'"
    exit 2
    ;;
esac

said=$("$consumer")
[[ $said == "$version" ]] || { echo "expected version $version, got '$said'"; exit 1; }
