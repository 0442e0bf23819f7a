package nic_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// Without progress for the time-out a flow goes back, after twice that time again, and so on up to
// 16 times, until it is given up.
func TestTimeout(t *testing.T) {
	cfg := config(1)
	cfg.RTO, cfg.Retries = 10*core.Microsecond, 7
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{ID: 9, Size: 1500})
	r.Run(core.AtNanos(10_000_000))
	var want [][2]int64
	for _, at := range []int64{0, 10, 30, 70, 150, 310, 470, 630} {
		want = append(want, [2]int64{1000 * at, 0}, [2]int64{1000*at + 1000, 1000})
	}
	if got := r.took(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	_, done, _, st := r.h.Flow(qp)
	if failed := r.ended(core.FlowFailed); !done || st.Timeouts != 8 || !reflect.DeepEqual(failed, []int32{9}) || st.RetransmittedBytes != 7*1500 {
		t.Errorf("done %v, %+v, given up %v", done, st, failed)
	}
	if len(r.ended(core.FlowDone)) != 0 || r.Wake[0] != core.Never {
		t.Errorf("told %+v, wakes at %v", r.News, r.Wake)
	}
}

// A window of 0 stops a flow, also one with nothing in the network, and the time-out still comes: what would let it go on
// may have been lost.
func TestTimeoutOfAWindowOfZero(t *testing.T) {
	for _, lost := range []bool{false, true} {
		s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Sent, algorithms.Grant, algorithms.Loss)}}
		s.step = func(sig *algorithms.Signal, c *algorithms.Control) {
			switch {
			case sig.Kind == algorithms.Sent:
				c.Window = 0
			case sig.Kind == algorithms.Grant || sig.Flags&algorithms.Timeout != 0:
				c.Window = core.Unlimited
			}
		}
		cfg := selective(1)
		cfg.RTO, cfg.RTOLow = 100*core.Microsecond, 100*core.Microsecond
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{Size: 4000, Scheme: s})
		r.arrive(10_000, 0, r.trimmed(qp, 0, 0))
		if !lost {
			p := r.ack(qp, 0, core.Grant)
			r.arrive(50_000, 0, p)
		}
		r.arrive(200_000, 0, r.ack(qp, 1000, core.Ack)) // everything that was sent
		r.Run(core.AtNanos(299_999))
		want := [][2]int64{{0, 0}, {50_000, 0}, {150_000, 0}}
		if lost {
			want = [][2]int64{{0, 0}, {110_000, 0}}
		}
		if got := r.took(); !reflect.DeepEqual(got, want) {
			t.Errorf("lost %v: got %v, want %v", lost, got, want)
		}
		r.Run(core.AtNanos(399_999))
		if got, want := r.took(), [][2]int64{{300_000, 1000}}; !reflect.DeepEqual(got, want) {
			t.Errorf("lost %v: got %v, want %v", lost, got, want)
		}
	}
}

// The window may become 0 while nothing is in the network, before the pace permits the next packet: a duplicate
// acknowledgement or a grant may do that. The time-out comes all the same.
func TestTimeoutOfAWindowThatCloses(t *testing.T) {
	for _, kind := range []core.Kind{core.Ack, core.Grant} {
		s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Grant, algorithms.Loss)}, start: algorithms.Control{Rate: line / 100}}
		heard := 0
		s.step = func(sig *algorithms.Signal, c *algorithms.Control) {
			switch heard++; {
			case heard == 2:
				c.Window = 0
			case sig.Flags&algorithms.Timeout != 0:
				c.Window = core.Unlimited
			}
		}
		cfg := selective(1)
		cfg.RTO, cfg.RTOLow = 200*core.Microsecond, 200*core.Microsecond
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{Size: 2000, Scheme: s})
		r.arrive(10_000, 0, r.ack(qp, 1000, core.Ack))
		r.arrive(20_000, 0, r.ack(qp, 1000, kind))
		r.Run(core.AtNanos(250_000))
		if got, want := r.took(), [][2]int64{{0, 0}, {220_000, 1000}}; !reflect.DeepEqual(got, want) {
			t.Errorf("%v: got %v, want %v", kind, got, want)
		}
	}
}

// A flow whose window stays 0 has further time-outs, and is given up.
func TestGivenUpWithAWindowOfZero(t *testing.T) {
	s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Sent)}}
	s.step = func(_ *algorithms.Signal, c *algorithms.Control) { c.Window = 0 }
	cfg := config(1)
	cfg.RTO, cfg.Retries = 10*core.Microsecond, 2
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{ID: 9, Size: 4000, Scheme: s})
	r.Run(core.AtNanos(69_999))
	_, done, _, st := r.h.Flow(qp)
	if done || st.Timeouts != 2 {
		t.Errorf("done %v after %d time-outs, want 2", done, st.Timeouts)
	}
	if r.Run(core.AtNanos(70_000)); !slices.Equal(r.ended(core.FlowFailed), []int32{9}) || len(r.took()) != 1 {
		t.Errorf("given up %v", r.ended(core.FlowFailed))
	}
}

// A flow that is given up while its pace holds back what is next sends nothing more.
func TestGivenUpSendsNothing(t *testing.T) {
	cfg := config(1)
	cfg.RTO, cfg.Retries = 10*core.Microsecond, 1
	r := newRig(t, cfg)
	r.open(0, nic.Flow{ID: 9, Size: 9000, Scheme: &scheme{start: algorithms.Control{Rate: line / 15}}})
	r.Run(core.AtNanos(200_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {10_000, 0}, {25_000, 1000}}; !reflect.DeepEqual(got, want) || !slices.Equal(r.ended(core.FlowFailed), []int32{9}) {
		t.Errorf("sent %v, want %v; given up %v", got, want, r.ended(core.FlowFailed))
	}
}

// A scheme's timer that has been moved fires when it is due now, not when it was.
func TestMovedTimer(t *testing.T) {
	var ticks []int64
	s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}, start: algorithms.Control{Wake: core.AtNanos(5000)}}
	s.step = func(sig *algorithms.Signal, c *algorithms.Control) {
		c.Wake = core.AtNanos(9000)
		if sig.Kind == algorithms.Timer {
			ticks, c.Wake = append(ticks, sig.Now.Nanos()), core.Never
		}
	}
	r := newRig(t, config(1))
	qp := r.open(0, nic.Flow{Size: 9000, Window: 1000, Scheme: s})
	r.arrive(3000, 0, r.ack(qp, 0, core.Ack))
	r.Run(core.AtNanos(50_000))
	if !slices.Equal(ticks, []int64{9000}) {
		t.Errorf("ticks at %v, want 9000", ticks)
	}
}

// Progress restarts the time-out and resets the back-off; there is no end to this if Retries is 0.
func TestProgress(t *testing.T) {
	cfg := config(1)
	cfg.RTO = 10 * core.Microsecond
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{Size: 3000, Window: 1000})
	r.arrive(4_000, 0, r.ack(qp, 1000, core.Ack))  // byte 1000 leaves; time-out at 14,000, again at 34,000
	r.arrive(40_000, 0, r.ack(qp, 2000, core.Ack)) // byte 2000 leaves; time-out at 50,000
	r.Run(core.AtNanos(69_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {4000, 1000}, {14_000, 1000}, {34_000, 1000}, {40_000, 2000}, {50_000, 2000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	r.arrive(69_000, 0, r.ack(qp, 3000, core.Ack))
	r.Run(core.AtNanos(1e9))
	if got := r.took(); got != nil {
		t.Errorf("sent %v after the end", got)
	}
}

// Progress between time-outs restarts their count: only consecutive ones end a flow.
func TestRetriesInARow(t *testing.T) {
	cfg := config(1)
	cfg.RTO, cfg.Retries = 10*core.Microsecond, 2
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{ID: 9, Size: 20_000, Window: 1000})
	for i := range int64(8) { // every packet is acknowledged after its second time-out
		r.arrive(40_000*(i+1), 0, r.ack(qp, 1000*(i+1), core.Ack))
	}
	r.Run(core.AtNanos(380_000))
	if _, done, _, st := r.h.Flow(qp); done || st.Timeouts != 18 {
		t.Errorf("done %v, %+v; want 18 time-outs", done, st)
	}
	r.Run(core.AtNanos(400_000))
	if failed := r.ended(core.FlowFailed); !reflect.DeepEqual(failed, []int32{9}) {
		t.Errorf("given up: %v", failed)
	}
	r.took()
	r.open(500_000, nic.Flow{Size: 500})
	r.Run(core.AtNanos(505_000))
	if got, want := r.took(), [][2]int64{{500_000, 0}}; !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v after the flow was given up, want another's %v", got, want)
	}
}

// After a time-out the first packet is sent again at once, whatever the flow's pace, and the rest
// at that pace.
func TestTimeoutIgnoresPace(t *testing.T) {
	cfg := config(1)
	cfg.RTO = 10 * core.Microsecond
	r := newRig(t, cfg)
	r.open(0, nic.Flow{Size: 2000, Scheme: &scheme{start: algorithms.Control{Rate: line / 15}}})
	r.Run(core.AtNanos(29_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {10_000, 0}, {25_000, 1000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The timer runs while something is in flight (RFC 6298, section 5.2): a packet that has waited for
// its pace, or for a pause, has its whole time-out from when it leaves.
func TestTimerStopsWithNothingInFlight(t *testing.T) {
	for _, way := range []nic.Recovery{nic.GoBackN, nic.Selective} {
		cfg := config(1)
		cfg.RTO, cfg.RTOLow, cfg.SkipAcked, cfg.Recovery = 100*core.Microsecond, 100*core.Microsecond, true, every(way)
		r := newRig(t, cfg)
		slow := &scheme{start: algorithms.Control{Rate: line / 110}}
		qp := r.open(0, nic.Flow{Size: 3000, Prio: 3, Scheme: slow})
		r.arrive(20_000, 0, r.ack(qp, 1000, core.Ack)) // byte 1000 leaves at 110,000
		r.arrive(130_000, 0, r.ack(qp, 2000, core.Ack))
		r.arrive(140_000, 0, r.Pause(3, 0, true))
		r.arrive(300_000, 0, r.Pause(3, 0, false)) // byte 2000 leaves and is lost, again and again
		r.arrive(450_000, 0, r.Pause(3, 0, true))  // when it times out for the second time it cannot leave
		r.arrive(700_000, 0, r.Pause(3, 0, false))
		r.Run(core.AtNanos(1_400_000))
		want := [][2]int64{{0, 0}, {110_000, 1000}, {300_000, 2000}, {400_000, 2000}, {700_000, 2000}, {1_100_000, 2000}}
		if got := r.took(); !reflect.DeepEqual(got, want) {
			t.Errorf("way %d: got %v, want %v", way, got, want)
		}
	}
}

// A scheme's time-out is used where the host's is shorter, and is backed off in the same way; it does not give a timer
// to a flow that has none.
func TestTimeoutOfTheScheme(t *testing.T) {
	const us = core.Microsecond
	for _, c := range []struct {
		host, flow, scheme core.Duration
		want               []int64 // when byte 0 leaves, us
	}{
		{10 * us, 0, 25 * us, []int64{0, 25, 75}},
		{10 * us, 0, 5 * us, []int64{0, 10, 30, 70}},
		{10 * us, 40 * us, 25 * us, []int64{0, 40}},
		{10 * us, 20 * us, 25 * us, []int64{0, 25, 75}},
		{0, 0, 25 * us, []int64{0}},
	} {
		cfg := config(1)
		cfg.RTO = c.host
		r := newRig(t, cfg)
		r.open(0, nic.Flow{Size: 1000, RTO: c.flow, Scheme: &scheme{start: algorithms.Control{Timeout: c.scheme}}})
		r.Run(core.AtNanos(100_000))
		var got []int64
		for _, sent := range r.took() {
			got = append(got, sent[0]/1000)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v of the host, %v of the flow, %v of the scheme: sent at %v us, want %v", c.host, c.flow, c.scheme, got, c.want)
		}
	}
}

// What a scheme sets at an ACK holds from that ACK on (RFC 6298, section 5.3), and it is given a value to begin with.
func TestTimeoutOfTheSchemeFollowsItsAcks(t *testing.T) {
	s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
	var first core.Duration
	s.told = func(f *algorithms.Flow) { first = f.Timeout }
	s.step = func(sig *algorithms.Signal, c *algorithms.Control) { c.Timeout = 15 * sig.RTT }
	cfg := config(1)
	cfg.RTO = 10 * core.Microsecond
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{Size: 2000, Scheme: s, FirstRTO: 7 * core.Microsecond})
	r.Run(core.AtNanos(4000))
	p := r.ack(qp, 1000, core.Ack)
	p.Sent = 0
	r.arrive(4000, 0, p)
	r.Run(core.AtNanos(200_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {1000, 1000}, {64_000, 1000}, {184_000, 1000}}; !reflect.DeepEqual(got, want) || first != 7*core.Microsecond {
		t.Errorf("told %v; sent %v, want %v", first, got, want)
	}
}

// The scheme hears of a time-out.
func TestTimeoutSignal(t *testing.T) {
	var heard []algorithms.Signal
	s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Loss)}}
	s.step = func(sig *algorithms.Signal, _ *algorithms.Control) { heard = append(heard, *sig) }
	cfg := config(1)
	cfg.RTO = 10 * core.Microsecond
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{Size: 2000, Scheme: s})
	r.arrive(1500, 0, r.ack(qp, 1000, core.Ack))
	r.Run(core.AtNanos(12_000))
	want := []algorithms.Signal{{Instant: core.Instant{Now: core.AtNanos(11_500)}, Kind: algorithms.Loss, Flags: algorithms.Timeout, Acked: 1000, Next: 1000}}
	if !reflect.DeepEqual(heard, want) {
		t.Errorf("heard %+v, want %+v", heard, want)
	}
}

// A flow that is stopped by a pause when its time-outs come has nothing in flight; the
// acknowledgements may still come. After that a loss is still found.
func TestTimeoutAfterLateAcks(t *testing.T) {
	cfg := config(1)
	cfg.RTO, cfg.SkipAcked = 10*core.Microsecond, true
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{Size: 3000, Prio: 3, Window: 2000})
	r.arrive(1500, 0, r.Pause(3, 0, true)) // bytes 0 and 1000 are out
	// The time-out at 10 us goes back to byte 0, the one at 30 us finds nothing in flight.
	r.arrive(50_000, 0, r.ack(qp, 2000, core.Ack))
	r.arrive(60_000, 0, r.Pause(3, 0, false)) // byte 2000 leaves, and is lost
	r.Run(core.AtNanos(200_000))
	got := r.took()
	if want := [][2]int64{{0, 0}, {1000, 1000}, {60_000, 2000}, {70_000, 2000}}; len(got) < 4 || !reflect.DeepEqual(got[:4], want) {
		t.Errorf("got %v, want %v ...", got, want)
	}
}

// A time-out that finds a flow gone back by a NACK, and stopped, has nothing in flight; what leaves later is timed again.
func TestTimeoutAfterNack(t *testing.T) {
	cfg := config(1)
	cfg.RTO = 10 * core.Microsecond
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{Size: 2000, Prio: 3})
	r.arrive(1500, 0, r.Pause(3, 0, true)) // bytes 0 and 1000 are out
	r.arrive(3000, 0, r.ack(qp, 0, core.Nack))
	r.arrive(50_000, 0, r.Pause(3, 0, false))
	r.Run(core.AtNanos(65_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {1000, 1000}, {50_000, 0}, {51_000, 1000}, {60_000, 0}, {61_000, 1000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A flow whose timer belongs to the port that it used before the routes changed retransmits by the
// port that it uses now.
func TestTimeoutAfterReroute(t *testing.T) {
	cfg := config(2)
	cfg.RTO, cfg.Router = 10*core.Microsecond, fan{0}
	r := newRig(t, cfg)
	r.open(0, nic.Flow{Size: 1000})
	r.Run(core.AtNanos(5000))
	r.Turn.Now = core.AtNanos(5000)
	r.h.SetRouter(fan{1})
	r.h.Reroute(&r.Turn)
	r.CarryOut()
	r.Run(core.AtNanos(35_000))
	var ports []int
	for i := range r.sent {
		ports = append(ports, r.sent[i].port)
	}
	if got, want := r.took(), [][2]int64{{0, 0}, {10_000, 0}, {30_000, 0}}; !reflect.DeepEqual(got, want) || !reflect.DeepEqual(ports, []int{0, 1, 1}) {
		t.Errorf("got %v by ports %v, want %v by 0, 1, 1", got, ports, want)
	}
}
