package nic

import "github.com/qbb-sim/qbb/core"

// Datagram is all that the network knows of a packet of the host's other protocols.
// It goes to another host, which hands it up; nobody acknowledges it or sends it again.
type Datagram struct {
	Dst     core.NodeID
	Size    int32 // bytes on the wire, at most MaxDatagram
	Prio    uint8 // traffic class, 1 to 7
	SrcPort uint16
	DstPort uint16 // the ports choose among paths of equal cost
	ID      uint64 // the sender's, which travels with it (core.Packet.Aux)
}

// MaxDatagram is the most bytes that a datagram may have: those of a full data packet, which buffers
// and headroom are made for.
func (h *Host) MaxDatagram() int32 { return int32(h.cfg.MTU) + h.cfg.Header }

// HasDatagram reports whether a port has a datagram that it has not sent. It holds at most one.
func (h *Host) HasDatagram(out int) bool { return h.ports[out].datagram != nil }

// SendDatagram gives a datagram to a port that holds none. The port serves datagrams and queue
// pairs in turn; a link that is down drops the datagram.
func (h *Host) SendDatagram(t *core.Turn, out int, d *Datagram) {
	p := h.pool.New()
	p.Kind, p.Size, p.Prio, p.Sent, p.Aux = core.Datagram, d.Size, d.Prio, t.Now, d.ID
	p.Src, p.Dst, p.SrcPort, p.DstPort = h.cfg.ID, d.Dst, d.SrcPort, d.DstPort
	o := &h.ports[out]
	if !o.up {
		h.flush(t, out, p, p.Prio, 0)
		return
	}
	o.datagram = p
	h.trySend(t, out)
}

// sendDatagram puts the datagram of the port, which is free, on the wire if its class may be sent.
func (h *Host) sendDatagram(t *core.Turn, o *port, out int) bool {
	p := o.datagram
	if o.pauses.Mask()>>p.Prio&1 != 0 || o.lanes != nil && !o.lanes.May(p.Prio, p.Size) {
		return false
	}
	o.datagram, o.gramLast = nil, true
	if t.Trace != nil {
		t.Trace.Add(t.Now, h.cfg.ID, out, p.Prio, core.EventDequeue, 0, p)
	}
	h.send(t, o, out, p)
	return true
}
