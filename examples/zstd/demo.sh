#!/usr/bin/env bash
# A real file, compressed and restored by name from C++, C and Python and checked with the zstd command; then what the
# plugin registered, what its errors say, and unloading it. Fails if anything is not as it should be.
#
# usage: demo.sh BUILD [FILE]
set -euo pipefail

build=$(realpath "$1")
file=$(realpath "${2:-/usr/bin/cmake}")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
plugin=$build/plugins/zstd/libbyname_zstd.so
languages=(C++ C Python)
levels=(1 3 9)
failures=0

if [[ ! -f $plugin ]]; then
  echo "demo.sh: '$plugin' was not built (libzstd-dev is missing?)" >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

heading() { printf '\n== %s\n\n' "$1"; }

python() { PYTHONPATH=$build/python /usr/bin/python3 "$@"; }

# by_name LANGUAGE ACTION INPUT OUTPUT [LEVEL]: the same program, three times.
by_name() {
  local language=$1
  shift
  case $language in
    C++) "$build/examples/zstd/compress_cc" "$plugin" "$@" ;;
    C) "$build/examples/zstd/compress_c" "$plugin" "$@" ;;
    Python) python "$here/compress.py" "$plugin" "$@" ;;
  esac
}

# check WHAT COMMAND…
check() {
  local what=$1
  shift
  if "$@"; then
    echo "  ok      $what"
  else
    echo "  FAILED  $what"
    ((++failures))
  fi
}

has_sum() { [[ $(sha256sum <"$2") == "$1" ]]; }

# check_refused MESSAGE ACTION INPUT [LEVEL]: the call fails in each language and says the same.
check_refused() {
  local message=$1 language said failed
  shift
  for language in "${languages[@]}"; do
    failed=0
    said=$(by_name "$language" "$1" "$2" refused "${@:3}" 2>&1) || failed=1
    printf '  %-7s %s\n' "$language" "${said%%$'\n'*}"
    [[ $failed == 1 && $said == *": $message"* ]] || check "$language says '$message'" false
  done
}

heading "$(basename "$file"), compressed by name"
for language in "${languages[@]}"; do
  for level in "${levels[@]}"; do
    by_name "$language" compress "$file" "$language-$level.zst" "$level"
  done
done

heading "Restored by name, what we compressed and what the zstd command did"
zstd --quiet -6 "$file" -o command.zst
for language in "${languages[@]}"; do
  by_name "$language" decompress "$language-3.zst" "$language-ours"
  by_name "$language" decompress command.zst "$language-command"
done

heading "Checked"
sum=$(sha256sum <"$file")
for level in "${levels[@]}"; do
  check "C gives the bytes of C++ at level $level" cmp "C++-$level.zst" "C-$level.zst"
  check "Python gives the bytes of C++ at level $level" cmp "C++-$level.zst" "Python-$level.zst"
  zstd --quiet --decompress "C++-$level.zst" -o "command-$level"
  check "the zstd command restores the file from level $level" has_sum "$sum" "command-$level"
done
for language in "${languages[@]}"; do
  check "$language restores the file from its own" has_sum "$sum" "$language-ours"
  check "$language restores the file from the zstd command's" has_sum "$sum" "$language-command"
done

heading "The same errors in each language"
head -c 100000 command.zst >cut.zst
check_refused "'level' expects -131072 to 22, got 23" compress "$file" 23
check_refused "Unknown frame descriptor" decompress "$file"
check_refused "expected the end of a frame, got the end of the data" decompress cut.zst
check_refused "nothing is registered under the name 'zstd.compres' (did you mean 'zstd.compress'?)" compres "$file"

heading "What the plugin registered"
python "$here/listing.py" "$plugin" || check "the listing" false

echo
if ((failures)); then
  echo "$failures of the demonstration's checks failed"
  exit 1
fi
echo "all checks passed"
