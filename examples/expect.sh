#!/usr/bin/env bash
# Runs a command, which must succeed and print what a file holds. Paths count from the root of the tree, and addresses
# are all alike.
#
# usage: expect.sh EXPECTED COMMAND…
set -euo pipefail

root=$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")
expected=$1
shift
said=$("$@")
diff -u "$expected" - < <(sed -E "s|$root/||g; s/0x[0-9a-f]+/0x…/g" <<<"$said")
