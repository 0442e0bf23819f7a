#!/usr/bin/env bash
# Builds the ns-3 module against an installed ns-3 and runs its tests with ctest, including the random cases of
# internal/twin: scripts/test-ns3.sh, or scripts/test-ns3.sh all for all cases of testdata/baselines instead of a
# selection; in a source tree of ns-3 instead: scripts/test-ns3.sh in-tree (see test-ns3-tree.sh); against a later ns-3,
# from PyPI: scripts/test-ns3.sh pypi (see test-ns3-pypi.sh). On a Debian, as root, it installs what it needs. Where
# that is missing and cannot be installed, it says so and ends with exit code 77.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
case ${1-} in
in-tree) exec "$top/scripts/test-ns3-tree.sh" "${@:2}" ;;
pypi) exec "$top/scripts/test-ns3-pypi.sh" "${@:2}" ;;
"" | all) ;;
*) die "$1: it takes all, in-tree or pypi" ;;
esac
cd "$top"

# What find_package(ns3) of Debian's package requires besides ns-3.
packages=(libns3-dev ns3 libgsl-dev libxml2-dev libpython3-dev)

# has_ns3 reports whether CMake finds ns-3, in a temporary folder: CMake leaves files where it runs.
has_ns3() (
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	cd "$dir"
	cmake --find-package -DNAME=ns3 -DCOMPILER_ID=GNU -DLANGUAGE=CXX -DMODE=EXIST -DQUIET=TRUE >/dev/null 2>&1
)

# installed reports whether a Debian package is installed.
installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# can_install reports whether Debian's ns-3 is available.
can_install() {
	[[ $(id -u) == 0 ]] && command -v apt-get >/dev/null || return 1
	apt-cache show libns3-dev >/dev/null 2>&1 || { apt-get update -qq && apt-cache show libns3-dev >/dev/null 2>&1; }
}

missing=()
command -v cmake >/dev/null || missing+=(cmake)
if ! command -v g++ >/dev/null || ! command -v make >/dev/null; then
	missing+=(build-essential)
fi
if ! has_ns3 || installed libns3-dev; then
	for package in "${packages[@]}"; do
		installed "$package" || missing+=("$package")
	done
fi
if ((${#missing[@]})); then
	if ! can_install; then
		skip "the ns-3 module is not tested without ${missing[*]} (on Debian 12: apt-get install ${missing[*]})"
	fi
	apt_install "${missing[@]}"
fi
need_go

# scripts/test.sh has run these tests among the others, and says where they keep their cases.
if [[ -z ${QBB_TWIN_CASES-} ]]; then
	export QBB_TWIN_CASES=$top/build/ns3-random
	rm -rf "$QBB_TWIN_CASES"
	go test ./internal/twin -count=1 -run '^TestTwin'
fi
[[ -d $QBB_TWIN_CASES/TestTwin ]] || die "the tests of internal/twin have left no cases in $QBB_TWIN_CASES"
cases=("-DQBB_NS3_RANDOM=$QBB_TWIN_CASES")
[[ ${1-} != all ]] || cases+=("-DQBB_NS3_CASES=*")
cmake_test ns3bridge build/ns3 "${cases[@]}"
