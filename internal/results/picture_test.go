package results

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/traces"
)

// leafSpine is a network of two leaves with two hosts each and a spine.
func leafSpine() (rows []traces.PortRow) {
	for _, l := range [][2]core.NodeID{{0, 10}, {1, 11}, {2, 10}, {3, 11}, {10, 20}, {11, 20}} {
		for i, n := range l {
			row := traces.PortRow{Node: n, Peer: l[1-i], RateBps: 8e9, NodeKind: traces.KindSwitch}
			if n < 10 {
				row.NodeKind = traces.KindHost
			}
			row.Port = int32(len(slices.DeleteFunc(slices.Clone(rows), func(r traces.PortRow) bool { return r.Node != n })))
			rows = append(rows, row)
		}
	}
	return rows
}

// Hosts are at the bottom beside the others of their switch, every switch one row above.
func TestLayout(t *testing.T) {
	p, _ := NewPicture([]*Run{{ports: leafSpine()}})
	if p.Rows != 3 || len(p.Links) != 12 || p.Steps != 0 {
		t.Fatalf("%d rows, %d links, %d steps", p.Rows, len(p.Links), p.Steps)
	}
	var bottom []PictureNode
	for _, n := range p.Nodes {
		if want := map[bool]int{true: 0, false: 1}[n.Host]; n.ID != 20 && n.Row != want || n.ID == 20 && (n.Row != 2 || n.X != 0.5) {
			t.Errorf("%+v", n)
		}
		if n.Host {
			bottom = append(bottom, n)
		}
	}
	slices.SortFunc(bottom, func(a, b PictureNode) int { return int(8 * (a.X - b.X)) })
	var order []core.NodeID
	for _, n := range bottom {
		order = append(order, n.ID)
	}
	if !slices.Equal(order, []core.NodeID{0, 2, 1, 3}) {
		t.Errorf("hosts from left to right: %d", order)
	}
	for i, row := range leafSpine() {
		if l := p.Links[i]; p.Nodes[l.A].ID != row.Node || p.Nodes[l.B].ID != row.Peer {
			t.Errorf("link %d: %+v", i, l)
		}
	}
}

// linked is a run of a network with the given links; nodes below 10 are hosts.
func linked(links [][2]core.NodeID) *Run {
	r := new(Run)
	for _, l := range links {
		for i, n := range l {
			row := traces.PortRow{Node: n, Peer: l[1-i], RateBps: 8e9, NodeKind: traces.KindSwitch}
			if n < 10 {
				row.NodeKind = traces.KindHost
			}
			r.ports = append(r.ports, row)
		}
	}
	return r
}

// A node of a row above the first is over the middle of its neighbours in the row below, whatever its other links;
// nodes that no host reaches are at the bottom.
func TestLayoutOfUpperRows(t *testing.T) {
	p, _ := NewPicture([]*Run{linked([][2]core.NodeID{
		{0, 10}, {1, 11}, {2, 12}, {10, 22}, {11, 21}, {12, 20}, {12, 22}, {20, 22}, {21, 31}, {20, 30}, {22, 30}, {10, 11}, {40, 41},
	})})
	got := make([][]core.NodeID, p.Rows)
	slices.SortFunc(p.Nodes, func(a, b PictureNode) int { return cmp.Compare(a.X, b.X) })
	for _, n := range p.Nodes {
		got[n.Row] = append(got[n.Row], n.ID)
	}
	// 21, over 11 in the middle, and 22, between 10 and 12, are in the order of their numbers.
	want := [][]core.NodeID{{40, 41, 0, 1, 2}, {10, 11, 12}, {21, 22, 20}, {31, 30}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("rows %d, want %d", got, want)
	}
	for _, n := range p.Nodes {
		row := want[n.Row]
		if x := (float64(slices.Index(row, n.ID)) + 0.5) / float64(len(row)); n.X != x {
			t.Errorf("%+v: want %v", n, x)
		}
	}
}

// The middle of a switch's neighbours below is a mean, whatever the number of links there and above.
func TestLayoutByMeans(t *testing.T) {
	p, _ := NewPicture([]*Run{linked([][2]core.NodeID{
		{0, 10}, {1, 11}, {2, 12}, {3, 13}, // at 1/8, 3/8, 5/8, 7/8
		{22, 10}, {21, 10}, {21, 12}, {20, 11}, {20, 12}, {20, 13}, {20, 30}, {20, 31}, {20, 32}, // at 1/8, 3/8, 5/8
	})})
	for _, n := range p.Nodes {
		if want := map[core.NodeID]float64{22: 1. / 6, 21: 0.5, 20: 5. / 6}[n.ID]; n.Row == 2 && n.X != want {
			t.Errorf("%+v, want %v", n, want)
		}
	}
}

// Means weigh parts of a series by their time; the largest value includes parts that are only touched.
func TestTrackMeans(t *testing.T) {
	s := track{points: []seriesPoint{{at: 0, span: 10, mean: 2, high: 5}, {at: 10, span: 30, mean: 6, high: 7}}}
	if got := s.mean(); got != 5 {
		t.Errorf("mean %v, want 5", got)
	}
	for _, c := range []struct{ from, to, mean, high float64 }{{5, 20, 70. / 15, 7}, {0, 10, 2, 5}, {10, 40, 6, 7}, {9, 11, 4, 7}, {40, 60, 0, 0}} {
		if mean, high := s.over(c.from, c.to); mean != c.mean || high != c.high {
			t.Errorf("from %v to %v: %v and %v, want %v and %v", c.from, c.to, mean, high, c.mean, c.high)
		}
	}
	if got := new(track).mean(); got != 0 {
		t.Errorf("of nothing %v", got)
	}
}

// A letter is a share of the top, rounded up: the first only for nothing, the last for all, and for more.
func TestEncode(t *testing.T) {
	if got := encode([]float64{0, 1, 500, 1000, 2000, -1000}, 1000); got != "ABg__A" {
		t.Errorf("got %s, want ABg__", got)
	}
}

// Levels of the whole run come from the counters, levels of the steps from the series.
func TestLevels(t *testing.T) {
	rows := leafSpine()
	rows[0].PortXmitData, rows[0].TxWaitNs = 125_000, 1e6 // half of 8 Gb/s for 1 ms; waiting all the time
	rows[0].MaxQueueBytes = 5000                          // the queue of a host is not part of the network's
	rows[1].MaxQueueBytes, rows[1].TxWaitNs = 1000, 5e5
	rows[1].PausedNs = 2e6 // of two priorities, one with nothing to send
	const start = 2e9      // of the first flow, as in the reference's cases: what was before does not count
	r := &Run{ports: rows, Summary: driver.Summary{Traffic: driver.TrafficTime{FromNs: start, ToNs: start + 1e6}}}
	r.series = map[string][]track{traces.MetricThroughput: {
		{subject: subject{0, 0, -1}, points: []seriesPoint{{0, start, 0, 0, 0}, {start, 5e5, 8e9, 8e9, 8e9}, {start + 5e5, 5e5, 0, 0, 0}}},
		{subject: subject{10, 0, -1}, points: []seriesPoint{{start, 1e6, 4e9, 4e9, 4e9}}},
	}, traces.MetricPaused: {
		{subject: subject{10, 0, -1}, points: []seriesPoint{{start, 1e6, 2, 2, 2}}},
	}, traces.MetricWait: {
		{subject: subject{10, 0, -1}, points: []seriesPoint{{start, 5e5, 1, 1, 1}, {start + 5e5, 5e5, 0, 0, 0}}},
	}}
	p, _ := NewPicture([]*Run{r})
	if p.Runs[0].Ns != 1e6 {
		t.Errorf("%v ns of traffic", p.Runs[0].Ns)
	}
	use := p.Runs[0].Levels[pictureUse][:p.Steps+1]
	if use[0] != letters[32] || use[1] != '_' || use[p.Steps/2] != '_' || use[p.Steps/2+1] != 'A' || use[p.Steps] != 'A' {
		t.Errorf("use of the first link: %s", use)
	}
	if wait := p.Runs[0].Levels[pictureWait][p.Steps+1:][:p.Steps+1]; wait[0] != letters[32] || wait[1] != '_' || wait[p.Steps/2] != '_' || wait[p.Steps/2+1] != 'A' {
		t.Errorf("wait of the second link: %s", wait)
	}
	at := func(quantity, link int) byte { return p.Runs[0].Levels[quantity][link*(p.Steps+1)] }
	if part := p.Runs[0].Levels[pictureUse][p.Steps+2]; part != letters[32] || at(pictureQueue, 0) != 'A' {
		t.Errorf("half of the rate is %c, a host's queue %c", part, at(pictureQueue, 0))
	}
	if at(pictureWait, 0) != '_' || at(pictureQueue, 1) != '_' || p.Tops[pictureQueue] != 1000 || at(pictureUse, 1) != 'A' {
		t.Errorf("%c %c %v", at(pictureWait, 0), at(pictureQueue, 1), p.Tops)
	}
}

// Runs of different networks, and networks too large for a screen, have no picture, only a reason.
func TestNoPicture(t *testing.T) {
	for name, change := range map[string]func(row *traces.PortRow){
		"rate": func(row *traces.PortRow) { row.RateBps++ }, "peer": func(row *traces.PortRow) { row.Peer++ },
		"port": func(row *traces.PortRow) { row.Port++ }, "nothing": func(row *traces.PortRow) { row.TxBytes++ },
	} {
		other := leafSpine()
		change(&other[3])
		p, why := NewPicture([]*Run{{ports: leafSpine()}, {ports: other}})
		if name == "nothing" && (p == nil || len(p.Runs) != 2) || name != "nothing" && (p != nil || why != "The runs have different networks.") {
			t.Errorf("networks that differ in %s: picture %v, %q", name, p != nil, why)
		}
	}
	large := slices.Repeat(leafSpine(), 201)
	for want, runs := range map[string][]*Run{
		"It has 2412 ports; a picture shows at most 2400.": {{ports: large}},
		"There are no ports.":                              {{}},
	} {
		if p, why := NewPicture(runs); p != nil || why != want {
			t.Errorf("picture %v, %q, want %q", p != nil, why, want)
		}
	}
}
