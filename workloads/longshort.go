package workloads

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

const longAndShort = "long-and-short"

// longShort probes how quickly flows give up and regain rate: the first host sends a long flow to the last one, and each
// of the hosts between joins with a short flow, one gap after another.
type longShort struct {
	short core.Bytes
	gap   core.Duration // the first short flow starts one after the long one
}

// flows returns the flows, tagged long and short; a chosen tag stands before that.
func (p *longShort) flows(hosts []core.NodeID, turns []turn, _ *core.Stream) []Flow {
	last := len(hosts) - 1
	f, before := turns[0].message, ""
	if f.Tag != "" {
		before = f.Tag + "-"
	}
	f.Src, f.Dst, f.Tag = hosts[0], hosts[last], before+"long"
	flows := []Flow{f}
	f.Bytes, f.Tag = int64(p.short), before+"short"
	for _, h := range hosts[1:last] {
		f.Src, f.Start = h, f.Start.Add(p.gap)
		flows = append(flows, f)
	}
	return flows
}

func (p *longShort) fits(hosts int) error {
	if hosts < 3 {
		return fmt.Errorf("%d hosts; a long and a short flow to one receiver need three", hosts)
	}
	if p.gap < 0 || p.gap > core.Never.Sub(core.Time(longestPause))/core.Duration(hosts-1) {
		return fmt.Errorf("the gap %v is out of range", p.gap)
	}
	return nil
}

// parseLongAndShort returns the pattern, which has no tag of its own.
func parseLongAndShort(values string) (*Pattern, exchange, error) {
	var p longShort
	fields := strings.Split(values, ",")
	var long core.Bytes
	var err error
	if len(fields) != 3 {
		err = fmt.Errorf("it has three values, not %d", len(fields))
	}
	if err == nil {
		long, err = positiveSize(fields[0])
	}
	if err == nil {
		p.short, err = positiveSize(fields[1])
	}
	if err == nil {
		p.gap, err = core.ParseDuration(fields[2])
	}
	if err != nil {
		err = fmt.Errorf("%w; write %s:100MB,1MB,1ms", err, longAndShort)
	}
	most := func(hosts float64, _ *exchange) float64 { return hosts - 1 }
	return &Pattern{most: most, flows: p.flows, fits: p.fits}, exchange{sizes: []core.Bytes{long}}, err
}
