package traces

import (
	"bufio"
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

func TestFCTTextRoundTrip(t *testing.T) {
	for _, dir := range cases(t, "fct.txt") {
		path := filepath.Join(dir, "fct.txt")
		rows, err := load(path, ReadFCT)
		if err != nil {
			t.Error(err)
			continue
		}
		var out []byte
		for i := range rows {
			out = AppendFCT(out, &rows[i])
		}
		if !bytes.Equal(out, contents(t, path)) {
			t.Errorf("%s is not written as it was read", path)
		}
	}
}

func TestFCTErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"0b000001 0b000401 10000 100 200000 2000000000 32890", `x:1: the file ends where standalone completion time should follow: is it complete?`},
		{"0b000002 0b000401 1 1 1 1 1 1", `x:1: source address is no node's "0b000002": addresses are 0b000001 and up, eight hexadecimal digits`},
		{"0b000001 host1 1 1 1 1 1 1", `x:1: destination address is no node's "host1": addresses are 0b000001 and up, eight hexadecimal digits`},
		{"PAR1\x15\xff", `x:1: Parquet cannot be read here: write text or, where Parquet is taken, leave it as it is: Parquet compresses by itself`},
		{"0b000001 0b000401 1 1 1 1 0 1", `x:1: completion time is out of range "0": write a whole number from 1 to 9000000000000000`},
	} {
		_, err := ReadFCT("x", strings.NewReader(test.text))
		checkError(t, err, test.want)
	}
}

func TestNodeOfInvertsAddress(t *testing.T) {
	for id := core.NodeID(0); id < maxNodes; id++ {
		if got, ok := NodeAt(core.Address(id)); !ok || got != id {
			t.Fatalf("node %d comes back as %d, %t", id, got, ok)
		}
	}
}

func TestPFCTextRoundTrip(t *testing.T) {
	for _, dir := range cases(t, "pfc.txt") {
		want := contents(t, filepath.Join(dir, "pfc.txt"))
		net, _, err := LoadTopology(filepath.Join(dir, "topology.txt"), core.FixedPointNanos)
		if err != nil {
			t.Fatal(err)
		}
		var out []byte
		for line := range strings.Lines(string(want)) {
			v := numbers(t, line)
			r := PFCRow{TimeNs: float64(v[0]), Node: core.NodeID(v[1]), NodeKind: KindName(topo.Kind(v[2])), Port: int32(v[3] - 1), Event: []string{EventResume, EventPause}[v[4]]}
			if r.NodeKind != KindName(net.Kinds[r.Node]) {
				t.Errorf("%s: node %d is a %s", dir, r.Node, r.NodeKind)
			}
			out = AppendPFC(out, &r)
		}
		if !bytes.Equal(out, want) {
			t.Errorf("%s: pfc.txt is not written as it was read", dir)
		}
	}
}

// Nodes are 0 for hosts and 1 for switches, frames 1 for pauses and 0 for resumes, ports count from 1.
func TestPFCText(t *testing.T) {
	for want, r := range map[string]PFCRow{
		"5 16 1 4 1\n": {TimeNs: 5.9, Node: 16, NodeKind: KindSwitch, Port: 3, Event: EventPause},
		"0 2 0 1 0\n":  {Node: 2, NodeKind: KindHost, Event: EventResume},
	} {
		if got := string(AppendPFC(nil, &r)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestQueueTextRoundTrip(t *testing.T) {
	for _, dir := range cases(t, "qlen.txt") {
		want := contents(t, filepath.Join(dir, "qlen.txt"))
		var out []byte
		var ports []QueueHist
		now := core.Never
		in := bufio.NewScanner(bytes.NewReader(want))
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			if text, ok := strings.CutPrefix(in.Text(), "time: "); ok {
				if now != core.Never {
					out = AppendQueues(out, now, ports)
				}
				now, ports = core.AtNanos(numbers(t, text)[0]), nil
				continue
			}
			v := numbers(t, in.Text())
			h := QueueHist{Node: core.NodeID(v[0]), Port: int32(v[1] - 1)}
			for _, n := range v[2:] {
				h.Counts = append(h.Counts, uint64(n))
			}
			ports = append(ports, h)
		}
		if out = AppendQueues(out, now, ports); !bytes.Equal(out, want) {
			t.Errorf("%s: qlen.txt is not written as it was read", dir)
		}
	}
}

func numbers(t *testing.T, line string) (v []int64) {
	t.Helper()
	for _, w := range strings.Fields(line) {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		v = append(v, n)
	}
	return v
}

func TestQueueCDF(t *testing.T) {
	ports := []QueueHist{{Node: 4, Port: 1, Counts: []uint64{6, 0, 2}}, {Node: 5, Port: 0, Counts: []uint64{8}}}
	all := SumQueues(ports)
	rows := AppendQueueCDF(AppendQueueCDF(nil, &ports[0], QueueBin), &all, QueueBin)
	want := []QueueCDFRow{
		{4, 1, 1000, 6, 0.75}, {4, 1, 3000, 2, 1},
		{-1, -1, 1000, 14, 0.875}, {-1, -1, 3000, 2, 1},
	}
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for i := range want {
		if rows[i] != want[i] {
			t.Errorf("row %d: %+v, want %+v", i, rows[i], want[i])
		}
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	fct, pfc := FCTRow{SizeBytes: 1e6, StartNs: 2e9}, PFCRow{TimeNs: 2e9, Event: EventPause}
	queues := []QueueHist{{Counts: []uint64{1, 2, 3}}}
	event := core.Record{At: core.AtNanos(2e9)}
	encoder := EventEncoder{kinds: []topo.Kind{topo.Host}}
	buffer := make([]byte, 0, 1024)
	for name, f := range map[string]func(){
		"fct":        func() { buffer = AppendFCT(buffer[:0], &fct) },
		"pfc":        func() { buffer = AppendPFC(buffer[:0], &pfc) },
		"queues":     func() { buffer = AppendQueues(buffer[:0], 0, queues) },
		"event":      func() { buffer = encoder.Append(buffer[:0], &event) },
		"event text": func() { buffer = AppendEventText(buffer[:0], &event) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %g allocations a line", name, n)
		}
	}
}

// The text that an error repeats is cut between letters; 48 bytes are not cut.
func TestExcerpt(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("x", 48): `"` + strings.Repeat("x", 48) + `"`, strings.Repeat("x", 49): `"` + strings.Repeat("x", 48) + `"...`,
		"x" + strings.Repeat("é", 30): `"x` + strings.Repeat("é", 23) + `"...`, strings.Repeat("\xff", 49): `"` + strings.Repeat(`\xff`, 48) + `"...`,
	} {
		if got := Excerpt(text, 48); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func FuzzFCT(f *testing.F) {
	seedFiles(f, "fct.txt")
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := ReadFCT("x", bytes.NewReader(b))
		checkOneLine(t, err, "x")
		var out []byte
		for i := range rows {
			out = AppendFCT(out, &rows[i])
		}
		again, err := ReadFCT("x", bytes.NewReader(out))
		if err != nil || len(again) != len(rows) {
			t.Fatalf("%d rows come back as %d: %v", len(rows), len(again), err)
		}
		for i := range rows {
			if rows[i] != again[i] {
				t.Errorf("row %d: %+v comes back as %+v", i, rows[i], again[i])
			}
		}
	})
}
