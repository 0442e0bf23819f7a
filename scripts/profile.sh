#!/usr/bin/env bash
# Measures where the simulator spends its time, for the compiler: writes cmd/qbb/default.pgo, with
# which `go build` and `go run` of cmd/qbb arrange the hot path. Run it after changes of the engine,
# the devices or the schemes; it changes no result.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"

need_go
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test ./internal/scenario -run '^$' -bench 'Benchmark(Baseline|Threads)/(fat16-ws60-incast-(hpcc|dcqcn|timely|dctcp|pint)|2)$' \
	-benchtime 3x -cpuprofile "$work/cpu" -o "$work/test"
go tool pprof -proto "$work/test" "$work/cpu" >"$work/pgo"
cp "$work/pgo" cmd/qbb/default.pgo # after it is complete: a partial profile breaks every build
