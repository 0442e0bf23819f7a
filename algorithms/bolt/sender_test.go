package bolt

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

// started is a flow of 100 Gb/s and 10 us, so that a window at line rate is 125,000 bytes, with
// packets of 1000 bytes.
func started(t *testing.T, size, firstWindow core.Bytes) (algorithms.Sender, *algorithms.Control) {
	t.Helper()
	p := Defaults()
	p.FirstWindow = firstWindow
	scheme := algotest.Make(t, New, p)
	s, c := scheme.NewSender(), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 10 * us, MTU: 1000, Size: size}, c)
	return s, c
}

// A flow starts at line rate. Its packets say whether they belong to its first or last window; those of the last ask
// for no growth.
func TestStamps(t *testing.T) {
	for _, c := range []struct {
		size core.Bytes
		next int64
		want uint64
	}{
		{1_000_000, 0, inc | first}, {1_000_000, 124_000, inc | first}, {1_000_000, 125_000, inc},
		{1_000_000, 874_000, inc}, {1_000_000, 875_000, last}, {125_000, 0, first | last},
		{200_000, 80_000, first | last}, {0, 1 << 50, inc},
	} {
		s, a := started(t, c.size, 0)
		if a.Window != 125_000 || a.Rate != 100*core.Gbps || a.Stamp&first == 0 {
			t.Errorf("first answer %+v", a)
		}
		if s.Step(&algorithms.Signal{Kind: algorithms.Sent, Next: c.next}, a); a.Stamp != present|c.want {
			t.Errorf("packet at %d of %v carries %b, want %b", c.next, c.size, a.Stamp, present|c.want)
		}
	}
}

// A window is between a packet and line rate times base round trip, from the first one on, which the first packets know.
func TestFirstWindow(t *testing.T) {
	for given, want := range map[core.Bytes]core.Bytes{0: 125_000, 1: 1000, 50_000: 50_000, 1_000_000: 125_000} {
		s, c := started(t, 0, given)
		rate := core.Rate(want) * 100 * core.Gbps / 125_000
		if c.Window != want || c.Rate != rate {
			t.Errorf("first_window=%v: %v at %v, want %v at %v", given, c.Window, c.Rate, want, rate)
		}
		for next, isFirst := range map[int64]bool{int64(want) - 1: true, int64(want): false} {
			if s.Step(&algorithms.Signal{Kind: algorithms.Sent, Next: next}, c); (c.Stamp&first != 0) != isFirst {
				t.Errorf("first_window=%v: byte %d is of the first window: %v", given, next, !isFirst)
			}
		}
	}
	s, c := algotest.Make(t, New, Defaults()).NewSender(), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 40 * core.Nanosecond, MTU: 1000}, c)
	if c.Window != 1000 || c.Rate != 100*core.Gbps {
		t.Errorf("on a path of 500 bytes: %v at %v, want a packet at line rate", c.Window, c.Rate)
	}
}

// A flow's part of a queue is counted in packets on the wire: 12.5 KB are ten of 1250 bytes, which with notifications
// after 5 us makes a cut every 500 ns.
func TestPartOfQueueInPackets(t *testing.T) {
	s, c := algotest.Make(t, New, Defaults()).NewSender(), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 10 * us, MTU: 1000, Packet: 1250}, c)
	for _, at := range []core.Duration{500*core.Nanosecond - 1, 500 * core.Nanosecond} {
		s.Step(&algorithms.Signal{
			Instant: core.Instant{Now: core.Time(at)}, Kind: algorithms.Switch, Feedback: 1000, SentAt: core.Time(at - 5*us),
		}, c)
		if cut := c.Window != 125_000; cut != (at == 500*core.Nanosecond) {
			t.Errorf("at %v: window %v", at, c.Window)
		}
	}
}

// An ACK that kept its request adds a packet, and so does the first one of a round trip; the rate
// is window over base round trip, and neither exceeds that of the line.
func TestGrowth(t *testing.T) {
	s, c := started(t, 0, 50_000)
	for _, step := range []struct {
		acked, next int64
		aux         uint64
		window      core.Bytes
	}{
		{1000, 51_000, present, 51_000}, // the first round trip
		{2000, 52_000, present | inc, 52_000},
		{3000, 53_000, present | dec, 52_000},
		{50_000, 100_000, present, 52_000},
		{51_000, 102_000, present | inc, 54_000}, // the second
	} {
		c.Do = 0
		before := c.Window
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: step.acked, Next: step.next, Aux: step.aux}, c)
		rate := core.Rate(step.window) * 100 * core.Gbps / 125_000
		if c.Window != step.window || c.Rate != rate || (c.Do == algorithms.Repace) != (c.Window != before) {
			t.Errorf("ACK of %d: %+v, want %v and %v", step.acked, c, step.window, rate)
		}
	}
	for i := range int64(200) {
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: i, Next: 1 << 40, Aux: inc}, c)
	}
	if c.Window != 125_000 || c.Rate != 100*core.Gbps {
		t.Errorf("after 200 more: %+v, want line rate", c)
	}
}

// Alone in a queue of 10 packets, with notifications that arrive after 5 us, a flow takes 10
// packets off its window in 5 us: one every 500 ns, and a little later as its rate falls (NSDI
// 2023). With half the rate its share is half.
func TestSource(t *testing.T) {
	for _, c := range []struct {
		window core.Bytes
		cuts   int
	}{{125_000, 10}, {62_500, 5}} {
		s, a := started(t, 0, c.window)
		cuts := 0
		const begin = 100 * us
		for at := begin; at < begin+5*us; at += 100 * core.Nanosecond {
			before := a.Window
			s.Step(&algorithms.Signal{
				Instant: core.Instant{Now: core.Time(at)}, Kind: algorithms.Switch, Feedback: 800, SentAt: core.Time(at - 5*us),
			}, a)
			if a.Window == before-1000 {
				cuts++
			}
		}
		if cuts < c.cuts-1 || cuts > c.cuts {
			t.Errorf("window %v: %d cuts, want %d", c.window, cuts, c.cuts)
		}
	}
	// rtt_src/target_q <= now - last_dec_time: 5 us for 5 packets make 1 us, at which the first cut comes.
	s, a := started(t, 0, 62_500)
	for _, at := range []core.Duration{us - 1, us} {
		s.Step(&algorithms.Signal{
			Instant: core.Instant{Now: core.Time(at)}, Kind: algorithms.Switch, Feedback: 800, SentAt: core.Time(at - 5*us),
		}, a)
		if cut := a.Window != 62_500; cut != (at == us) {
			t.Errorf("at %v: window %v", at, a.Window)
		}
	}
	s, a = started(t, 0, 3000)
	for i := range core.Time(20) {
		s.Step(&algorithms.Signal{Instant: core.Instant{Now: i << 40}, Kind: algorithms.Switch, Feedback: 1 << 30, SentAt: i << 40}, a)
	}
	if a.Window != 1000 {
		t.Errorf("window %v, want a packet at least", a.Window)
	}
}
