package driver

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/capture"
	"github.com/qbb-sim/qbb/traces/filter"
)

// packets writes the capture and the event trace of a run.
type packets struct {
	n       *sim.Network
	capture *capture.Writer // nil: none
	filter  filter.Expr
	traced  []bool // by node: in the event trace; nil: all that is recorded is
	met     []bool // by node: something was recorded
	misread bool   // tshark misreads a time stamp of the capture
	picked  []core.Record
	seen    traces.Sighting // one for all: the filter would have a new one for each on the heap
}

// openCapture writes the head of the capture.
func (o *outputs) openCapture(n *sim.Network) error {
	spec := &o.sc.Pcap
	if spec.File == "" {
		return nil
	}
	o.packets.traced = make([]bool, len(n.Ports()))
	for _, id := range n.Setup.Trace {
		o.packets.traced[id] = true
	}
	var err error
	if o.packets.filter, err = filter.Parse(spec.Filter); err != nil {
		return err
	}
	ring, err := capture.ParseRing(spec.Ring)
	if err != nil {
		return err
	}
	file, err := o.create(spec.File)
	if err != nil {
		return err
	}
	o.packets.capture, err = capture.NewWriter(file, n.Setup.Topology, capture.Options{
		Snap: spec.Snap, Nanoseconds: spec.Nanoseconds, Write: spec.Write, Ring: ring, MTU: n.Setup.MTU,
		Application: "qbb " + scenario.Version(),
		Bytes:       func(flow int64) int64 { return n.Setup.Flows[flow].Bytes },
	})
	file.Finish(o.packets.capture.Close)
	return err
}

// Records implements Observer.
func (o *outputs) Records(records []core.Record) {
	p := &o.packets
	for i := range records {
		p.met[records[i].Node] = true
	}
	if p.capture != nil {
		p.add(records)
	}
	o.text.Records(p.ofTrace(records))
}

// add captures the records that the filter lets pass.
func (p *packets) add(records []core.Record) {
	for i := range records {
		s := &p.seen
		*s = traces.Sighting{Record: records[i], Flow: p.n.FlowOf(&records[i].Packet)}
		if p.filter.Match(s) {
			p.capture.Add(s)
			p.misread = p.misread || capture.Misread(s.At)
		}
	}
}

// ofTrace returns the records of the nodes of the event trace.
func (p *packets) ofTrace(records []core.Record) []core.Record {
	if p.traced == nil {
		return records
	}
	p.picked = p.picked[:0]
	for i := range records {
		if p.traced[records[i].Node] {
			p.picked = append(p.picked, records[i])
		}
	}
	return p.picked
}

// notes reports what a capture and a trace lack.
func (p *packets) notes(spec *scenario.CaptureSpec) (notes []string) {
	if p.capture != nil {
		switch {
		case p.capture.Seen() == 0 && spec.Filter == "":
			notes = append(notes, spec.File+" is empty: no packet was sent")
		case p.capture.Seen() == 0:
			notes = append(notes, fmt.Sprintf("%s is empty: no packet matched %q", spec.File, spec.Filter))
		case p.misread && !spec.Nanoseconds:
			notes = append(notes, spec.File+" has picoseconds, which tshark and Wireshark misread beyond 18.4 ms: for them, use --set pcap.nanoseconds=true")
		}
	}
	silent, first := 0, core.NodeID(0)
	for _, id := range p.n.Setup.Trace {
		if !p.met[id] {
			if silent++; silent == 1 {
				first = id
			}
		}
	}
	if silent > 0 {
		notes = append(notes, fmt.Sprintf("%d of the %d nodes traced saw no packet, such as node %d", silent, len(p.n.Setup.Trace), first))
	}
	return notes
}
