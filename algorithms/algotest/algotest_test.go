package algotest

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// toy is a scheme whose sender does what a test wants.
type toy struct {
	traits algorithms.Traits
	step   func(s *algorithms.Signal, c *algorithms.Control)
	start  func(c *algorithms.Control)
}

func (y *toy) Traits() algorithms.Traits        { return y.traits }
func (y *toy) NewSender() algorithms.Sender     { return y }
func (y *toy) NewReceiver() algorithms.Receiver { return nil }
func (y *toy) NewMarker() algorithms.Marker     { return nil }
func (y *toy) Start(now core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*c = algorithms.Control{Window: core.Unlimited, Rate: f.Line, Wake: core.Never}
	if y.start != nil {
		y.start(c)
	}
}

func (y *toy) Step(s *algorithms.Signal, c *algorithms.Control) {
	if y.step != nil {
		y.step(s, c)
	}
}

func hearing(step func(s *algorithms.Signal, c *algorithms.Control)) *toy {
	return &toy{traits: algorithms.Traits{Name: "toy", Hears: algorithms.Hears(algorithms.Ack)}, step: step}
}

// Every rule of an answer is checked.
func TestBrokenAnswersAreFound(t *testing.T) {
	for want, breakIt := range map[string]func(*algorithms.Signal, *algorithms.Control){
		"rate outside":           func(_ *algorithms.Signal, c *algorithms.Control) { c.Rate = 0 },
		"rate outside (0, line]": func(_ *algorithms.Signal, c *algorithms.Control) { c.Rate = 200 * core.Gbps },
		"window not above 0":     func(_ *algorithms.Signal, c *algorithms.Control) { c.Window = 0 },
		"gap below 0":            func(_ *algorithms.Signal, c *algorithms.Control) { c.Gap = -1 },
		"wake not in the future": func(s *algorithms.Signal, c *algorithms.Control) { c.Wake = s.Now },
		"timeout below 0":        func(_ *algorithms.Signal, c *algorithms.Control) { c.Timeout = -1 },
		"unknown orders":         func(_ *algorithms.Signal, c *algorithms.Control) { c.Do = 0x80 },
	} {
		err := checkTape(hearing(breakIt), randomTape(1, 10))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	waits := hearing(func(_ *algorithms.Signal, c *algorithms.Control) { c.Window = 0 })
	waits.traits.Hears |= algorithms.Hears(algorithms.Grant)
	if err := checkTape(waits, randomTape(1, 10)); err != nil {
		t.Errorf("a window of 0 until a grant comes: %v", err)
	}
	for want, begin := range map[string]func(*algorithms.Control){
		"Start at 3ms: wake in the past":            func(c *algorithms.Control) { c.Wake = start - 1 },
		"Start at 3ms: rate below the host's floor": func(c *algorithms.Control) { c.Rate = 99 * core.Mbps },
	} {
		y, f := hearing(nil), NewFlow(1)
		y.start, f.MinRate = begin, 100*core.Mbps
		if err := checkFlow(y, f, randomTape(1, 10)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	y := hearing(nil)
	y.start = func(c *algorithms.Control) { c.Wake = start } // due at once, and never again
	y.step = func(_ *algorithms.Signal, c *algorithms.Control) { c.Wake = core.Never }
	for _, good := range []*toy{y, hearing(nil)} {
		if err := checkTape(good, randomTape(1, 10)); err != nil {
			t.Errorf("a good sender: %v", err)
		}
	}
}

// A history never contains what no host could report: time and counters grow, Acked <= Next.
func TestHistoriesArePlausible(t *testing.T) {
	traits := algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Sent, algorithms.Notify, algorithms.Path)}
	f := NewFlow(1)
	h := newHistory(randomTape(3, 5000), traits, f)
	last := algorithms.Signal{}
	hops := make([]core.Hop, 5)
	for s := new(algorithms.Signal); h.read(s); last = *s {
		if s.Now <= last.Now || s.Acked < last.Acked || s.Acked > s.Next || s.InFlight < 0 {
			t.Fatalf("after %+v came %+v", last, *s)
		}
		for i := range s.Hops {
			if s.Hops[i].Tx < hops[i].Tx || s.Hops[i].At < hops[i].At {
				t.Fatalf("hop %d: %+v after %+v", i, s.Hops[i], hops[i])
			}
			hops[i] = s.Hops[i]
		}
	}
}

// The RTT of a packet that meets no queue is the base round trip to the picosecond.
func TestBottleneckBaseRTT(t *testing.T) {
	b := NewBottleneck(1, 100*core.Microsecond)
	n := 0
	b.Run(hearing(func(s *algorithms.Signal, c *algorithms.Control) {
		if n++; s.RTT != b.BaseRTT {
			t.Fatalf("ACK %d: RTT %v, want %v", n, s.RTT, b.BaseRTT)
		}
	}))
	// One packet of 1048 B every 83.84 ns, the first ACK at 13 us, none at the end.
	const want = 1 + (100_000-13_000)*100/8384
	if n != want {
		t.Errorf("%d ACKs, want %d", n, want)
	}
}

// n senders at the line rate queue n-1 of every n bytes.
func TestBottleneckQueue(t *testing.T) {
	b := NewBottleneck(4, 200*core.Microsecond)
	res := b.Run(hearing(nil))
	sending := b.For - b.BaseRTT/4 // the first packet is on its way to the queue
	want := float64(sending.Seconds()*float64(b.Line)/8) * 3
	if got := float64(res.MaxQueue); got < 0.99*want || got > 1.01*want {
		t.Errorf("queue %v, want %.0f", got, want)
	}
	if f := res.Fairness(); f < 0.9999 {
		t.Errorf("fairness %v, want 1", f)
	}
}

// A window of w bytes limits a flow to w bytes of payload per round trip.
func TestBottleneckWindow(t *testing.T) {
	b := NewBottleneck(1, core.Millisecond)
	y := hearing(func(_ *algorithms.Signal, c *algorithms.Control) { c.Window = 40_000 })
	got := b.Run(y).share(0, 36, 72)
	want := 40 * 1048 * 8 / b.BaseRTT.Seconds() / float64(b.Line)
	if got < 0.98*want || got > 1.02*want {
		t.Errorf("share %v, want %v", got, want)
	}
}

func TestScriptErrors(t *testing.T) {
	factory := Factory(func(map[string]string) (algorithms.Scheme, error) { return hearing(nil), nil })
	for script, want := range map[string]string{
		"# x\nfly\n----\n":                     "2: \"fly\": unknown command",
		"ack t=1us\n----\n":                    "no flow",
		"start line=fast\n----\n":              "1: \"start line=fast\": \"fast\" is not a rate",
		"start\nack t=1us hop=3\n----\n":       "2: ",
		"start\nack when=1us\n----\n":          "unknown argument \"when\"",
		"start\n":                              "without a line \"----\"",
		"run flows=1 from=0,1us for=5us\n----": "2 times for 1 flows",
	} {
		_, err := runScript([]byte(script), factory)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", script, err, want)
		}
	}
}

// A script's output replaces the old one, and everything else stays.
func TestScriptRewrites(t *testing.T) {
	factory := Factory(func(map[string]string) (algorithms.Scheme, error) { return hearing(nil), nil })
	in := "# comment\nstart\nack t=2us acked=1\n----\nold\nlines\n\n# end\n"
	want := "# comment\nstart\nack t=2us acked=1\n----\n" +
		"start: rate=100Gbps window=unlimited\nack 2us: rate=100Gbps window=unlimited\n\n# end\n"
	got, err := runScript([]byte(in), factory)
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	again, err := runScript(got, factory)
	if err != nil || string(again) != want {
		t.Errorf("a second time: %q, %v", again, err)
	}
}
