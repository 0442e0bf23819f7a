package inspect

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/capture"
	"github.com/qbb-sim/qbb/traces/filter"
)

// views are the outputs that are made as a whole; those of a single flow are for flow 0.
var views = map[string]func(path string) (string, error){
	"flows":  Flows,
	"life":   func(path string) (string, error) { return Life(path, 0) },
	"hops":   func(path string) (string, error) { return Hops(path, 0) },
	"packet": func(path string) (string, error) { return Packet(path, 0, 1500) },
	"list":   list,
}

// list is a whole file as lines.
func list(path string) (string, error) {
	var b strings.Builder
	fmt.Fprintln(&b, Head)
	err := Each(path, func(v *traces.Sighting) bool {
		fmt.Fprintln(&b, Line(v))
		return true
	})
	return b.String(), err
}

func TestViews(t *testing.T) {
	binary := written(t, binaryOf(t, recordsOf(t, mustRead(t, inText))))
	for name, view := range views {
		for _, path := range []string{inText, binary} {
			got, err := view(path)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".txt", got)
		}
	}
}

// An event trace does not identify the flow of a CNM, whose source is a switch and whose ports are those of the packet
// that it answers; nor that of a datagram. Neither takes a number from the flows.
func TestFlowsOfAnEventTrace(t *testing.T) {
	all, err := sightings(inText)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		want := int64(traces.NoFlow)
		switch p := &v.Packet; p.Kind {
		case core.Data:
			want = int64(p.Src)
		case core.Ack:
			want = int64(p.Dst)
		}
		if v.Flow != want {
			t.Errorf("flow %d, want %d: %s", v.Flow, want, Line(&v))
		}
	}
}

// Every field of an expression, over the same trace.
func TestFilters(t *testing.T) {
	for expr, want := range map[string]int{
		"":                                      28,
		"time<=1us":                             2,
		"node==3":                               14,
		"node==3 && port==2":                    6,
		"event==drop":                           1,
		"kind==pfc":                             2,
		"kind==resume":                          1,
		"kind==datagram || kind==cnm":           2,
		"kind==credit":                          1,
		"flow==1":                               1,
		"flow==-1":                              5,
		"src==0 && dst==2":                      13,
		"sport==10000":                          14,
		"dport==8":                              1,
		"seq>=1KB && kind==data":                8,
		"size==548":                             1,
		"payload<1000 && kind==data":            1,
		"prio==0 && flow>=0":                    0,
		"depth>2KB":                             1,
		"ce && event==recv":                     2,
		"ece":                                   9,
		"last":                                  0,
		"rtx && event==send":                    1,
		"!(kind==data || kind==ack) && node==0": 2,
	} {
		e, err := filter.Parse(expr)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		if err := Each(inText, func(v *traces.Sighting) bool {
			if e.Match(v) {
				got++
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%q: %d, want %d", expr, got, want)
		}
	}
}

func TestEachStops(t *testing.T) {
	seen := 0
	if err := Each(inText, func(*traces.Sighting) bool { seen++; return seen < 3 }); err != nil || seen != 3 {
		t.Errorf("%d sightings, %v", seen, err)
	}
}

// A trace of a single instant, or without the source of its flow, has no rate.
func TestLifeWithoutRate(t *testing.T) {
	got, err := Life(inText, 1)
	want := "flow 1: 1 to 2, 500 message bytes in 1 packet, from 1.300000 to 1.300000 us (0.000000 us)\n\n" +
		"All that the file tells of it is of one instant: there is no rate to draw.\n"
	if err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
	all := recordsOf(t, mustRead(t, inText))
	atSwitch := slices.DeleteFunc(all, func(r core.Record) bool { return r.Node != 3 })
	if _, err = Life(written(t, binaryOf(t, atSwitch)), 0); err == nil || !strings.Contains(err.Error(), "no packet of flow 0 that leaves its source, node 0") {
		t.Errorf("at the switch alone: %v", err)
	}
}

// A line of a pause names its classes and how long it lasts.
func TestLineOfPauses(t *testing.T) {
	for w, want := range map[core.PauseWord]string{
		core.NewPause(3, 200, false) | 1<<5: "pause   class 3,5 for 200 quanta",
		core.NewPause(0, 0, true):           "pause   class 0 until resumed",
		core.NewPause(7, 0, false):          "resume  class 7",
	} {
		v := traces.Sighting{Flow: traces.NoFlow, Record: core.Record{Packet: core.Packet{Kind: core.Pause, Aux: uint64(w)}}}
		if got := Line(&v); !strings.HasSuffix(got, "  "+want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A line ends with the flags of its packet, except for the usual one.
func TestLineOfFlags(t *testing.T) {
	for flags, want := range map[core.Flags]string{
		core.ECT: "", core.ECT | core.CE | core.Rtx: "ce rtx", core.Last: "last", core.ECE: "ece", core.Trimmed: "trimmed",
	} {
		v := traces.Sighting{Record: core.Record{Depth: 7, Packet: core.Packet{Flags: flags}}}
		if _, got, _ := strings.Cut(Line(&v), " 7"); strings.TrimSpace(got) != want {
			t.Errorf("flags %b: got %q, want %q", flags, got, want)
		}
	}
}

// A pause whose resume was lost ends when its time is over, which depends on the rate of the link: a text trace has
// none. Pauses of other nodes and of other classes, those that the source asks for, and what comes after the flow count
// for nothing.
func TestLifeOfPauses(t *testing.T) {
	const quanta = 200 // of 512 bits: 1024 ns at 100 Gb/s
	paused := func(later core.Time, words ...core.PauseWord) [3]string {
		records := slices.DeleteFunc(recordsOf(t, mustRead(t, inText)), func(r core.Record) bool { return r.Packet.Kind == core.Pause })
		for i, w := range words {
			records = append(records, core.Record{At: core.AtNanos(2100).Add(core.Duration(i) * core.Duration(later)), Node: 0, Event: core.EventRecv, Packet: core.Packet{Kind: core.Pause, Src: 3, Size: 64, Aux: uint64(w)}})
		}
		for _, other := range []core.Record{
			{At: core.AtNanos(150), Node: 1, Event: core.EventRecv, Packet: core.Packet{Src: 3, Aux: uint64(core.NewPause(3, 0, true))}},
			{At: core.AtNanos(150), Node: 0, Event: core.EventRecv, Packet: core.Packet{Src: 3, Aux: uint64(core.NewPause(2, 0, true))}},
			{At: core.AtNanos(150), Node: 0, Event: core.EventDequeue, Packet: core.Packet{Src: 0, Aux: uint64(core.NewPause(3, 0, true))}},
			{At: core.AtNanos(20_000), Node: 0, Event: core.EventRecv, Packet: core.Packet{Src: 3, Aux: uint64(core.NewPause(3, 0, false))}},
		} {
			other.Packet.Kind, other.Packet.Size = core.Pause, 64
			records = append(records, other)
		}
		slices.SortStableFunc(records, func(a, b core.Record) int { return cmp.Compare(a.At, b.At) })
		var seen []traces.Sighting
		var text []byte
		for i := range records {
			flow := int64(records[i].Packet.Src)
			if records[i].Packet.Kind == core.Ack {
				flow = int64(records[i].Packet.Dst)
			}
			seen = append(seen, traces.Sighting{Record: records[i], Flow: flow})
			text = traces.AppendEventText(text, &records[i])
		}
		var shares [3]string
		for i, content := range [][]byte{binaryOf(t, records), captured(t, seen), text} {
			life, err := Life(written(t, content), 0)
			if err != nil {
				t.Fatal(err)
			}
			_, line, _ := strings.Cut(life, "the source, ")
			shares[i], _, _ = strings.Cut(line, " ")
		}
		return shares
	}
	pause, resume, forever := core.NewPause(3, quanta, false), core.NewPause(3, 0, false), core.NewPause(3, 0, true)
	ns := core.Time(core.Nanosecond)
	for name, c := range map[string]struct{ got, want [3]string }{
		"expires":        {paused(0, pause), [3]string{"10.2", "10.2", "80"}},
		"is refreshed":   {paused(500*ns, pause, pause), [3]string{"15.2", "15.2", "80"}},
		"begins again":   {paused(2000*ns, pause, pause), [3]string{"20.5", "20.5", "80"}},
		"is ended":       {paused(500*ns, pause, resume), [3]string{"5", "5", "5"}},
		"ended too late": {paused(2000*ns, pause, resume), [3]string{"10.2", "10.2", "20"}},
		"until resumed":  {paused(4000*ns, forever, resume), [3]string{"40", "40", "40"}},
		"for ever":       {paused(0, forever), [3]string{"80", "80", "80"}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v %% of the time in mix.tr, a capture and text, want %v", name, c.got, c.want)
		}
	}
}

func TestAbsent(t *testing.T) {
	for name, view := range map[string]func(path string) (string, error){
		"no packet of flow 7: see":       func(path string) (string, error) { return Life(path, 7) },
		"no packet of flow 8: see":       func(path string) (string, error) { return Hops(path, 8) },
		"no packet of flow 0 holds byte": func(path string) (string, error) { return Packet(path, 0, 2000) },
	} {
		if text, err := view(inText); err == nil || text != "" || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %q, %v", name, text, err)
		}
	}
}

// A text without lines, and a trace and a capture without packets, count as empty files.
func TestEmpty(t *testing.T) {
	for name, content := range map[string][]byte{"text": nil, "mix.tr": binaryOf(t, nil), "capture": captured(t, nil)} {
		path := written(t, content)
		for view, want := range map[string]string{"flows": "  marked\n", "list": Head + "\n"} {
			got, err := views[view](path)
			if err != nil || !strings.HasSuffix(got, want) || strings.Count(got, "\n") != 1 {
				t.Errorf("%s of an empty %s: %q, %v", view, name, got, err)
			}
		}
	}
}

// captured writes sightings as a capture of packets of 1000 B.
func captured(t *testing.T, all []traces.Sighting) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, star(), capture.Options{MTU: 1000, Snap: 96, Bytes: func(int64) int64 { return 2000 }})
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		w.Add(&all[i])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Wherever a file is cut, everything before the cut is read, and then comes an error, unless the cut is between two
// packets.
func TestCut(t *testing.T) {
	all, err := sightings(inText)
	if err != nil {
		t.Fatal(err)
	}
	var records []core.Record
	var frames []traces.Sighting
	for _, v := range all {
		records = append(records, v.Record)
		if k := v.Packet.Kind; v.Event != core.EventDrop && v.Event != core.EventEnqueue && k != core.Datagram && k != core.Credit {
			frames = append(frames, v)
		}
	}
	for name, c := range map[string]struct {
		whole  []byte
		number int
	}{"mix.tr": {binaryOf(t, records), len(records)}, "capture": {captured(t, frames), len(frames)}} {
		most, clean := 0, 0
		for n := 1; n <= len(c.whole); n++ {
			got, err := sightingsIn(c.whole[:n])
			var wrong *traces.SyntaxError
			switch {
			case err == nil:
				clean++
			case !errors.As(err, &wrong):
				t.Fatalf("%s, cut at %d: %v", name, n, err)
			}
			if len(got) < most {
				t.Fatalf("%s, cut at %d: %d packets, %d with a byte less", name, n, len(got), most)
			}
			most = len(got)
		}
		if most != c.number || clean < c.number+1 {
			t.Errorf("%s: %d packets of %d, %d cuts between packets", name, most, c.number, clean)
		}
	}
}

func TestForeign(t *testing.T) {
	for content, want := range map[string]string{
		`{"qbb": "1.0"}`:                   "is it an event trace, and complete?",
		"\xd4\xc3\xb2\xa1\x02\x00\x04\x00": "is it an event trace, and complete?",
		"\n\r\r\n\x1c\x00\x00\x00\x1a\x2b\x3c\x4d" + strings.Repeat("\x00", 16): "not a capture of qbb",
		"lan n:twelve\n":                         `not a line of an event trace: "lan n:twelve"`,
		strings.Repeat("PAR1 is not one ", 4096): "a table in Parquet: packets are in what",
		strings.Repeat("PAR0 is not one ", 4096): "is it an event trace, and complete?",
	} {
		path := written(t, []byte(content))
		for name, view := range views {
			var wrong *traces.SyntaxError
			if _, err := view(path); !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %.12q: %v, want %s", name, content, err, want)
			}
		}
	}
	var short bytes.Buffer
	z := gzip.NewWriter(&short)
	z.Write([]byte("what is compressed"))
	if err := z.Flush(); err != nil {
		t.Fatal(err)
	}
	cut := written(t, short.Bytes())
	if _, err := open(cut); err == nil || err.Error() != cut+": cannot read: unexpected EOF" {
		t.Errorf("a file that is cut: %v", err)
	}
	if _, err := open("testdata/absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// Offsets of 32 bits, and sequence numbers of 24, wrap in long flows: that does not count as a
// retransmission.
func TestLongFlows(t *testing.T) {
	for name, c := range map[string]struct {
		period int64
		file   func(all []traces.Sighting) []byte
	}{
		"mix.tr": {traces.EventPeriod, func(all []traces.Sighting) []byte {
			var records []core.Record
			for _, v := range all {
				records = append(records, v.Record)
			}
			return binaryOf(t, records)
		}},
		"capture": {1000 << 24, func(all []traces.Sighting) []byte { return captured(t, all) }},
	} {
		first := c.period/1000*1000 - 5000
		var all []traces.Sighting
		add := func(kind core.Kind, seq int64) {
			p := core.Packet{Kind: kind, Src: 0, Dst: 2, Seq: seq, Size: 1048, Payload: 1000, SrcPort: 1, DstPort: 2, Prio: 3}
			if kind != core.Data {
				p.Src, p.Dst, p.SrcPort, p.DstPort, p.Size, p.Payload = 2, 0, 2, 1, 70, 0
			}
			all = append(all, traces.Sighting{Record: core.Record{At: core.AtNanos(int64(len(all))), Node: 0, Event: core.EventDequeue, Packet: p}})
		}
		var want []int64
		for i := range int64(10) {
			add(core.Data, first+1000*i)
			add(core.Ack, first+1000*i-2000)
			want = append(want, first+1000*i, first+1000*i-2000)
		}
		add(core.Data, first+1000) // sent again, from before the wrap
		want = append(want, first+1000)
		got, err := sightings(written(t, c.file(all)))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if again := v.Packet.Flags&core.Rtx != 0; v.Packet.Seq != want[i] || again != (i == len(want)-1) {
				t.Errorf("%s: packet %d at %d, again %v; want %d", name, i, v.Packet.Seq, again, want[i])
			}
		}
	}
}

// A binary event trace is not taken for text because of a number in it that looks like a part of a line, such as a rate of
// 3829280 bit/s.
func TestBinaryThatLooksLikeText(t *testing.T) {
	head := binary.LittleEndian.AppendUint32(nil, 1)
	head = append(head, 0, 0, 1) // node 0, port 1
	head = binary.LittleEndian.AppendUint64(head, 0x3a6e20)
	head = binary.LittleEndian.AppendUint32(head, 0)
	if !bytes.Contains(head, []byte(" n:")) {
		t.Fatalf("%q", head)
	}
	if got, err := list(written(t, head)); err != nil || got != Head+"\n" {
		t.Errorf("%q, %v", got, err)
	}
}
