package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/workloads"
)

func TestHelpGolden(t *testing.T) {
	golden(t, "help/qbb.txt", mustQBB(t, "help"))
	for _, c := range commands() {
		golden(t, "help/"+strings.ReplaceAll(c.name, " ", "-")+".txt", mustQBB(t, append([]string{"help"}, strings.Fields(c.name)...)...))
	}
}

// The topics list everything that they are made from.
func TestTopicsAreComplete(t *testing.T) {
	for topic, words := range map[string][]string{
		"topologies": topologyNames(),
		"workloads":  append(workloads.Sizes(), "8x300KB@1ms", "permutation", "long-and-short"),
		"scenario":   {"profile=native", "cc.name=hpcc", "switch.reserve=", "options.rto=", "[size: 1B to 64KiB]"},
		"inputs":     {"config.txt", "topology.txt", "flow.txt", "CC_MODE", "start_ns"},
		"outputs":    {"fct.parquet", "queue_cdf.parquet", "pfc.parquet", "ports.parquet", "summary.json", "fct.txt", "ideal_fct_ns"},
		"units":      {"100Gbps", "KiB", "ps,"},
	} {
		text := mustQBB(t, "help", topic)
		for _, word := range words {
			if !strings.Contains(text, strings.TrimSuffix(word, ":")) {
				t.Errorf("qbb help %s does not mention %s", topic, word)
			}
		}
	}
	outputs := mustQBB(t, "help", "inputs") + mustQBB(t, "help", "outputs")
	for _, s := range traces.Schemas() {
		if !strings.Contains(outputs, "\n"+s.File+"\n") {
			t.Errorf("neither inputs nor outputs describe %s", s.File)
		}
	}
}

func TestSchemesAreComplete(t *testing.T) {
	all, names := mustQBB(t, "schemes"), mustQBB(t, "schemes", "--names")
	for _, e := range catalog.All() {
		one := mustQBB(t, "schemes", e.Name)
		if !strings.Contains(all, one) || !strings.HasPrefix(one, e.Name) || !strings.Contains(names, "  "+e.Name+" ") {
			t.Errorf("qbb schemes does not list %s", e.Name)
		}
		for _, p := range e.Params() {
			if !strings.Contains(one, "    "+p.Name+"="+p.Default) {
				t.Errorf("qbb schemes %s does not list %s=%s", e.Name, p.Name, p.Default)
			}
		}
	}
	for name, want := range map[string]bool{"dcqcn": true, "dctcp": true, "hpcc": false, "swift": false} {
		if got := strings.Contains(mustQBB(t, "schemes", name), "ecn.thresholds"); got != want {
			t.Errorf("qbb schemes %s speaks of marks: %v", name, got)
		}
	}
	if mustQBB(t, "schemes", "pint") != mustQBB(t, "schemes", "hpcc-pint") {
		t.Error("an alias shows something else")
	}
}

// Every command's help is the same in whichever way it is requested.
func TestHelpThreeWays(t *testing.T) {
	for _, c := range commands() {
		words := strings.Fields(c.name)
		want := mustQBB(t, append([]string{"help"}, words...)...)
		if got := mustQBB(t, append(words, "--help")...); got != want {
			t.Errorf("qbb %s --help differs from qbb help %s", c.name, c.name)
		}
		if got := mustQBB(t, append(words, "-h")...); got != want {
			t.Errorf("qbb %s -h differs from qbb help %s", c.name, c.name)
		}
	}
	if mustQBB(t) != mustQBB(t, "help") || mustQBB(t, "--help") != mustQBB(t, "help") {
		t.Error("qbb, qbb --help and qbb help differ")
	}
	if mustQBB(t, "--version") != mustQBB(t, "version") {
		t.Error("qbb --version and qbb version differ")
	}
	if mustQBB(t, "gen", "--help") != mustQBB(t, "help", "gen") || mustQBB(t, "gen", "-h") != mustQBB(t, "help", "gen") {
		t.Error("qbb gen --help, qbb gen -h and qbb help gen differ")
	}
	if got, want := mustQBB(t, "help", "gen"), mustQBB(t, "help", "gen", "topology")+"\n"+mustQBB(t, "help", "gen", "traffic"); got != want {
		t.Errorf("qbb help gen explains not both of its kinds:\n%s", got)
	}
}

// Every flag and command has a help text, and every text fits the width of a terminal.
func TestHelpIsComplete(t *testing.T) {
	overview := mustQBB(t, "help")
	for _, c := range commands() {
		text := mustQBB(t, append([]string{"help"}, strings.Fields(c.name)...)...)
		if c.brief == "" || c.about == "" || !strings.Contains(overview, c.name) {
			t.Errorf("qbb %s lacks a text: %q, %q", c.name, c.brief, c.about)
		}
		fs, _ := c.flags()
		fs.VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" || !strings.Contains(text, "--"+f.Name) {
				t.Errorf("qbb help %s does not explain --%s", c.name, f.Name)
			}
			if value, _ := splitUsage(f); (value == "") != (f.NoOptDefVal != "") {
				t.Errorf("qbb %s --%s: the text does not name its value", c.name, f.Name)
			}
		})
		narrow(t, c.name, text)
	}
	for _, topic := range topics() {
		narrow(t, topic.name, mustQBB(t, "help", topic.name))
	}
	narrow(t, "schemes", mustQBB(t, "schemes"))
	narrow(t, "help", overview)
}

// A topic has the names under which people look for it.
func TestOtherNamesOfTopics(t *testing.T) {
	want := mustQBB(t, "help", "programs")
	for _, name := range []string{"python", "Python", "c", "C++", "ns-3", "NS3"} {
		if got := mustQBB(t, "help", name); got != want {
			t.Errorf("qbb help %s:\n%s", name, got)
		}
	}
}

// narrow requires lines that fit a terminal.
func narrow(t *testing.T, name, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); len(line) > width || line != strings.TrimRight(line, " ") {
			t.Errorf("%s: %d columns: %q", name, len(line), line)
		}
	}
}

func TestMistakenWords(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"rum", `unknown command "rum": did you mean qbb run?`},
		{"gen", `gen: which? qbb gen topology or qbb gen traffic`},
		{"gen trafic", `unknown command "gen trafic": did you mean qbb gen traffic?`},
		{"help toplogies", `did you mean qbb help topologies?`},
		{"help run sweep", `one command or topic at a time: see qbb help run`},
		{"help units bogus", `one command or topic at a time: see qbb help units`},
		{"help gen trafic", `nothing is called "gen trafic": did you mean qbb help gen traffic?`},
		{"help patterns", `nothing is called "patterns": see qbb help workloads, `},
		{"help dcqcn", `"dcqcn" is a scheme: see qbb schemes dcqcn`},
		{"help flows", `nothing is called "flows": see qbb help inputs, `},
		{"help PNG", `nothing is called "PNG": see qbb help plot, `},
		{"help LaTeX", `nothing is called "LaTeX": see qbb help table`},
		{"help CSV", `nothing is called "CSV": did you mean qbb help csv?`},
		{"help fat-tree", `nothing is called "fat-tree": see qbb help topologies, `},
		{"help fct.parquet", `nothing is called "fct.parquet": see qbb help outputs, `},
		{"help cc.params", `nothing is called "cc.params": see qbb help scenario, `},
		{"help s", `nothing is called "s": did you mean qbb help `},
		{"help xyzzy", `nothing is called "xyzzy": did you mean qbb help `},
		{"schemes dqcn", `no scheme "dqcn": did you mean dcqcn? qbb schemes lists all`},
		{"schemes dx9", `no scheme "dx9": qbb schemes lists all`},
		{"completion fis", `did you mean fish?`},
		{"completion", "which shell? bash, zsh, fish"},
		{"run --laod 0.5", "unknown flag --laod: did you mean --load?"},
		{"run -topology star:n=2", "unknown flag -topology: did you mean --topology?"},
		{"run --pfc", "unknown flag --pfc: did you mean --no-pfc?"},
		{"run --flow f.csv", "unknown flag --flow: did you mean --flows?"},
		{"run --out-dir x", "unknown flag --out-dir: did you mean --out?"},
		{"run --balance spray", "unknown flag --balance: did you mean --load-balance?"},
		{"run --rate 100Gbps", "unknown flag --rate: see qbb help run"},
		{"run --ecmp", "unknown flag --ecmp: see qbb help run"},
		{"run --config config.txt", "unknown flag --config: CONFIG stands alone, as in qbb run config.txt"},
		{"sweep --config config.txt", "unknown flag --config: CONFIG stands alone, as in qbb sweep config.txt"},
		{"--cc hpcc", `unknown command "--cc": did you mean qbb run --cc? qbb help lists all`},
		{"version --json", "unknown flag --json: this command has none"},
		{"version now", `unexpected argument "now": see qbb help version`},
		{"reproduce netgaug", `unknown experiment "netgaug": did you mean netgauge? qbb reproduce lists all`},
		{"reproduce netgauge --all", "--all runs every experiment: give it or names, not both"},
		{"run --load", "--load needs a value: --load SHARE"},
	} {
		o := qbb(t, strings.Fields(c.args)...)
		if o.code != exitMistake || !strings.Contains(o.stderr, c.want) || strings.Count(o.stderr, "\n") != 1 || o.stdout != "" {
			t.Errorf("qbb %s: exit code %d, %q, %q; want %q", c.args, o.code, o.stderr, o.stdout, c.want)
		}
	}
}

func TestVersion(t *testing.T) {
	if got := mustQBB(t, "version"); !strings.HasPrefix(got, "qbb ") || !strings.Contains(got, " go1.") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %q", got)
	}
}
