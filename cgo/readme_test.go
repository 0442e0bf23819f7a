//go:build cgo

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// readme makes programs of the snippets of README.md; the marks stand for the snippets.
const readme = `#include <stdio.h>
#include <stdlib.h>
#include "qbb.h"

static int must(int code)
{
	if (code < 0) {
		fprintf(stderr, "%%s\n", qbb_last_error());
		exit(1);
	}
	return code;
}

static void schemes(void)
{
	const int64_t now = 0, rtt = 8000000;
	qbb_scheme scheme;
	qbb_sender sender;
	qbb_traits traits;
	qbb_flow flow = {.size = sizeof flow, .line = INT64_C(100000000000), .base_rtt = rtt, .mtu = 1000, .bytes = 1000, .hops = 1};
	qbb_hop hop = {.at = 1, .line = flow.line};
	qbb_signal signal = {.now = rtt, .born = QBB_NEVER, .kind = QBB_ACK, .bytes = 1000, .rtt = rtt, .n_hops = 1, .hops = &hop};
	qbb_control control;

	must(qbb_int_full(1, &flow.format));
%s}

static void scenarios(void)
{
	qbb_scenario scenario;
	const qbb_scenario_flow flow = {.size = sizeof flow, .src = 0, .dst = 1, .prio = 3, .bytes = 1000};
	qbb_run run;
	qbb_progress progress = {.size = sizeof progress};
	int64_t fct[1];
	const qbb_flow_columns columns = {.size = sizeof columns, .fct = fct};
	const int32_t n = 1;

%s}

static int ends;

/* An answer to the first message. */
static int what_follows(qbb_run run, uint32_t flow, qbb_message *message)
{
	qbb_progress progress = {.size = sizeof progress};

	must(qbb_run_progress(run, &progress));
	message->src = 1;
	message->dst = 0;
	message->start = progress.now;
	ends++;
	return flow == 0;
}

static void closed_loops(void)
{
	static const char text[] = "topology: star:n=3\nworkload: none\n";
	qbb_message message = {.size = sizeof message, .src = 0, .dst = 1, .prio = 3, .bytes = 1000};
	qbb_scenario scenario;
	qbb_run run;
	uint32_t flow;

	must(qbb_scenario_read(NULL, text, sizeof text - 1, &scenario));
%s}

int main(void)
{
	schemes();
	closed_loops();
	scenarios();
	return ends != 2;
}
`

// TestReadme compiles and runs what README.md shows in C: it ends, without a scenario to load with an error.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	snippets := regexp.MustCompile("(?ms)^```c\n(.*?)^```").FindAllStringSubmatch(string(page), -1)
	if len(snippets) != 3 {
		t.Fatalf("README.md has %d snippets in C, want 3: one scheme, scenarios, a closed loop", len(snippets))
	}
	file := filepath.Join(t.TempDir(), "readme.c")
	if err := os.WriteFile(file, fmt.Appendf(nil, readme, snippets[0][1], snippets[1][1], snippets[2][1]), 0o644); err != nil {
		t.Fatal(err)
	}
	program := compile(t, file)
	for _, c := range []struct{ scenario, want string }{
		{"topology: star:n=3\nworkload: none\nincast: 1x1KB\n", ""},
		{"", "run.yaml"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, program)
		cmd.Dir = t.TempDir()
		if c.scenario != "" {
			if err := os.WriteFile(filepath.Join(cmd.Dir, "run.yaml"), []byte(c.scenario), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		out, err := cmd.CombinedOutput()
		_, unwritten := os.Stat(filepath.Join(cmd.Dir, "fct.txt"))
		if ctx.Err() != nil || (err != nil) != (c.want != "") || !strings.Contains(string(out), c.want) {
			t.Errorf("with the scenario %q: %v\n%s", c.scenario, errors.Join(ctx.Err(), err), out)
		}
		if (unwritten != nil) != (c.want != "") {
			t.Errorf("with the scenario %q: fct.txt: %v", c.scenario, unwritten)
		}
	}
}
