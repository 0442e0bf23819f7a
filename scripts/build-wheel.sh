#!/usr/bin/env bash
# Makes a wheel of the Python package in dist/, or in the folder given, for the Python named python3
# (or $PYTHON). pip can install it where there is no Go.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"

python=$(given_python)
out=dist
[[ -z ${1-} ]] || out=$(given "$1")
need_go
command -v gcc >/dev/null || apt_install build-essential
"$python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || die "$python must be Python 3.10 or later, with pip"
header=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include") + "/Python.h")')
[[ -f $header ]] || apt_install python3-dev

"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$out" ${PIP_WHEEL_OPTIONS:-} ./bindings
ls "$out"/qbb-*.whl
