package workloads

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// DefaultIncastLoad is the load of incast traffic for which neither period nor load is
// given: 2 % of the capacity of all hosts that receive (Li et al., HPCC, SIGCOMM 2019).
const DefaultIncastLoad = 0.02

// Incast is periodic N-to-1 traffic: in every round Fan distinct random senders send one flow each
// to a random receiver, all at the same time.
type Incast struct {
	Ends Ends
	Fan  int
	Size core.Bytes // of one flow
	// Period is the time from round to round. If it is 0, it follows from Load.
	Period core.Duration
	// Load is the mean rate of the incast's message bytes, as a share of the sum of the
	// rates of all hosts that receive. It counts only without a Period; 0 is DefaultIncastLoad.
	Load     float64
	From, To core.Time // rounds start at From, From+Period, ... before To
	Prio     uint8
}

// ParseIncast reads an incast: 8x300KB, 8x300KB@1ms (period) or 8x300KB@5% (load). Behind it may be hosts, as in
// 8x300KB,hosts=0-31,to=0.
func ParseIncast(s string) (Incast, error) {
	c, err := parseIncast(s)
	if err != nil {
		return Incast{}, fmt.Errorf("incast %q: %w; write 8x300KB, 8x300KB@1ms or 8x300KB@5%%", s, err)
	}
	return c, nil
}

func parseIncast(s string) (c Incast, err error) {
	values, keys := cutPlacement(s)
	if c.Ends.placement, err = parsePlacement(keys, endKeys); err != nil {
		return c, err
	}
	flows, pace, paced := strings.Cut(strings.TrimSpace(values), "@")
	fan, size, ok := strings.Cut(flows, "x")
	if !ok {
		return c, fmt.Errorf("there is no x between senders and size")
	}
	if c.Fan, err = strconv.Atoi(strings.TrimSpace(fan)); err != nil || c.Fan < 1 {
		return c, fmt.Errorf("%q is not a number of senders", fan)
	}
	if c.Size, err = core.ParseBytes(size); err != nil {
		return c, err
	}
	if c.Size < 1 {
		return c, fmt.Errorf("the size %q must be positive", size)
	}
	if !paced {
		return c, nil
	}
	if percent, ok := strings.CutSuffix(pace, "%"); ok {
		c.Load, err = core.ParseFloat(strings.TrimSpace(percent))
		c.Load /= 100
		if err != nil || !(c.Load > 0 && c.Load <= 1) {
			return c, fmt.Errorf("the load %q is not a percentage above 0 and at most 100", pace)
		}
		return c, nil
	}
	if c.Period, err = core.ParseDuration(pace); err == nil && c.Period <= 0 {
		err = fmt.Errorf("the period %q must be positive", pace)
	}
	return c, err
}

// Flows returns the flows. A round depends on the seed, its number and the hosts' ids.
func (c *Incast) Flows(t *topo.Topology, seed uint64) ([]Flow, error) {
	senders, receivers, err := c.Ends.list(t)
	if err == nil {
		err = c.check(senders, receivers)
	}
	if err != nil {
		return nil, err
	}
	period := c.period(hostRates(t, receivers))
	if err := TooMany(float64(c.To-c.From)/float64(period)*float64(c.Fan), lessTraffic); err != nil {
		return nil, fmt.Errorf("incast of %d senders every %v: %w", c.Fan, period, err)
	}
	var flows []Flow
	hosts := make([]core.NodeID, len(senders))
	for round, left := uint64(0), c.To.Sub(c.From); left > 0; round, left = round+1, left-period {
		stream := core.NewStream(seed, core.StreamIncast, round)
		dst, others := receivers[stream.IntN(len(receivers))], hosts
		copy(hosts, senders)
		if i := slices.Index(hosts, dst); i >= 0 {
			hosts[0], hosts[i] = hosts[i], hosts[0]
			others = hosts[1:]
		}
		drawFirst(others, c.Fan, stream)
		for _, src := range others[:c.Fan] {
			flows = append(flows, Flow{Src: src, Dst: dst, Bytes: int64(c.Size), Start: c.To.Add(-left), Prio: c.Prio, Tag: TagIncast})
		}
	}
	return Merge(flows), nil
}

// check demands senders enough for every receiver.
func (c *Incast) check(senders, receivers []core.NodeID) error {
	sends := make(map[core.NodeID]bool)
	for _, h := range senders {
		sends[h] = true
	}
	others := len(senders)
	if slices.ContainsFunc(receivers, func(h core.NodeID) bool { return sends[h] }) {
		others--
	}
	switch {
	case c.Fan < 1 || c.Fan > others && c.Ends.hosts == nil:
		return fmt.Errorf("incast of %d senders and a receiver: the topology has %d hosts", c.Fan, len(senders))
	case c.Fan > others:
		return fmt.Errorf("incast of %d senders and a receiver: hosts= has %d that are not the receiver", c.Fan, others)
	}
	return nil
}

func (c *Incast) period(rates []core.Rate) core.Duration {
	if c.Period > 0 {
		return c.Period
	}
	load := c.Load
	if load <= 0 {
		load = DefaultIncastLoad
	}
	capacity := 0.0 // bit/s: that of 10,000 hosts at the highest rate fits no Rate
	for _, r := range rates {
		capacity += float64(r)
	}
	bits := float64(c.Fan) * float64(c.Size) * 8
	period := bits / (load * capacity) * float64(core.Second)
	if period >= float64(core.Never) { // the second round comes after any run
		return core.Duration(core.Never)
	}
	return max(1, core.Duration(period))
}

// drawFirst puts n elements drawn without replacement at the front of the list
// (Fisher and Yates's shuffle, stopped early).
func drawFirst(list []core.NodeID, n int, s *core.Stream) {
	for i := range n {
		j := i + s.IntN(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
}
