package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/spelling"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

func genTopologyCommand() command {
	return command{
		name: "gen topology", args: "[SPEC]", brief: "write topology.txt", maxArgs: 1,
		about: "Writes a network in the reference simulator's format. SPEC is one of qbb help topologies; the default is that of qbb run.",
		define: func(fs *pflag.FlagSet) action {
			spec := fs.String("topology", "", usage("SPEC", "the same as the argument"))
			out := fs.StringP("out", "o", "topology.txt", usage("FILE", "file to write, replaced if it exists; by default topology.txt; - for standard output"))
			return func(c *call) error { return genTopology(c, *spec, *out) }
		},
	}
}

func genTopology(c *call, spec, out string) error {
	if len(c.args) > 0 {
		if spec != "" {
			return mistakef("two topologies, %q and %q: give one", spec, c.args[0])
		}
		spec = c.args[0]
	}
	if spec == "" {
		spec = scenario.Default().Topology
	}
	t, err := topo.Parse(spec)
	if err != nil {
		return mistake(err)
	}
	what := networkText(len(t.Hosts()), len(t.Kinds)-len(t.Hosts()), len(t.Links))
	return c.deliver(out, traces.AppendTopology(nil, t), what)
}

func genTrafficCommand() command {
	return command{
		name: "gen traffic", brief: "write a file of flows",
		about: "Writes the flows that qbb run generates from the same flags: as CSV if the name ends in .csv, otherwise in the reference simulator's format, which lacks tags, schemes, source ports and flows that wait for others. Except for what the format lacks, qbb run --flows FILE gives the same run. In CSV a flow has the numbers of all that it waits for: two phases in which all hosts send to all others are 2.6 MB for 64 hosts and 22.6 MB for 128, where the patterns themselves are two lines of a scenario.",
		define: func(fs *pflag.FlagSet) action {
			options := addChoices(fs, true)
			start := fs.String("start", "0", usage("TIME", "time added to every start; the reference's cases begin at 2s"))
			out := fs.StringP("out", "o", "flow.txt", usage("FILE", "file to write, replaced if it exists; by default flow.txt; CSV if its name ends in .csv; - for standard output"))
			group(fs, "Output")
			return func(c *call) error { return genTraffic(c, options, *start, *out) }
		},
	}
}

func genTraffic(c *call, options *choices, start, out string) error {
	offset, err := core.ParseDuration(start)
	if err != nil || offset < 0 {
		return mistakef("--start %q: write a time such as 2s", start)
	}
	sc := scenario.Default()
	if err := cmp.Or(options.apply(sc), usePipe(nil, sc)); err != nil {
		return mistake(err)
	}
	flows, notes, err := flowsOf(sc)
	if err != nil {
		return mistake(err)
	}
	if sc.Reads(out) {
		return mistakef("%s: this output would replace an input: give it another name", out)
	}
	extension := strings.ToLower(filepath.Ext(out))
	switch extension {
	case ".gz", ".zst":
		return mistakef("%s: what is written is not compressed: name it without %s, and compress the file", out, extension)
	case ".parquet":
		return mistakef("%s: Parquet is not written: write CSV, to a name that ends in .csv", out)
	}
	table := extension == ".csv"
	bytes := 0.0
	for i := range flows {
		f := &flows[i]
		switch {
		case f.Bytes > traces.LargestFlow:
			return mistakef("flow %d would have %v, but a file of flows may have %v at most: choose a smaller size", i, f.Bytes, traces.LargestFlow)
		case len(f.After) == 0 && offset > core.Duration(traces.LatestStart-f.Start):
			return mistakef("--start %q: flow %d would start after %d s, the latest that a file of flows may have: choose an earlier time", start, i, int64(traces.LatestStart)/int64(core.Second))
		case len(f.After) == 0:
			f.Start = f.Start.Add(offset)
		case !table:
			return mistakef("%s: flow %d waits for another flow, which flow.txt cannot say: write CSV, to a name that ends in .csv", cmp.Or(sc.Flows, "--pattern"), i)
		}
		bytes += float64(f.Bytes)
	}
	write := traces.AppendFlows
	if table {
		write = traces.AppendFlowTable
	}
	err = c.deliver(out, write(nil, flows), fmt.Sprintf("%s, %s MB", spelling.Count(len(flows), "flow", "flows"), figure.ThreeDigits(bytes/1e6)))
	for _, note := range notes {
		fmt.Fprintf(c.stderr, "qbb gen traffic: %s\n", note)
	}
	return err
}

// flowsOf makes the flows of a scenario, with notes on them. The schemes that its file of flows names do not take part in
// the set-up: there the scheme of a flow that names none is a number too.
func flowsOf(sc *scenario.Scenario) (flows []traces.Flow, notes []string, err error) {
	var named []string // by flow of the file
	sc.ReadFlows = func(path string) ([]traces.Flow, error) {
		read, err := tables.LoadFlows(path)
		for i := range read {
			named = append(named, read[i].Scheme)
			read[i].Scheme = ""
		}
		return read, err
	}
	setup, err := sc.Setup()
	if err != nil {
		return nil, nil, err
	}
	flows = make([]traces.Flow, len(setup.Flows))
	for i, f := range setup.Flows {
		flows[i] = traces.Flow{
			Src: f.Src, Dst: f.Dst, Bytes: core.Bytes(f.Bytes), Start: f.Start, After: f.After,
			Prio: f.Prio, SrcPort: f.SrcPort, DstPort: f.DstPort, Tag: f.Tag,
		}
	}
	for i, scheme := range named {
		flows[sc.PlaceOf(i)].Scheme = scheme
	}
	return flows, setup.Notes, nil
}

// deliver writes a file, or standard output if it is called -. What says what is in it.
func (c *call) deliver(file string, text []byte, what string) error {
	if file == "-" {
		_, err := c.stdout.Write(text)
		return err
	}
	if err := writeFile(file, text); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.stdout, "%s: %s\n", file, what)
	return err
}
