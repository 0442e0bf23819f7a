package switching_test

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// rig drives one switch. The packets that it sends are kept by value and freed.
type rig struct {
	t    testing.TB
	pool *core.Pool
	sw   *switching.Switch
	turn core.Turn
	free []core.Time // by port: end of the transmission
	done []core.Time // by port: when TxDone is due
	wake []core.Time // by port
	sent []departure
	news []core.Action // pauses, resumes and drops; their packets are gone
}

// departure is a packet that has been sent, and its INT records.
type departure struct {
	at   core.Time
	port int
	core.Packet
	hops []core.Hop
}

// direct is a router by which node n lies behind port n; nothing lies behind the others.
type direct int

func (n direct) Next(_, dst core.NodeID) []uint16 {
	if int(dst) >= int(n) {
		return nil
	}
	return []uint16{uint16(dst)}
}

// fixed is a generator that gives one value and counts.
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
		Pause:  switching.PauseConfig{FrameSz: 64},
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
	r := &rig{t: t, pool: cfg.Pool, sw: switching.New(cfg)}
	for range cfg.Ports {
		r.free, r.done, r.wake = append(r.free, -1), append(r.done, core.Never), append(r.wake, core.Never)
	}
	return r
}

// packet makes a data packet for the node behind a port.
func (r *rig) packet(dst int, size int32, prio uint8) *core.Packet {
	p := r.pool.New()
	p.Src, p.Dst, p.Size, p.Payload, p.Prio, p.Flags = 50, core.NodeID(dst), size, size-48, prio, core.ECT
	return p
}

// pause makes a PFC frame.
func (r *rig) pause(class uint8, quanta uint16, forever bool) *core.Packet {
	p := r.pool.New()
	p.Kind, p.Size, p.Aux = core.Pause, 64, uint64(core.NewPause(class, quanta, forever))
	return p
}

// arrive lets time pass and then gives the switch a packet.
func (r *rig) arrive(nanos int64, port int, p *core.Packet) {
	at := core.AtNanos(nanos)
	r.run(at)
	r.turn.Now = at
	r.sw.Receive(&r.turn, port, p)
	r.carryOut()
	r.run(at)
}

// setLink takes a port's link down or up.
func (r *rig) setLink(nanos int64, port int, up bool) {
	r.run(core.AtNanos(nanos))
	r.turn.Now = core.AtNanos(nanos)
	r.sw.SetLink(&r.turn, port, up)
	r.carryOut()
}

// run lets everything happen that is due by a time.
func (r *rig) run(until core.Time) {
	for {
		at, port, done := core.Never, -1, false
		for i := range r.done {
			if r.done[i] < at || r.done[i] == at && at != core.Never && !done {
				at, port, done = r.done[i], i, true
			}
		}
		for i := range r.wake {
			if r.wake[i] < at {
				at, port, done = r.wake[i], i, false
			}
		}
		if at > until || port < 0 {
			return
		}
		r.turn.Now = at
		if done {
			r.done[port] = core.Never
			r.sw.TxDone(&r.turn, port)
		} else {
			r.wake[port] = core.Never
			r.sw.Wake(&r.turn, port)
		}
		r.carryOut()
	}
}

func (r *rig) carryOut() {
	for i := 0; i < len(r.turn.Actions); i++ {
		a := r.turn.Actions[i]
		port := int(a.Port)
		switch a.Kind {
		case core.Transmit:
			r.transmit(port, &a)
		case core.Kick:
			r.kick(port)
		case core.SetWake:
			r.wake[port] = a.At
		case core.Dropped:
			r.pool.Free(a.Packet)
			fallthrough
		default:
			a.Packet = nil
			r.news = append(r.news, a)
		}
	}
	r.turn.Actions = r.turn.Actions[:0]
}

func (r *rig) transmit(port int, a *core.Action) {
	if r.free[port] > r.turn.Now {
		r.t.Fatalf("at %v port %d is to send, but is busy until %v", r.turn.Now, port, r.free[port])
	}
	r.free[port] = a.At
	if a.More {
		r.done[port] = a.At
	}
	p := a.Packet
	d := departure{at: r.turn.Now, port: port, Packet: core.Packet{ // without what is the owner's
		Src: p.Src, Dst: p.Dst, Size: p.Size, SrcPort: p.SrcPort, DstPort: p.DstPort, Kind: p.Kind, Prio: p.Prio,
		Flags: p.Flags, NHops: p.NHops, Marker: p.Marker, Scheme: p.Scheme, Sent: p.Sent, Seq: p.Seq, Aux: p.Aux,
		SrcQP: p.SrcQP, DstQP: p.DstQP, Payload: p.Payload,
	}}
	d.hops = append(d.hops, p.INT[:min(len(p.INT), int(p.NHops))]...)
	r.sent = append(r.sent, d)
	r.pool.Free(a.Packet)
}

func (r *rig) kick(port int) {
	switch {
	case r.done[port] != core.Never:
	case r.free[port] < r.turn.Now:
		r.sw.TxDone(&r.turn, port)
	default:
		r.done[port] = r.free[port]
	}
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

// frames returns the PFC frames sent by a port: when, and what.
func (r *rig) frames(port int) (at []core.Time, words []core.PauseWord) {
	for i := range r.sent {
		if d := &r.sent[i]; d.port == port && d.Kind == core.Pause {
			at, words = append(at, d.at), append(words, core.PauseWord(d.Aux))
		}
	}
	return at, words
}
