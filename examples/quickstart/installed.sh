#!/usr/bin/env bash
# Installs a build, builds this example with nothing but that, as an outsider does, and runs it.
#
# usage: installed.sh BUILD
set -euo pipefail

here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

DESTDIR='' cmake --install "$1" --prefix "$work/prefix" >"$work/install.log"
cmake -G Ninja -S "$here" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix"
cmake --build "$work/build"
bash "$here/../expect.sh" "$here/main_cc.expected" "$work/build/quickstart" "$work/build/libmath_plugin.so"
