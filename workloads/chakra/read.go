package chakra

import (
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/workloads/goal"
)

// Units of a rank, which are cpus of the schedule.
const (
	processor = iota
	accelerator
	memory
)

// Read reads the traces of all ranks, opening each once, in their order. Errors name the file and the node.
func Read(files []string, open func(file string) (io.ReadCloser, error)) (*goal.Schedule, error) {
	if len(files) > goal.MostRanks {
		return nil, fmt.Errorf("traces of %d ranks, and the most is %d", len(files), goal.MostRanks)
	}
	t := &traces{nodes: &nodes{files, make([][]uint64, len(files))}, groups: make(map[string]*group), messages: newMessages()}
	t.Builder = goal.NewBuilder(len(files), t.nodes)
	for rank := range files {
		if err := t.readRank(rank, open); err != nil {
			return nil, err
		}
	}
	if err := t.expand(); err != nil {
		return nil, err
	}
	return t.Build()
}

// traces is what has been read.
type traces struct {
	*goal.Builder
	nodes  *nodes
	groups map[string]*group
	order  []*group // in which they were met

	messages *messages // of the file being read
}

// nodes are those of all files; a goal.Where.
type nodes struct {
	files []string
	ids   [][]uint64 // by rank: of its nodes, whose places here are those of operations
}

// At implements goal.Where.
func (n *nodes) At(rank int, place int32) string {
	return fmt.Sprintf("%s: node %d", n.files[rank], n.ids[rank][place])
}

// Name implements goal.Where.
func (n *nodes) Name(rank int, place int32) string {
	return fmt.Sprintf("node %d of rank %d", n.ids[rank][place], rank)
}

// Number implements goal.Where.
func (n *nodes) Number(rank int, place int32) int64 { return int64(n.ids[rank][place]) }

// extent is the operations of a node with which it begins and ends.
type extent struct{ first, last int32 }

// trace is the file being read.
type trace struct {
	rank    int
	places  map[uint64]int32 // by id
	extents []extent
	needs   []need
}

// need is a node, by its place, and the id of one that must end before.
type need struct {
	of     int32
	before uint64
}

func (t *traces) readRank(rank int, open func(string) (io.ReadCloser, error)) error {
	f, err := open(t.nodes.files[rank])
	if err != nil {
		return err
	}
	defer f.Close()
	m := t.messages
	m.r.Reset(f)
	if err := readMetadata(m); err != nil {
		return fmt.Errorf("%s: %w", t.nodes.files[rank], err)
	}
	in := &trace{rank: rank, places: make(map[uint64]int32)}
	var n node
	for count := 1; ; count++ {
		message, err := m.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: message %d behind the GlobalMetadata cannot be read: %w", t.nodes.files[rank], count, err)
		}
		if err := n.read(message); err != nil {
			return fmt.Errorf("%s: node %d (message %d behind the GlobalMetadata): %w", t.nodes.files[rank], n.id, count, err)
		}
		if err := t.add(in, &n); err != nil {
			return fmt.Errorf("%s: node %d: %w", t.nodes.files[rank], n.id, err)
		}
	}
	for _, d := range in.needs {
		before, ok := in.places[d.before]
		if !ok {
			return fmt.Errorf("%s: it waits for node %d, which the trace does not have", t.nodes.At(rank, d.of), d.before)
		}
		t.Require(rank, in.extents[d.of].first, in.extents[before].last)
	}
	return nil
}

// readMetadata demands that a trace begins with a GlobalMetadata, which distinguishes it from other files.
func readMetadata(m *messages) error {
	message, err := m.next()
	if err == io.EOF {
		return errors.New("the file is empty, where a Chakra trace begins with its GlobalMetadata")
	}
	if err == nil {
		err = eachField(message, func(f *field) error {
			if f.number > 2 || f.kind != protowire.BytesType {
				return fmt.Errorf("it has a field %d of the wire type %d", f.number, f.kind)
			}
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("the first message is no GlobalMetadata (%w): is this a Chakra trace, of version 0.0.4 or later?", err)
	}
	return nil
}

// add adds the operations of a node.
func (t *traces) add(in *trace, n *node) error {
	if err := n.check(in.rank, len(t.nodes.files)); err != nil {
		return err
	}
	place := int32(len(in.extents))
	if _, ok := in.places[n.id]; ok {
		return errors.New("a node before this one has the same id")
	}
	if place == goal.MostOps/2 { // a collective has two operations, and its messages
		return fmt.Errorf("more than %d nodes are before this one", place)
	}
	in.places[n.id] = place
	t.nodes.ids[in.rank] = append(t.nodes.ids[in.rank], n.id)
	for _, id := range n.deps {
		in.needs = append(in.needs, need{place, id})
	}
	var e extent
	origin := goal.Origin{Place: place, Name: t.Name(n.name)}
	switch n.kind {
	case sendNode:
		e.first = t.Send(in.rank, origin, int(n.dst), n.tag, core.Bytes(n.bytes))
		e.last = e.first
	case recvNode:
		e.first = t.Recv(in.rank, origin, int(n.src), n.tag)
		e.last = e.first
	case collNode:
		e.first, e.last = t.Collective(in.rank, origin)
		t.group(string(n.group)).add(in.rank, call{collType(n.coll), n.bytes, origin, e})
	default:
		e.first = t.Calc(in.rank, origin, core.Duration(n.micros)*core.Microsecond, n.unit())
		e.last = e.first
	}
	in.extents = append(in.extents, e)
	return nil
}

// unit is what computes a node.
func (n *node) unit() int {
	switch {
	case n.kind == loadNode || n.kind == storeNode:
		return memory
	case n.host:
		return processor
	}
	return accelerator
}
