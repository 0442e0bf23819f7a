package nic_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// asks returns what a rig has sent since the last call: time in microseconds, thousands of bytes, and ? if the packet asks
// for an acknowledgement.
func (r *rig) asks() string {
	var list []string
	for i := range r.sent {
		d := &r.sent[i]
		word := fmt.Sprint(d.at.Nanos()/1000, ":", d.Seq/1000)
		if d.Flags&core.NoAckReq == 0 {
			word += "?"
		}
		list = append(list, word)
	}
	r.sent = r.sent[:0]
	return strings.Join(list, " ")
}

// coalescing is a host that asks for an acknowledgement of one in so many packets.
func coalescing(t *testing.T, every int, change ...func(cfg *nic.Config)) *rig {
	cfg := config(1)
	cfg.AckEvery, cfg.SkipAcked, cfg.AckDuplicates = every, true, true
	for _, f := range change {
		f(&cfg)
	}
	return newRig(t, cfg)
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
}

// One packet in so many asks for an acknowledgement, and the last one.
func TestAskEvery(t *testing.T) {
	for every, want := range map[int]string{
		0: "0:0? 1:1? 2:2? 3:3? 4:4? 5:5?", 1: "0:0? 1:1? 2:2? 3:3? 4:4? 5:5?", 2: "0:0 1:1? 2:2 3:3? 4:4 5:5?",
		4: "0:0 1:1 2:2 3:3? 4:4 5:5?", 5: "0:0 1:1 2:2 3:3 4:4? 5:5?", 100: "0:0 1:1 2:2 3:3 4:4 5:5?",
	} {
		r := coalescing(t, every)
		r.open(0, nic.Flow{Size: 5001})
		r.Run(core.AtNanos(100_000))
		expect(t, fmt.Sprint("every ", every), r.asks(), want)
	}
}

// There are at least two acknowledgements to a window, the scheme's or the host's (RFC 4341, section 6.1).
func TestAskTwiceInAWindow(t *testing.T) {
	for name, f := range map[string]nic.Flow{
		"host's":   {Size: 50_000, Window: 6000},
		"scheme's": {Size: 50_000, Scheme: &scheme{start: algorithms.Control{Window: 6000}}},
		"lesser":   {Size: 50_000, Window: 6000, Scheme: &scheme{start: algorithms.Control{Window: 9000}}},
	} {
		r := coalescing(t, 1000)
		r.open(0, f)
		r.arrive(20_000, 0, r.ack(0, 3000, core.Ack))
		r.arrive(40_000, 0, r.ack(0, 6000, core.Ack))
		r.Run(core.AtNanos(60_000))
		expect(t, name, r.asks(), "0:0 1:1 2:2? 3:3 4:4 5:5? 20:6 21:7 22:8? 40:9 41:10 42:11?")
	}
}

// A window that has shrunk so that nothing in flight will be acknowledged lets one more packet go, which asks. So does
// the host's, which follows the rate.
func TestShrunkWindowAsks(t *testing.T) {
	for name, f := range map[string]nic.Flow{"scheme's": {}, "host's": {Window: 8000, ScaleWindow: true}} {
		s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
		if f.Window == 0 {
			s.start.Window = 8000
		}
		s.step = func(_ *algorithms.Signal, c *algorithms.Control) {
			if f.Window == 0 {
				c.Window = 1000
			} else {
				c.Rate = line / 8
			}
		}
		r := coalescing(t, 1000)
		f.Size, f.Scheme = 50_000, s
		r.open(0, f)
		r.arrive(6_500, 0, r.ack(0, 4000, core.Ack))
		r.Run(core.AtNanos(90_000))
		expect(t, name+" at first", r.asks(), "0:0 1:1 2:2 3:3? 4:4 5:5 6:6 7:7?")
		r.arrive(100_000, 0, r.ack(0, 8000, core.Ack))
		r.Run(core.AtNanos(190_000))
		expect(t, name+" then", r.asks(), "100:8?")
	}
}

// What asked before everything was sent again no longer counts: its acknowledgement will not come.
func TestShrunkWindowAfterLoss(t *testing.T) {
	s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
	s.step = func(sig *algorithms.Signal, c *algorithms.Control) {
		if sig.Bytes > 0 {
			c.Window = 1000
		}
	}
	r := coalescing(t, 8)
	r.open(0, nic.Flow{Size: 50_000, Scheme: s})
	r.arrive(7_500, 0, r.ack(0, 0, core.Nack))
	r.arrive(11_500, 0, r.ack(0, 1000, core.Ack))
	r.Run(core.AtNanos(90_000))
	expect(t, "sent", r.asks(), "0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7? 8:0? 9:1 10:2 11:3 12:4?")
}

// lowTimeouts is selective recovery with one time-out, of 50 us.
func lowTimeouts(cfg *nic.Config) {
	cfg.Recovery, cfg.RTO, cfg.RTOLow = every(nic.Selective), 50*core.Microsecond, 50*core.Microsecond
}

// With selective recovery the loss of the last packet takes a time-out, also if packets before it were sent again.
func TestLastPacketLostAfterHoles(t *testing.T) {
	r := coalescing(t, 4, lowTimeouts)
	r.open(0, nic.Flow{Size: 7000})
	p := r.ack(0, 3000, core.Nack)
	p.Sack = 5000
	r.arrive(20_000, 0, p)
	r.arrive(30_000, 0, r.ack(0, 4000, core.Ack))
	r.arrive(31_000, 0, r.ack(0, 6000, core.Ack))
	r.Run(core.AtNanos(90_000))
	expect(t, "sent", r.asks(), "0:0 1:1 2:2 3:3? 4:4 5:5 6:6? 20:3? 21:4? 81:6?")
}

// A retransmission of selective recovery asks, so that it has a timer, whatever else has asked: when the packets that had
// asked have arrived or been given up, nothing else finds that it is lost.
func TestLostRetransmissionTimesOut(t *testing.T) {
	r := coalescing(t, 100, lowTimeouts)
	r.open(0, nic.Flow{Size: 6000})
	for came := int64(3000); came < 6000; came += 1000 {
		r.arrive(20_000, 0, r.nack(0, 1000, came))
	}
	r.arrive(80_000, 0, r.ack(0, 2000, core.Ack))
	r.Run(core.AtNanos(150_000))
	expect(t, "the second of two after a time-out", r.asks(), "0:0 1:1 2:2 3:3 4:4 5:5? 20:1? 21:2? 70:1? 71:2? 130:2?")

	r = coalescing(t, 100, lowTimeouts)
	r.open(0, nic.Flow{Size: 7000, Scheme: &scheme{start: algorithms.Control{Rate: line / 10}}})
	r.arrive(65_000, 0, r.nack(0, 3000, 5000))
	r.arrive(66_000, 0, r.nack(0, 3000, 6000))
	r.arrive(75_000, 0, r.ack(0, 4000, core.Ack)) // nothing is in the network
	r.Run(core.AtNanos(150_000))
	expect(t, "one sent when nothing is in the network", r.asks(), "0:0 10:1 20:2 30:3 40:4 50:5 60:6? 70:3? 80:4? 130:4?")
}

// The retransmission timer runs for packets that ask: slow ones before them do not count as lost. What is sent again
// after a time-out or a NACK begins with one that asks.
func TestTimerOfPacketsThatAsk(t *testing.T) {
	slow := &scheme{start: algorithms.Control{Rate: line / 10}}
	r := coalescing(t, 4, func(cfg *nic.Config) { cfg.RTO = 25 * core.Microsecond })
	r.open(0, nic.Flow{Size: 9000, Scheme: slow})
	r.Run(core.AtNanos(35_000))
	expect(t, "at first", r.asks(), "0:0 10:1 20:2 30:3?")
	r.arrive(54_000, 0, r.ack(0, 4000, core.Ack)) // nothing that asks is in flight
	r.arrive(85_000, 0, r.ack(0, 5000, core.Nack))
	expect(t, "no time-out", r.asks(), "40:4 50:5 60:6 70:7? 80:8?")
	r.Run(core.AtNanos(131_000))
	expect(t, "sent again after a NACK, and after a time-out", r.asks(), "90:5? 100:6 110:7? 115:5? 125:6")
	if _, _, _, st := r.h.Flow(0); st.Timeouts != 1 {
		t.Errorf("%d time-outs", st.Timeouts)
	}
}

// A receiver leaves out the acknowledgements of packets that do not ask for one, but not those of packets that come twice,
// leave a gap or fill it. An answer echoes the marks of all packets since the one before, and tells when its own packet
// was made.
func TestCoalescedAnswers(t *testing.T) {
	const quiet = core.NoAckReq
	type arrival struct {
		seq   int64
		flags core.Flags
		want  string
	}
	for _, c := range []struct {
		way  nic.Recovery
		list []arrival
	}{
		{nic.GoBackN, []arrival{
			{0, quiet, ""}, {1000, quiet, ""}, {2000, 0, "ack 3000 of 2000"},
			{3000, quiet | core.CE, ""}, {4000, quiet, ""}, {5000, 0, "ack 6000 of 5000 ECE"}, {6000, 0, "ack 7000 of 6000"},
			{6000, quiet, "ack 7000 of 6000"}, {7000, quiet | core.CE, ""}, {9000, quiet, "nack 8000 of 9000 ECE"},
			{10_000, 0, ""}, {8000, quiet, ""}, {9000, core.Last, "ack 10000 of 9000"},
		}},
		{nic.Selective, []arrival{
			{0, quiet, ""}, {2000, quiet, "nack 1000 of 2000"}, {4000, quiet, "nack 1000 of 4000"}, {1000, quiet, "ack 3000 of 1000"},
			{3000, quiet, "ack 5000 of 3000"}, {5000, quiet, ""}, {7000, core.Last, "nack 6000 of 7000"}, {6000, quiet, "ack 8000 of 6000"},
		}},
	} {
		r := coalescing(t, 1000, func(cfg *nic.Config) { cfg.Recovery = every(c.way) })
		for i, a := range c.list {
			p := r.data(a.seq)
			p.Flags, p.Sent = a.flags, core.AtNanos(a.seq)
			r.arrive(10_000*int64(i+1), 0, p)
			r.Run(core.AtNanos(10_000*int64(i+1) + 9000))
			got := ""
			for _, d := range r.sent {
				got += fmt.Sprint(d.Kind, " ", d.Seq, " of ", d.Sent.Nanos())
				if d.Flags&core.ECE != 0 {
					got += " ECE"
				}
			}
			expect(t, fmt.Sprint(c.way, ", arrival ", i), got, a.want)
			r.sent = r.sent[:0]
		}
		if r.Pool.Live() != 0 {
			t.Errorf("%d packets alive", r.Pool.Live())
		}
	}
}

// A scheme hears once of the packets that one acknowledgement answers: of all their bytes, of the round trip of the last.
func TestSignalOfSeveral(t *testing.T) {
	var heard []string
	s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
	s.step = func(sig *algorithms.Signal, _ *algorithms.Control) {
		heard = append(heard, fmt.Sprint(int64(sig.Bytes), " ", sig.RTT, " ", sig.Flags))
	}
	r := coalescing(t, 4)
	r.open(0, nic.Flow{Size: 6000, Scheme: s})
	for _, a := range [][2]int64{{4000, 3000}, {6000, 5000}} {
		p := r.ack(0, a[0], core.Ack)
		p.Sent, p.Flags = core.AtNanos(a[1]), core.ECE
		r.arrive(a[1]+8000, 0, p)
	}
	if want := []string{"4000 8us 1", "2000 8us 1"}; !reflect.DeepEqual(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
}
