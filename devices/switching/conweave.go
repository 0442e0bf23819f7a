package switching

import "github.com/qbb-sim/qbb/core"

// ConWeave (Song et al., "Network Load Balancing with In-network Reordering Support for RDMA", SIGCOMM 2023) moves a
// connection to another path while its packets flow, and has them back in order before they leave the network. The switch
// of the sending host, the source ToR, chooses paths (section 3.2, conweave_source.go); that of the receiving one, the
// destination ToR, answers, and holds what has come too early (section 3.3, conweave_sink.go).
//
// A path is a number whose digits choose a port at one switch after another, as a route written by the source
// would: the first switch takes the remainder by the number of its equal-cost ports, and leaves the quotient
// to the next one. So source ToRs know paths from end to end in any network, and later switches choose nothing.
//
// Data packets between ToRs have a label (the paper's header in reserved bits of the BTH) in Sack, which is that of NACKs
// alone, and a time stamp in HostNanos, which is that of acknowledgements. Answers are packets of kind core.ConWeave, for the
// source host: its ToR takes them. All other packets take a path by hash.
//
// How the paper is read here:
//   - A connection that finds all paths busy stays, and tries again with its next packet. A reply that comes in the meantime begins
//     an epoch, however late it is.
//   - Only NOTIFY makes a path busy. That a connection has left it, for want of a reply, says nothing to others, and a new
//     connection begins on any path.
//   - theta_inactive is also how long CLEAR is waited for, which may be lost. A connection that has paused keeps its path.
//   - Every marked packet is answered by NOTIFY.
//   - There are as many queues for reordering as connections need. While packets of an epoch are held, those of later ones wait
//     behind them.

// ConWeaveConfig has the times of ConWeave (Table 1 of the paper).
type ConWeaveConfig struct {
	Reply    core.Duration // theta_reply: a request that has no reply for longer than this makes its connection leave the path
	Busy     core.Duration // theta_path_busy: how long no connection moves to a path after a mark of congestion on it
	Resume   core.Duration // theta_resume: how much longer than estimated a TAIL is waited for
	Inactive core.Duration // theta_inactive: a connection begins an epoch after such a time without a packet, or without a CLEAR
	Fabric   Fabric
}

// Fabric is what a source ToR must know of the network.
type Fabric interface {
	// ToR returns the switch of a host.
	ToR(host core.NodeID) core.NodeID
	// Paths returns the number of paths from a switch to a host that has a route, at most MostPaths: the same for all such hosts
	// of a ToR.
	Paths(from, host core.NodeID) int
}

// MostPaths is how many paths a label can number.
const MostPaths = 1 << pathBits

// label is ConWeave's header of a packet: flags, what is left of the number of the path, the number, and the epoch.
type label uint64

const (
	labelled label = 1 << iota
	request        // RTT_REQUEST: the destination ToR is to answer
	tail           // TAIL: the connection's last packet on the old path
	rerouted       // REROUTED: follows the TAIL of its epoch on another path
	flagBits = 4

	pathBits  = 16
	epochBits = 64 - flagBits - 2*pathBits
)

// Answers of a destination ToR, in the place of flags.
const (
	rttReply = request  // RTT_REPLY
	allClear = tail     // CLEAR: all of the old path has come, or is given up
	pathBusy = rerouted // NOTIFY: the path has marked a packet
)

// newLabel returns a label with a whole path before it.
func newLabel(flags label, path uint16, epoch uint32) label {
	return labelled | flags | label(path)<<flagBits | label(path)<<(flagBits+pathBits) | label(epoch)<<(64-epochBits)
}

func (l label) path() uint16  { return uint16(l >> (flagBits + pathBits)) }
func (l label) epoch() uint32 { return uint32(l >> (64 - epochBits)) }

// step returns the place of the next port among n equal-cost ones, and the label for the switch behind it.
func (l label) step(n int) (int, label) {
	const restOfPath label = (MostPaths - 1) << flagBits
	rest := int(l&restOfPath) >> flagBits
	return rest % n, l&^restOfPath | label(rest/n)<<flagBits
}

// laterEpoch reports whether epoch a comes after b. Numbers wrap.
func laterEpoch(a, b uint32) bool { return int32((a-b)<<(32-epochBits)) > 0 }

// connection names a connection: RDMA's queue pair at its source.
type connection struct {
	host core.NodeID
	qp   int32
}

// memory is for how many times theta_inactive a connection without packets is remembered, with its path.
const memory = 16

// weaver is the state of ConWeave at a switch.
type weaver struct {
	ConWeaveConfig
	sources map[connection]*source
	paths   map[core.NodeID]int      // by ToR of the destination, as far as they are known
	busy    map[fabricPath]core.Time // until when
	epoch   uint32                   // the last one begun here, in the bits of a label
	sinks   map[connection]*sink
	holding [][]*sink // by port to a host: those that hold packets
	// Sizes at which the tables are swept.
	manySources, manyBusy, manySinks int
	count                            WeaveCounters
}

// WeaveCounters count what ConWeave has done at a switch.
type WeaveCounters struct {
	Moves   int64 // of connections to another path
	GivenUp int64 // TAILs that did not come in time: what was held for them has gone before them
}

// WeaveCounters returns what ConWeave has done so far at a switch that balances load with it.
func (s *Switch) WeaveCounters() WeaveCounters { return s.weaver.count }

// newWeaver returns nil unless load is balanced by ConWeave.
func newWeaver(cfg *Config) *weaver {
	if cfg.Balance.Way != ConWeave {
		return nil
	}
	return &weaver{
		ConWeaveConfig: cfg.Balance.ConWeave, sources: make(map[connection]*source),
		paths: make(map[core.NodeID]int), busy: make(map[fabricPath]core.Time), sinks: make(map[connection]*sink), holding: make([][]*sink, len(cfg.Ports)),
	}
}

// weave deals with a packet that has arrived, if ConWeave has to do with it.
func (s *Switch) weave(t *core.Turn, in int, p *core.Packet) bool {
	if p.Kind != core.Data && p.Kind != core.ConWeave {
		return false
	}
	next := s.cfg.Router.Next(s.cfg.ID, p.Dst)
	if len(next) == 0 {
		return false
	}
	toHost := s.cfg.Ports[next[0]].ToHost
	switch {
	case p.Kind == core.ConWeave:
		if toHost {
			s.heed(t.Now, p)
		}
		return toHost
	case toHost:
		return p.Sack != 0 && s.unweave(t, in, int(next[0]), p)
	case s.cfg.Ports[in].ToHost:
		s.writeLabel(t.Now, p)
	}
	if p.Sack == 0 {
		return false
	}
	i, l := label(p.Sack).step(len(next))
	p.Sack = int64(l)
	s.forward(t, in, int(next[i]), p)
	return true
}

// answer sends an answer to the source ToR of a connection, in the class that is served first.
func (s *Switch) answer(t *core.Turn, what label, to connection, path uint16, epoch uint32, ports [2]uint16) {
	m := s.pool.New()
	m.Kind, m.Size, m.Sent, m.Src, m.Dst, m.DstQP = core.ConWeave, s.cfg.NoticeLen, t.Now, s.cfg.ID, to.host, to.qp
	m.SrcPort, m.DstPort = ports[1], ports[0]
	m.Aux = uint64(newLabel(what, path, epoch))
	s.sendOwn(t, m)
}
