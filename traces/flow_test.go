package traces

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// The starts in fct.txt are those of flow.txt, in the reference's arithmetic.
func TestFlowsOfBaselines(t *testing.T) {
	for _, dir := range cases(t, "fct.txt") {
		flows, err := LoadFlows(filepath.Join(dir, "flow.txt"))
		if err != nil {
			t.Error(err)
			continue
		}
		rows, err := load(filepath.Join(dir, "fct.txt"), ReadFCT)
		if err != nil {
			t.Error(err)
			continue
		}
		type key struct {
			src, dst core.NodeID
			port     int32
			size     int64
			start    int64
		}
		sent := make(map[key]int)
		for _, f := range flows {
			sent[key{f.Src, f.Dst, int32(f.DstPort), int64(f.Bytes), f.StartNanos}]++
		}
		for _, r := range rows {
			k := key{r.Src, r.Dst, r.DstPort, r.SizeBytes, int64(r.StartNs)}
			if sent[k]--; sent[k] < 0 {
				t.Errorf("%s: no flow of flow.txt is %+v", dir, k)
			}
		}
	}
}

func TestFlowStart(t *testing.T) {
	for _, test := range []struct {
		text  string
		start core.Time
		nanos int64
	}{
		{"2.000000000", 2_000_000_000_000, 2_000_000_000},
		{"2.000010000", 2_000_010_000_000, 2_000_010_000},
		{"0.000000003", 3_000, 2},
		{"0.000000001", 1_000, 0},
		{"0.1", 100_000_000_000, 100_000_000},
		{"2.0000000000014", 2_000_000_000_001, 2_000_000_000},
		{"2.0000000000015", 2_000_000_000_002, 2_000_000_000},
		{".5", 500_000_000_000, 500_000_000},
		{"1e-6", 1_000_000, 999},
		{"2.0000000000019e0", 2_000_000_000_002, 2_000_000_000},
	} {
		at, nanos, problem := parseSeconds(test.text)
		if problem != "" || at != test.start || nanos != test.nanos {
			t.Errorf("%s: %d ps, %d ns, %s", test.text, at, nanos, problem)
		}
	}
}

// Starts in nanoseconds are rounded to the nearest picosecond, up to the latest one; a text that is not a number is refused.
func TestFlowStartInNanos(t *testing.T) {
	read := func(start string) ([]Flow, error) {
		return ReadFlows("f", strings.NewReader("src,dst,bytes,start_ns\n0,1,5,"+start+"\n"))
	}
	for text, want := range map[string]core.Time{
		"0": 0, "1500": 1_500_000, ".5": 500, "5.": 5000, "1500.2504999": 1_500_250, "1500.2509": 1_500_251, "899.9999999999999": 900_000, "1e3": 1_000_000, "0.0004": 0, "0.0005": 1, "5e-4": 1,
		"4.9e-4": 0, "9e-5": 0, "19e-4": 2, "+.0019": 2, ".00095": 1, "15002509E-4": 1_500_251, "150025049E-5": 1_500_250, "15002509e-9": 15, "155e-4": 16,
		"9000000000000000.0004": LatestStart, "-0": 0, "-0e5": 0, "0e999999999999999999999": 0, "5e-99999999999999999999": 0, ".5e1": 5000, "5.e-1": 500,
		"9007199254740993e-3": 9_007_199_254_740_993, "0." + strings.Repeat("0", 500) + "15e501": 1500, "15" + strings.Repeat("0", 500) + "e-501": 1500,
		"9000000000000000": LatestStart, "9e15": LatestStart,
	} {
		if flows, err := read(text); err != nil || flows[0].Start != want || flows[0].StartNanos != want.Nanos() {
			t.Errorf("%s: %+v, %v, want %d ps", text, flows, err, want)
		}
	}
	for text, problem := range map[string]string{
		"": "is not a number", ".": "is not a number", "1..5": "is not a number", "1.5.": "is not a number", "soon": "is not a number", "nan": "is not a number",
		"0x1p-20": "is not a number", "0X10": "is not a number", "1_000": "is not a number", "1e": "is not a number", "e1": "is not a number", "1e1.5": "is not a number",
		"-1e-3": "is negative",
		"-1":    "is negative", "-inf": "is negative", "inf": tooLate, "1e400": tooLate, "9000000000000000.001": tooLate, "9000000000000000.0005": tooLate, "9.1e15": tooLate, "9300000000000000": tooLate,
		"18446744073709551616": tooLate, // 2^64
	} {
		if _, err := read(text); err == nil || !strings.HasPrefix(err.Error(), "f:2: start_ns "+problem) {
			t.Errorf("%q: %v, want that it %s", text, err, problem)
		}
	}
}

// Texts have up to 256 characters, of any script.
func TestLongTags(t *testing.T) {
	for n, want := range map[int]string{256: "", 257: "f:2: tag is too long or has control characters"} {
		for _, letter := range []string{"x", "é", "種"} {
			flows, err := ReadFlows("f", strings.NewReader("src,dst,bytes,start_ns,tag\n0,1,5,0,"+strings.Repeat(letter, n)))
			if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) || err == nil && flows[0].Tag != strings.Repeat(letter, n) {
				t.Errorf("%d times %s: %v", n, letter, err)
			}
		}
	}
}

func TestFlowFormats(t *testing.T) {
	want := []Flow{
		{Src: 0, Dst: 4, Prio: 3, DstPort: 100, Bytes: 2000, Start: 1_500_000, StartNanos: 1500, Tag: "a, \"b\"", Scheme: "hpcc"},
		{Src: 1, Dst: 4, Prio: 5, DstPort: 7, Bytes: 1, Start: 1_500_250, StartNanos: 1500, SrcPort: 9},
		{Src: 4, Dst: 0, Prio: 3, DstPort: 100, Bytes: 5, Start: 0, StartNanos: 0, After: []int32{1}},
	}
	const csv = "\ufefftag,src,dst,bytes,start_ns,prio,dst_port,src_port,scheme,after\r\n" +
		"\"a, \"\"b\"\"\", 0, 4, 2000, 1500,,,,hpcc,\r\n\r\n" +
		",1,4,1,1500.25,5,7,9,,\n" +
		",4,0,5,0,,,,,1"
	for _, text := range []string{csv, gzipped(csv), zstded(csv)} {
		flows, err := ReadFlows("f", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		checkFlows(t, flows, want, []int32{2, 4, 5})
	}
}

// The starts of a flow table in any order are read as they are; flows wait for earlier ones.
func TestFlowsInAnyOrder(t *testing.T) {
	const head = "src,dst,bytes,start_ns,after\n"
	flows, err := ReadFlowTable("f", strings.NewReader(head+"0,1,2,5,\n1,2,3,0,\n2,0,4,1,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	checkFlows(t, flows, []Flow{
		{Src: 0, Dst: 1, Prio: 3, DstPort: 100, Bytes: 2, Start: 5000, StartNanos: 5},
		{Src: 1, Dst: 2, Prio: 3, DstPort: 100, Bytes: 3},
		{Src: 2, Dst: 0, Prio: 3, DstPort: 100, Bytes: 4, Start: 1000, StartNanos: 1, After: []int32{1}},
	}, []int32{2, 3, 4})
	for text, want := range map[string]string{
		head + "0,1,2,5,1\n1,2,3,0,\n": `f:2: after is not an earlier flow "1": flows are numbered from 0 in their order`,
		"1\n0 1 3 100 5 2.0\n":         `f:1: unknown column "1": known are src`,
	} {
		if _, err := ReadFlowTable("f", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// A column with empty cells from pandas has floating-point numbers.
func TestFlowsOfPandas(t *testing.T) {
	flows, err := ReadFlows("f", strings.NewReader("src,dst,bytes,start_ns,after,prio\n0.0,1,1000000.0,0.0,,\n1,2,1000.0,0.5,0.0,4.0\n"))
	if err != nil {
		t.Fatal(err)
	}
	checkFlows(t, flows, []Flow{
		{Src: 0, Dst: 1, Prio: 3, DstPort: 100, Bytes: 1_000_000},
		{Src: 1, Dst: 2, Prio: 4, DstPort: 100, Bytes: 1000, Start: 500, After: []int32{0}},
	}, []int32{2, 3})
}

func checkFlows(t *testing.T, got, want []Flow, lines []int32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d flows, want %d", len(got), len(want))
	}
	for i := range want {
		w := want[i]
		w.Line = lines[i]
		if !reflect.DeepEqual(got[i], w) {
			t.Errorf("flow %d\n got %+v\nwant %+v", i, got[i], w)
		}
	}
}

func TestFlowErrors(t *testing.T) {
	const head = "src,dst,bytes,start_s\n"
	for _, test := range []struct{ text, want string }{
		{"", `f:1: the file ends where number of flows should follow: is it complete?`},
		{"1000000000000", `f:1: number of flows is out of range "1000000000000": write a whole number from 0 to 268435456`},
		{"2\n0 1 3 100 5 2.0", `f:2: the file ends where source should follow: is it complete?`},
		{"0 1 3 100 5 2.0\n0 1 3 100 5 2.0", `f:1: the number of flows does not stand alone: begin the file with a line that holds it and nothing else`},
		{"2\n0 1 3 100 5 2.0\n0 1 3 100 5 1.9", `f:3: starts before the flow above it: "1900ms": sort the flows by start`},
		{"1\n1 1 3 100 5 2.0", `f:2: flow from a host to itself "1": name two different hosts`},
		{"1\n0 1 0 100 5 2.0", `f:2: priority group is out of range "0": write a whole number from 1 to 7`},
		{"1\n0 1 8 100 5 2.0", `f:2: priority group is out of range "8": write a whole number from 1 to 7`},
		{"1\n0 1 3 65536 5 2.0", `f:2: destination port is out of range "65536": write a whole number from 0 to 65535`},
		{"1\n0 1 3 100 0 2.0", `f:2: size in bytes is out of range "0": write a whole number from 1 to 1125899906842624`},
		{"1\n0 1 3 100 -5 2.0", `f:2: size in bytes is out of range "-5": write a whole number from 1 to 1125899906842624`},
		{"1\n0 1 3 100 99999999999999999999 2.0", `f:2: size in bytes is out of range "99999999999999999999": write a whole number from 1 to 1125899906842624`},
		{"1\n0 1 3 100 1.5 2.0", `f:2: size in bytes is not a whole number "1.5": write a whole number from 1 to 1125899906842624`},
		{"1\n0;1;3;100;5;2.0", `f:2: source has a comma or semicolon "0;1;3;100;5;2.0": put blanks between numbers, and write 0.5, not 0,5`},
		{"1\n0 1 3 100 5 soon", `f:2: start is not a number "soon": write seconds such as 2.000001`},
		{"1\n0 1 3 100 5 0x1p-20", `f:2: start is not a number "0x1p-20": write seconds such as 2.000001`},
		{"1\n0 1 3 100 5 -1", `f:2: start is negative "-1": write seconds such as 2.000001`},
		{"1\n0 1 3 100 5 1e12", `f:2: start is after 9000000 s "1e12": write seconds such as 2.000001`},
		{"1\n0 1 3 100 5 99999999", `f:2: start is after 9000000 s "99999999": write seconds such as 2.000001`},
		{"1\n0 1 3 100 5 99999999999999999999", `f:2: start is after 9000000 s "99999999999999999999": write seconds such as 2.000001`},
		{"1\n0 1 3 100 5 999999999", `f:2: start is after 9000000 s "999999999": write seconds such as 2.000001`},
		{"1\n0 1 3 100 5 1..5", `f:2: start is not a number "1..5": write seconds such as 2.000001`},
		{"1\n0 1 3 100 5 .", `f:2: start is not a number ".": write seconds such as 2.000001`},
		{"src,dst,start_s", `f:1: no column "bytes": a flow table has src,dst,bytes and start_ns or start_s`},
		{"src;dst;bytes;start_s", `f:1: a single column "src;dst;bytes;start_s": separate columns by commas`},
		{"# of the testbed\n1\n0 1 3 100 5 2.0\n", `f:1: a comment "# of the testbed": files of flows have none: remove it`},
		{"flow_id,src,dst,size_bytes,start_ns,fct_ns\n", `f:1: a table of results "flow_id": write flows, as qbb gen traffic does with the flags of that run`},
		{"#src,dst,bytes,start_s", `f:1: unknown column "#src": did you mean src?`},
		{"3,5,1000,0\n", `f:1: no line with the names of the columns: begin a CSV file with one, such as src,dst,bytes,start_ns`},
		{"0 1 3 100 5 2.0\n", `f:1: the number of flows does not stand alone: begin the file with a line that holds it and nothing else`},
		{"srcs", `f:1: unknown column "srcs": did you mean src?`},
		{"src,dst,size,start_s", `f:1: unknown column "size": known are src, dst, bytes, start_ns, start_s, prio, src_port, dst_port, tag, scheme, after`},
		{"s rc,dst", `f:1: unknown column "s rc": did you mean src?`},
		{",src,dst,bytes,start_s", `f:1: a column without a name: leave it out, as pandas does with index=False`},
		{"src,dst,byte,start_s", `f:1: unknown column "byte": did you mean bytes?`},
		{"src,dst,bytes,src,start_s", `f:1: column given twice "src": remove one`},
		{"src,dst,bytes", `f:1: need one of the columns start_ns and start_s "src,dst,bytes": give the start once`},
		{"src,dst,bytes,start_s,start_ns", `f:1: need one of the columns start_ns and start_s "src,dst,bytes,start_s,start_ns": give the start once`},
		{head + "0,1,5", `f:2: 3 cells under 4 columns "0,1,5": give every row a cell for each column`},
		{head + "0,1,x,1", `f:2: bytes is not a whole number "x": write a whole number from 1 to 1125899906842624`},
		{head + "1048576,1,5,1", `f:2: src is out of range "1048576": write a whole number from 0 to 1048575`},
		{head + "0,1048576,5,1", `f:2: dst is out of range "1048576": write a whole number from 0 to 1048575`},
		{"src,dst,bytes,start_s,prio\n0,1,5,0,0", `f:2: prio is out of range "0": write a whole number from 1 to 7`},
		{"src,dst,bytes,start_s,src_port\n0,1,5,0,65536", `f:2: src_port is out of range "65536": write a whole number from 0 to 65535`},
		{head + "0,1,5,", `f:2: start_s is not a number: write seconds such as 2.000001`},
		{head + "0,1,5,1\n0,0,5,1", `f:3: flow from a host to itself "0": name two different hosts`},
		{head + "0,1,5,1\n0,1,5,0.9", `f:3: starts before the flow above it: "900ms": sort the flows by start`},
		{head + `0,1,5,"1`, `f:2: unbalanced quotes "0,1,5,\"1": close every quote on its line`},
		{head + `0,1,5,"1"2`, `f:2: unbalanced quotes "0,1,5,\"1\"2": close every quote on its line`},
		{"src,dst,bytes,start_s,after\n0,1,5,0,0", `f:2: after is not an earlier flow "0": flows are numbered from 0 in their order`},
		{"src,dst,bytes,start_s,after\n0,1,5,0,\n0,1,5,0,0 1\n", `f:3: after is not an earlier flow "1": flows are numbered from 0 in their order`},
		{"src,dst,bytes,start_s,after\n0,1,5,0,\n0,1,5,0,0 0\n", `f:3: after names a flow twice "0 0": write each number once`},
		{"src,dst,bytes,start_s,after\n0,1,5,0,\n0,1,5,0,\n0,1,5,0,1 0 1\n", `f:4: after names a flow twice "1 0 1": write each number once`},
		{"src,dst,bytes,start_s,after\n0,1,5,0,\n0,1,5,0,0;1\n", `f:3: after is not a whole number "0;1": write numbers of flows, with blanks between them`},
		{"\n \n,", `f:3: a column without a name: leave it out, as pandas does with index=False`},
		{"\f\n", `f:2: empty flow file: write a header such as src,dst,bytes,start_ns`},
		{" \n", `f:2: the file ends where number of flows should follow: is it complete?`},
		{"src,dst,bytes,start_s,tag\n0,1,5,0,\x01", `f:2: tag is too long or has control characters "\x01": write at most 256 printable characters`},
		{"src,dst,bytes,start_s,tag\n0,1,5,0,\xff", `f:2: not UTF-8 text "0,1,5,0,\xff": save the file as UTF-8`},
		{"PAR1", `f:1: Parquet cannot be read here: expand the file if it is compressed, else write CSV`},
		{gzipped("PAR1"), `f:1: Parquet cannot be read here: expand the file if it is compressed, else write CSV`},
		{"src" + strings.Repeat(" ", 1<<20), `f:1: line of more than 1 MiB "src` + strings.Repeat(" ", 45) + `"...: is this a CSV file?`},
	} {
		_, err := ReadFlows("f", strings.NewReader(test.text))
		checkError(t, err, test.want)
	}
}

// The number of flows may be on the line of the first flow. Flows know their lines.
func TestFlowsOnLines(t *testing.T) {
	flows, err := ReadFlows("f", strings.NewReader("2 0 1 3 100 5 2.0\n\n0 1 3\n100 5 2.0"))
	if err != nil || len(flows) != 2 || flows[0].Line != 1 || flows[1].Line != 4 {
		t.Errorf("%+v, %v", flows, err)
	}
}

// What no file holds meets the demands of a file.
func TestCheckFlow(t *testing.T) {
	for _, test := range []struct {
		flow Flow
		want string
	}{
		{Flow{Src: 1, Dst: 1}, `x: flow from a host to itself "1": name two different hosts`},
		{Flow{Dst: 1, After: []int32{0, 2}}, `x: after is not an earlier flow "2": flows are numbered from 0 in their order`},
		{Flow{Dst: 1, After: []int32{1, 0, 1}}, `x: after names a flow twice "1 0 1": write each number once`},
		{Flow{Dst: 1, Tag: "a\nb"}, `x: tag is too long or has control characters "a\nb": write at most 256 printable characters`},
		{Flow{Dst: 1, Scheme: "\xff"}, `x: scheme is not UTF-8 text "\xff": write it as UTF-8`},
	} {
		checkError(t, CheckFlow("x", &test.flow, 2), test.want)
	}
	if err := CheckFlow("x", &Flow{Dst: 1, After: []int32{1, 0}, Tag: "a", Scheme: "hpcc"}, 2); err != nil {
		t.Error(err)
	}
}

func TestCheckFlows(t *testing.T) {
	net := &topo.Topology{Kinds: []topo.Kind{topo.Host, topo.Host, topo.Switch}}
	for _, test := range []struct {
		flow Flow
		want string
	}{
		{Flow{Src: 0, Dst: 2, Line: 7}, `f:7: flow end is a switch: "2": flows run between hosts; the network has 2 hosts, the first is 0, the last 1`},
		{Flow{Src: 3, Dst: 1, Line: 8}, `f:8: flow end is no node "3": nodes are numbered from 0 to 2; the network has 2 hosts, the first is 0, the last 1`},
	} {
		checkError(t, CheckFlows("f", []Flow{{Src: 0, Dst: 1}, test.flow}, net), test.want)
	}
	net.Kinds[0] = topo.Switch
	for last, want := range map[topo.Kind]string{topo.Host: "the network has 1 host, 1", topo.Switch: "the network has no hosts"} {
		net.Kinds[1] = last
		checkError(t, CheckFlows("f", []Flow{{Src: 0, Dst: 1, Line: 1}}, net), `f:1: flow end is a switch: "0": flows run between hosts; `+want)
	}
}

func FuzzFlows(f *testing.F) {
	seedFiles(f, "flow.txt")
	f.Add([]byte("src,dst,bytes,start_ns,tag,after\n0,1,5,0.5,\"a\"\"b\",\n1,0,5,7,,0\n"))
	f.Add([]byte(zstded("1\n0 1 3 100 5 2.0")))
	f.Fuzz(func(t *testing.T, b []byte) {
		flows, err := ReadFlows("f", bytes.NewReader(b))
		checkOneLine(t, err, "f")
		for i, fl := range flows {
			if fl.Src == fl.Dst || fl.Bytes <= 0 || fl.Prio < 1 || fl.Prio > 7 || fl.Start < 0 || fl.StartNanos < 0 || len(fl.After) > 0 && int(slices.Max(fl.After)) >= i {
				t.Errorf("bad flow accepted: %+v", fl)
			}
		}
		again, err := ReadFlows("f", bytes.NewReader(AppendFlowTable(nil, flows)))
		if err != nil || !slices.EqualFunc(again, flows, sameFlow) {
			t.Errorf("%+v become %+v, %v", flows, again, err)
		}
	})
}

func ExampleReadFlows() {
	flows, err := ReadFlows("flows.csv", strings.NewReader("src,dst,bytes,start_ns\n0,1,1000,5\n"))
	fmt.Println(flows[0].Src, flows[0].Dst, flows[0].Bytes, flows[0].Start, err)
	// Output: 0 1 1KB 5ns <nil>
}
