package sim

import (
	"errors"

	"github.com/qbb-sim/qbb/core"
)

// Hosted is a network whose events and links are another program's. That program calls its devices
// ([Network.Node]) with its own turns and carries out what they answer; through the methods here it
// tells the network what that must know. Times never go back.
type Hosted struct {
	Network
	now     core.Time
	ready   []Ready
	manager *manager // nil: none
}

// Ready is a flow that need not wait any longer: it is to be opened at a time.
type Ready struct {
	Flow int
	At   core.Time
}

// BuildHosted makes a network at time 0 that another program moves on, as one part.
func BuildHosted(s *Setup, obs Observer) (*Hosted, error) {
	if s.Programs != nil {
		return nil, errors.New("a schedule needs qbb's own event loop: it cannot run inside another simulator")
	}
	h := new(Hosted)
	if err := h.assemble(s, obs, func() int { return 1 }); err != nil {
		return nil, err
	}
	h.loop = h
	var err error
	h.manager, err = h.newManager()
	return h, err
}

// Now implements loop.
func (h *Hosted) Now() core.Time { return h.now }

// later implements loop.
func (h *Hosted) later(flow int, at core.Time) { h.ready = append(h.ready, Ready{flow, at}) }

// expects implements loop: Ready has returned a flow that the host has not opened.
func (h *Hosted) expects() bool {
	for i := range h.Setup.Flows {
		if len(h.Setup.Flows[i].After) > 0 && h.flows[i].state == waiting && h.released(i) {
			return true
		}
	}
	return false
}

// done implements loop: the host sees the flows end.
func (h *Hosted) done() {}

// At sets the current time.
func (h *Hosted) At(now core.Time) { h.now = now }

// Open starts a flow that has not been started, in a turn of its source.
func (h *Hosted) Open(flow int, t *core.Turn) { h.open(flow, t) }

// Waits reports whether a flow has not been started, and may be: it waits for no other.
func (h *Hosted) Waits(flow int) bool {
	return h.flows[flow].state == waiting && h.released(flow) && !h.abandoned(flow)
}

// Sweep lets the congestion manager read the counters and set marking rates, which it must do every
// Setup.Manager.Sweep.
func (h *Hosted) Sweep() { h.manager.sweep(h.now) }

// Add adds a flow, which counts as one of the set-up and is opened by the host, and returns its number.
func (h *Hosted) Add(f Flow) int { return h.enlist(f) }

// Heed takes note of an action of a node, whatever the host does with it.
func (h *Hosted) Heed(node core.NodeID, a *core.Action) {
	switch a.Kind {
	case core.Transmit, core.Kick, core.SetWake:
	default:
		h.parts[0].action(node, a)
	}
}

// Ready returns the flows that need not wait any longer since the last call; the next call of a
// node overwrites them.
func (h *Hosted) Ready() []Ready {
	r := h.ready
	h.ready = h.ready[:0]
	return r
}

// Trace is where turns put packet records; nil if none are wanted. Recorded hands them on.
func (h *Hosted) Trace() *core.Trace { return h.trace }

// Recorded hands the packet records so far to the observer.
func (h *Hosted) Recorded() { h.takeRecords() }

// SetLink notes that the link at a node's port has failed or returned. Routes change with Reroute.
func (h *Hosted) SetLink(node core.NodeID, port int, up bool) {
	h.linkUp[h.ports[node][port].Link] = up
}

// Reroute computes routes for the links that are up and tells all devices.
func (h *Hosted) Reroute() { h.reroute() }

// Loses decides whether the packet that arrives now at a node's port is lost on its link: whether
// the link is down, or by the link's loss probability.
func (h *Hosted) Loses(node core.NodeID, port int) bool {
	p := &h.ports[node][port]
	x := &h.losses[h.base[p.Peer]+p.PeerPort]
	if h.linkUp[p.Link] && (x.probability == 0 || x.chance.Float64() >= x.probability) {
		return false
	}
	h.parts[0].lost++
	return true
}

// Sample takes a sample of all queues, where samples are events.
func (h *Hosted) Sample() { (&sampler{h.parts[0]}).Run(h.now) }
