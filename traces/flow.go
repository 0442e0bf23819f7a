package traces

import (
	"slices"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Flow is one flow of a flow file.
type Flow struct {
	Src, Dst core.NodeID
	Bytes    core.Bytes
	// Start is when the flow starts, as written; with After, counted from the end of the last of these flows, when
	// the source of this one knows of it: at the last byte if it receives that flow, otherwise at the last
	// acknowledgement.
	Start core.Time
	// StartNanos is Start in whole nanoseconds. Seconds become nanoseconds as in the
	// reference, which often loses one: see [core.NanosFromSeconds].
	StartNanos int64
	Tag        string  // free text; groups flows in results
	Scheme     string  // congestion control of this flow; empty: the run's
	After      []int32 // indices of the earlier flows that must finish first
	Line       int32   // line of the file, or row of a Parquet file from 1
	SrcPort    uint16  // 0: the host chooses
	DstPort    uint16
	Prio       uint8 // 1 to 7
}

// Defaults of the optional columns of a flow file.
const (
	DefaultPrio    = 3
	DefaultDstPort = 100
)

// CheckFlow demands of a flow that no file holds, and that follows a number of prior ones, what a file demands beyond
// the ranges of numbers. Errors call it name.
func CheckFlow(name string, f *Flow, prior int) error {
	what, text, fix := f.check(prior)
	if problem, remedy := checkAfter(f.After); problem != "" {
		what, text, fix = "after "+problem, getAfter(f), remedy
	}
	for _, c := range [...]struct{ name, text string }{{"tag", f.Tag}, {"scheme", f.Scheme}} {
		if problem, remedy := checkText(c.text); problem != "" {
			what, text, fix = c.name+" "+problem, c.text, remedy
		}
	}
	if what == "" {
		return nil
	}
	return &SyntaxError{File: name, What: what, Text: text, Fix: fix}
}

// check returns what is wrong with a flow that follows a number of prior ones, and the remedy.
func (f *Flow) check(prior int) (what, text, fix string) {
	switch {
	case f.Src == f.Dst:
		return "flow from a host to itself", strconv.Itoa(int(f.Src)), "name two different hosts"
	case len(f.After) > 0 && int(slices.Max(f.After)) >= prior:
		return "after is not an earlier flow", strconv.Itoa(int(slices.Max(f.After))), "flows are numbered from 0 in their order"
	}
	return "", "", ""
}

// checkOrder returns, as check does, what is wrong with a flow of a file that begins with prior ones.
func (f *Flow) checkOrder(prior []Flow) (what, text, fix string) {
	if what, text, fix = f.check(len(prior)); what == "" && len(f.After) == 0 && f.Start < lastStart(prior) {
		return "starts before the flow above it:", f.Start.String(), "sort the flows by start"
	}
	return what, text, fix
}

// lastStart returns the latest start of the flows that wait for no other.
func lastStart(flows []Flow) core.Time {
	for i := len(flows) - 1; i >= 0; i-- {
		if len(flows[i].After) == 0 {
			return flows[i].Start
		}
	}
	return 0
}

// CheckFlows demands that every flow of the file name runs between hosts of the topology.
func CheckFlows(name string, flows []Flow, t *topo.Topology) error {
	for i := range flows {
		f := &flows[i]
		for _, id := range [...]core.NodeID{f.Src, f.Dst} {
			e := &SyntaxError{File: name, Line: int(f.Line), Text: strconv.Itoa(int(id))}
			switch {
			case id < 0 || int(id) >= len(t.Kinds):
				e.What, e.Fix = "flow end is no node", "nodes are numbered from 0 to "+strconv.Itoa(len(t.Kinds)-1)
			case t.Kinds[id] != topo.Host:
				e.What, e.Fix = "flow end is a switch:", "flows run between hosts"
			default:
				continue
			}
			e.Fix += "; " + t.HostRange()
			return e
		}
	}
	return nil
}
