#!/usr/bin/env bash
# Checks everything: scripts/test.sh, or some steps: scripts/test.sh format tests.
# On a Debian, as root, it installs what it needs. Exit code 0: all is well, though steps may have been skipped, which
# the summary says; 1: a step failed; 2: none failed, but something that a step needs is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$top"

all_steps=(format vet staticcheck tests portable c ns3 python)
staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2 # 2026.2

step_format() {
	local files
	files=$(gofmt -l .)
	[[ -z $files ]] || {
		echo "not formatted; run gofmt -w on: $files"
		return 1
	}
}

step_vet() { go vet ./...; }

# Run by version, so that it is not a requirement of the module.
step_staticcheck() { go run "$staticcheck" ./...; }

# The report's tests need a browser; without one they say so and skip.
want_browser() {
	command -v chromium >/dev/null || (apt_install chromium) || echo "without chromium the report is not opened in a browser"
}

# The tests of captures use tshark; without it they say so and skip.
want_tshark() {
	command -v tshark >/dev/null || (apt_install tshark) || echo "without tshark captures are not dissected"
}

# Prints packages, failures and skipped tests, and counts of go test's verdicts. The package that takes longest starts
# first, that it does not run alone at the end. The checks that -vet=off leaves out are among those of the step vet.
step_tests() {
	want_browser
	want_tshark
	go test -v -vet=off -timeout 30m ./internal/scenario ./... 2>&1 | awk '
		/^ *--- PASS/ { passed++; next }
		/^ *--- FAIL/ { failed++ }
		/^ *--- SKIP/ { skipped++ }
		/^ok / { ok++ }
		/^FAIL\t/ { broken++ }
		/^ *=== / || /^PASS$/ || /no test files/ { next }
		{ print; fflush() }
		END { printf "%d tests passed, %d failed, %d skipped; %d packages passed, %d failed\n", passed, failed, skipped, ok, broken }'
}

step_portable() { scripts/test-portable.sh; }

step_c() { scripts/test-c.sh; }

step_python() { scripts/test-python.sh; }

step_ns3() { scripts/test-ns3.sh; }

# run STEP runs a step with "set -e" in force, which it would not be inside a condition.
run() {
	local began=$SECONDS status verdict
	echo "== $1"
	set +e
	(
		set -e
		"step_$1"
	)
	status=$?
	set -e
	case $status in
	0) verdict=passed passed=$((passed + 1)) ;;
	77) verdict=SKIPPED skipped=$((skipped + 1)) ;;
	2) verdict="NOT RUN: something is missing" missing=$((missing + 1)) ;;
	*) verdict=FAILED failed=$((failed + 1)) ;;
	esac
	summary+=("$1 $verdict ($((SECONDS - began)) s)")
}

steps=("$@")
((${#steps[@]})) || steps=("${all_steps[@]}")
for step in "${steps[@]}"; do
	declare -F "step_$step" >/dev/null || die "no step $step; there are: ${all_steps[*]}"
done

need_go
export GOGC=400 # Go's compiler and tools, and tests, collect garbage less often, which takes a fifth of their time
if [[ " ${steps[*]} " == *" tests "*"ns3 "* ]]; then # which runs the random cases of internal/twin that the tests have run
	export QBB_TWIN_CASES=$top/build/ns3-random
	rm -rf "$QBB_TWIN_CASES"
fi
summary=() passed=0 skipped=0 missing=0 failed=0
for step in "${steps[@]}"; do run "$step"; done
echo "== summary"
printf '%s\n' "${summary[@]}"
echo "$passed steps passed, $skipped skipped, $missing not run, $failed failed"
((failed == 0)) || exit 1
((missing == 0)) || exit 2
