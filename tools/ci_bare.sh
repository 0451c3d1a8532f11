#!/usr/bin/env bash
# What the README promises, in a Debian 12 with nothing but bash and git: `./run demo` and `./run test`.
#
# usage: tools/ci_bare.sh
#
# Makes the system in a temporary directory, clones what is checked out into it, and removes it in the end. The last
# line is `N passed, N failed`: what the tests came to, with the demonstration as one more.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
source tools/run/common.sh

((EUID == 0)) || die "ci_bare: expected to be root, who can change the root directory"
need_packages debootstrap git
end_if_missing

work=$(mktemp -d)
system=$work/debian
trap 'rm -rf --one-file-system "$work"' EXIT

# Its own mounts and processes end with the command.
inside() {
  unshare --mount --pid --fork --kill-child --root="$system" --wd=/root/byname --mount-proc \
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CI=true \
    bash -c 'mount -t tmpfs tmpfs /dev/shm && mount -t devpts -o ptmxmode=666 devpts /dev/pts && "$@"' bash "$@"
}

make_system() {
  debootstrap --variant=minbase --include=git,ca-certificates bookworm "$system" >"$work/log" 2>&1 || return
  # How this machine reaches the network.
  for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt /etc/apt/apt.conf.d/*proxy*; do
    [[ ! -f $file ]] || cp --dereference "$file" "$system$file"
  done
  git clone --quiet . "$system/root/byname" && inside apt-get update >"$work/log" 2>&1
}

echo "making a Debian 12 in $system"
if make_system; then
  echo "made in $SECONDS s"
else
  # Whatever this machine does not allow is no fault of the project: its tests run where they can.
  tail -n 5 "$work/log" >&2
  echo "NO DEBIAN CAN BE MADE HERE (see above): the demonstration and the tests run in place" >&2
  inside() { "$@"; }
fi

failed=0
status=0
inside ./run demo || failed=1
inside ./run test | tee "$work/log" || status=1
line=$(tail -n 1 "$work/log")
[[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(.*)$ ]] || die "the tests did not end with their sum"
echo "$((BASH_REMATCH[1] + 1 - failed)) passed, $((BASH_REMATCH[2] + failed)) failed${BASH_REMATCH[3]}"
((failed == 0 && status == 0))
