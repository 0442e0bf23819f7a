#!/usr/bin/env bash
# Builds the ns-3 module against a later ns-3 than Debian's and runs its tests with ctest:
# scripts/test-ns3-pypi.sh [VERSION]. The libraries and headers come from PyPI's wheels of ns-3 for
# Linux; nothing is installed. Everything goes under build/ns3-pypi. If the wheel is not available,
# it says so and ends with exit code 77.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"
version=${1:-3.44.post0}
work=$top/build/ns3-pypi/$version
package=$work/root/ns3/lib64/cmake/ns3

missing=()
command -v cmake >/dev/null || missing+=(cmake)
if ! command -v g++ >/dev/null || ! command -v make >/dev/null; then
	missing+=(build-essential)
fi
python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
((!${#missing[@]})) || apt_install "${missing[@]}"
need_go

if [[ ! -d $package ]]; then
	rm -rf "$work"
	if ! python3 -m pip download --quiet --no-deps --only-binary :all: --python-version 3.11 --dest "$work" "ns3==$version"; then
		skip "the ns-3 module is not tested with ns-3 $version, which PyPI has not for this system"
	fi
	python3 -m zipfile -e "$work"/ns3-*.whl "$work/new"
	# The package names folders and libraries of the machine on which it was built.
	sed -i -E 's#(INTERFACE_INCLUDE_DIRECTORIES "\$\{_IMPORT_PREFIX\}/include)[^"]*"#\1"#; s#;/[^;"]*##g' \
		"$work"/new/ns3/lib64/cmake/ns3/ns3Targets.cmake
	mv "$work/new" "$work/root"
fi
cmake_test ns3bridge "$work/build" "-Dns3_DIR=$package"
