package switching_test

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/devicetest"
	"github.com/qbb-sim/qbb/devices/switching"
)

// rig drives one switch. It keeps the sent packets by value and frees them.
type rig struct {
	*devicetest.Rig
	sw   *switching.Switch
	sent []departure
}

// departure is a packet that has been sent, and its INT records.
type departure struct {
	at   core.Time
	port int
	core.Packet
	hops []core.Hop
}

// direct is a router for which node n is behind port n, and nothing behind the others.
type direct int

func (n direct) Next(_, dst core.NodeID) []uint16 {
	if int(dst) >= int(n) {
		return nil
	}
	return []uint16{uint16(dst)}
}

// fixed is a generator that always returns one value and counts.
type fixed struct {
	value float64
	drawn int
}

func (f *fixed) Float64() float64 { f.drawn++; return f.value }
func (f *fixed) Uint32() uint32   { f.drawn++; return 0 }

// config is a switch of n ports of 8 Gb/s, on which a byte takes a nanosecond, with a large
// buffer, PFC until resumed, and no ECN.
func config(n int) switching.Config {
	cfg := switching.Config{
		ID: 100, Pool: core.NewPool(5), Router: direct(n), Timing: core.Exact,
		Buffer: switching.BufferConfig{Total: 10_000_000, Reserve: 4096, Resume: 3072},
		Pause:  switching.PauseConfig{FrameLen: 64},
		INT:    core.FullINT(5), MTU: 1000, Mark: &fixed{value: 0.3}, NoticeLen: 64,
		Meter: switching.MeterConfig{Interval: 100 * core.Nanosecond, End: core.Never, Bin: 1000},
	}
	for range n {
		cfg.Ports = append(cfg.Ports, switching.PortConfig{
			Rate: 8 * core.Gbps, Headroom: 100_000, KMin: core.Unlimited, KMax: core.Unlimited,
		})
	}
	return cfg
}

func newRig(t testing.TB, cfg switching.Config) *rig {
	r := &rig{sw: switching.New(cfg)}
	r.Rig = devicetest.New(t, cfg.Pool, r.sw, len(cfg.Ports), func(port int, p *core.Packet) {
		d := departure{at: r.Turn.Now, port: port, Packet: core.Packet{ // without the owner's fields
			Src: p.Src, Dst: p.Dst, Size: p.Size, SrcPort: p.SrcPort, DstPort: p.DstPort, Kind: p.Kind, Prio: p.Prio,
			Flags: p.Flags, NHops: p.NHops, Marker: p.Marker, Scheme: p.Scheme, Sent: p.Sent, Seq: p.Seq, Aux: p.Aux,
			SrcQP: p.SrcQP, DstQP: p.DstQP, Payload: p.Payload,
		}}
		d.hops = append(d.hops, p.INT[:min(len(p.INT), int(p.NHops))]...)
		r.sent = append(r.sent, d)
	})
	return r
}

// packet makes a data packet for the node behind a port.
func (r *rig) packet(dst int, size int32, prio uint8) *core.Packet {
	p := r.Pool.New()
	p.Src, p.Dst, p.Size, p.Payload, p.Prio, p.Flags = 50, core.NodeID(dst), size, size-48, prio, core.ECT
	return p
}

// arrive advances the time and then gives the switch a packet.
func (r *rig) arrive(nanos int64, port int, p *core.Packet) {
	at := core.AtNanos(nanos)
	r.Run(at)
	r.Turn.Now = at
	r.sw.Receive(&r.Turn, port, p)
	r.CarryOut()
	r.Run(at)
}

// setLink takes a port's link down or up.
func (r *rig) setLink(nanos int64, port int, up bool) {
	r.Run(core.AtNanos(nanos))
	r.Turn.Now = core.AtNanos(nanos)
	r.sw.SetLink(&r.Turn, port, up)
	r.CarryOut()
}

// sizes returns the sizes of the packets sent by a port, and forgets all that were sent.
func (r *rig) sizes(port int) (list []int32) {
	for i := range r.sent {
		if r.sent[i].port == port {
			list = append(list, r.sent[i].Size)
		}
	}
	r.sent = r.sent[:0]
	return list
}

// frames returns the PFC frames sent by a port, all of them from the switch and of config's length: their times and words.
func (r *rig) frames(port int) (at []core.Time, words []core.PauseWord) {
	for i := range r.sent {
		if d := &r.sent[i]; d.port == port && d.Kind == core.Pause {
			at, words = append(at, d.at), append(words, core.PauseWord(d.Aux))
			if d.Src != 100 || d.Size != 64 {
				r.T.Errorf("a frame of %d bytes from %d", d.Size, d.Src)
			}
		}
	}
	return at, words
}
