// Package chakratest writes Chakra traces for tests.
package chakratest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// Types of nodes and of collectives, as the schema numbers them.
const (
	Metadata, Load, Store, Comp, Send, Recv, Coll                                         = 1, 2, 3, 4, 5, 6, 7
	AllReduce, AllGather, Broadcast, AllToAll, ReduceScatter, ReduceScatterBlock, Barrier = 0, 2, 5, 6, 7, 8, 9
)

// Node is a node of a trace.
type Node struct {
	ID, Type, Micros uint64
	Ctrl, Data       []uint64 // what it waits for
	Attributes       []Attribute
}

// Attribute is an attribute with a value, as it is encoded.
type Attribute []byte

// Int is an attribute in int64_val.
func Int(name string, value int64) Attribute { return Varint(name, 9, uint64(value)) }

// Varint is an attribute in a field of varints.
func Varint(name string, field protowire.Number, value uint64) Attribute {
	return protowire.AppendVarint(protowire.AppendTag(text(nil, 1, name), field, protowire.VarintType), value)
}

// Fixed32 is an attribute in a field of that type.
func Fixed32(name string, field protowire.Number, value uint32) Attribute {
	return protowire.AppendFixed32(protowire.AppendTag(text(nil, 1, name), field, protowire.Fixed32Type), value)
}

// Fixed64 is an attribute in a field of that type.
func Fixed64(name string, field protowire.Number, value uint64) Attribute {
	return protowire.AppendFixed64(protowire.AppendTag(text(nil, 1, name), field, protowire.Fixed64Type), value)
}

// Text is an attribute in string_val.
func Text(name, value string) Attribute { return text(text(nil, 1, name), 29, value) }

// Dimensions is an attribute in bool_list.
func Dimensions(involved ...bool) Attribute {
	var packed []byte
	for _, b := range involved {
		packed = protowire.AppendVarint(packed, protowire.EncodeBool(b))
	}
	return text(text(nil, 1, "involved_dim"), 28, string(text(nil, 1, string(packed))))
}

// Message is the attributes of a message or a collective: comm_size, and those given by name and value.
func Message(bytes int64, more ...any) []Attribute {
	list := []Attribute{Int("comm_size", bytes)}
	for i := 0; i < len(more); i += 2 {
		list = append(list, Int(more[i].(string), int64(more[i+1].(int))))
	}
	return list
}

// Collective is a node of a collective, which waits for others.
func Collective(id uint64, kind int, bytes int64, data ...uint64) Node {
	return Node{ID: id, Type: Coll, Data: data, Attributes: Message(bytes, "comm_type", kind)}
}

// Encode returns a node as a message.
func (n *Node) Encode() (b []byte) {
	number := func(field protowire.Number, v uint64) {
		if v != 0 { // as in proto3
			b = protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
		}
	}
	number(1, n.ID)
	b = text(b, 2, fmt.Sprintf("node %d", n.ID))
	number(3, n.Type)
	for _, id := range n.Ctrl { // not packed
		b = protowire.AppendVarint(protowire.AppendTag(b, 4, protowire.VarintType), id)
	}
	if len(n.Data) > 0 {
		var packed []byte
		for _, id := range n.Data {
			packed = protowire.AppendVarint(packed, id)
		}
		b = text(b, 5, string(packed))
	}
	number(6, 12345)
	number(7, n.Micros)
	b = text(b, 8, "\n\x01x")
	for _, a := range n.Attributes {
		b = text(b, 10, string(a))
	}
	return b
}

// Trace returns a file.
func Trace(nodes ...Node) []byte {
	b := protowire.AppendBytes(nil, text(nil, 1, "0.0.4"))
	for i := range nodes {
		b = protowire.AppendBytes(b, nodes[i].Encode())
	}
	return b
}

// Write writes the files of all ranks with a name, and returns what names them all.
func Write(t testing.TB, dir, name string, ranks ...[]Node) string {
	t.Helper()
	for r, nodes := range ranks {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s.%d.et", name, r)), Trace(nodes...), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, name)
}

// text appends a field with a length.
func text(b []byte, field protowire.Number, value string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), value)
}
