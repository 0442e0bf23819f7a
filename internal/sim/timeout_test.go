package sim

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
)

// A class's time-out is that of FitTimeout: for switches whose memory takes some time to be sent, on a path of 13 us.
func TestTimeoutByClass(t *testing.T) {
	const us, ms = core.Microsecond, core.Millisecond
	short := topo.Path{RTT: 13 * us, Hops: 3, Bottleneck: 100 * core.Gbps}
	long, direct, slow := short, short, short
	star := short
	star.Hops = 2
	long.RTT, direct.Hops, slow.Bottleneck = 3*ms, 1, core.Kbps
	longDirect := long
	longDirect.Hops = 1
	for name, c := range map[string]struct {
		path  topo.Path
		class uint8
		drain core.Duration // of a memory at 100 Gb/s
		set   func(s *Setup)
		want  core.Duration
	}{
		"every switch":         {short, 3, 3 * ms, nil, 6*ms + 13*us},
		"at least":             {short, 3, 1 * ms, nil, 4 * ms},
		"selective":            {short, 1, 1 * ms, nil, 1*ms + 13*us},
		"lossy":                {short, 2, 3 * ms, nil, 4 * ms},
		"lossy, one of 16":     {short, 10, 3 * ms, nil, 4 * ms},
		"lossy, long":          {long, 2, 3 * ms, nil, 6 * ms},
		"lossy and selective":  {short, 0, 1 * ms, nil, 500*us + 13*us}, // of which a queue has half
		"small, selective":     {short, 0, 1 * us, nil, 26 * us},
		"large, selective":     {short, 0, 9 * ms, nil, 4 * ms},
		"no PFC":               {short, 3, 3 * ms, func(s *Setup) { s.NoPFC = true }, 4 * ms},
		"no switch":            {direct, 1, 9 * ms, nil, 4 * ms},
		"no switch, long":      {longDirect, 3, 9 * ms, nil, 6 * ms},
		"at most half a day":   {slow, 1, 1 * ms, nil, 8*3600*core.Second + 13*us},
		"set":                  {short, 3, 3 * ms, func(s *Setup) { s.Profile.RTO = Timeout(300 * us) }, 300 * us},
		"never":                {short, 3, 3 * ms, func(s *Setup) { s.Profile.RTO = 0 }, 0},
		"selective beside it":  {short, 9, 1 * ms, nil, 1*ms + 13*us},
		"one switch":           {star, 3, 6 * ms, nil, 6*ms + 13*us},
		"two switches, slower": {slow, 3, 1 * ms, nil, 16*3600*core.Second + 13*us},
	} {
		s := &Setup{Profile: Native(), Lossy: 1<<2 | 1<<0, Buffer: (100 * core.Gbps).BytesIn(c.drain)}
		s.Recovery[0], s.Recovery[1] = nic.Selective, nic.Selective
		if c.set != nil {
			c.set(s)
		}
		if got := (&Network{Setup: s}).timeout(c.path, c.class); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Unless the time-out is set, a scheme with time-outs of its own begins with a round trip through the longest queue
// that a switch may have for the class: for lossy classes a reserve and a part of the memory (Q = (memory -
// Q)/2^shift).
func TestFirstTimeout(t *testing.T) {
	const us, ms = core.Microsecond, core.Millisecond
	path := topo.Path{RTT: 13 * us, Hops: 3, Bottleneck: 100 * core.Gbps}
	direct := path
	direct.Hops = 1
	for name, c := range map[string]struct {
		path  topo.Path
		class uint8
		set   func(s *Setup)
		want  core.Duration
	}{
		"lossless":  {path, 3, func(s *Setup) {}, 9*ms + 13*us},
		"lossy":     {path, 10, func(s *Setup) {}, 1*ms + 13*us},
		"half":      {path, 2, func(s *Setup) { s.LossyShift = 0 }, 4500*us + 13*us},
		"reserve":   {path, 2, func(s *Setup) { s.Reserve = 125_000 }, 1*ms + 23*us},
		"no PFC":    {path, 3, func(s *Setup) { s.NoPFC = true }, 1*ms + 13*us},
		"complete":  {path, 2, func(s *Setup) { s.Sharing = switching.Complete }, 9*ms + 13*us},
		"ABM":       {path, 2, func(s *Setup) { s.Sharing, s.FirstAlpha = switching.ABM, 8 }, 8*ms + 13*us},
		"beside it": {path, 3, func(s *Setup) { s.Sharing, s.FirstAlpha = switching.ABM, 8 }, 9*ms + 13*us},
		"no switch": {direct, 3, func(s *Setup) {}, 0},
		"set":       {path, 2, func(s *Setup) { s.Profile.RTO = Timeout(300 * us) }, 0},
		"never":     {path, 2, func(s *Setup) { s.Profile.RTO = 0 }, 0},
	} {
		s := &Setup{Profile: Native(), Lossy: 1 << 2, LossyShift: 3, Buffer: (100 * core.Gbps).BytesIn(9 * ms)}
		c.set(s)
		if got := (&Network{Setup: s}).firstTimeout(c.path, c.class); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Under credits a switch holds no more than the buffers of its ports: the largest switch counts, which is not searched
// for again for every flow.
func TestMemory(t *testing.T) {
	n := &Network{
		Setup:  &Setup{Buffer: 7, Topology: &topo.Topology{}},
		wiring: wiring{ports: [][]topo.Port{make([]topo.Port, 2), make([]topo.Port, 5), make([]topo.Port, 3)}},
	}
	if got := n.memory(); got != 7 {
		t.Errorf("%v, want the buffer", got)
	}
	n.Setup.Credits = &core.CreditConfig{Lane: 1000}
	if err := n.chooseCredits(); err != nil {
		t.Fatal(err)
	}
	n.ports = nil
	if n.memory() != 5000 {
		t.Errorf("%v of 5 ports of 1000 bytes", n.memory())
	}
}

// A time-out is written as a time or as the word auto, and read in the same way.
func TestTimeoutText(t *testing.T) {
	for timeout, text := range map[Timeout]string{FitTimeout: "auto", 0: "0s", Timeout(300 * core.Microsecond): "300us"} {
		if got, err := ParseTimeout(text); timeout.String() != text || got != timeout || err != nil {
			t.Errorf("%v, read of %s: %v, %v", timeout, text, got, err)
		}
	}
	for text, want := range map[string]string{"-1ps": `"-1ps" is negative`, "soon": `"soon" is not a duration`, "5": ", or auto"} {
		if got, err := ParseTimeout(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
}

// A host's window is a bandwidth-delay product, of the pair or of the whole network, for the classes that have one.
func TestWindow(t *testing.T) {
	pair := topo.Path{RTT: 10, BDP: 1000}
	for _, c := range []struct {
		global bool
		class  uint8
		window core.Bytes
		rtt    core.Duration
	}{{false, 3, 1000, 10}, {false, 11, 1000, 10}, {false, 2, 0, 10}, {false, 4, 0, 10}, {true, 3, 5000, 20}, {true, 2, 0, 20}} {
		n := &Network{Setup: &Setup{Windows: WindowRule{Classes: 1 << 3, Global: c.global}}, wiring: wiring{most: topo.Most{RTT: 20, BDP: 5000}}}
		if window, rtt := n.window(pair, c.class); window != c.window || rtt != c.rtt {
			t.Errorf("%+v: window %v, round trip %v", c, window, rtt)
		}
	}
}

// A host begins with that time-out where a scheme has some of its own: it gives up a first packet that is lost after it.
func TestFirstTimeoutOfHost(t *testing.T) {
	scheme, err := catalog.New("cubic", nil)
	if err != nil {
		t.Fatal(err)
	}
	network, err := topo.Parse("star:n=3")
	if err != nil {
		t.Fatal(err)
	}
	s := endless(network, 1, core.Duration(FitTimeout), []Flow{{Src: 0, Dst: 1, Bytes: 1, Prio: 2}})
	s.Schemes, s.Lossy, s.LossPerLink = []algorithms.Scheme{scheme}, 1<<2, 1
	s.Recovery[2] = nic.Selective // whose time-outs are short while few packets are in flight
	n, err := Build(s, deaf{})
	if err != nil {
		t.Fatal(err)
	}
	first := core.Time(n.FirstTimeout(0))
	for _, c := range []struct {
		until    core.Time
		timeouts int64
	}{{first - 1, 0}, {first + core.Time(core.Microsecond), 1}} {
		n.Step(c.until, 1<<30)
		if _, _, _, st := n.hosts[0].Flow(0); st.Timeouts != c.timeouts {
			t.Errorf("%d time-outs until %v, want %d: the first is %v", st.Timeouts, c.until, c.timeouts, n.FirstTimeout(0))
		}
	}
}
