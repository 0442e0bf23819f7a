package workloads

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

const longAndShort = "long-and-short"

// LongAndShort probes how quickly flows give up and regain rate: the first host sends a long
// flow to the last one, and each of the hosts between joins with a short flow, one Gap after
// another.
type LongAndShort struct {
	Long, Short core.Bytes
	Gap         core.Duration
	At          core.Time // start of the long flow; the first short one starts at At+Gap
	Prio        uint8
}

// Flows returns the flows, tagged long and short.
func (p *LongAndShort) Flows(t *topo.Topology) ([]Flow, error) {
	hosts := t.Hosts()
	if len(hosts) < 3 {
		return nil, fmt.Errorf("%d hosts; a long and a short flow to one receiver need three", len(hosts))
	}
	last := len(hosts) - 1
	if p.Gap < 0 || p.Gap > core.Never.Sub(p.At)/core.Duration(last) {
		return nil, fmt.Errorf("the gap %v is out of range", p.Gap)
	}
	flows := []Flow{{Src: hosts[0], Dst: hosts[last], Bytes: int64(p.Long), Start: p.At, Prio: p.Prio, Tag: "long"}}
	at := p.At
	for _, h := range hosts[1:last] {
		at = at.Add(p.Gap)
		flows = append(flows, Flow{Src: h, Dst: hosts[last], Bytes: int64(p.Short), Start: at, Prio: p.Prio, Tag: "short"})
	}
	return flows, nil
}

func parseLongAndShort(spec, rest string, t *topo.Topology, at core.Time, prio uint8) ([]Flow, error) {
	p := LongAndShort{At: at, Prio: prio}
	fields := strings.Split(rest, ",")
	var err error
	if len(fields) != 3 {
		err = fmt.Errorf("it has three values, not %d", len(fields))
	}
	if err == nil {
		p.Long, err = positiveSize(fields[0])
	}
	if err == nil {
		p.Short, err = positiveSize(fields[1])
	}
	if err == nil {
		p.Gap, err = core.ParseDuration(fields[2])
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w; write %s:100MB,1MB,1ms", spec, err, longAndShort)
	}
	flows, err := p.Flows(t)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", spec, err)
	}
	return flows, nil
}
