package nic_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// pairsSchemes are congestion controls with everything that affects when a queue pair may be served.
var pairsSchemes = map[string]*scheme{
	"rate": {
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)},
		step: func(s *algorithms.Signal, c *algorithms.Control) {
			c.Rate = line / core.Rate(1+s.Acked/1000*7%200)
		},
	},
	"repace": {
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)},
		step: func(s *algorithms.Signal, c *algorithms.Control) {
			c.Rate, c.Do = line/core.Rate(1+s.Acked/1000*7%90), algorithms.Repace
		},
	},
	"window": {
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Loss)},
		step: func(s *algorithms.Signal, c *algorithms.Control) {
			if c.Window = core.Bytes(500 + s.Acked*3%4000); s.Kind == algorithms.Loss {
				c.Do = algorithms.Probe
			}
		},
	},
	"timer": timerScheme(false), "timer, per class": timerScheme(true),
	"lazy": lazyScheme(false), "lazy, per class": lazyScheme(true), "lazy, window": lazyScheme(false),
}

// timerScheme closes the window at an ACK and opens it some time later.
func timerScheme(perClass bool) *scheme {
	return &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Timer), PerClass: perClass},
		start:  algorithms.Control{Window: 3000},
		step: func(s *algorithms.Signal, c *algorithms.Control) {
			c.Window, c.Wake = 1, s.Now.Add(3*core.Microsecond)
			if s.Kind == algorithms.Timer {
				c.Window, c.Wake = core.Bytes(1000+s.Now%3000), core.Never
			}
		},
	}
}

// lazyScheme lowers the rate at an ACK and raises it with time, catching up when it is asked.
func lazyScheme(perClass bool) *scheme {
	const every = 7 * core.Microsecond
	return &scheme{
		traits: algorithms.Traits{
			Hears: algorithms.Hears(algorithms.Ack, algorithms.Timer), LazyTimers: true, PerClass: perClass,
		},
		start: algorithms.Control{Rate: line / 8, Wake: core.AtNanos(7000)},
		step: func(s *algorithms.Signal, c *algorithms.Control) {
			for ; c.Wake <= s.Now; c.Wake = c.Wake.Add(every) {
				c.Rate = min(line, c.Rate+line/50)
			}
			if s.Kind == algorithms.Ack {
				c.Rate = max(line/200, c.Rate/2)
			}
		},
	}
}

// A host serves hundreds of queue pairs by its tournament as if it looked at each of them at every event: the same
// packets at the same times, and the same time waited for pauses.
func TestManyPairs(t *testing.T) {
	for name, sc := range pairsSchemes {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(28) {
				want, waits, _ := playManyPairs(t, seed, sc, name == "lazy, window", true)
				got, waited, used := playManyPairs(t, seed, sc, name == "lazy, window", false)
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d: %d packets, which are not the %d that a host sends that looks at all", seed, len(got), len(want))
				}
				if !slices.Equal(waited, waits) {
					t.Errorf("seed %d: ports waited %v, not %v", seed, waited, waits)
				}
				if !used || len(want) < 300 {
					t.Errorf("seed %d: %d packets, with a tournament: %v: this tests too little", seed, len(want), used)
				}
			}
		})
	}
}

// playManyPairs opens flows in two classes, with some seeds on connections, acknowledges, loses and pauses them, and changes routes. It returns which
// byte of which queue pair was sent when, and how long the ports waited.
func playManyPairs(t *testing.T, seed uint64, sc *scheme, window, lookAtAll bool) (sent [][3]int64, waited []core.Duration, used bool) {
	rng := rand.New(rand.NewPCG(seed, 78))
	cfg := config(2)
	recovery := []nic.Recovery{nic.GoBackN, nic.GoBack0, nic.Selective}[seed%3]
	cfg.Recovery, cfg.Chunk, cfg.RTO, cfg.Retries = every(recovery), 2000, 150*core.Microsecond>>(seed%4), 1
	cfg.SkipAcked = seed%4 < 2
	r := newRig(t, cfg)
	if lookAtAll {
		r.h.LookAtAll()
		r.Node = forgetful{r.h}
	}
	connected := cfg.SkipAcked && seed/4%2 == 1
	f := nic.Flow{Scheme: sc}
	if window || !sc.traits.LazyTimers && seed%5 == 0 {
		f.Window, f.ScaleWindow = 2500, window || seed%10 == 0
	}
	classes, now := 1+int(seed/2%2), int64(0)
	for i := range 200 + rng.IntN(200) {
		f.Size, f.SrcPort, f.Prio = 1+rng.Int64N(9000), uint16(rng.IntN(2)), uint8(3+rng.IntN(classes))
		if i > 180 && seed%6 == 0 {
			f.Prio = 5
		}
		if connected {
			c := rng.IntN(200)
			f.Connection, f.SrcPort, f.Prio = int32(c)+1, uint16(c%2), uint8(3+c/2%classes)
		}
		r.open(now, f)
		now += rng.Int64N(100)
	}
	for i := range 2500 {
		now += rng.Int64N(2) * rng.Int64N(900)
		r.At(now)
		used = used || r.h.Tournaments() == 2
		switch n := rng.IntN(40); {
		case n < 2:
			r.Node.Receive(&r.Turn, rng.IntN(2), r.Pause(uint8(3+rng.IntN(3)), uint16(rng.IntN(3)*50), n == 1))
		case n == 2 && rng.IntN(20) == 0:
			r.h.Reroute(&r.Turn)
		case n == 3 && seed%4 == 1: // where others have ended
			for range 16 {
				f.Size, f.SrcPort, f.Connection = 1+rng.Int64N(2000), uint16(rng.IntN(2)), 0
				r.open(now, f)
			}
		case len(r.sent) > 0:
			d := &r.sent[rng.IntN(len(r.sent))]
			kind, seq := core.Ack, d.Seq+int64(d.Payload)
			if n > 36 {
				kind, seq = core.Nack, d.Seq
			}
			p := r.ack(d.SrcQP, seq, kind)
			p.Sack = d.Seq
			r.Node.Receive(&r.Turn, d.port, p)
		}
		r.CarryOut()
		if connected && i%16 == 0 && r.h.Miscounted() != 0 {
			t.Fatalf("seed %d: connection %d has miscounted", seed, r.h.Miscounted())
		}
	}
	r.At(now + 3_000_000)
	for i := range r.sent {
		sent = append(sent, [3]int64{int64(r.sent[i].at), r.sent[i].Seq, int64(r.sent[i].SrcQP)})
	}
	for i := range cfg.Ports {
		waited = append(waited, r.h.Counters(i, r.Turn.Now).Waited)
	}
	return sent, waited, used
}

// countedScheme counts how often a host looks at queue pairs: its timer is always due, so every look calls it.
func countedScheme(rate core.Rate, looks *int) *scheme {
	return &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Timer), LazyTimers: true},
		start:  algorithms.Control{Rate: rate, Wake: 1},
		step: func(s *algorithms.Signal, c *algorithms.Control) {
			*looks++
			c.Wake = s.Now + 1
		},
	}
}

// How often a host looks at a queue pair per packet depends neither on how many pairs wait for their time nor on the
// order in which they are due.
func TestLooksOfManyPairs(t *testing.T) {
	for _, pairs := range []int{100, nic.ManyPairs, 2 * nic.ManyPairs, 4000} {
		looks := 0
		r := newRig(t, config(1))
		for i := range pairs {
			sc := countedScheme(line/core.Rate(2*pairs+i*7%pairs), &looks)
			r.open(int64(i)*1000, nic.Flow{Size: 10_000, Prio: 3, Scheme: sc})
		}
		opened := len(r.sent)
		looks = 0
		r.Run(core.AtNanos(int64(pairs) * 20_000))
		if packets := len(r.sent) - opened; packets < 5*pairs || looks > 3*packets || r.h.Tournaments() != 1 {
			t.Errorf("%d queue pairs: %d looks for %d packets", pairs, looks, packets)
		}
	}
}

// Messages that wait for others of their connection leave a host its tournament, also with timers that are evaluated lazily.
func TestTournamentOfConnection(t *testing.T) {
	r := newRig(t, config(1))
	for range 2 * nic.ManyPairs {
		r.open(0, nic.Flow{Size: 2000, Prio: 3, Scheme: lazyScheme(false), Connection: 1})
	}
	r.Run(core.AtNanos(10_000_000))
	sent := len(r.sent)
	for i := range int32(10) {
		r.arrive(10_000_000, 0, r.ack(i, 0, core.Nack))
	}
	r.Run(core.AtNanos(20_000_000))
	if again := len(r.sent) - sent; sent != 4*nic.ManyPairs || again != 20 || r.h.Tournaments() != 1 {
		t.Errorf("%d packets, then %d, and %d tournaments; want %d, 20 and 1", sent, again, r.h.Tournaments(), 4*nic.ManyPairs)
	}
}

// As queue pairs end one by one while others go on, there are never more places kept for the ended ones than for the
// others.
func TestPlacesOfEndedPairs(t *testing.T) {
	r := newRig(t, config(1))
	const pairs = 1000
	for range pairs {
		r.open(0, nic.Flow{Size: 1, Prio: 3})
	}
	r.Run(core.AtNanos(1_000_000))
	if len(r.sent) != pairs {
		t.Fatalf("%d of %d packets sent", len(r.sent), pairs)
	}
	for i, k := range rand.New(rand.NewPCG(1, 79)).Perm(pairs) {
		r.arrive(1_000_000+int64(i), 0, r.ack(r.sent[k].SrcQP, 1, core.Ack))
		if _, places := r.h.MinDrainTimeOfAll(); places > 2*(pairs-i-1) {
			t.Fatalf("%d places for %d queue pairs", places, pairs-i-1)
		}
	}
}

// A pause makes the host look at one of the queue pairs that it stops, not at all of them.
func TestLooksForAPause(t *testing.T) {
	const pauses = 100
	for _, pairs := range []int{100, 1000, 4000} {
		looks := 0
		r := newRig(t, config(1))
		for range pairs {
			r.open(0, nic.Flow{Size: 1_000_000, Prio: 3, Scheme: countedScheme(line/2, &looks)})
		}
		r.Run(core.AtNanos(100_000))
		before := looks - len(r.sent)
		for i := range int64(pauses) {
			at := 100_000 + 10_000*i
			r.arrive(at, 0, r.Pause(3, 0, true))
			r.arrive(at+5000, 0, r.Pause(3, 0, false))
		}
		if waits := looks - len(r.sent) - before; waits > 5*pauses {
			t.Errorf("%d queue pairs: %d looks for %d pauses", pairs, waits, pauses)
		}
	}
}
