package chakra

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/qbb-sim/qbb/workloads/goal"
)

// nodeType is NodeType in the schema.
type nodeType int

const (
	metadataNode nodeType = 1
	loadNode     nodeType = 2
	storeNode    nodeType = 3
	compNode     nodeType = 4
	sendNode     nodeType = 5
	recvNode     nodeType = 6
	collNode     nodeType = 7
)

var nodeTypes = []string{
	"INVALID_NODE", "METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE", "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE",
	"STORAGE_NODE", "BATCH_NODE", "CHECKPOINT_NODE",
}

// collType is CollectiveCommType in the schema.
type collType int

const (
	allReduce     collType = 0
	allGather     collType = 2
	broadcast     collType = 5
	allToAll      collType = 6
	reduceScatter collType = 7
	reduceBlocks  collType = 8 // the same: all blocks have one size
	barrier       collType = 9
)

var collTypes = []string{
	"ALL_REDUCE", "REDUCE", "ALL_GATHER", "GATHER", "SCATTER", "BROADCAST", "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER",
}

func (t nodeType) String() string { return nameOf(nodeTypes, int(t)) }
func (t collType) String() string { return nameOf(collTypes, int(t)) }

// nameOf names a value of an enumeration.
func nameOf(names []string, value int) string {
	if value < 0 || value >= len(names) {
		return fmt.Sprint(value)
	}
	return names[value]
}

// node is a Node.
type node struct {
	id     uint64
	name   string
	kind   nodeType
	deps   []uint64
	micros uint64

	// attributes
	host                 bool // is_cpu_op
	work                 bool // num_ops or tensor_size
	bytes, src, dst, tag int64
	coll                 int64
	given                attribute // of comm_type, comm_size, comm_src and comm_dst
	group                []byte    // pg_name
	someDimension        bool      // involved_dim
}

// attribute is a set of them.
type attribute uint8

const (
	commType attribute = 1 << iota
	commSize
	commSrc
	commDst
)

// read reads a node into one that has been used before.
func (n *node) read(message []byte) error {
	*n = node{deps: n.deps[:0], host: true}
	return eachField(message, func(f *field) (err error) {
		switch f.number {
		case 1:
			n.id, err = f.bits, f.is(protowire.VarintType)
		case 2:
			n.name, err = string(f.bytes), f.is(protowire.BytesType)
		case 3:
			n.kind, err = nodeType(min(f.bits, math.MaxInt32)), f.is(protowire.VarintType)
		case 4, 5: // ctrl_deps, data_deps
			n.deps, err = f.appendNumbers(n.deps)
		case 7:
			n.micros, err = f.bits, f.is(protowire.VarintType)
		case 10:
			if err = f.is(protowire.BytesType); err == nil {
				err = n.readAttribute(f.bytes)
			}
		}
		return err
	})
}

// readAttribute reads an AttributeProto.
func (n *node) readAttribute(message []byte) error {
	var name []byte
	var value field
	err := eachField(message, func(f *field) error {
		switch {
		case f.number == 1:
			name = f.bytes
		case f.number > 2:
			value = *f
		}
		return nil
	})
	if err != nil {
		return err
	}
	switch string(name) {
	case "is_cpu_op":
		v, err := value.integer(name)
		n.host = v != 0
		return err
	case "num_ops", "tensor_size":
		v, err := value.integer(name)
		n.work = n.work || v > 0
		return err
	case "comm_type":
		return n.set(commType, &n.coll, name, &value)
	case "comm_size":
		return n.set(commSize, &n.bytes, name, &value)
	case "comm_src":
		return n.set(commSrc, &n.src, name, &value)
	case "comm_dst":
		return n.set(commDst, &n.dst, name, &value)
	case "comm_tag":
		return n.set(0, &n.tag, name, &value)
	case "pg_name":
		n.group = value.bytes
		if value.number != stringValue || value.kind != protowire.BytesType {
			return fmt.Errorf("%s is no string", name)
		}
	case "involved_dim":
		return n.readDimensions(&value)
	}
	return nil
}

func (n *node) set(which attribute, to *int64, name []byte, value *field) (err error) {
	n.given |= which
	*to, err = value.integer(name)
	return err
}

// readDimensions notes whether a collective, in older traces, leaves out some of a network's dimensions.
func (n *node) readDimensions(value *field) error {
	if value.number != boolList || value.kind != protowire.BytesType {
		return errors.New("involved_dim is no list of Booleans")
	}
	return eachField(value.bytes, func(f *field) error {
		list, err := f.appendNumbers(nil)
		for _, v := range list {
			n.someDimension = n.someDimension || v == 0
		}
		return err
	})
}

// Numbers of fields with a value in AttributeProto.
const (
	int32Value    = 7
	int64Value    = 9
	uint32Value   = 11
	uint64Value   = 13
	sint32Value   = 15
	sint64Value   = 17
	fixed32Value  = 19
	fixed64Value  = 21
	sfixed32Value = 23
	sfixed64Value = 25
	boolValue     = 27
	boolList      = 28
	stringValue   = 29
)

// integer returns the value of an attribute, of any type of integer, since writers differ.
func (f *field) integer(name []byte) (v int64, err error) {
	want := protowire.VarintType
	switch f.number {
	case int32Value, int64Value, uint32Value, uint64Value, boolValue:
		v = int64(f.bits)
	case sint32Value, sint64Value:
		v = protowire.DecodeZigZag(f.bits)
	case fixed32Value, sfixed32Value:
		want, v = protowire.Fixed32Type, int64(f.bits)
	case fixed64Value, sfixed64Value:
		want, v = protowire.Fixed64Type, int64(f.bits)
	default:
		return 0, fmt.Errorf("%s is no integer", name)
	}
	if f.number == sfixed32Value {
		v = int64(int32(f.bits))
	}
	if err := f.is(want); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	if v < 0 {
		return 0, fmt.Errorf("%s is negative, or more than %d", name, int64(math.MaxInt64))
	}
	return v, nil
}

// check says what is wrong with a node of a rank.
func (n *node) check(rank, ranks int) error {
	missing := func(name string, which attribute) error {
		if n.given&which == 0 {
			return fmt.Errorf("this %v has no %s: give it that attribute", n.kind, name)
		}
		return nil
	}
	peer := func(name string, which attribute, value int64) error {
		if value >= int64(ranks) {
			return fmt.Errorf("%s is %d, and there are traces of %d ranks, from 0 on", name, value, ranks)
		}
		return missing(name, which)
	}
	own := func(name string, which attribute, value int64) error {
		if n.given&which != 0 && value != int64(rank) {
			return fmt.Errorf("%s of this %v is %d, and the trace is that of rank %d", name, n.kind, value, rank)
		}
		return nil
	}
	switch {
	case n.micros > goal.MostNanos/1000:
		return fmt.Errorf("duration_micros is %d, and the most is %d", n.micros, int64(goal.MostNanos/1000))
	case n.bytes > goal.MostBytes:
		return fmt.Errorf("comm_size is %d, and the most is %d", n.bytes, int64(goal.MostBytes))
	}
	switch n.kind {
	case metadataNode:
		return nil
	case compNode, loadNode, storeNode:
		if n.work && n.micros == 0 {
			return fmt.Errorf("this %v has num_ops or tensor_size and no duration_micros: what that takes on some hardware is not modelled, write the duration", n.kind)
		}
		return nil
	case sendNode:
		return cmp.Or(missing("comm_size", commSize), peer("comm_dst", commDst, n.dst), own("comm_src", commSrc, n.src))
	case recvNode:
		return cmp.Or(peer("comm_src", commSrc, n.src), own("comm_dst", commDst, n.dst))
	case collNode:
		return n.checkCollective(missing)
	}
	return fmt.Errorf("the type %v is not read: computing, memory, messages and collectives are", n.kind)
}

func (n *node) checkCollective(missing func(string, attribute) error) error {
	if err := missing("comm_type", commType); err != nil {
		return err
	}
	switch t := collType(n.coll); t {
	case barrier:
	case allReduce, allGather, broadcast, allToAll, reduceScatter, reduceBlocks:
		if err := missing("comm_size", commSize); err != nil {
			return err
		}
	default:
		return fmt.Errorf("the collective %v is not read: %v, %v, %v, %v, %v and %v are", t, allReduce, reduceScatter, allGather, allToAll, broadcast, barrier)
	}
	if n.someDimension {
		return errors.New("involved_dim leaves out dimensions of a network: name the group of ranks with pg_name instead")
	}
	return nil
}
