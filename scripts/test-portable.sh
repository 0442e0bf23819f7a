#!/usr/bin/env bash
# Compares the outputs of different processors: scripts/test-portable.sh. Every scheme, and a case of the reference for
# each of its own, run in the program as it is built here, in one built for processors that fuse multiplications with
# additions (amd64 from GOAMD64=v3 on), in one of 32 bits, and under emulators in one for arm64 and in one for s390x,
# which is big-endian. All files must be the same, except for the time and memory that the runs took. The program is
# also built for other systems.
# Exit code 0: all is well; 1: some files differ; 2: something is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"

# outputs FOLDER COMMAND... makes a program write its files into a folder.
outputs() {
	local dir=$1 schemes c
	shift
	schemes=$("$@" schemes --names | awk '/^  [a-z]/ { print $1 }')
	"$@" sweep --vary "cc=${schemes//$'\n'/ }" --topology fat-tree:k=4 --load 0.5 --duration 100us \
		--incast 4x100KB --quiet --out "$dir/schemes"
	for c in dumbbell4-{hpcc,dcqcn,timely,dctcp,pint}; do
		mkdir -p "$dir/$c"
		(cd "$dir/$c" && "$@" run "$top/testdata/baselines/$c/config.txt" --quiet --out .)
	done
	find "$dir" -name summary.json -exec sed -i -E '/"(setup_seconds|wall_seconds|(hops|events)_per_second|memory_bytes.*)":/d' {} +
}

# same WHICH FOLDER checks that a folder has the same content as ours.
same() {
	if diff -rq "$work/here" "$2"; then
		echo "$1: $(find "$2" -type f | wc -l) files are the same"
	else
		failed=1
	fi
}

need_go
command -v qemu-aarch64 >/dev/null && command -v qemu-s390x >/dev/null || apt_install qemu-user
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for system in darwin windows; do
	GOOS=$system CGO_ENABLED=0 go build -o /dev/null ./cmd/qbb
done

go build -o "$work/qbb" ./cmd/qbb
outputs "$work/here" "$work/qbb"

if [[ $(go env GOARCH) == amd64 ]] && grep -qw fma /proc/cpuinfo; then
	GOAMD64=v3 go build -o "$work/qbb-v3" ./cmd/qbb
	outputs "$work/v3" "$work/qbb-v3"
	same "amd64 that fuses" "$work/v3"
fi

# elsewhere GOARCH [EMULATOR] compares with the program for another processor.
elsewhere() {
	local arch=$1
	shift
	GOARCH=$arch CGO_ENABLED=0 go build -o "$work/qbb-$arch" ./cmd/qbb
	outputs "$work/$arch" "$@" "$work/qbb-$arch"
	same "$arch" "$work/$arch"
}

if [[ $(go env GOARCH) == amd64 ]]; then
	elsewhere 386
fi
elsewhere arm64 qemu-aarch64
elsewhere s390x qemu-s390x
exit "$failed"
