#!/usr/bin/env bash
# Makes a wheel of the Python package in dist/, or in the folder given, for the Python named python3
# (or $PYTHON). pip can install it where there is no Go. Standard output is the wheel's path alone, so
# that pip install "$(scripts/build-wheel.sh)" installs this one, whichever wheels the folder has.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"

python=$(given_python)
out=$top/dist
[[ -z ${1-} ]] || out=$(given "$1")
exec 3>&1 >&2
need_go
command -v gcc >/dev/null || apt_install build-essential
"$python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || die "$python must be Python 3.10 or later, with pip"
header=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include") + "/Python.h")')
[[ -f $header ]] || apt_install python3-dev

built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$built" ${PIP_WHEEL_OPTIONS:-} ./bindings
wheel=$(basename "$built"/qbb-*.whl)
mkdir -p "$out"
mv -f "$built/$wheel" "$out/"
echo "$out/$wheel" >&3
