package nic_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// forgetful is a host that searches its queue pairs again at every event.
type forgetful struct{ *nic.Host }

func (f forgetful) Receive(t *core.Turn, port int, p *core.Packet) {
	f.Rescan()
	f.Host.Receive(t, port, p)
}

func (f forgetful) TxDone(t *core.Turn, port int) {
	f.Rescan()
	f.Host.TxDone(t, port)
}

func (f forgetful) Wake(t *core.Turn, port int) {
	f.Rescan()
	f.Host.Wake(t, port)
}

// A port that has found nothing to send need not search again until something has changed: it sends the same packets at
// the same times as one that searches at every event.
func TestSpentPort(t *testing.T) {
	for seed := range uint64(60) {
		recovery := []nic.Recovery{nic.GoBackN, nic.GoBack0, nic.Selective}[seed%3]
		t.Run(fmt.Sprint(recovery, seed), func(t *testing.T) {
			want := playAtRandom(t, seed, recovery, true)
			if got := playAtRandom(t, seed, recovery, false); !slices.Equal(got, want) {
				t.Errorf("%d packets, not those that a forgetful host sends: %d", len(got), len(want))
			}
			if len(want) < 100 {
				t.Errorf("%d packets: this tests too little", len(want))
			}
		})
	}
}

// playAtRandom opens flows and acknowledges, loses and repeats what they send, and returns which byte of which queue
// pair was sent when.
func playAtRandom(t *testing.T, seed uint64, recovery nic.Recovery, forget bool) (sent [][3]int64) {
	rng := rand.New(rand.NewPCG(seed, 77))
	cfg := config(2)
	cfg.Recovery, cfg.Chunk, cfg.RTO, cfg.Retries = every(recovery), 2000, 20*core.Microsecond, 2
	cfg.SkipAcked = rng.IntN(2) == 0
	r := newRig(t, cfg)
	if forget {
		r.Node = forgetful{r.h}
	}
	now, heard, flows := int64(0), int64(0), int32(0)
	for range 3000 {
		now += rng.Int64N(2) * rng.Int64N(1500)
		r.At(now)
		switch n := rng.IntN(20); {
		case n == 0 && flows < 90:
			r.open(now, nic.Flow{ID: flows, Size: 1 + rng.Int64N(3000), SrcPort: uint16(rng.IntN(2)), Prio: 3})
			flows++
		case n > 14: // its ACK keeps a port busy
			r.Node.Receive(&r.Turn, rng.IntN(2), r.data(heard))
			heard += 1000
		case len(r.sent) > 0:
			d := &r.sent[rng.IntN(len(r.sent))]
			if d.Kind != core.Data {
				continue
			}
			kind, seq := core.Ack, d.Seq+int64(d.Payload)
			if n > 8 {
				kind, seq = core.Nack, d.Seq
			}
			r.Node.Receive(&r.Turn, d.port, r.ack(d.SrcQP, seq, kind))
		}
		r.CarryOut()
	}
	r.At(now + 1_000_000)
	for i := range r.sent {
		sent = append(sent, [3]int64{int64(r.sent[i].at), r.sent[i].Seq, int64(r.sent[i].SrcQP)})
	}
	return sent
}
