package reproduce

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// Case is one simulation of an experiment.
type Case struct {
	Name string
	// Set is the scenario: keys and values in turn, as for scenario.Set.
	Set []string
	// Flows, if any, are the scenario's file of flows.
	Flows []traces.Flow
	// Every is the time between samples; 0: none are taken.
	Every core.Duration
	// Queues are the egress ports whose queues are sampled.
	Queues []sim.PortRef
	// Follow is the tag of the flows whose progress is sampled; everyFlow means all.
	Follow string
	// Records, if set, hears the packet events of the nodes that the scenario traces.
	Records func(records []core.Record)
	// Seen is what Records, or the observer of a congestion manager, collects.
	Seen any
}

// everyFlow follows all flows.
const everyFlow = "*"

// variant is one of the alternatives that an experiment compares: a name, and settings of its
// cases.
type variant struct {
	name string
	set  []string
}

// with returns the settings with further ones, which come last and therefore override.
func with(set []string, more ...string) []string {
	return slices.Concat(set, more)
}

// flowsFile is the name of the flows beside the scenario.
func (c *Case) flowsFile() string { return c.Name + ".flows.csv" }

// scenario returns the options of the simulation, which has histograms of queues only where Set asks for them.
func (c *Case) scenario() (*scenario.Scenario, error) {
	sc := scenario.Default()
	sc.Sampling.Interval = 0
	for pair := range slices.Chunk(c.Set, 2) {
		if err := sc.Set(pair[0], pair[1]); err != nil {
			return nil, err
		}
	}
	if len(c.Flows) > 0 {
		sc.Flows = c.flowsFile()
		sc.ReadFlows = func(string) ([]traces.Flow, error) { return c.Flows, nil }
	}
	return sc, nil
}

// setup makes the run of the case, without the series, which a track does not read.
func (c *Case) setup() (*sim.Setup, error) {
	sc, err := c.scenario()
	if err != nil {
		return nil, err
	}
	s, err := sc.Setup()
	if err == nil {
		s.Series = sim.SeriesSpec{}
	}
	return s, err
}

// Print writes the scenario as a file for qbb run, and its file of flows.
func (c *Case) Print(w io.Writer) error {
	sc, err := c.scenario()
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "# %s.yaml\n", c.Name); err != nil {
		return err
	}
	if err := sc.Print(w); err != nil || len(c.Flows) == 0 {
		return err
	}
	if _, err := fmt.Fprintf(w, "\n# %s, to be put into a file of its own\n", c.flowsFile()); err != nil {
		return err
	}
	_, err = w.Write(traces.AppendFlowTable(nil, c.Flows))
	return err
}

// flow is a message of the default priority.
func flow(src, dst int, bytes core.Bytes, at core.Time, tag string) traces.Flow {
	return traces.Flow{
		Src: core.NodeID(src), Dst: core.NodeID(dst), Bytes: bytes, Start: at, StartNanos: at.Nanos(),
		Tag: tag, DstPort: traces.DefaultDstPort, Prio: traces.DefaultPrio,
	}
}

// seeded returns a case for each of the first n seeds.
func seeded(c Case, n int) (cases []Case) {
	for seed := 1; seed <= n; seed++ {
		of := c
		of.Name, of.Set = seedName(c.Name, seed), with(c.Set, "seed", strconv.Itoa(seed))
		cases = append(cases, of)
	}
	return cases
}

func seedName(name string, seed int) string { return fmt.Sprintf("%s-seed-%d", name, seed) }

// endless is more than a flow can send in a run.
const endless = 1 << 40

// starQueue is the egress queue to the last host of a star, whose switch is the node after the hosts.
func starQueue(hosts int) []sim.PortRef {
	return []sim.PortRef{{Node: core.NodeID(hosts), Port: hosts - 1}}
}
