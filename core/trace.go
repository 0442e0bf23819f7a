package core

// Event is what happened to a packet at a device.
type Event uint8

// Events of a packet. The numbers are those of the event trace's binary form.
const (
	EventRecv Event = iota
	EventEnqueue
	EventDequeue
	EventDrop
)

// Record is one line of the event trace: an event and the packet as it then was.
type Record struct {
	At     Time
	Node   NodeID
	Port   int32
	Queue  uint8 // priority queue of the port
	Event  Event
	Depth  Bytes // bytes in that queue before an enqueue, after a dequeue or a drop from it; 0 on arrival
	Packet Packet
}

// Trace collects records until the host takes them.
type Trace struct {
	Records []Record
	Nodes   []bool // nodes that are recorded; nil means all
	// QuietFlush leaves out what AddFlushed would add.
	QuietFlush bool
}

// Add appends a record if the node is recorded.
func (tr *Trace) Add(at Time, node NodeID, port int, queue uint8, ev Event, depth Bytes, p *Packet) {
	if tr.Nodes != nil && !tr.Nodes[node] {
		return
	}
	tr.Records = append(tr.Records, Record{At: at, Node: node, Port: int32(port), Queue: queue, Event: ev, Depth: depth, Packet: *p})
}

// AddFlushed appends the drop of a packet that waited to be sent, because its link failed or nothing leads to its
// destination; left is what remains in its queue.
func (tr *Trace) AddFlushed(at Time, node NodeID, port int, queue uint8, left Bytes, p *Packet) {
	if !tr.QuietFlush {
		tr.Add(at, node, port, queue, EventDrop, left, p)
	}
}
