# What a task needs and how it is installed. To be sourced by common.sh.
# shellcheck shell=bash

# shellcheck disable=SC2034
packages_build=(g++ cmake ninja-build python3 python3-dev)
packages_demo=(libzstd-dev zstd)
# shellcheck disable=SC2034
packages_plugins=("${packages_demo[@]}" nlohmann-json3-dev libpng-dev)

readonly python=/usr/bin/python3 # the system's, not whichever shim comes first in PATH
readonly venv_python=$PWD/.venv/bin/python
missing_faults=()

missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

# need_packages PACKAGE…: sees to Debian packages.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "this is no Debian, so nothing is installed; needed are the equivalents of: $*" >&2
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  if [[ -n ${BYNAME_NO_INSTALL:-} ]]; then
    missing_faults+=("Debian packages: ${missing[*]}")
    return
  fi
  ((EUID == 0)) || die "missing Debian packages, which root installs with: apt-get install ${missing[*]}"
  echo "installing Debian packages: ${missing[*]}"
  install_packages "${missing[@]}"
}

install_packages() {
  local log
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  # A list that cannot be brought up to date may do; what counts is whether the packages can be had.
  if ! {
    apt-get -o DPkg::Lock::Timeout=300 update
    apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
  } >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    die "apt-get could not install: $*"
  fi
  rm -f "$log"
}

# need_python FILE…: sees to a virtual environment in .venv that satisfies the requirements files. A stamp holds the
# hash of each file that was installed, so that a second run costs nothing.
need_python() {
  local file stamp
  for file in "$@"; do
    stamp=.venv/$(basename "$(dirname "$file")")-$(basename "$file").sha256
    if [[ -x $venv_python ]] && sha256sum --status -c "$stamp" 2>/dev/null; then continue; fi
    if [[ -n ${BYNAME_NO_INSTALL:-} ]]; then
      missing_faults+=("Python packages in .venv ($file): $(missing_requirements "$file")")
      continue
    fi
    echo "installing Python packages of $file into .venv"
    "$venv_python" -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear .venv
    "$venv_python" -m pip install --quiet --disable-pip-version-check -r "$file" || die "pip could not install $file"
    sha256sum "$file" >"$stamp"
  done
}

missing_requirements() {
  local installed
  installed=$("$venv_python" -m pip freeze --disable-pip-version-check 2>/dev/null || true)
  grep -vE '^ *(#|$)' "$1" | grep -vixFf <(printf '%s\n' "$installed" | grep .) | paste -sd ' ' || true
}

# Ends a run with --no-install that lacks something.
end_if_missing() {
  ((${#missing_faults[@]})) || return 0
  printf 'missing %s\n' "${missing_faults[@]}" >&2
  exit 1
}
