package chakra

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/qbb-sim/qbb/workloads/chakra/chakratest"
	"github.com/qbb-sim/qbb/workloads/goal"
)

var rewrite = flag.Bool("rewrite", false, "write the example anew")

type (
	testNode = chakratest.Node
	testAttr = chakratest.Attribute
)

// read reads the traces of ranks from 0 on.
func read(ranks ...[]byte) (*goal.Schedule, error) {
	var files []string
	for r := range ranks {
		files = append(files, fmt.Sprintf("a.%d.et", r))
	}
	opened, closed := 0, 0
	s, err := Read(files, func(file string) (io.ReadCloser, error) {
		if opened++; file != files[opened-1] {
			return nil, fmt.Errorf("%s is read as number %d", file, opened)
		}
		return &opening{bytes.NewReader(ranks[opened-1]), &closed}, nil
	})
	if closed != opened {
		return nil, fmt.Errorf("%d files were opened, and %d closed", opened, closed)
	}
	return s, err
}

// opening counts when it is closed.
type opening struct {
	io.Reader
	closed *int
}

func (o *opening) Close() error {
	*o.closed++
	return nil
}

// messagesIn lists the messages of a schedule.
func messagesIn(s *goal.Schedule) (list []string) {
	for _, m := range s.Messages {
		list = append(list, fmt.Sprintf("%d-%d %d", m.Src, m.Dst, m.Bytes))
	}
	return list
}

// all reads traces of ranks with the same nodes.
func all(ranks int, nodes ...testNode) (*goal.Schedule, error) {
	return read(slices.Repeat([][]byte{chakratest.Trace(nodes...)}, ranks)...)
}

// Sizes of the messages of collectives, by hand.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		kind, ranks int
		bytes       int64
		messages    int
		each        int64
	}{
		{chakratest.AllReduce, 4, 401, 24, 101},
		{chakratest.ReduceScatter, 4, 400, 12, 100},
		{chakratest.ReduceScatterBlock, 4, 400, 12, 100},
		{chakratest.AllGather, 4, 400, 12, 400},
		{chakratest.AllToAll, 4, 402, 12, 101},
		{chakratest.Broadcast, 4, 400, 3, 400},
		{chakratest.Broadcast, 7, 400, 6, 400},
		{chakratest.Broadcast, 3, 400, 2, 400},
		{chakratest.Barrier, 5, 400, 15, 1},
		{chakratest.AllReduce, 2, 0, 4, 1},
		{chakratest.AllReduce, 1, 400, 0, 0},
		{chakratest.Barrier, 1, 0, 0, 0},
		{chakratest.AllGather, 2, goal.MostBytes / 2, 2, goal.MostBytes / 2},
		{chakratest.AllReduce, 2, goal.MostBytes, 4, goal.MostBytes / 2},
	} {
		s, err := all(c.ranks, chakratest.Collective(1, c.kind, c.bytes))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.Messages); n != c.messages || float64(n) != messagesOf(collType(c.kind), c.ranks) {
			t.Errorf("%+v: %d messages, and %v were expected", c, n, messagesOf(collType(c.kind), c.ranks))
		}
		for _, m := range s.Messages {
			if int64(m.Bytes) != c.each {
				t.Errorf("%+v: %v", c, m.Bytes)
			}
		}
	}
}

// A barrier has no size, whatever traces say of it.
func TestBarrierSizes(t *testing.T) {
	barrier := testNode{Type: chakratest.Coll, Attributes: []testAttr{chakratest.Int("comm_type", chakratest.Barrier)}}
	s, err := read(chakratest.Trace(barrier), chakratest.Trace(chakratest.Collective(1, chakratest.Barrier, 4)))
	if want := []string{"0-1 1", "1-0 1"}; err != nil || !slices.Equal(messagesIn(s), want) {
		t.Errorf("%v, want %v", err, want)
	}
}

// In an all-to-all every rank cuts up what it has. Groups are in the order of the ranks, whatever the order in which they are met.
func TestGroups(t *testing.T) {
	in := func(group string, bytes int64) testNode {
		n := chakratest.Collective(1, chakratest.AllToAll, bytes)
		n.Attributes = append(n.Attributes, chakratest.Text("pg_name", group))
		return n
	}
	second := in("b", 900)
	second.ID = 2
	s, err := read(chakratest.Trace(in("a", 10)), chakratest.Trace(in("b", 300)), chakratest.Trace(in("a", 30), second), chakratest.Trace(in("a", 60)))
	want := []string{"0-2 4", "0-3 4", "1-2 150", "2-0 10", "2-3 10", "2-1 450", "3-0 20", "3-2 20"}
	if err != nil || !slices.Equal(messagesIn(s), want) {
		t.Errorf("%v, %v, want %v", messagesIn(s), err, want)
	}
}

// An integer may have any type.
func TestTypesOfIntegers(t *testing.T) {
	sizes := []testAttr{chakratest.Fixed32("comm_size", 19, 50), chakratest.Fixed32("comm_size", 23, 50), chakratest.Fixed64("comm_size", 21, 50), chakratest.Fixed64("comm_size", 25, 50)}
	sizes = append(sizes, append(chakratest.Int("comm_size", 50), 0x12, 1, 'x')) // a doc_string behind the value
	for field, value := range map[protowire.Number]uint64{7: 50, 9: 50, 11: 50, 13: 50, 15: 100, 17: 100} {
		sizes = append(sizes, chakratest.Varint("comm_size", field, value))
	}
	for _, size := range sizes {
		send := testNode{Type: chakratest.Send, Attributes: []testAttr{size, chakratest.Varint("comm_dst", 27, 1)}}
		recv := testNode{Type: chakratest.Recv, Attributes: []testAttr{chakratest.Int("comm_src", 0)}}
		if s, err := read(chakratest.Trace(send), chakratest.Trace(recv)); err != nil || !slices.Equal(messagesIn(s), []string{"0-1 50"}) {
			t.Errorf("%x: %v", size, err)
		}
	}
	for _, size := range []testAttr{
		chakratest.Fixed32("comm_size", 23, 1<<31), chakratest.Fixed64("comm_size", 21, 1<<63), chakratest.Varint("comm_size", 15, 1), chakratest.Varint("comm_size", 7, 1<<63),
		chakratest.Fixed64("comm_size", 3, 50), chakratest.Fixed64("comm_size", 9, 50), chakratest.Varint("comm_size", 21, 50),
	} {
		if _, err := all(1, testNode{Type: chakratest.Send, Attributes: []testAttr{size}}); err == nil || !strings.Contains(err.Error(), "): comm_size") {
			t.Errorf("%x: %v", size, err)
		}
	}
}

// Mistakes are told in one line, with the file and the node.
func TestMistakes(t *testing.T) {
	comp := func(id uint64, data ...uint64) testNode {
		return testNode{ID: id, Type: chakratest.Comp, Data: data, Micros: 1}
	}
	with := func(kind uint64, list ...testAttr) testNode { return testNode{ID: 5, Type: kind, Attributes: list} }
	coll := chakratest.Collective
	grouped := func(id uint64, group string) testNode {
		n := coll(id, chakratest.Barrier, 0)
		n.Attributes = append(n.Attributes, chakratest.Text("pg_name", group))
		return n
	}
	type traces [][]testNode
	send := func(id uint64, to int, data ...uint64) testNode {
		return testNode{ID: id, Type: chakratest.Send, Data: data, Attributes: chakratest.Message(8, "comm_dst", to)}
	}
	recv := func(id uint64, from int, data ...uint64) testNode {
		return testNode{ID: id, Type: chakratest.Recv, Data: data, Attributes: chakratest.Message(8, "comm_src", from)}
	}
	for _, c := range []struct {
		ranks traces
		want  string
	}{
		{traces{{comp(3), comp(5, 4)}}, "a.0.et: node 5: it waits for node 4, which the trace does not have"},
		{traces{{comp(3), comp(3)}}, "a.0.et: node 3: a node before this one has the same id"},
		{traces{{comp(3, 3)}}, "a.0.et: node 3: this operation of rank 0 can never end: it waits for node 3 of rank 0"},
		{traces{{comp(3, 4), comp(4, 3)}}, "a.0.et: node 3: this operation of rank 0 can never end: it waits for node 4 of rank 0, and that for node 3 of rank 0"},
		{traces{{send(1, 1)}, nil}, "a.0.et: node 1: rank 1 has too few recv from 0 with tag 0: none is left for this send"},
		{traces{nil, {recv(6, 0)}}, "a.1.et: node 6: rank 0 has too few send to 1 with tag 0: none is left for this recv"},
		{traces{{recv(1, 1), send(2, 1, 1)}, {recv(3, 0), send(4, 0, 3)}}, "a.0.et: node 1: this operation of rank 0 can never end: it waits for node 4 of rank 1, and that for node 3 of rank 1, and that for node 2 of rank 0, and that for node 1 of rank 0"},
		{traces{{recv(1, 1), coll(2, chakratest.AllReduce, 8, 1)}, {coll(3, chakratest.AllReduce, 8), send(4, 0, 3)}}, "a.0.et: node 1: this operation of rank 0 can never end: it waits for node 4 of rank 1, and that for node 3 of rank 1, and that for node 2 of rank 0, and that for node 1 of rank 0"},
		{traces{{send(1, 2)}, nil}, "a.0.et: node 1: comm_dst is 2, and there are traces of 2 ranks, from 0 on"},
		{traces{{with(chakratest.Send, chakratest.Int("comm_dst", 0))}}, "a.0.et: node 5: this COMM_SEND_NODE has no comm_size: give it that attribute"},
		{traces{{with(chakratest.Send, chakratest.Int("comm_size", 8))}}, "a.0.et: node 5: this COMM_SEND_NODE has no comm_dst: give it that attribute"},
		{traces{{with(chakratest.Recv)}}, "a.0.et: node 5: this COMM_RECV_NODE has no comm_src: give it that attribute"},
		{traces{{with(chakratest.Send, chakratest.Message(8, "comm_dst", 0, "comm_src", 1)...)}}, "a.0.et: node 5: comm_src of this COMM_SEND_NODE is 1, and the trace is that of rank 0"},
		{traces{{with(chakratest.Recv, chakratest.Message(8, "comm_dst", 1, "comm_src", 0)...)}}, "a.0.et: node 5: comm_dst of this COMM_RECV_NODE is 1, and the trace is that of rank 0"},
		{traces{{with(chakratest.Coll, chakratest.Int("comm_size", 8))}}, "a.0.et: node 5: this COMM_COLL_NODE has no comm_type: give it that attribute"},
		{traces{{with(chakratest.Coll, chakratest.Int("comm_type", 0))}}, "a.0.et: node 5: this COMM_COLL_NODE has no comm_size: give it that attribute"},
		{traces{{coll(5, 4, 8)}}, "a.0.et: node 5: the collective SCATTER is not read: ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL, BROADCAST and BARRIER are"},
		{traces{{coll(5, 77, 8)}}, "a.0.et: node 5: the collective 77 is not read: ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL, BROADCAST and BARRIER are"},
		{traces{{with(8)}}, "a.0.et: node 5: the type STORAGE_NODE is not read: computing, memory, messages and collectives are"},
		{traces{{with(0)}}, "a.0.et: node 5: the type INVALID_NODE is not read: computing, memory, messages and collectives are"},
		{traces{{with(11)}}, "a.0.et: node 5: the type 11 is not read: computing, memory, messages and collectives are"},
		{traces{{with(1 << 40)}}, "a.0.et: node 5: the type 2147483647 is not read: computing, memory, messages and collectives are"},
		{traces{{with(chakratest.Comp, chakratest.Int("num_ops", 1), chakratest.Int("tensor_size", 0))}}, "a.0.et: node 5: this COMP_NODE has num_ops or tensor_size and no duration_micros: what that takes on some hardware is not modelled, write the duration"},
		{traces{{with(chakratest.Load, chakratest.Int("tensor_size", 8))}}, "a.0.et: node 5: this MEM_LOAD_NODE has num_ops or tensor_size and no duration_micros: what that takes on some hardware is not modelled, write the duration"},
		{traces{{{ID: 5, Type: chakratest.Comp, Micros: 1e12 + 1}}}, "a.0.et: node 5: duration_micros is 1000000000001, and the most is 1000000000000"},
		{traces{{coll(5, chakratest.AllReduce, 1<<50+1)}}, "a.0.et: node 5: comm_size is 1125899906842625, and the most is 1125899906842624"},
		{traces{{coll(5, chakratest.AllGather, 1<<49+1)}, {coll(5, chakratest.AllGather, 1<<49+1)}}, "a.0.et: node 5: comm_size is 562949953421313, and the most is 562949953421312 for an ALL_GATHER of 2 ranks"},
		{traces{{{ID: 5, Type: chakratest.Coll, Attributes: append(chakratest.Message(8, "comm_type", 0), chakratest.Dimensions(true, false, true))}}}, "a.0.et: node 5: involved_dim leaves out dimensions of a network: name the group of ranks with pg_name instead"},
		{traces{{coll(5, chakratest.AllReduce, 8)}, {comp(1)}}, "a.0.et: node 5: without a pg_name it is a collective of all ranks, and rank 1 has none: name the group of those that take part with pg_name"},
		{traces{{comp(1)}, {coll(5, chakratest.AllReduce, 8)}}, "a.1.et: node 5: without a pg_name it is a collective of all ranks, and rank 0 has none: name the group of those that take part with pg_name"},
		{traces{{coll(5, chakratest.AllReduce, 8)}, {coll(5, chakratest.AllReduce, 8), coll(6, chakratest.AllReduce, 8)}}, "a.1.et: node 6: it is number 2 of the collectives of all ranks, and rank 0 has 1: every rank of a group takes part in all of them"},
		{traces{{grouped(5, "x"), grouped(6, "x")}, {comp(1)}, {grouped(5, "x")}}, `a.0.et: node 6: it is number 2 of the collectives with the pg_name "x", and rank 2 has 1: every rank of a group takes part in all of them`},
		{traces{{coll(5, chakratest.AllReduce, 8)}, {coll(7, chakratest.AllGather, 8)}}, "a.1.et: node 7: it is number 1 of the collectives of all ranks, ALL_GATHER of 8 B, and that of rank 0 (node 5) is ALL_REDUCE of 8 B: they must be the same"},
		{traces{{coll(5, chakratest.AllReduce, 8)}, {coll(7, chakratest.AllReduce, 9)}}, "a.1.et: node 7: it is number 1 of the collectives of all ranks, ALL_REDUCE of 9 B, and that of rank 0 (node 5) is ALL_REDUCE of 8 B: they must be the same"},
	} {
		var files [][]byte
		for _, nodes := range c.ranks {
			files = append(files, chakratest.Trace(nodes...))
		}
		if _, err := read(files...); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// Attributes of another type than theirs are mistakes, told with the place of the message.
func TestTypesOfAttributes(t *testing.T) {
	for _, c := range []struct {
		kind      uint64
		attribute testAttr
		want      string
	}{
		{chakratest.Coll, chakratest.Int("comm_size", -1), "comm_size is negative, or more than 9223372036854775807"},
		{chakratest.Send, chakratest.Text("comm_size", "8"), "comm_size is no integer"},
		{chakratest.Comp, chakratest.Text("is_cpu_op", "no"), "is_cpu_op is no integer"},
		{chakratest.Comp, chakratest.Text("num_ops", "8"), "num_ops is no integer"},
		{chakratest.Coll, chakratest.Int("pg_name", 8), "pg_name is no string"},
		{chakratest.Coll, chakratest.Varint("pg_name", 29, 8), "pg_name is no string"},
		{chakratest.Coll, chakratest.Text("involved_dim", ""), "involved_dim is no list of Booleans"},
		{chakratest.Coll, chakratest.Varint("involved_dim", 28, 1), "involved_dim is no list of Booleans"},
	} {
		_, err := all(1, testNode{ID: 5, Type: c.kind, Attributes: []testAttr{c.attribute}})
		if want := "a.0.et: node 5 (message 1 behind the GlobalMetadata): " + c.want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// Dimensions of a network that are all involved are all ranks.
func TestAllDimensions(t *testing.T) {
	n := chakratest.Collective(1, chakratest.AllReduce, 8)
	n.Attributes = append(n.Attributes, chakratest.Dimensions(true, true))
	if s, err := all(2, n); err != nil || len(s.Messages) != 4 {
		t.Error(err)
	}
}

// What says how much is computed stands beside a duration, or says that nothing is.
func TestWork(t *testing.T) {
	s, err := all(1, testNode{ID: 1, Type: chakratest.Comp, Micros: 1e12, Attributes: []testAttr{chakratest.Int("num_ops", 8)}},
		testNode{ID: 2, Type: chakratest.Load, Attributes: []testAttr{chakratest.Int("tensor_size", 0)}})
	if err != nil || s == nil {
		t.Error(err)
	}
}

// Collectives that would fill the memory are refused before they do.
func TestTooMany(t *testing.T) {
	_, err := all(25_000, chakratest.Collective(1, chakratest.AllReduce, 8))
	text := fmt.Sprint(err)
	if !strings.HasPrefix(text, "a.0.et and the others: this would make about 1.25e+09 flows, ") || !strings.HasSuffix(text, "; take traces of fewer ranks or collectives") {
		t.Error(err)
	}
	if !strings.Contains(text, ", which take 800 GB of a memory of") && !strings.Contains(text, ", the limit is 1e+09") { // of more memory
		t.Error(err)
	}
}

// Files that are no traces, or damaged ones.
func TestDamaged(t *testing.T) {
	good := chakratest.Trace(testNode{ID: 3, Type: chakratest.Comp, Micros: 1})
	node := func(fields ...byte) []byte {
		return append(chakratest.Trace(), append([]byte{byte(len(fields))}, fields...)...)
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":           {nil, "a.0.et: the file is empty, where a Chakra trace begins with its GlobalMetadata"},
		"text":            {[]byte("num_ranks 2\nrank 0 {\n}\n" + strings.Repeat(" ", 200)), "is this a Chakra trace, of version 0.0.4 or later?"},
		"a node first":    {good[len(chakratest.Trace()):], "a.0.et: the first message is no GlobalMetadata (it has a field 1 of the wire type 0): is this a Chakra trace, of version 0.0.4 or later?"},
		"cut off":         {good[:len(good)-1], "a.0.et: message 1 behind the GlobalMetadata cannot be read: the file ends in it"},
		"a length alone":  {good[:len(chakratest.Trace())+1], "a.0.et: message 1 behind the GlobalMetadata cannot be read: the file ends in it"},
		"half a length":   {append(chakratest.Trace(), 0x80), "a.0.et: message 1 behind the GlobalMetadata cannot be read: the file ends in it"},
		"a long message":  {append(chakratest.Trace(), 0xff, 0xff, 0xff, 0xff, 0x7f), "a.0.et: message 1 behind the GlobalMetadata cannot be read: a length of 34359738367 bytes, and the most is 2147483647"},
		"a cut beginning": {[]byte{5}, "a.0.et: the first message is no GlobalMetadata (the file ends in it): is this a Chakra trace, of version 0.0.4 or later?"},
		"another schema":  {[]byte{2, 0x1a, 0}, "a.0.et: the first message is no GlobalMetadata (it has a field 3 of the wire type 2): is this a Chakra trace, of version 0.0.4 or later?"},
		"no attribute":    {node(8, 3, 0x50, 1), "a.0.et: node 3 (message 1 behind the GlobalMetadata): field 10 has the wire type 0, and 2 in the schema"},
		"half a name":     {node(8, 3, 0x52, 2, 0x0a, 3), "a.0.et: node 3 (message 1 behind the GlobalMetadata): unexpected EOF"},
		"a field 0":       {node(8, 3, 0, 0), "invalid field number"},
		"a field alone":   {node(8, 3, 0x18), "a.0.et: node 3 (message 1 behind the GlobalMetadata): unexpected EOF"},
		"a wrong type":    {node(8, 3, 0x1d, 0, 0, 0, 0), "a.0.et: node 3 (message 1 behind the GlobalMetadata): field 3 has the wire type 5, and 0 in the schema"},
		"no list":         {node(8, 3, 0x25, 0, 0, 0, 0), "a.0.et: node 3 (message 1 behind the GlobalMetadata): field 4 has the wire type 5, and 2 in the schema"},
		"half a list":     {node(8, 3, 0x22, 1, 0x80), "a.0.et: node 3 (message 1 behind the GlobalMetadata): unexpected EOF"},
		"a short value":   {node(8, 3, 0x22, 9), "a.0.et: node 3 (message 1 behind the GlobalMetadata): unexpected EOF"},
		"a node of no id": {node(), "a.0.et: node 0: the type INVALID_NODE is not read: computing, memory, messages and collectives are"},
	} {
		if _, err := read(c.file); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	for _, metadata := range [][]byte{{0}, {2, 0x12, 0}} { // without fields, with an attr
		if _, err := read(append(metadata, good[len(chakratest.Trace()):]...)); err != nil {
			t.Errorf("the GlobalMetadata %x: %v", metadata, err)
		}
	}
	if _, err := read(append(good, node(8, 7, 24, 4, 0x33, 0x18, 0, 0x34, 250, 1, 1, 1)[len(chakratest.Trace()):]...)); err != nil {
		t.Errorf("fields that are not known: %v", err)
	}
	if _, err := Read(make([]string, goal.MostRanks+1), nil); err == nil || err.Error() != "traces of 1048577 ranks, and the most is 1048576" {
		t.Error(err)
	}
	failing := errors.New("no disk")
	if _, err := Read([]string{"a.0.et"}, func(string) (io.ReadCloser, error) { return nil, failing }); err != failing {
		t.Error(err)
	}
}

// example is a step of data-parallel training: forward, then backward layer by layer; the gradients of a layer are reduced while
// those of the layers below are computed; the optimiser comes last.
func example() (nodes []testNode) {
	compute := func(id, micros uint64, data ...uint64) testNode {
		return testNode{ID: id, Type: chakratest.Comp, Micros: micros, Data: data, Attributes: []testAttr{chakratest.Varint("is_cpu_op", 27, 0)}}
	}
	nodes = []testNode{compute(0, 150)}
	for layer := range uint64(3) {
		backward := compute(1+2*layer, 100, max(1, 2*layer)-1)
		nodes = append(nodes, backward, chakratest.Collective(2+2*layer, chakratest.AllReduce, 2_000_000, backward.ID))
	}
	return append(nodes, compute(7, 50, 2, 4, 6))
}

func TestExample(t *testing.T) {
	if *rewrite {
		chakratest.Write(t, "../../testdata/chakra", "training", example(), example(), example(), example())
	}
	files, err := Files("../../testdata/chakra")
	want := chakratest.Trace(example()...)
	if err != nil || len(files) != 4 {
		t.Fatalf("%v, %v; go test ./workloads/chakra -run Example -rewrite", files, err)
	}
	for _, file := range files {
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the test writes: %v", file, err)
		}
	}
}

// FuzzRead: whatever the bytes, there is a line of error, or a schedule.
func FuzzRead(f *testing.F) {
	f.Add(chakratest.Trace(example()...), chakratest.Trace(example()...))
	f.Add(chakratest.Trace(testNode{Type: chakratest.Send, Attributes: chakratest.Message(8, "comm_dst", 1)}), chakratest.Trace(testNode{Type: chakratest.Recv, Attributes: chakratest.Message(8, "comm_src", 0)}))
	f.Add([]byte{}, []byte{0})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		s, err := read(a, b)
		if (s == nil) != (err != nil) || err != nil && strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("%v, %q", s, err)
		}
	})
}
