package inspect

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// hop is what happened to the packets of a flow at a node.
type hop struct {
	node          core.NodeID
	data          bool // otherwise packets on the way back to the source
	in, out       int32
	arrived, left int64
	again, marked int64
	trimmed       int64
	dropped       int64
	deepest       core.Bytes
	stay, most    core.Duration
	least         core.Duration
	stays         int64
	since         map[uint64]arrival // by packet: those that have not left
}

// arrival is when a packet arrived, and whether it was marked or trimmed already.
type arrival struct {
	at              core.Time
	marked, trimmed bool
}

// noPort is a port that is not known.
const noPort = -1

// hopKey is a node in one direction of a flow.
type hopKey struct {
	node core.NodeID
	data bool
}

// Hops shows a flow's packets node by node, first those from its source and then those back to it:
// those that arrived, left, and were marked, trimmed or dropped there, and how long they stayed, from the
// arrival of the last bit to the departure of the first.
func Hops(path string, flow int64) (string, error) {
	table := make(map[hopKey]*hop)
	var order []*hop
	err := Each(path, func(v *traces.Sighting) bool {
		if v.Flow != flow {
			return true
		}
		k := hopKey{v.Node, v.Packet.Kind == core.Data}
		h := table[k]
		if h == nil {
			h = &hop{node: v.Node, data: k.data, in: noPort, out: noPort, since: make(map[uint64]arrival), least: core.Duration(core.Never)}
			table[k] = h
			order = append(order, h)
		}
		h.see(v)
		return true
	})
	if err != nil {
		return "", err
	}
	if len(order) == 0 {
		return "", noFlow(path, flow)
	}
	return hopTable(flow, order), nil
}

func noFlow(path string, flow int64) error {
	return fmt.Errorf("%s: no packet of flow %d: see which there are with qbb inspect %s --flows", path, flow, path)
}

// see adds a sighting.
func (h *hop) see(v *traces.Sighting) {
	id := v.PacketID()
	switch v.Event {
	case core.EventRecv:
		h.in = v.Port
		h.arrived++
		if v.Node != v.Packet.Dst { // there it stays for good
			h.since[id] = arrival{v.At, v.Packet.Flags&core.CE != 0, trimmed(&v.Packet)}
		}
	case core.EventEnqueue:
		h.deepest = max(h.deepest, v.Depth)
	case core.EventDrop:
		h.dropped++
		delete(h.since, id)
	case core.EventDequeue:
		h.leave(v, id)
	}
}

func (h *hop) leave(v *traces.Sighting, id uint64) {
	h.out = v.Port
	h.left++
	if v.Packet.Flags&core.Rtx != 0 {
		h.again++
	}
	came, known := h.since[id]
	if v.Packet.Flags&core.CE != 0 && !came.marked {
		h.marked++
	}
	if trimmed(&v.Packet) && !came.trimmed {
		h.trimmed++
	}
	if known {
		stay := v.At.Sub(came.at)
		h.stay += stay
		h.most, h.least = max(h.most, stay), min(h.least, stay)
		h.stays++
		delete(h.since, id)
	}
}

// hopTable prints hops in the order in which they were reached.
func hopTable(flow int64, hops []*hop) string {
	var b strings.Builder
	for _, data := range [...]bool{true, false} {
		what := "from its source"
		if !data {
			what = "back to its source"
		}
		fmt.Fprintf(&b, "flow %d, packets %s\n", flow, what)
		fmt.Fprintf(&b, "%8s%6s%6s%9s%9s%8s%8s%9s%8s%32s%12s\n", "node", "in", "out", "arrived", "left", "again", "marked", "trimmed", "dropped", "stay: least, mean, most (us)", "queue (B)")
		for _, h := range hops {
			if h.data == data {
				h.print(&b)
			}
		}
	}
	return b.String()
}

func (h *hop) print(b *strings.Builder) {
	stay := "-"
	if h.stays > 0 {
		stay = fmt.Sprintf("%.3f  %.3f  %.3f", h.least.Seconds()*1e6, h.stay.Seconds()*1e6/float64(h.stays), h.most.Seconds()*1e6)
	}
	fmt.Fprintf(b, "%8d%6s%6s%9d%9d%8d%8d%9d%8d%32s%12d\n", h.node, portText(h.in), portText(h.out), h.arrived, h.left, h.again, h.marked, h.trimmed, h.dropped, stay, h.deepest)
}

func portText(port int32) string {
	if port == noPort {
		return "-"
	}
	return fmt.Sprint(port)
}
