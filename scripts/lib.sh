# Shared by the scripts: the tree's folder, and functions to get what they need from the system.
# shellcheck shell=bash

# --help prints the comment at the top of the script.
if [[ ${1-} == -h || ${1-} == --help ]]; then
	sed -n '2,/^[^#]/s/^# \?//p' "$0"
	exit
fi

unset CDPATH # which makes cd print the folder
called_from=$PWD
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# die MESSAGE ends the script.
die() {
	echo "$0: $*" >&2
	exit 2
}

# skip MESSAGE ends a script that tests what cannot be tested here, with the exit code of tests that are skipped (automake,
# CTest): the rest of the tree does not depend on it.
skip() {
	echo "skipped: $*"
	exit 77
}

# given PATH prints a path given by the user, relative to the folder from which the script was called.
given() {
	if [[ $1 == /* ]]; then echo "$1"; else echo "$called_from/$1"; fi
}

# given_python prints the Python to use: python3, or $PYTHON.
given_python() {
	if [[ ${PYTHON-} == */* ]]; then given "$PYTHON"; else echo "${PYTHON:-python3}"; fi
}

# apt_install PACKAGE... installs Debian packages, if this is a Debian and we are root.
apt_install() {
	if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
		die "missing: $*. Install it and run this again (on Debian, as root: apt-get install $*)"
	fi
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}

# cmake_test SOURCE FOLDER OPTION... configures and builds with CMake in a folder, quietly unless that
# fails, and runs the tests there.
cmake_test() {
	local source=$1 dir=$2 log jobs
	shift 2
	jobs=$(nproc)
	log=$(mktemp)
	if ! { cmake -S "$source" -B "$dir" "$@" && cmake --build "$dir" --parallel "$jobs"; } >"$log" 2>&1; then
		cat "$log"
		rm -f "$log"
		return 1
	fi
	rm -f "$log"
	env -u GOGC ctest --test-dir "$dir" --no-tests=error --parallel "$jobs" --output-on-failure # the leak test measures memory
}

# need_go makes sure that there is a go command which can build the tree. From 1.21 on, go itself
# fetches the release that go.mod requires.
need_go() {
	command -v go >/dev/null || apt_install golang-go ca-certificates
	local version
	version=$(cd / && go env GOVERSION) # of the go command itself, not of the tree's release
	if [[ $version =~ ^go1\.([0-9]+) ]] && ((BASH_REMATCH[1] < 21)); then
		die "$version is too old: install Go $(sed -n 's/^go //p' "$top/go.mod") or later, see https://go.dev/doc/install"
	fi
	[[ $(go env GOCACHE) != off && -n $(go env GOMODCACHE) ]] || die "go has no folder for what it builds and fetches: set HOME"
	(cd "$top" && go version) >/dev/null || die "the Go release that go.mod asks for is not to be had; see https://go.dev/doc/install"
}
