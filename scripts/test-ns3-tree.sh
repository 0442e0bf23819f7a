#!/usr/bin/env bash
# Builds ns-3 with the module as contrib/qbb in its source tree, and runs the module's tests and examples there:
# scripts/test-ns3-tree.sh, or scripts/test-ns3-tree.sh FOLDER with an existing source tree, which gets the link
# contrib/qbb. Without FOLDER, it fetches Debian's source of ns-3 (40 MB). Everything else goes under build/ns3-tree.
# The first build takes 25 minutes of one core; later ones rebuild what has changed. If Debian's source is not
# available, it says so and ends with exit code 77.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"
work=$top/build/ns3-tree
suites=(qbb-header qbb-adapter qbb-helper qbb-network qbb-failure qbb-ip qbb-options qbb-identity)
examples=(qbb-first qbb-mixed qbb-adapter)
cases=(dumbbell4-hpcc dumbbell4-dcqcn star61-incast60-hpcc) # of testdata/baselines

# fetch downloads and unpacks Debian's source of ns-3, by apt with its own lists: those of the
# system may lack sources. It prints the folder.
fetch() {
	local apt=$work/apt archive ns3
	if ! compgen -G "$work/source/*/ns-3*/ns3" >/dev/null; then
		mkdir -p "$apt"/{sources,lists/partial} "$work/source"
		find /etc/apt -name '*.sources' -exec sed 's/^Types:.*/Types: deb-src/' {} \; >"$apt/sources/all.sources"
		find /etc/apt -name '*.list' -exec sed -n 's/^deb /deb-src /p' {} \; >"$apt/sources/all.list"
		local options=(-qq -o "Dir::Etc::SourceParts=$apt/sources" -o Dir::Etc::SourceList=/dev/null -o "Dir::State::Lists=$apt/lists")
		(cd "$work/source" && apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only ns3) >&2
		archive=$(compgen -G "$work/source/ns3_*.orig.tar.*") && tar -xf "$archive" -C "$work/source"
	fi
	ns3=$(compgen -G "$work/source/*/ns-3*/ns3") && dirname "$ns3"
}

missing=()
for command in cmake g++ ninja python3; do
	command -v "$command" >/dev/null || missing+=("$command")
done
if ((${#missing[@]})); then
	apt_install build-essential cmake ninja-build python3
fi
need_go
mkdir -p "$work"
if [[ -n ${1-} ]]; then
	tree=$(cd "$(given "$1")" && pwd)
elif command -v apt-get >/dev/null && tree=$(fetch); then
	:
else
	skip "the module is not built in a source tree of ns-3, which is not to be had (scripts/test-ns3-tree.sh FOLDER takes one)"
fi

cmake -S . -B "$work/c" -DQBB_NS3=OFF -DBUILD_TESTING=OFF -DQBB_BUILD_EXAMPLES=OFF
cmake --build "$work/c"
cmake --install "$work/c" --prefix "$work/prefix"
export CMAKE_PREFIX_PATH=$work/prefix
ln -sfn "$top/ns3bridge" "$tree/contrib/qbb"
cd "$tree"
./ns3 configure --build-profile default -G Ninja --enable-modules qbb --filter-module-examples-and-tests qbb \
	--enable-tests --enable-examples
./ns3 build --jobs "$(nproc)"

# check NAME COMMAND... runs a command that must succeed.
check() {
	local name=$1
	shift
	"$@" || die "$name failed"
	echo "PASS $name"
}
for suite in "${suites[@]}"; do
	check "$suite" ./test.py --no-build --nocolor --suite "$suite"
done
for example in "${examples[@]}"; do
	check "$example" ./test.py --no-build --nocolor --example "$example"
done
driven=$(compgen -G "$tree/build/contrib/qbb/examples/ns3*-trace-driven-default")
for case in "${cases[@]}"; do
	check "$case" cmake -DPROGRAM="$driven" -DCASE="$top/testdata/baselines/$case" -DOUT="$work/$case" \
		-P "$top/ns3bridge/test/compare.cmake"
done
