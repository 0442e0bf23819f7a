#!/usr/bin/env bash
# Builds the C library with CMake and runs its tests with ctest, once as it is shipped and once
# with sanitizers. On a Debian, as root, it installs what it needs. Where it is missing and cannot
# be installed, it says so and ends with exit code 77.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"

missing=()
command -v cmake >/dev/null || missing+=(cmake)
if ! command -v gcc >/dev/null || ! command -v g++ >/dev/null || ! command -v make >/dev/null; then
	missing+=(build-essential)
fi
if ((${#missing[@]})); then
	if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
		skip "the C library is not tested without ${missing[*]} (on Debian: apt-get install ${missing[*]})"
	fi
	apt_install "${missing[@]}"
fi
need_go

cmake_test . build/c -DQBB_NS3=OFF
cmake_test . build/c-sanitize -DQBB_NS3=OFF -DQBB_SANITIZE=ON -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ # go requires a known name
