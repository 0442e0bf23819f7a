#!/usr/bin/env bash
# Measures the simulator: scripts/bench.sh [CASE...], cases of testdata/baselines. First the parts
# (event queue, switch hop, every scheme's Step), then whole cases on one core, and one of them on several threads: medians of
# RUNS runs (5). A hop is a packet that crosses a link. Only compare figures from the same, otherwise idle,
# machine.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"

runs=${RUNS:-5}
cases=("$@")
((${#cases[@]})) || cases=(
	fat16-ws60-incast-{hpcc,dcqcn,timely,dctcp,pint}
	fat16-ws30-hpcc fat16-fb60-hpcc
)
for c in "${cases[@]}"; do
	[[ -f testdata/baselines/$c/config.txt ]] || die "no case $c in testdata/baselines"
done

# one_core COMMAND... runs a command on the last processor that is available.
one_core() {
	if command -v taskset >/dev/null; then
		taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" "$@"
	else
		"$@"
	fi
}

# medians reads benchmark lines and prints a table of medians.
medians() {
	awk '
		function median(key, n,   i, j, t) {
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && v[key, j] < v[key, j - 1]; j--) {
					t = v[key, j]; v[key, j] = v[key, j - 1]; v[key, j - 1] = t
				}
			return n % 2 ? v[key, (n + 1) / 2] : (v[key, n / 2] + v[key, n / 2 + 1]) / 2
		}
		/^(---|FAIL|panic)/ { print; bad = 1 }
		/^Benchmark(Baseline|Threads)\// {
			sub(/^Benchmark(Baseline|Threads)\//, "", $1)
			sub(/-[0-9]+$/, "", $1) # GOMAXPROCS
			if (!($1 in count)) order[++names] = $1
			n = ++count[$1]
			for (i = 3; i < NF; i += 2) v[$1, $(i + 1), n] = $i + 0
		}
		END {
			printf "%-28s %12s %8s %9s %11s\n", "case (median)", "M hops/s", "ns/hop", "ns/event", "allocs/hop"
			for (i = 1; i <= names; i++) {
				c = order[i]; n = count[c]
				printf "%-28s %12.2f %8.1f %9.1f %11.5f\n", c, median(c SUBSEP "hops/s", n) / 1e6,
					median(c SUBSEP "ns/hop", n), median(c SUBSEP "ns/event", n), median(c SUBSEP "allocs/hop", n)
			}
			exit bad || !names
		}'
}

need_go
mkdir -p build
echo "== parts"
one_core go test -run '^$' -bench '^Benchmark(Queue|Hop|Next|Step|WindowStep|Notify|Receiver|Timer|Silence|Marker)$' \
	-benchmem -benchtime 200ms -cpu 1 ./core/... ./devices/... ./algorithms/... |
	sed -nE '/^(Benchmark|FAIL|---|panic)/p; /^pkg:/p'

echo "== whole cases, $runs runs each"
go test -c -pgo="$top/cmd/qbb/default.pgo" -o build/scenario.test ./internal/scenario # as cmd/qbb is built
run_cases=(../../build/scenario.test -test.run '^$' -test.benchtime 1x -test.count "$runs")
pattern=$(IFS='|' && echo "${cases[*]}")
(cd internal/scenario && one_core "${run_cases[@]}" -test.cpu 1 -test.bench "Baseline/^($pattern)\$") | medians

echo "== fat16-ws60-incast-hpcc by number of threads, $runs runs each"
(cd internal/scenario && "${run_cases[@]}" -test.bench Threads) | medians
