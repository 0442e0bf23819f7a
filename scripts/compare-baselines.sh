#!/usr/bin/env bash
# Runs cases of the reference simulator and compares the results byte for byte with its own:
# scripts/compare-baselines.sh [FOLDER...]. A folder holds a config.txt, its input files, and the
# reference's outputs: fct.txt, pfc.txt, qlen.txt. A missing pfc.txt counts as empty; a missing
# qlen.txt is not compared. Rates are from one run each, including the writing of files: see
# scripts/bench.sh for better ones. Without folders: all of testdata/baselines.
# Exit code 0: all are identical; 1: some differ or did not run; 2: something is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folders=("$@")
((${#folders[@]})) || folders=("$top"/testdata/baselines/*/)
for f in "${folders[@]}"; do
	[[ -f $f/config.txt ]] || die "$f has no config.txt"
	[[ -f $f/fct.txt ]] || die "$f has no fct.txt of the reference"
done

# written CONFIG KEY FOLDER prints the file to which a config.txt has results written, when its
# names are relative to a folder.
written() {
	local name
	name=$(tr -s '[:space:]' '\n' <"$1" | awk -v key="$2" '$0 == key { getline; print }')
	if [[ $name == /* ]]; then echo "$name"; else echo "$3/$name"; fi
}

# verdict THEIRS OURS compares two files; a missing one counts as empty.
verdict() {
	local theirs=$1 ours=$2
	[[ -f $theirs ]] || theirs=/dev/null
	[[ -f $ours ]] || ours=/dev/null
	if cmp -s "$theirs" "$ours"; then
		echo same
	else
		# cmp prints "... differ: byte B, line L" or "EOF on FILE after byte B, line L".
		LC_ALL=C cmp "$theirs" "$ours" 2>&1 | sed -nE 's/.*line ([0-9]+)$/line:\1/p; s/.*EOF.*empty$/line:1/p' | head -1
	fi
}

# compare_case FOLDER runs a case, with its results in a folder of their own, and prints its row of
# the table.
compare_case() {
	local folder name config out=$work/out ours fct pfc qlen=none rate
	folder=$(cd "$1" && pwd)
	name=$(basename "$folder") config=$folder/config.txt
	rm -rf "$out" && mkdir "$out"
	# In an empty folder: input names are first looked up in the working folder.
	if ! (cd "$out" && "$work/qbb" run "$config" --quiet --out "$out" >"$work/log" 2>&1); then
		printf '%-30s did not run: %s\n' "$name" "$(tail -n 1 "$work/log")"
		return 1
	fi
	ours=$(written "$config" FCT_OUTPUT_FILE "$out")
	fct=$(verdict "$folder/fct.txt" "$ours")
	pfc=$(verdict "$folder/pfc.txt" "$(written "$config" PFC_OUTPUT_FILE "$out")")
	if [[ -f $folder/qlen.txt ]]; then
		qlen=$(verdict "$folder/qlen.txt" "$(written "$config" QLEN_MON_FILE "$out")")
	fi
	rate=$(sed -nE 's/^ *"hops_per_second": *([0-9.e+]+),?$/\1/p' "$(dirname "$ours")/summary.json")
	printf '%-30s %-12s %-12s %-12s %13.0f\n' "$name" "$fct" "$pfc" "$qlen" "$rate"
	[[ $fct == same && $pfc == same && ($qlen == same || $qlen == none) ]]
}

need_go
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$top" && go build -o "$work/qbb" ./cmd/qbb)

printf '%-30s %-12s %-12s %-12s %13s\n' case fct.txt pfc.txt qlen.txt packet-hops/s
identical=0
for f in "${folders[@]}"; do
	if compare_case "$f"; then identical=$((identical + 1)); fi
done
echo "$identical of ${#folders[@]} cases are identical"
((identical == ${#folders[@]}))
