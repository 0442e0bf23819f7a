package nic_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// leaving is a packet that has left: when, in nanoseconds, of which message, and which byte.
type leaving struct{ at, message, seq int64 }

func (r *rig) left() (list []leaving) {
	for i := range r.sent {
		p := &r.sent[i]
		list = append(list, leaving{p.at.Nanos(), int64(p.SrcQP), p.Seq})
	}
	r.sent = r.sent[:0]
	return list
}

// Messages of a connection leave one after another, at its pace, as one of all their packets would; those of another
// connection, and one with a queue pair of its own, leave between them.
func TestMessagesInTurn(t *testing.T) {
	half := &scheme{start: algorithms.Control{Rate: line / 2}}
	r := newRig(t, config(1))
	for range 3 {
		r.open(0, nic.Flow{Size: 2000, Scheme: half, Connection: 1})
	}
	r.Run(core.AtNanos(50_000))
	want := []leaving{{0, 0, 0}, {2000, 0, 1000}, {4000, 1, 0}, {6000, 1, 1000}, {8000, 2, 0}, {10_000, 2, 1000}}
	if got := r.left(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}

	r = newRig(t, config(1))
	for i, connection := range []int32{1, 1, 2, 2, 0} {
		r.open(0, nic.Flow{ID: int32(i), Size: 1000, Connection: connection})
	}
	r.Run(core.AtNanos(50_000))
	var order []int64
	for _, p := range r.left() {
		order = append(order, p.message)
	}
	if slices.Index(order, 0) > slices.Index(order, 1) || slices.Index(order, 2) > slices.Index(order, 3) || slices.Index(order, 3) < slices.Index(order, 4) {
		t.Errorf("messages leave in the order %v: each connection takes turns with the others", order)
	}
}

// Windows limit what is in flight of all messages of a connection, and the scheme sees one stream of bytes.
func TestConnectionWindow(t *testing.T) {
	type heard struct {
		acked, next int64
		inFlight    core.Bytes
	}
	for _, w := range []nic.Flow{{Window: 3000}, {Scheme: &scheme{start: algorithms.Control{Window: 3000}}}} {
		var signals []heard
		var told []core.Bytes
		sc := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
		if w.Scheme != nil {
			sc.start = w.Scheme.(*scheme).start
		}
		sc.told = func(f *algorithms.Flow) { told = append(told, f.Size) }
		sc.step = func(s *algorithms.Signal, _ *algorithms.Control) {
			signals = append(signals, heard{s.Acked, s.Next, s.InFlight})
		}
		r := newRig(t, config(1))
		for range 3 {
			r.open(0, nic.Flow{Size: 2000, Scheme: sc, Window: w.Window, Connection: 1})
		}
		r.arrive(10_000, 0, r.ack(0, 1000, core.Ack))
		r.arrive(20_000, 0, r.ack(0, 2000, core.Ack))
		r.arrive(30_000, 0, r.ack(1, 2000, core.Ack))
		r.Run(core.AtNanos(40_000))
		want := []leaving{{0, 0, 0}, {1000, 0, 1000}, {2000, 1, 0}, {10_000, 1, 1000}, {20_000, 2, 0}, {30_000, 2, 1000}}
		if got := r.left(); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if want := []heard{{1000, 3000, 2000}, {2000, 4000, 2000}, {4000, 5000, 1000}}; !slices.Equal(signals, want) {
			t.Errorf("the scheme hears %v, want %v", signals, want)
		}
		if !slices.Equal(told, []core.Bytes{0}) {
			t.Errorf("schemes are started with messages of %v, want one, of unknown size", told)
		}
		if got := r.ended(core.FlowDone); !slices.Equal(got, []int32{0, 0}) {
			t.Errorf("%d messages end, want 2", len(got))
		}
	}
}

// What the scheme has learnt holds for the next message: also what it hears when a message has ended, and what its timers do
// while nothing is under way.
func TestConnectionRemembers(t *testing.T) {
	sc := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify, algorithms.Timer)}}
	sc.step = func(s *algorithms.Signal, c *algorithms.Control) {
		switch s.Kind {
		case algorithms.Notify:
			c.Rate, c.Wake = line/8, s.Now.Add(10*core.Microsecond)
		case algorithms.Timer:
			c.Rate, c.Wake = min(line, 2*c.Rate), c.Wake.Add(10*core.Microsecond)
		}
	}
	for _, c := range []struct {
		after int64 // ns from the notification to the next message
		gap   int64 // between its packets
	}{{5000, 8000}, {15_000, 4000}, {25_000, 2000}, {35_000, 1000}, {900_000, 1000}} {
		r := newRig(t, config(1))
		r.open(0, nic.Flow{Size: 1000, Scheme: sc, Connection: 1})
		r.arrive(20_000, 0, r.ack(0, 1000, core.Ack))
		r.arrive(30_000, 0, r.ack(0, 0, core.CNP))
		r.left()
		at := 30_000 + c.after
		r.open(at, nic.Flow{Size: 2000, Scheme: sc, Connection: 1})
		r.Run(core.AtNanos(at + c.gap))
		if got, want := r.left(), []leaving{{at, 1, 0}, {at + c.gap, 1, 1000}}; !slices.Equal(got, want) {
			t.Errorf("%d ns after the notification: got %v, want %v", c.after, got, want)
		}
	}
}

// A message that has something to send again goes before those behind it, at the pace of the connection.
func TestLostOfEarlierMessageFirst(t *testing.T) {
	r := newRig(t, config(1))
	sc := &scheme{start: algorithms.Control{Rate: line / 2}}
	for range 3 {
		r.open(0, nic.Flow{Size: 3000, Scheme: sc, Connection: 1})
	}
	r.arrive(7500, 0, r.ack(0, 1000, core.Nack)) // the first packet of message 1 has left at 6000
	if first, behind := r.h.NextDue(0), r.h.NextDue(1); first != core.AtNanos(8000) || behind != core.Never {
		t.Errorf("message 0 is due at %v, message 1 at %v", first, behind)
	}
	r.Run(core.AtNanos(20_000))
	want := []leaving{{0, 0, 0}, {2000, 0, 1000}, {4000, 0, 2000}, {6000, 1, 0}, {8000, 0, 1000}, {10_000, 0, 2000}, {12_000, 1, 1000}, {14_000, 1, 2000}, {16_000, 2, 0}, {18_000, 2, 1000}, {20_000, 2, 2000}}
	if got := r.left(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A packet that the scheme asks for is the next one of the connection, whichever message the signal was about.
func TestProbeOfConnection(t *testing.T) {
	sc := &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify)},
		start:  algorithms.Control{Window: 3000},
		step:   func(_ *algorithms.Signal, c *algorithms.Control) { c.Do = algorithms.Probe },
	}
	r := newRig(t, config(1))
	for range 2 {
		r.open(0, nic.Flow{Size: 2000, Scheme: sc, Connection: 1})
	}
	r.arrive(10_000, 0, r.ack(0, 0, core.CNP))
	r.Run(core.AtNanos(20_000))
	if got, want := r.left(), []leaving{{0, 0, 0}, {1000, 0, 1000}, {2000, 1, 0}, {10_000, 1, 1000}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The timer of a scheme is set once for all messages of a connection, and serves one of them as long as there is one.
func TestTimersOfConnection(t *testing.T) {
	const messages = 200
	var ticks []int64
	sc := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Timer)}}
	sc.step = func(s *algorithms.Signal, c *algorithms.Control) {
		if c.Wake = s.Now.Add(10 * core.Microsecond); s.Kind == algorithms.Timer {
			ticks = append(ticks, s.Now.Nanos())
		}
	}
	r := newRig(t, config(1))
	for range messages {
		r.open(0, nic.Flow{Size: 1000, Scheme: sc, Connection: 1})
	}
	for i := range int32(messages / 2) {
		r.arrive(int64(messages*1000+i), 0, r.ack(2*i, 1000, core.Ack))
	}
	if n := r.h.Timers(); n > messages/2 {
		t.Errorf("%d entries for timers after %d answers", n, messages/2)
	}
	for i := range int32(messages / 2) {
		r.arrive(int64((messages+11)*1000+i), 0, r.ack(2*i+1, 1000, core.Ack))
	}
	r.Run(core.AtNanos(messages * 2000))
	if want := []int64{messages*1000 + 10_000 + messages/2 - 1}; !slices.Equal(ticks, want) {
		t.Errorf("ticks at %v, want %v", ticks, want)
	}
}

// A message that is given up lets the next one pass.
func TestGivenUpMessage(t *testing.T) {
	cfg := config(1)
	cfg.RTO, cfg.Retries = 10*core.Microsecond, 1
	r := newRig(t, cfg)
	for i := range int32(2) {
		r.open(0, nic.Flow{ID: i, Size: 2000, Window: 1000, Connection: 1})
	}
	r.Run(core.AtNanos(35_000))
	if got := r.ended(core.FlowFailed); !slices.Equal(got, []int32{0}) {
		t.Fatalf("%v have failed, want 0 alone", got)
	}
	if got, want := r.left(), []leaving{{0, 0, 0}, {10_000, 0, 0}, {30_000, 1, 0}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A message that waits for its turn says for which one, is not due, and stays so when routes change; a path that has changed
// while nothing was under way is told to the scheme with the next message.
func TestWaitsForTurn(t *testing.T) {
	paths := 0
	sc := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Path)}}
	sc.step = func(s *algorithms.Signal, _ *algorithms.Control) { paths++ }
	r := newRig(t, config(1))
	for i := range int32(2) {
		r.open(0, nic.Flow{ID: 7 + i, Size: 2000, Window: 1000, Scheme: sc, Connection: 1})
	}
	reroute := func(at int64) {
		r.Run(core.AtNanos(at))
		r.Turn.Now = core.AtNanos(at)
		r.h.Reroute(&r.Turn)
		r.CarryOut()
	}
	reroute(3000)
	if flow, waits := r.h.Turn(1); flow != 7 || !waits || r.h.NextDue(1) != core.Never {
		t.Errorf("message 1 waits for flow %d: %v, and is due at %v", flow, waits, r.h.NextDue(1))
	}
	if _, waits := r.h.Turn(0); waits {
		t.Error("message 0 waits for its turn, which it has")
	}
	for i, seq := range []int64{1000, 2000, 1000, 2000} {
		r.arrive(int64(10_000*(i+1)), 0, r.ack(int32(i/2), seq, core.Ack))
	}
	want := []leaving{{0, 0, 0}, {10_000, 0, 1000}, {20_000, 1, 0}, {30_000, 1, 1000}}
	if got := r.left(); !slices.Equal(got, want) || paths != 0 {
		t.Errorf("got %v, want %v; %d signals of a path, want none", got, want, paths)
	}
	reroute(50_000)
	r.open(60_000, nic.Flow{Size: 1000, Scheme: sc, Connection: 1})
	r.open(70_000, nic.Flow{Size: 1000, Scheme: sc, Connection: 1})
	if paths != 1 {
		t.Errorf("%d signals of a path, want 1", paths)
	}
}

// BenchmarkMessagesInFlight is what a message costs whose scheme answers each acknowledgement with another rate and time.
func BenchmarkMessagesInFlight(b *testing.B) {
	sc := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Timer)}}
	sc.step = func(s *algorithms.Signal, c *algorithms.Control) {
		c.Rate, c.Wake, c.Do = line-core.Rate(s.Acked%1000), s.Now.Add(core.Second), algorithms.Repace
	}
	for _, messages := range []int32{1000, 10_000} {
		b.Run(strconv.Itoa(int(messages)), func(b *testing.B) {
			for done := 0; done < b.N; done += int(messages) {
				r := newRig(b, config(1))
				for range messages {
					r.open(0, nic.Flow{Size: 1000, Scheme: sc, Connection: 1})
				}
				for i := range messages {
					r.arrive(int64(messages)*1000+int64(i), 0, r.ack(i, 1000, core.Ack))
				}
			}
		})
	}
}
