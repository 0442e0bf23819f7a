package traces

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

func TestTopologyOfBaselines(t *testing.T) {
	for _, dir := range cases(t, "topology.txt") {
		path := filepath.Join(dir, "topology.txt")
		net, lines, err := LoadTopology(path, core.Exact)
		if err != nil {
			t.Error(err)
			continue
		}
		text := strings.Split(string(contents(t, path)), "\n")
		for i, l := range net.Links {
			words := strings.Fields(text[lines[i]-1])
			rate, _ := core.ParseRate(words[2])
			if len(words) != 5 || rate != l.Rate || l.Delay != core.Microsecond || l.Loss != 0 {
				t.Errorf("%s:%d: read as %+v", path, lines[i], l)
			}
		}
		flows, err := LoadFlows(filepath.Join(dir, "flow.txt"))
		if err != nil {
			t.Error(err)
		}
		if err := CheckFlows("flow.txt", flows, net); err != nil {
			t.Error(err)
		}
		if _, err := LoadNodes(filepath.Join(dir, "trace.txt"), len(net.Kinds)); err != nil {
			t.Error(err)
		}
	}
}

func TestTopology(t *testing.T) {
	const text = "4 2 4\n2\n3\n0 2 100Gbps 0.001ms 0.25\n2 3 40Gb/s 1500ns 0\n\n2 3 40000Mb/s 1us 0\n3 1 100000000000 0ns 0\nFirst line: nodes"
	net, lines, err := ReadTopology("t", strings.NewReader(text), core.Exact)
	if err != nil {
		t.Fatal(err)
	}
	want := []topo.Link{
		{A: 0, B: 2, Rate: 100 * core.Gbps, Delay: core.Microsecond, Loss: 0.25},
		{A: 2, B: 3, Rate: 40 * core.Gbps, Delay: 1500 * core.Nanosecond},
		{A: 2, B: 3, Rate: 40 * core.Gbps, Delay: core.Microsecond},
		{A: 3, B: 1, Rate: 100 * core.Gbps},
	}
	wantLines := []int{4, 5, 7, 8}
	for i := range want {
		if net.Links[i] != want[i] || lines[i] != wantLines[i] {
			t.Errorf("link %d: %+v on line %d", i, net.Links[i], lines[i])
		}
	}
}

func TestTopologyErrors(t *testing.T) {
	const link = " 100Gbps 1us 0\n"
	for _, test := range []struct{ text, want string }{
		{"", `t:1: the file ends where number of nodes should follow: is it complete?`},
		{"1000000000000 0 0", `t:1: number of nodes is out of range "1000000000000": write a whole number from 1 to 1048576`},
		{"2 3 0", `t:1: number of switches is out of range "3": write a whole number from 0 to 2`},
		{"3 1 1000000000000 2", `t:1: number of links is out of range "1000000000000": write a whole number from 0 to 16777216`},
		{"3 1 16777216\n2\n0 2" + link, `t:4: the file ends where link end should follow: is it complete?`},
		{"3,1,2\n2\n", `t:1: number of nodes has a comma or semicolon "3,1,2": put blanks between numbers, and write 0.5, not 0,5`},
		{"3 1 2\n2\n0 2 100Gbps 0,001ms 0\n", `t:3: link delay has a comma or semicolon "0,001ms": put blanks between numbers, and write 0.5, not 0,5`},
		{"3 1 2\n3\n", `t:2: switch id is no node "3": nodes are numbered from 0 to 2`},
		{"4 2 3\n2 2\n", `t:2: switch id given twice "2": list every switch once`},
		{"3 1 2\n2\n0 0" + link + "1 2" + link, `t:3: both ends are node 0: name two different nodes`},
		{"3 1 2\n2\n0 7" + link, `t:3: link end is no node "7": nodes are numbered from 0 to 2`},
		{"3 1 2\n2\n0 -1" + link, `t:3: link end is no node "-1": nodes are numbered from 0 to 2`},
		{"3 1 2\n2\n0 x" + link, `t:3: link end is not a whole number "x": write the number of a node`},
		{"3 1 2\n2\n0 2 100 1us 0", `t:3: link rate: "100" has no unit; write a rate such as 100Gbps, or 100bps if that is meant`},
		{"3 1 2\n2\n0 2 0Gbps 1us 0", `t:3: link rate is not above zero "0Gbps": write a rate such as 100Gbps`},
		{"3 1 2\n2\n0 2 1001Tbps 1us 0", `t:3: link rate is above 1000Tbps "1001Tbps": write a rate such as 100Gbps`},
		{"5 3 3\n2 3 4\n0 2" + link + "2 3 1000Tbps 1h 0\n1 3 1Kbps 1h 0\n", `t:4: at 1000Tbps a round trip over all 3 switches, with delays of up to 3600s, holds more than 4000000TB: lower the rate or the delays`},
		{"3 1 2\n2\n0 2 100Gbps -1us 0", `t:3: link delay is negative "-1us": write a duration such as 1us`},
		{"3 1 2\n2\n0 2 100Gbps 2h 0", `t:3: link delay is above 3600s "2h": write a duration such as 1us`},
		{"3 1 2\n2\n0 2 100Gbps 1 0", `t:3: link delay: "1" has no unit; write a duration such as 5us, 1.5ms or 2s`},
		{"3 1 2\n2\n0 2 100Gbps 1us 1.5", `t:3: link error rate is out of range "1.5": write a number from 0 to 1`},
		{"3 1 2\n2\n0 2 100Gbps 1us 0x1p-4", `t:3: link error rate is not a number "0x1p-4": write a number from 0 to 1`},
		{"3 1 2\n2\n0 2 100Gbps 1us\n1 2 100Gbps 1us\n", `t:3: link without an error rate: end the line with one, such as 0`},
		{"4 1 3\n0\n1 0 100Gbps 1us 0\n2 0 100Gbps 1us\n3 0 100Gbps 1us\n", `t:4: link without an error rate: end the line with one, such as 0`},
		{"3 1 2\n2\n0 2" + link + "1 2 100Gbps 1us", `t:4: the file ends where link error rate should follow: is it complete?`},
		{"1 1 0\n0", `t: a network needs two hosts, this one has 0: add hosts: nodes that are no switches`},
		{"2 1 1\n1\n0 1" + link, `t: a network needs two hosts, this one has 1: add hosts: nodes that are no switches`},
		{"4 1 1\n3\n0 3" + link, `t: host 0 cannot reach hosts 1, 2: add links (hosts do not forward)`},
		{"4 1 2\n3\n0 3" + link + "1 3" + link + "2 3" + link, `t: host 0 cannot reach host 2: correct the number of links: line 5 has more than the 2 that it announces`},
		{"3 0 2\n0 1" + link + "1 2" + link, `t: host 0 cannot reach host 2: add links (hosts do not forward)`},
		{"5 2 4\n3 4\n0 3" + link + "0 4" + link + "1 3" + link + "2 4" + link, `t: host 1 cannot reach host 2: add links (hosts do not forward)`},
		{"13 1 1\n1\n0 1" + link, `t: host 0 cannot reach hosts 2, 3, 4, 5, 6, 7, 8, 9 and 3 more: add links (hosts do not forward)`},
		{"2 0 1\n0 1 " + strings.Repeat("9", 65) + " 1us 0", `t:2: link rate is not a number "` + strings.Repeat("9", 48) + `"...: write a shorter one`},
		{strings.Repeat("9", 5000), `t:1: word of more than 4096 bytes "` + strings.Repeat("9", 48) + `"...: is this a text file?`},
	} {
		_, _, err := ReadTopology("t", strings.NewReader(test.text), core.Exact)
		checkError(t, err, test.want)
	}
}

// Routes number the ports of a node in 16 bits.
func TestTopologyLimitsPorts(t *testing.T) {
	for _, hosts := range []int{65535, 65536, 70000} {
		text := []byte(fmt.Sprintf("%d 1 %d\n%d\n", hosts+1, hosts, hosts))
		for h := range hosts {
			text = fmt.Appendf(text, "%d %d 100Gbps 1us 0\n", h, hosts)
		}
		_, _, err := ReadTopology("t", bytes.NewReader(text), core.Exact)
		if hosts == 65535 && err == nil {
			continue
		}
		checkError(t, err, fmt.Sprintf("t:65538: node %d has more than 65535 ports: divide its links among several nodes", hosts))
	}
}

// The error rate may be on a line of its own.
func TestTopologyOnManyLines(t *testing.T) {
	net, lines, err := ReadTopology("t", strings.NewReader("3 1 2\n2\n0 2 100Gbps 1us\n0\n1 2 100Gbps 1us\n0.5\n"), core.Exact)
	if err != nil || len(net.Links) != 2 || net.Links[1].Loss != 0.5 || lines[1] != 6 {
		t.Errorf("%+v, %v, %v", net, lines, err)
	}
}

// Hosts need no switch between them, but each pair needs a path through no third host.
func TestTopologyWithoutSwitches(t *testing.T) {
	net, _, err := ReadTopology("t", strings.NewReader("3 0 3\n0 1 1Gbps 1us 0\n1 2 1Gbps 1us 0\n2 0 1Gbps 1us 0"), core.Exact)
	if err != nil || len(net.Links) != 3 {
		t.Errorf("%+v, %v", net, err)
	}
}

func TestNodes(t *testing.T) {
	ids, err := ReadNodes("n", strings.NewReader("3\n2 0 1\n"), 3)
	if err != nil || len(ids) != 3 || ids[0] != 2 || ids[1] != 0 || ids[2] != 1 {
		t.Errorf("%v, %v", ids, err)
	}
	for _, test := range []struct{ text, want string }{
		{"", `n:1: the file ends where number of traced nodes should follow: is it complete?`},
		{"4 0 1 2 3", `n:1: number of traced nodes is out of range "4": write a whole number from 0 to 3`},
		{"2 0 3", `n:1: traced node is no node "3": nodes are numbered from 0 to 2`},
		{"2\n1\n1", `n:3: traced node given twice "1": list every node once`},
	} {
		_, err := ReadNodes("n", strings.NewReader(test.text), 3)
		checkError(t, err, test.want)
	}
}

func FuzzTopology(f *testing.F) {
	seedFiles(f, "topology.txt")
	f.Add([]byte("3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0"))
	f.Fuzz(func(t *testing.T, b []byte) {
		net, lines, err := ReadTopology("t", bytes.NewReader(b), core.Exact)
		checkOneLine(t, err, "t")
		if err != nil {
			return
		}
		if len(lines) != len(net.Links) {
			t.Errorf("%d lines for %d links", len(lines), len(net.Links))
		}
		for _, l := range net.Links {
			if int(max(l.A, l.B)) >= len(net.Kinds) || min(l.A, l.B) < 0 || l.A == l.B || l.Rate <= 0 || l.Delay < 0 {
				t.Errorf("bad link accepted: %+v", l)
			}
		}
	})
}

func FuzzNodes(f *testing.F) {
	seedFiles(f, "trace.txt")
	f.Fuzz(func(t *testing.T, b []byte) {
		ids, err := ReadNodes("n", bytes.NewReader(b), 8)
		checkOneLine(t, err, "n")
		for _, id := range ids {
			if err == nil && (id < 0 || id >= 8) {
				t.Errorf("node %d accepted", id)
			}
		}
	})
}
