package nic_test

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/devicetest"
	"github.com/qbb-sim/qbb/devices/nic"
)

// line is a rate at which a byte takes a nanosecond, and a quantum of PFC 64.
const line = 8 * core.Gbps

// rig drives one host. It keeps the sent packets by value and frees them.
type rig struct {
	*devicetest.Rig
	h    *nic.Host
	sent []departure
}

type departure struct {
	at   core.Time
	port int
	core.Packet
}

// fan is a router for which some ports are equal-cost ways to every destination.
type fan []uint16

func (f fan) Next(_, _ core.NodeID) []uint16 { return f }

// scheme is a congestion control made of functions.
type scheme struct {
	traits   algorithms.Traits
	start    algorithms.Control // Rate 0: the line's
	told     func(f *algorithms.Flow)
	step     func(s *algorithms.Signal, c *algorithms.Control)
	receiver func(a *algorithms.Arrival, r *algorithms.Reply)
}

func (s *scheme) Traits() algorithms.Traits        { return s.traits }
func (s *scheme) NewSender() algorithms.Sender     { return sender{s} }
func (s *scheme) NewReceiver() algorithms.Receiver { return receiver{s} }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

type sender struct{ *scheme }

func (s sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*c = s.start
	if s.told != nil {
		s.told(f)
	}
	if c.Rate == 0 {
		c.Rate = f.Line
	}
	if c.Window == 0 {
		c.Window = core.Unlimited
	}
	if c.Wake == 0 {
		c.Wake = core.Never
	}
}

func (s sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	if s.step != nil {
		s.step(sig, c)
	}
}

type receiver struct{ *scheme }

func (r receiver) Start(_ core.Time, _ *algorithms.Port, reply *algorithms.Reply) {
	*reply = algorithms.Reply{Wake: core.Never}
}

func (r receiver) Step(a *algorithms.Arrival, reply *algorithms.Reply) { r.scheme.receiver(a, reply) }

// every is the same recovery for all classes.
func every(r nic.Recovery) [8]nic.Recovery {
	return [8]nic.Recovery(slices.Repeat([]nic.Recovery{r}, 8))
}

// config is a host of n ports with packets of 1000 bytes and no header, and ACKs of 60 bytes.
func config(n int) nic.Config {
	cfg := nic.Config{
		ID: 1, Pool: core.NewPool(5), Timing: core.Exact, MTU: 1000, AckLen: 60, MinLen: 60,
		INT: core.FullINT(5), NackEvery: 500 * core.Microsecond,
	}
	var ports fan
	for i := range n {
		cfg.Ports, ports = append(cfg.Ports, line), append(ports, uint16(i))
	}
	cfg.Router = ports
	return cfg
}

func newRig(t testing.TB, cfg nic.Config) *rig {
	r := &rig{h: nic.New(cfg)}
	r.Rig = devicetest.New(t, cfg.Pool, r.h, len(cfg.Ports), func(port int, p *core.Packet) {
		d := departure{at: r.Turn.Now, port: port, Packet: *p}
		d.INT = nil
		r.sent = append(r.sent, d)
	})
	return r
}

// open starts a flow; its number is that of its queue pair.
func (r *rig) open(nanos int64, f nic.Flow) int32 {
	r.Run(core.AtNanos(nanos))
	r.Turn.Now = core.AtNanos(nanos)
	if f.Scheme == nil {
		f.Scheme = &scheme{}
	}
	if f.Dst == 0 {
		f.Dst = 2
	}
	qp := r.h.Open(&r.Turn, &f)
	r.CarryOut()
	return qp
}

// arrive advances the time and then gives the host a packet.
func (r *rig) arrive(nanos int64, port int, p *core.Packet) {
	r.Run(core.AtNanos(nanos))
	r.Turn.Now = core.AtNanos(nanos)
	r.h.Receive(&r.Turn, port, p)
	r.CarryOut()
}

// ack makes an acknowledgement for a queue pair.
func (r *rig) ack(qp int32, seq int64, kind core.Kind) *core.Packet {
	p := r.Pool.New()
	p.Kind, p.Seq, p.DstQP, p.Src, p.Dst, p.Size, p.Sent = kind, seq, qp, 2, 1, 60, r.Turn.Now
	return p
}

// data makes a data packet of 1000 bytes for the host's queue pair 0.
func (r *rig) data(seq int64) *core.Packet {
	p := r.Pool.New()
	p.Seq, p.Src, p.Dst, p.Size, p.Payload, p.SrcPort, p.DstPort, p.Prio = seq, 2, 1, 1000, 1000, 10_000, 100, 3
	return p
}

// took returns what has been sent since the last call: when, in nanoseconds, and which byte.
func (r *rig) took() (list [][2]int64) {
	for i := range r.sent {
		list = append(list, [2]int64{r.sent[i].at.Nanos(), r.sent[i].Seq})
	}
	r.sent = r.sent[:0]
	return list
}

// ended returns the flows that were done or given up.
func (r *rig) ended(kind core.ActionKind) (flows []int32) {
	for _, a := range r.News {
		if a.Kind == kind {
			flows = append(flows, a.Flow)
		}
	}
	return flows
}
