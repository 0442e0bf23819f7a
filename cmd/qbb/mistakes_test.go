package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// inputs are files that the table of mistakes needs.
var inputs = map[string]string{
	"two.topo":      "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n",
	"island.topo":   "4 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n",
	"nowhere.topo":  "3 1 2\n2\n0 2 100Gbps 1us 0\n1 9 100Gbps 1us 0\n",
	"short.topo":    "3 1 2\n2\n0 2 100Gbps 1us 0\n",
	"empty":         "",
	"latin1.yaml":   "topology: caf\xe9\n",
	"to-switch.txt": "1\n0 2 3 100 1000 0.001\n",
	"late.txt":      "2\n0 1 3 100 1000 0.002\n1 0 3 100 1000 0.001\n",
	"negative.txt":  "1\n0 1 3 100 -5 0.001\n",
	"overflow.txt":  "1\n0 1 3 100 99999999999999999999 0.001\n",
	"none.csv":      "src,dst,bytes,begin\n",
	"typo.yaml":     "seed: 1\n\nlaod: 0.5\n",
	"twice.yaml":    "seed: 1\nseed: 2\n",
	"word.yaml":     "load: much\n",
	"list.yaml":     "cc:\n  name: hpcc\n  params:\n    targt: 0.5\n",
	"tab.yaml":      "cc:\n\tname: hpcc\n",
	"short.yaml":    "cc: hpcc\n",
	"typo.config":   "ENABLE_QCN 1\nCC_MOD 3\n",
	"cut.gz":        "\x1f\x8b\x08\x00\x00",
	"cut.zst":       "\x28\xb5\x2f\xfd\x04",
	"cut.parquet":   "PAR1\x15\x04",
	"wait.csv":      "src,dst,bytes,start_ns,after\n0,1,1000,0,\n1,0,1000,0,0\n",
	"few.config":    "TOPOLOGY_FILE two.topo\nCC_MODE 3\n",
	"percent.cdf":   "0 0\n1000 99\n",
}

// Mistakes of the user: one line that says where and what, exit code 2, and nothing written.
var mistakes = []struct {
	args, want string
}{
	{"run none.yaml", "none.yaml: no such file"},
	{"run empty", "empty:1: "},
	{"run .", ".: cannot be read: is a directory"},
	{"run --topology two.topo --flows .", ".: cannot be read: is a directory"},
	{"inspect .", ".: cannot be read: is a directory"},
	{"gen topology star:n=3 --out .", "there is a folder of this name"},
	{"gen topology star:n=3 --out none/", "none/: this is a folder's name: add a file's"},
	{"gen topology star:n=3 --out two.topo/x", "two.topo: no folder can be made here: not a directory: choose another place"},
	{"run --duration 10us --pcap none/", "none/: this is a folder's name: add a file's"},
	{"run --out two.topo", "two.topo: no folder can be made here: not a directory: choose another place"},
	{"run --out two.topo/x", "two.topo: no folder can be made here: not a directory: choose another place"},
	{"run --duration 10us --out a/b --pcap ../../two.topo/x", "two.topo: no folder can be made here: not a directory: choose another place"},
	{"run typo.yaml", `typo.yaml:3: unknown key "laod": did you mean load?`},
	{"run twice.yaml", "twice.yaml:2: "},
	{"run word.yaml", `word.yaml:1: load: "much"`},
	{"run list.yaml", `list.yaml:4: cc.params.targt`},
	{"run latin1.yaml", "latin1.yaml:1: "},
	{"run typo.config", `typo.config:2: unknown key "CC_MOD": did you mean CC_MODE?`},
	{"run few.config", "few.config"},
	{"run two.topo", `two.topo:1: unknown key "3": is this a config.txt? Flows and networks have keys, or flags, of their own`},
	{"run tab.yaml", `tab.yaml:2: not a scenario in YAML: found character '\t'`},
	{"run cut.parquet", "cut.parquet: a table in Parquet: a scenario or a config.txt should be there"},
	{"run tab.yaml", ": write KEY: VALUE, and indent by spaces"},
	{"run list.yaml --cc dcqn", `qbb run: cc: no scheme "dcqn"`},
	{"run list.yaml --cc dcqcn:g=7", "qbb run: cc.params.g: dcqcn: "},
	{"run short.yaml --param target=3", "qbb run: cc.params.target: hpcc: "},
	{"run short.yaml --set cc_by_tag.incast=dctp", "qbb run: cc_by_tag.incast: no scheme"},
	{"run short.yaml --set cc_by_tag.incast.params.ai=5Mbps", `a parameter stands beside its scheme, as in cc_by_tag.incast={name: hpcc, params: {ai: 5Mbps}}`},
	{"run short.yaml --set cc_by_tag.incast.params.ai=", `qbb run: --set: "cc_by_tag.incast.params.ai=" is not KEY=VALUE`},
	{"run --topology star:n=4 --set patterns=[one-one:1KB,tag=x]", `patterns.1: pattern "tag=x": unknown name "tag=x": in a list in brackets, a pattern with commas takes quotes`},
	{"run --topology star", `"n" is missing`},
	{"timeline", "qbb timeline: which run? give its folder: qbb timeline DIR"},
	{"timeline a -o a.html", "qbb timeline: a.html: the name must end with .json"},
	{"timeline none", "qbb timeline: none: no such folder: give the folder of a finished run"},
	{"csv", "qbb csv: which table? give its file: qbb csv FILE"},
	{"csv short.yaml", "qbb csv: short.yaml: not a Parquet file"},
	{"csv none", "qbb csv: open none: no such file"},
	{"plot slowdown a -o x.png --out y.png", "qbb plot: --out is given 2 times"},
	{"table a --tag x --tag y", "qbb table: --tag is given 2 times"},
	{"run --threads 1 --threads 2 --threads 3", "qbb run: --threads is given 3 times"},
	{"gen topology star:n=3 -o a -o b", "qbb gen topology: --out is given 2 times"},
	{"csv .", "qbb csv: .: no fct.parquet: give the folder of a finished run, or a file"},
	{"run --topology - --workload -,to=1", "workload: -, standard input, is topology already: write one of them to a file"},
	{"gen traffic --topology - --flows -", "flows: -, standard input, is topology already: write one of them to a file"},
	{"sweep - --vary seed=1..2", "CONFIG: -, standard input, cannot be read for every run: write it to a file"},
	{"sweep --set flows=- --vary seed=1..2", "seed1: flows: -, standard input, cannot be read for every run: write it to a file"},
	{"sweep --schedule -,tag=a --vary seed=1..2", "seed1: schedule: -, standard input, cannot be read for every run: write it to a file"},
	{"csv a b", `unexpected argument "b": see qbb help csv`},
	{"inspect cut.parquet", "cut.parquet: a table in Parquet: packets are in what qbb run --pcap and --trace write; qbb csv prints tables"},
	{"run 5 ms", `unexpected argument "ms"`},
	{"run ms", "qbb run: ms: no such file or directory: a scenario or a config.txt should be there"},
	{"run cut.gz", "cut.gz"},
	{"run cut.zst", "cut.zst"},
	{"run cut.parquet", "cut.parquet"},
	{"run --topology cut.gz", "cut.gz"},
	{"run --topology cut.zst", "cut.zst"},
	{"run --topology two.topo --flows cut.gz", "cut.gz"},
	{"run --topology two.topo --flows cut.parquet", "cut.parquet"},
	{"run a b", `unexpected argument "b"`},
	{"run --topology nowhere.topo", "nowhere.topo:4: "},
	{"run --topology island.topo", "island.topo"},
	{"run --topology short.topo", "short.topo:4: the file ends"},
	{"run --topology fat-tre:k=4", `did you mean "fat-tree"`},
	{"run --topology fat-tree:k=5", "k=5 must be even"},
	{"run --topology nofile.txt", "no such file"},
	{"run --topology two.topo --flows to-switch.txt", "to-switch.txt:2: flow end is a switch"},
	{"run --topology two.topo --flows late.txt", "late.txt:3: starts before"},
	{"run --topology two.topo --flows negative.txt", "negative.txt:2: "},
	{"run --topology two.topo --flows overflow.txt", "overflow.txt:2: "},
	{"run --topology two.topo --flows none.csv", `none.csv:1: unknown column "begin": known are src, dst, bytes, start_ns`},
	{"run --topology two.topo --flows empty", "empty:1: "},
	{"run --topology two.topo --link-down 1ms", "--link-down: write TIME:NODE-NODE"},
	{"run --topology two.topo --link-down 1ms:0-1", "no link joins nodes 0 and 1"},
	{"run --topology two.topo --link-down soon:0-2", `"soon"`},
	{"run --workload websarch", "websarch"},
	{"run --workload percent.cdf", "99 percent, not 100"},
	{"run --load -1", `--load: "-1"`},
	{"run --load NaN", `--load: "NaN"`},
	{"run --load 50", "load: 50 must be above 0 and at most 2, such as 0.5 for 50 %"},
	{"run --load 0.5 --pattern permutation:1MB", "--load: there is no background traffic"},
	{"run --load 0.5 --workload none", "--load: there is no background traffic"},
	{"run --duration 1ms --pattern permutation:1MB", "--duration: no flows arrive over time, by --workload or --incast; --stop ends the run"},
	{"run --topology star:n=4,rate=25", `rate: "25" has no unit; write a rate such as 25Gbps`},
	{"run --no-pfc --flow-control credits", "--no-pfc: --flow-control credits says otherwise: give one of them"},
	{"run --cc hpcc:target=0.9,ai=50Mbps,target=0.8", `--cc: parameter "target" is given twice`},
	{"run --load 0.5 --load 0.6", "--load is given 2 times"},
	{"run --threads 0", "--threads: 0 must be from 1 to 250"},
	{"run --threads two", `--threads "two": write a whole number`},
	{"inspect a --count --flows", "choose one of --flows, --flow, --hops, --packet, --count"},
	{"inspect a --count --limit 3", "--limit: it bounds a list of packets: leave it or --count out"},
	{"inspect a --flow 99999999999999999999", `--flow "99999999999999999999": write a whole number`},
	{"run --report=maybe", `--report "maybe": write true or false, or nothing`},
	{"sweep", "--vary: what changes from run to run? give --vary KEY=VALUES, such as --vary seed=1..5"},
	{"sweep --vary cc=hpcc,dcqcn", `hpcc,dcqcn: cc: no scheme "hpcc,dcqcn"; did you mean dcqcn, hpcc, hpcc-pint? (values of --vary have spaces between them)`},
	{"sweep --vary load=50", "load50: load: 50 must be above 0 and at most 2, such as 0.5 for 50 %"},
	{"sweep --vary bogus=1,2", "qbb sweep: --vary: bogus: no option of qbb run and no key of a scenario has this name: did you mean "},
	{"sweep --vary alpha_timer=1us", "--vary: alpha_timer: no option of qbb run and no key of a scenario has this name: did you mean cc.params.alpha_timer?"},
	{"sweep --vary rto=1ms", "did you mean options.rto?"},
	{"sweep --vary pcap-fliter=ce", "--vary: pcap-fliter: no option of qbb run and no key of a scenario has this name: did you mean pcap-filter?"},
	{"sweep --vary swich.lossy_shift=1", "has this name: did you mean switch.lossy_shift?"},
	{"sweep --vary switch.lossy_shft=1,2", `: --vary switch.lossy_shft: unknown key "lossy_shft": did you mean lossy_shift?`},
	{"sweep --vary switch.lossy_shift=1,2", `: --vary switch.lossy_shift: "1,2" is not a whole number from 0 to 255 (values of --vary have spaces between them)`},
	{"sweep --vary switch.lossy_shift=2 --set host.chunk=x", `lossy_shift2: --set: host.chunk: "x"`},
	{"sweep --vary load=x,0.3", `: --vary load: "x,0.3" is not a number of at least 0`},
	{"sweep --vary trace=a --load x", `: --load: "x" is not a number of at least 0`},
	{"sweep --vary load=", `--vary: "load=" is not KEY=VALUES, such as load='0.3 0.5' or seed=1..5`},
	{"sweep --vary no-pfc=", "--vary: no-pfc has no values: vary flow-control='pfc none' instead"},
	{"sweep --vary no-pfc", "--vary: no-pfc has no values: vary flow-control='pfc none' instead"},
	{"sweep --vary no-pfc=true", "--vary: no-pfc has no values: vary flow-control='pfc none' instead"},
	{"run --out=", "out: the folder of the files has no name: write . for this one"},
	{"sweep --vary seed=1..2 --out=", "out: the folder of the files has no name: write . for this one"},
	{"sweep --vary load=0.3 --load 0.5", "--vary: load: there is --load 0.5 too"},
	{"sweep --vary seed=5..1", "--vary: seed: 5..1 is not a range of at most 10000 numbers"},
	{"sweep --vary load=0.1..0.5", "--vary: load: 0.1..0.5 is a range of numbers with a fraction: write each of them, with spaces between"},
	{"sweep --vary seed=1..2 --flows=", "seed1: --flows: it has no value: leave it out, or write one"},
	{"run --flows=", "--flows: it has no value: leave it out, or write one"},
	{"run --workload=", "--workload: it has no value: leave it out, or write one"},
	{"run -o x", "unknown flag -o: did you mean --out?"},
	{"run --output x", "unknown flag --output: did you mean --out?"},
	{"run --vary seed=1", "unknown flag --vary: see qbb help run"},
	{"run short.yaml word.yaml", `unexpected argument "word.yaml": qbb run takes one CONFIG`},
	{"short.yaml --quiet", `unknown command "short.yaml": did you mean qbb run short.yaml? qbb help lists all`},
	{"run --topolgy x", "unknown flag --topolgy: did you mean --topology?"},
	{"sweep --vary seed=1..101 --vary load=0..99", "--vary: more than 10000 runs"},
	{"sweep --vary cc+load=hpcc", "--vary: cc+load: hpcc is not a value for each of the 2 keys, with plus signs between"},
	{"sweep --vary cc+bogus=hpcc+1", "--vary: bogus: no option of qbb run and no key of a scenario has this name"},
	{"sweep --vary cc+seed=hpcc+1 --vary seed=2", "--vary: seed: it is given twice: put all values into one --vary"},
	{"sweep --vary out=a", "--vary: out: every run has a folder of its own below --out"},
	{"sweep --vary seed=1..3 --vary seed=1..3", "--vary: seed: it is given twice: put all values into one --vary"},
	{"sweep --vary seed=1 --threads 0", "--threads: 0 must be from 1 to 250"},
	{"reproduce mpcc-window --threads 0", "--threads: 0 must be from 1 to 250"},
	{"run --duration 5", `--duration: "5" has no unit`},
	{"run --duration 1000h", "at most 640h"},
	{"run --duration 100h", "; shorten the time or lower the load"},
	{"run --incast 8", `"8"`},
	{"run --incast 80x300KB", "16 hosts"},
	{"run --pattern permutatoin:1MB", "permutatoin"},
	{"run --seed x", `--seed: "x"`},
	{"run --cc hpc", "hpcc"},
	{"run --cc hpcc:targt=1", "targt"},
	{"run --cc hpcc:target=0.9,", `--cc: "" is not KEY=VALUE`},
	{"run --cc hpcc:,target=0.9", `--cc: "" is not KEY=VALUE`},
	{"run --cc hpcc:", `--cc: "" is not KEY=VALUE`},
	{"run --topology star:n=4,", `topology "star:n=4,": "" is not key=value; known: n, rate, delay`},
	{"sweep --vary topology=star:n=4,,rate=10Gbps", `topology "star:n=4,,rate=10Gbps": "" is not key=value`},
	{"gen topology star:n=4,", `topology "star:n=4,": "" is not key=value`},
	{"run --pattern permutation:1MB,", `"" is not a number of rounds`},
	{"run --pattern ring-all-reduce:1MB,hosts=0-16", `hosts: node 16 is a switch`},
	{"sweep --vary pattern=ring-all-reduce:1MB,group=5", `group: 16 hosts do not make groups of 5`},
	{"run --pattern long-and-short:1MB,,1ms", `"" is not a size`},
	{"run --incast 8x300KB@", `"" is not a duration`},
	{"run --param target=0.9 --param ai=50Mbps --param target=0.8", `--param: "target" is given twice`},
	{"run --class cubic=1 --class cubic=2", `--class: "cubic" is given twice`},
	{"run --class-recovery 1=selective --class-recovery 1=go-back-0", `--class-recovery: "1" is given twice`},
	{"run --out -", "out: - is a folder, not the standard output: write ./- for one of that name"},
	{"sweep --vary seed=1..2 --out -", "--out: - is a folder, not the standard output: write ./- for one of that name"},
	{"reproduce dcqcn-cnp --quick --out -", "--out: - is a folder, not the standard output: write ./- for one of that name"},
	{"run --pcap -", "pcap.file: - is not the standard output here: write /dev/stdout, or ./- for a file of that name"},
	{"run --set files.pfc=-", "files.pfc: - is not the standard output here: write /dev/stdout, or ./- for a file of that name"},
	{"run --json --quiet", "--json: --quiet prints no summary: give one of them"},
	{"reproduce --quick", "which experiments? give their names, or --all; without flags, qbb reproduce lists them"},
	{"reproduce --out x", "which experiments? give their names, or --all; without flags, qbb reproduce lists them"},
	{"run --cc hpcc --param target", `--param: "target" is not KEY=VALUE`},
	{"run --cc hpcc:target=-1", "target is -1"},
	{"run --profile ns4", "use native or ns3"},
	{"run --set switch.resrve=1KB", `unknown key "resrve": did you mean reserve?`},
	{"run --set switch.alpha=3", `unknown key "alpha": did you mean alpha_shift?`},
	{"run --mtu 0", "mtu"},
	{"run --loss 2", "loss"},
	{"run --trace x --trace-nodes 99", "99"},
	{"run --trace-nodes all", "--trace-nodes: no packets are recorded: name the file with --trace"},
	{"run --series 0s --series-flows all", "--series-flows: no time series are recorded: give the time between samples with --series, such as 10us"},
	{"run --profile ns3 --series-flows first:2 --set series.interval=0s", "--series-flows: no time series are recorded"},
	{"run --pcap-filter ce", "--pcap-filter: no packets are captured: name the file with --pcap"},
	{"sweep --vary pcap-ring=1 --vary seed=1..2", "--pcap-ring: no packets are captured: name the file with --pcap"},
	{"run --pcap-snap 96B", "--pcap-snap: no packets are captured: name the file with --pcap"},
	{"run --pcap p --pcap-filter tim>2us", `pcap.filter: "tim>2us": column 1, "tim": not a field: did you mean time?`},
	{"run --pcap p --pcap-ring many", `pcap.ring: "many": write a number of packets such as 100000, or a size such as 64MB`},
	{"run --pcap summary.json", "out/summary.json: two outputs have this name: rename one"},
	{"run --pcap x/../series.parquet", "out/series.parquet: two outputs have this name: rename one"},
	{"run --report --trace report.html", "out/report.html: two outputs have this name: rename one"},
	{"sweep --vary seed=1..2 --pcap ports.parquet", "seed1: sweep/seed1/ports.parquet: two outputs have this name: rename one"},
	{"report out -o out/fct.parquet", "out/fct.parquet: the name must end with .html"},
	{"report out -o report.pdf", "report.pdf: the name must end with .html"},
	{"gen topology star", `"n" is missing`},
	{"gen topology star:n=2 --topology star:n=3", "two topologies"},
	{"gen traffic --start soon", `--start "soon"`},
	{"gen traffic --start 9000000s", `--start "9000000s": flow 0 would start after 9000000 s, the latest that a file of flows may have: choose an earlier time`},
	{"gen traffic --start 9223372s -o f.csv", `--start "9223372s": flow 0 would start after 9000000 s`},
	{"gen traffic --topology star:n=4 --workload none --pattern permutation:2000TB", `flow 0 would have 2000TB, but a file of flows may have 1125899906842624B at most: choose a smaller size`},
	{"gen traffic --topology two.topo --flows wait.csv", "wait.csv: flow 1 waits for another flow"},
	{"gen traffic --topology two.topo --load 0.5 --out two.topo", "two.topo: this output would replace an input: give it another name"},
	{"gen traffic -o f.csv.gz", "f.csv.gz: what is written is not compressed: name it without .gz, and compress the file"},
	{"gen traffic -o f.Parquet", "f.Parquet: Parquet is not written: write CSV, to a name that ends in .csv"},
	{"gen traffic --load x", `--load: "x"`},
	{"gen traffic --cc hpcc", "unknown flag --cc"},
	{"gen traffic --schedule job.goal", "unknown flag --schedule"},
	{"run --topology star:n=4 --schedule two.topo", `qbb run: two.topo:1: "3", where a schedule in text begins with num_ranks`},
	{"run --topology star:n=4 --schedule job.goal", "qbb run: schedule: job.goal: no such file or directory"},
}

func TestMistakes(t *testing.T) {
	for _, c := range mistakes {
		t.Run(c.args, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			for name, text := range inputs {
				write(t, dir, name, text)
			}
			o := qbb(t, strings.Fields(c.args)...)
			if o.code != exitMistake || o.stdout != "" {
				t.Errorf("exit code %d, %q", o.code, o.stdout)
			}
			if strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, c.want) {
				t.Errorf("got %q, want one line with %q", o.stderr, c.want)
			}
			nothingNew(t, dir)
		})
	}
}

// nothingNew requires that a folder holds the inputs and nothing else.
func nothingNew(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if _, ok := inputs[filepath.Base(path)]; path != dir && !ok {
			t.Errorf("%s was written", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An argument that is empty, such as a variable of the shell that is not set, is called so.
func TestEmptyArgument(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"run", "sweep", "report", "table", "csv", "inspect", "compare", "gen topology", "help"} {
		for _, empty := range []string{"", " "} {
			o := qbb(t, append(strings.Fields(name), empty)...)
			if want := " is empty: is a variable of the shell not set?\n"; o.code == exitOK || o.stdout != "" || !strings.HasSuffix(o.stderr, want) || strings.Count(o.stderr, "\n") != 1 {
				t.Errorf("%s %q: exit code %d, %q, %q", name, empty, o.code, o.stdout, o.stderr)
			}
		}
	}
}

// A flag that is given no text, such as a variable of the shell that is not set, is called so, whatever its kind; what can
// be cleared, such as a key of a scenario, has rules of its own.
func TestEmptyFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	seen := 0
	for _, cmd := range commands() {
		fs, _ := cmd.flags()
		fs.VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "stringArray" {
				return
			}
			seen++
			for _, empty := range []string{"", " "} {
				o := qbb(t, append(strings.Fields(cmd.name), "--"+f.Name+"="+empty, "a", "b")...)
				want := fmt.Sprintf("qbb %s: --%s %q is empty: is a variable of the shell not set?\n", cmd.name, f.Name, empty)
				if o.code != cmd.mistakeCode() || o.stdout != "" || o.stderr != want {
					t.Errorf("%s --%s=%q: exit code %d, %q, %q; want %q", cmd.name, f.Name, empty, o.code, o.stdout, o.stderr, want)
				}
			}
		})
	}
	if seen < 30 {
		t.Errorf("there are only %d flags", seen)
	}
	for _, args := range [][]string{{"gen", "topology", "-o", ""}, {"table", "a", "-o", ""}, {"plot", "slowdown", "a", "--out", ""}} {
		if o := qbb(t, args...); o.code != exitMistake || !strings.HasSuffix(o.stderr, `: --out "" is empty: is a variable of the shell not set?`+"\n") {
			t.Errorf("%q: exit code %d, %q", args, o.code, o.stderr)
		}
	}
	nothingNew(t, ".")
}

// A name of blanks cannot be seen.
func TestBlankNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ key, flag string }{{"out", "--out"}, {"pcap.file", "--pcap"}} {
		want := "qbb run: " + c.key + `: "\t" is blank: give it a name` + "\n"
		if o := qbb(t, "run", c.flag, "\t"); o.code != exitMistake || o.stderr != want || o.stdout != "" {
			t.Errorf("%s: exit code %d, %q, %q; want %q", c.flag, o.code, o.stdout, o.stderr, want)
		}
	}
	nothingNew(t, ".")
}

// Every option of qbb run that is given no text is a mistake, unless that clears what a scenario has set.
func TestEmptyOptions(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, "typo.yaml", "workload: websearch\nflows: none.csv\nincast: 8x300KB\nlossy: \"1\"\ntrace: all\npcap: {file: p, filter: ce, ring: \"9\"}\nfiles: {events: e}\nout: x\n")
	clears := []string{"workload", "flows", "incast", "lossy", "pcap", "pcap-filter", "pcap-ring", "trace", "trace-nodes", "out"}
	options := addChoices(pflag.NewFlagSet("", pflag.ContinueOnError), false)
	for _, o := range options.order {
		if out := qbb(t, "run", "--"+o.flag, ""); out.code != exitMistake || out.stdout != "" || strings.Count(out.stderr, "\n") != 1 {
			t.Errorf("--%s: exit code %d, %q, %q", o.flag, out.code, out.stdout, out.stderr)
		}
		if slices.Contains(clears, o.flag) {
			if out := qbb(t, "run", "typo.yaml", "--print-scenario", "--"+o.flag, ""); out.code != exitOK || out.stderr != "" {
				t.Errorf("it does not clear %s: exit code %d, %q", o.flag, out.code, out.stderr)
			}
		}
	}
	nothingNew(t, ".")
}
