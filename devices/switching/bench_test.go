package switching_test

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// ways are the equal-cost ports to every destination.
type ways []uint16

func (w ways) Next(_, _ core.NodeID) []uint16 { return w }

const benchRate = 100 * core.Gbps

// benchSwitch is a switch of four ports of 100 Gb/s with ECN, PFC, INT and queue histograms.
func benchSwitch(pool *core.Pool, router core.Router) *switching.Switch {
	port := switching.PortConfig{
		Rate: benchRate, Headroom: 100_000, Shift: 3,
		KMin: 400_000, KMax: 1_600_000, PMax: 0.2,
	}
	return switching.New(switching.Config{
		Pool: pool, Router: router, Timing: core.Exact,
		Buffer: switching.BufferConfig{Total: 32_000_000, Reserve: 4096, Resume: 3072},
		Pause:  switching.PauseConfig{Quanta: 0xffff, FrameLen: 64},
		INT:    core.FullINT(5), MTU: 1000, Mark: core.NewStream(1, core.StreamMark, 0),
		Meter: switching.MeterConfig{Interval: 100 * core.Nanosecond, End: core.Never, Bin: 1000},
		Ports: []switching.PortConfig{port, port, port, port},
	})
}

// BenchmarkHop takes a packet with INT through a switch: arrival, route, admission, queue and
// departure.
func BenchmarkHop(b *testing.B) {
	wire := core.Exact.TxTime(1048, benchRate)
	b.Run("idle", func(b *testing.B) {
		pool := core.NewPool(5)
		s := benchSwitch(pool, ways{2, 3})
		var t core.Turn
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			t.Now = t.Now.Add(2 * wire)
			s.Receive(&t, i&1, benchPacket(pool, i))
			sent(b, &t, pool, 1)
		}
	})
	b.Run("busy", func(b *testing.B) {
		pool := core.NewPool(5)
		s := benchSwitch(pool, ways{2})
		var t core.Turn
		for i := range 9 {
			s.Receive(&t, i&1, benchPacket(pool, i))
		}
		sent(b, &t, pool, 1)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			t.Now = t.Now.Add(wire)
			s.TxDone(&t, 2)
			s.Receive(&t, i&1, benchPacket(pool, i))
			sent(b, &t, pool, 1)
		}
	})
}

// sent frees the packets that the turn sends and checks that there are n.
func sent(b *testing.B, t *core.Turn, pool *core.Pool, n int) {
	for _, a := range t.Actions {
		if a.Kind == core.Transmit {
			pool.Free(a.Packet)
			n--
		}
	}
	if n != 0 {
		b.Fatalf("at %v: %d packets too few sent", t.Now, n)
	}
	t.Actions = t.Actions[:0]
}

func benchPacket(pool *core.Pool, i int) *core.Packet {
	p := pool.New()
	p.Size, p.Payload, p.Prio, p.Flags = 1048, 1000, 3, core.ECT
	p.Src, p.Dst, p.SrcPort, p.DstPort = core.NodeID(i&1), 2, uint16(10_000+i&63), 100
	pool.AddINT(p)
	return p
}
