package traces

import (
	"bytes"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// eventText returns a reader of a trace in its text form.
func eventText(text []byte) *EventTextReader { return NewEventTextReader("x", bytes.NewReader(text)) }

// The text of a trace has the same content as its binary form.
func TestEventTextReader(t *testing.T) {
	for _, dir := range cases(t, "mix.tr.gz") {
		_, want := readEvents(t, dir, bytes.NewReader(contents(t, filepath.Join(dir, "mix.tr.gz"))))
		r := eventText(contents(t, filepath.Join(dir, "events.txt.gz")))
		for i := range want {
			got, err := r.Next()
			if err != nil || !reflect.DeepEqual(got, want[i]) {
				t.Fatalf("%s: record %d: %v\n got %+v\nwant %+v", dir, i, err, got, want[i])
			}
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: at the end: %v", dir, err)
		}
	}
}

// Every kind of packet that a trace can hold has a text, which reads as that kind.
func TestEventTextKinds(t *testing.T) {
	for kind := core.Data; kind <= core.ConWeave; kind++ {
		line := AppendEventText(nil, &core.Record{Packet: core.Packet{Kind: kind, Size: 64}})
		if r, err := eventText(line).Next(); err != nil || r.Packet.Kind != kind {
			t.Errorf("%v: %q reads as %v, %v", kind, line, r.Packet.Kind, err)
		}
	}
}

// So do congestion marks: of any packet for its own, of an ACK for its packet's.
func TestEventTextMarks(t *testing.T) {
	for kind, flags := range map[core.Kind][]core.Flags{core.Data: {0, core.CE}, core.Ack: {0, core.CE, core.ECE, core.CE | core.ECE}} {
		for _, want := range flags {
			line := AppendEventText(nil, &core.Record{Packet: core.Packet{Kind: kind, Flags: want, Size: 64}})
			if r, err := eventText(line).Next(); err != nil || r.Packet.Flags != want {
				t.Errorf("%v: %q reads with flags %b, want %b, %v", kind, line, r.Packet.Flags, want, err)
			}
		}
	}
}

func TestEventTextErrors(t *testing.T) {
	const good = "5 n:2 2:255 1048576 Drop ecn:3 0b000001 0b000101 10000 100 U 1073741824 4 3 60(12)"
	changes := [][2]string{
		{"5 n", "x n"}, {"n:2", "m:2"}, {" 2:", " 0:"}, {" 2:255", " 2"}, {" 2:255", " 2:256"}, {"Drop", "Dorp"}, {"ecn:3", "ecn:4"},
		{"0b000001", "0b0000zz"}, {"0b000001", "0b000002"}, {" U ", " X "}, {"60(12)", "60"}, {"60(12)", "60(12) 1"}, {" 100 U", " 65536 U"},
		{"0b000001", "10b000001"}, {" 4 3 60", " 4 256 60"}, {"60(12)", "2147483648(12)"}, {"60(12)", "60(12"}, {" 2:255", " 2:25)"}, {"n:2", "n:2147483648"},
		{"U 1073741824 4 3 60(12)", "A 0x01 256 5 4 60"}, {"U 1073741824 4 3 60(12)", "A 0x100 3 5 4 60"}, {"U 1073741824 4 3 60(12)", "P 1ffff08 60"},
	}
	for at, c := range good {
		if c == ' ' {
			changes = append(changes, [2]string{good[at:], ""}) // the rest is missing
		}
	}
	for _, change := range changes {
		r := eventText([]byte(good + "\n" + strings.Replace(good, change[0], change[1], 1)))
		if _, err := r.Next(); err != nil {
			t.Fatalf("the first line: %v", err)
		}
		_, err := r.Next()
		checkOneLine(t, err, "x:2")
		if err == nil {
			t.Errorf("%v is accepted", change)
		}
	}
}

// A line that is read is written back the same, except for leading zeros and white space.
func FuzzEventText(f *testing.F) {
	f.Add("5 n:2 2:3 1048576 Drop ecn:3 0b000001 0b000101 10000 100 U 1073741824 4 3 60(12)")
	f.Add("5 n:2 2:3 0 Recv ecn:0 0b000001 0b000101 10000 100 A 0x01 3 1073741824 4 60")
	f.Add("5 n:2 2:3 0 Recv ecn:0 0b000001 0b000101 10000 100 P 0x1ffff08 60")
	f.Fuzz(func(t *testing.T, line string) {
		r, err := NewEventTextReader("x", strings.NewReader(line)).Next()
		if err != nil {
			return
		}
		text := AppendEventText(nil, &r)
		again, err := eventText(text).Next()
		if err != nil || !reflect.DeepEqual(r, again) {
			t.Errorf("%q is written as %q, which reads as %+v, %v", line, text, again, err)
		}
	})
}
