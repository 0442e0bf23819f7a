// Package devicetest is a host for one device in a test: it lets time pass, carries out what the
// device asks for, and keeps what it sends.
package devicetest

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Rig drives one device. It demands that a port sends one packet at a time and that no deadline
// lies in the past.
type Rig struct {
	T    testing.TB
	Pool *core.Pool
	Node core.Node
	Turn core.Turn
	Free []core.Time   // by port: end of the transmission
	Done []core.Time   // by port: when TxDone is due
	Wake []core.Time   // by port: the deadline
	News []core.Action // all but transmissions, kicks and deadlines; their packets are gone
	Sent func(port int, p *core.Packet)
}

// New returns a rig of a device with so many ports. sent is told of every packet that the device
// sends, before it is freed.
func New(t testing.TB, pool *core.Pool, node core.Node, ports int, sent func(port int, p *core.Packet)) *Rig {
	r := &Rig{T: t, Pool: pool, Node: node, Sent: sent}
	for range ports {
		r.Free, r.Done, r.Wake = append(r.Free, -1), append(r.Done, core.Never), append(r.Wake, core.Never)
	}
	return r
}

// Pause makes a PFC frame.
func (r *Rig) Pause(class uint8, quanta uint16, forever bool) *core.Packet {
	p := r.Pool.New()
	p.Kind, p.Size, p.Aux = core.Pause, 64, uint64(core.NewPause(class, quanta, forever))
	return p
}

// At lets time pass until a time in nanoseconds.
func (r *Rig) At(nanos int64) {
	r.Run(core.AtNanos(nanos))
	r.Turn.Now = core.AtNanos(nanos)
}

// Run lets everything happen that is due by a time: at equal times ends of transmissions first.
func (r *Rig) Run(until core.Time) {
	for {
		at, port, done := core.Never, -1, false
		for i := range r.Done {
			if r.Done[i] < at {
				at, port, done = r.Done[i], i, true
			}
		}
		for i := range r.Wake {
			if r.Wake[i] < at {
				at, port, done = r.Wake[i], i, false
			}
		}
		if at > until || port < 0 {
			return
		}
		r.Turn.Now = at
		if done {
			r.Done[port] = core.Never
			r.Node.TxDone(&r.Turn, port)
		} else {
			r.Wake[port] = core.Never
			r.Node.Wake(&r.Turn, port)
		}
		r.CarryOut()
	}
}

// CarryOut does what the device has asked for.
func (r *Rig) CarryOut() {
	for i := 0; i < len(r.Turn.Actions); i++ {
		a := r.Turn.Actions[i]
		port := int(a.Port)
		switch a.Kind {
		case core.Transmit:
			r.transmit(port, &a)
		case core.Kick:
			r.kick(port)
		case core.SetWake:
			if a.At < r.Turn.Now {
				r.T.Fatalf("at %v port %d wants to be woken at %v", r.Turn.Now, port, a.At)
			}
			r.Wake[port] = a.At
		case core.Dropped, core.Delivered:
			r.Pool.Free(a.Packet)
			fallthrough
		default:
			a.Packet = nil
			r.News = append(r.News, a)
		}
	}
	r.Turn.Actions = r.Turn.Actions[:0]
}

func (r *Rig) transmit(port int, a *core.Action) {
	if r.Free[port] > r.Turn.Now {
		r.T.Fatalf("at %v port %d is to send, but is busy until %v", r.Turn.Now, port, r.Free[port])
	}
	r.Free[port] = a.At
	if a.More {
		r.Done[port] = a.At
	}
	r.Sent(port, a.Packet)
	r.Pool.Free(a.Packet)
}

func (r *Rig) kick(port int) {
	switch {
	case r.Done[port] != core.Never:
	case r.Free[port] < r.Turn.Now:
		r.Node.TxDone(&r.Turn, port)
	default:
		r.Done[port] = r.Free[port]
	}
}
