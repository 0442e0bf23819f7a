#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it in a clean virtual environment without Go, and
# runs its tests in another, below build/python. On a Debian, as root, it installs what it needs;
# Python packages come from PyPI. Where something is missing and not available, it says so and ends
# with exit code 77.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"

work=$top/build/python
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1

untested() { skip "the Python package is not tested: $*"; }

# may_install reports whether Debian packages can be installed.
may_install() { [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; }

python=$(given_python)
if ! command -v "$python" >/dev/null; then
	may_install || untested "there is no $python"
	apt_install python3
fi
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || untested "$("$python" --version) is older than 3.10"
missing=()
"$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
[[ -f $("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h ]] || missing+=(python3-dev)
command -v gcc >/dev/null || missing+=(build-essential)
if ((${#missing[@]})); then
	may_install || untested "it needs ${missing[*]} (on Debian: apt-get install ${missing[*]})"
	apt_install "${missing[@]}"
fi
need_go

# start FUNCTION runs a function beside what follows, and finish FUNCTION prints what it printed and fails if it failed.
start() {
	"$1" >"$work/$1.log" 2>&1 &
	started=$!
}
finish() {
	local status=0
	wait "$started" || status=$?
	cat "$work/$1.log"
	return "$status"
}

go_parts() {
	cd bindings
	go vet ./native
	go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./native
	go test -vet=off ./native
}

# types checks the types of the package, and of scripts that use it as it is installed.
types() {
	export MYPY_CACHE_DIR=$work/mypy
	(cd bindings && "$work/tests/bin/mypy")
	(cd / && "$work/tests/bin/mypy" --strict "$top"/bindings/examples/*.py)
}

echo "-- Go parts and Python packages"
mkdir -p "$work"
start go_parts
installed=1
[[ -x $work/tests/bin/python ]] || "$python" -m venv "$work/tests"
"$work/tests/bin/pip" install setuptools wheel pybindgen pip numpy pandas matplotlib tqdm pytest pyarrow duckdb polars mypy pandas-stubs || installed=0
finish go_parts
((installed)) || untested "pip could not install all packages from PyPI"

echo "-- wheel"
wheel=$(PYTHON=$work/tests/bin/python scripts/build-wheel.sh "$work/dist")

echo "-- a clean environment without Go"
rm -rf "$work/clean"
"$python" -m venv "$work/clean"
"$work/clean/bin/pip" install "$wheel"
(
	cd /
	export PATH=$work/clean/bin:/usr/bin:/bin
	! command -v go >/dev/null || echo "note: there is a Go in /usr/bin"
	qbb version
	python -c 'import qbb; print(qbb.Scenario(topology="star:n=4", duration="100us").run())'
)

"$work/tests/bin/pip" install --force-reinstall --no-deps "$wheel"

echo "-- types and tests"
start types
failed=0
(cd bindings && env -u GOGC timeout 600 "$work/tests/bin/pytest" --durations=5) || failed=1 # some tests measure memory
finish types || failed=1
exit "$failed"
