package filter

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Sort is the kind of a field's values.
type Sort uint8

// Sorts of field.
const (
	Number Sort = iota
	Time        // with a unit
	Size        // bytes, perhaps with a unit
	Choice      // one of Field.Words
	Flag        // true or false: stands alone
)

// Field is something that an expression may ask for.
type Field struct {
	Name string
	Sort Sort
	Doc  string
	// Words are the values of a choice; a word may stand for several values.
	words []word
	// get returns a number, a time in picoseconds, a size in bytes, 0 or 1 for a flag, or one bit
	// for a choice.
	get func(s *traces.Sighting) int64
}

// word is a value of a choice: a set of bits.
type word struct {
	name string
	bits int64
}

// Words lists the values of a choice.
func (f *Field) Words() []string {
	var names []string
	for _, w := range f.words {
		names = append(names, w.name)
	}
	return names
}

// Fields lists all fields.
func Fields() []Field { return slices.Clone(fields) }

// resumed is the bit of a PFC frame that ends a pause: the kinds of package core have those below.
const resumed = 1 << 16

var kindWords = []word{
	{"data", 1 << core.Data}, {"ack", 1 << core.Ack}, {"nack", 1 << core.Nack},
	{"pfc", 1<<core.Pause | resumed}, {"pause", 1 << core.Pause}, {"resume", resumed},
	{"cnp", 1 << core.CNP}, {"cnm", 1 << core.CNM}, {"grant", 1 << core.Grant}, {"credit", 1 << core.Credit},
	{"datagram", 1 << core.Datagram}, {"conweave", 1 << core.ConWeave},
}

var eventWords = []word{
	{"recv", 1 << core.EventRecv}, {"enqueue", 1 << core.EventEnqueue},
	{"send", 1 << core.EventDequeue}, {"drop", 1 << core.EventDrop},
}

var fields = []Field{
	{"time", Time, "when", nil, func(s *traces.Sighting) int64 { return int64(s.At) }},
	{"node", Number, "where: the device", nil, func(s *traces.Sighting) int64 { return int64(s.Node) }},
	{"port", Number, "its port, from 0: where the packet came in if it is received, or dropped on arrival, otherwise where it goes out", nil,
		func(s *traces.Sighting) int64 { return int64(s.Port) }},
	{"event", Choice, "what happens to the packet; captures have only recv and send", eventWords,
		func(s *traces.Sighting) int64 { return 1 << s.Event }},
	{"kind", Choice, "what the packet is; pfc is pause or resume; captures have no credits", kindWords, kindOf},
	{"flow", Number, "flow_id of fct.parquet; -1 for none. mix.tr does not hold it: there flows are numbered in the order in which they appear, those that host.entropy sends from many ports count as many, and CNMs and answers of ConWeave have none", nil,
		func(s *traces.Sighting) int64 { return s.Flow }},
	{"src", Number, "host that sent the packet", nil, func(s *traces.Sighting) int64 { return int64(s.Packet.Src) }},
	{"dst", Number, "host that it goes to", nil, func(s *traces.Sighting) int64 { return int64(s.Packet.Dst) }},
	{"sport", Number, "source port", nil, func(s *traces.Sighting) int64 { return int64(s.Packet.SrcPort) }},
	{"dport", Number, "destination port", nil, func(s *traces.Sighting) int64 { return int64(s.Packet.DstPort) }},
	{"seq", Size, "offset of the first byte; of an ACK or NACK, the next byte expected; of a CNM, its feedback", nil,
		func(s *traces.Sighting) int64 { return s.Packet.Seq }},
	{"size", Size, "bytes on the wire", nil, func(s *traces.Sighting) int64 { return int64(s.Packet.Size) }},
	{"payload", Size, "bytes of the message", nil, func(s *traces.Sighting) int64 { return int64(s.Packet.Payload) }},
	{"prio", Number, "traffic class, 0 to 7", nil, func(s *traces.Sighting) int64 { return int64(s.Packet.Prio) }},
	{"depth", Size, "bytes in the queue before an enqueue, after a send or a drop from it; 0 in captures", nil,
		func(s *traces.Sighting) int64 { return int64(s.Depth) }},
	{"ce", Flag, "congestion was experienced (ECN)", nil, flagOf(core.CE)},
	{"ece", Flag, "the mark is echoed", nil, flagOf(core.ECE)},
	{"last", Flag, "the last packet of the flow", nil, flagOf(core.Last)},
	{"trimmed", Flag, "a switch has cut the payload off (switch.trim), or a NACK that tells of it; mix.tr does not record it", nil, flagOf(core.Trimmed)},
	{"rtx", Flag, "sent again; files do not record this: there, its bytes, or later ones, were seen at the same place before", nil, flagOf(core.Rtx)},
}

func kindOf(s *traces.Sighting) int64 {
	if s.Packet.Kind == core.Pause && core.PauseWord(s.Packet.Aux).Resume() {
		return resumed
	}
	return 1 << s.Packet.Kind
}

func flagOf(flag core.Flags) func(s *traces.Sighting) int64 {
	return func(s *traces.Sighting) int64 {
		if s.Packet.Flags&flag != 0 {
			return 1
		}
		return 0
	}
}
