package nic_test

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// numbered draws the source ports 1, 2, 3 and so on.
type numbered struct {
	core.Random
	last uint32
}

func (c *numbered) Uint32() uint32 { c.last++; return c.last << 16 }

// REPS: source ports are drawn for the packets of the first round trip, and whenever no packet has come through without a
// mark since the last one was used; otherwise the oldest of the last eight is used again, once.
func TestEntropyIsRecycled(t *testing.T) {
	for _, trip := range []int{0, 20} { // packets
		cfg := selective(1)
		cfg.RTO, cfg.RTOLow, cfg.Entropy, cfg.Chance = core.Second, core.Second, nic.Recycled, new(numbered)
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{Size: 1 << 40, SrcPort: 9999, BaseRTT: core.Duration(trip) * core.Microsecond})
		rng := rand.New(rand.NewPCG(1, 3))
		var fresh []uint16
		drawn, again := uint16(0), 0
		for i := range 2000 { // a packet takes 1 us
			p := &r.sent[len(r.sent)-1]
			switch {
			case i < trip || len(fresh) == 0:
				drawn++
				if p.SrcPort != drawn {
					t.Fatalf("packet %d has port %d, want the new one %d", i, p.SrcPort, drawn)
				}
			default:
				if again++; p.SrcPort != fresh[0] {
					t.Fatalf("packet %d has port %d, want %v", i, p.SrcPort, fresh)
				}
				fresh = fresh[1:]
			}
			for range rng.IntN(3) * rng.IntN(3) {
				a := r.ack(qp, 0, core.Ack)
				a.DstPort = 10_000 + uint16(i)
				switch rng.IntN(8) {
				case 0, 1, 2:
					a.Flags = core.ECE
				case 3:
					a.Kind, a.Sack, a.Flags = core.Nack, p.Seq, core.Trimmed
				default:
					if fresh = append(fresh, a.DstPort); len(fresh) > 8 {
						fresh = fresh[1:]
					}
				}
				r.arrive(int64(1000*i+500), 0, a)
			}
			r.Run(core.AtNanos(int64(1000*i + 1500)))
		}
		if again < 500 || drawn < 200 {
			t.Errorf("%d ports drawn, %d used again", drawn, again)
		}
	}
}

// Without a choice the port is the flow's; at random it is drawn for every packet.
func TestEntropyOfFlowAndRandom(t *testing.T) {
	for way, want := range map[nic.Entropy][]uint16{nic.OfFlow: {9999, 9999, 9999}, nic.Sprayed: {1, 2, 3}} {
		cfg := selective(1)
		cfg.Entropy, cfg.Chance = way, new(numbered)
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{Size: 3000, SrcPort: 9999, BaseRTT: core.Microsecond})
		r.arrive(100, 0, r.ack(qp, 0, core.Ack))
		r.Run(core.AtNanos(5000))
		for i := range r.sent {
			if r.sent[i].SrcPort != want[i] {
				t.Errorf("way %d: packet %d has port %d, want %d", way, i, r.sent[i].SrcPort, want[i])
			}
		}
	}
}
