package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Open starts a flow now and returns the number of its queue pair at this host.
func (h *Host) Open(t *core.Turn, f *Flow) int32 {
	qp := int32(len(h.tx))
	traits := f.Scheme.Traits()
	s := &sender{
		due: t.Now, size: f.Size, prio: f.Prio, window: f.Window, scale: f.ScaleWindow,
		lazy: traits.LazyTimers, hears: traits.Hears, echo: traits.NotifyIsEcho,
		qp: qp, hasINT: traits.Needs&algorithms.INT != 0,
		rto: core.Never, armed: core.Never, timeout: f.RTO, baseRTT: f.BaseRTT,
		id: f.ID, dst: f.Dst, dstQP: f.DstQP, srcPort: f.SrcPort, dstPort: f.DstPort, marker: f.Marker, receiver: f.Receiver,
	}
	if traits.Needs&algorithms.ECN != 0 {
		s.ect = core.ECT
	}
	s.header = h.cfg.Header + int32(traits.Bytes(&h.cfg.INT, f.Hops))
	if f.RTO == 0 {
		s.timeout = h.cfg.RTO
	}
	if h.recovery(f.Prio) == Selective {
		s.lost = new(holes)
	}
	h.tx = append(h.tx, s)
	if h.cfg.KeepOrder {
		h.order.Add(s)
	}
	s.port = int32(h.portOf(s))
	s.line = h.ports[s.port].rate
	if f.Connection != 0 {
		h.post(t, s, f)
	} else {
		h.start(t, s, f)
		h.bind(s)
	}
	h.trySend(t, int(s.port))
	return qp
}

// start gives a queue pair its paths and its machine.
func (h *Host) start(t *core.Turn, s *sender, f *Flow) {
	s.paths = h.spread(s, f)
	if f.Scheme.Traits().PerClass {
		h.joinClass(t, s, f)
	} else {
		h.startMachine(t, s, f)
	}
	h.armFlow(t, s)
}

// portOf is the port that the packets of a queue pair hash to.
func (h *Host) portOf(s *sender) int {
	probe := core.Packet{Src: h.cfg.ID, Dst: s.dst, SrcPort: s.srcPort, DstPort: s.dstPort}
	out, _ := h.portTo(&probe)
	return out
}

// bind puts the queue pair into the list of its port.
func (h *Host) bind(s *sender) {
	o := &h.ports[s.port]
	o.list, o.spent = append(o.list, s), false
	if o.tree != nil {
		o.enter(s)
	}
	if o.lanes != nil {
		o.demand(s.header + int32(h.cfg.MTU))
	}
}

func (h *Host) startMachine(t *core.Turn, s *sender, f *Flow) {
	shared, size := f.Shared, core.Bytes(f.Size)
	if shared == nil {
		shared = f.Random
	}
	if s.turn != nil {
		size = 0
	}
	s.machine = f.Scheme.NewSender()
	s.machine.Start(t.Now, &algorithms.Flow{
		ID: f.ID, Line: s.line, BaseRTT: f.BaseRTT, Window: f.Window, MTU: h.cfg.MTU,
		Packet: core.Bytes(s.header) + h.cfg.MTU,
		Size:   size, Hops: f.Hops, INT: h.cfg.INT, Timing: h.cfg.Timing,
		Random: f.Random, Shared: shared, Timeout: f.FirstRTO,
	}, &s.control)
}
