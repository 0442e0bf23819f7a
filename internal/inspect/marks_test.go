package inspect

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// A life counts the packets that arrive with a mark, not all that arrive.
func TestLifeOfMarks(t *testing.T) {
	for marks, want := range []string{"0 packets", "1 packet", "2 packets"} {
		all, arrived := recordsOf(t, mustRead(t, inText)), 0
		for i := range all {
			if p := &all[i].Packet; all[i].Event == core.EventRecv && all[i].Node == p.Dst && p.Kind == core.Data {
				if arrived++; arrived > marks {
					p.Flags &^= core.CE
				}
			}
		}
		if got, err := Life(written(t, binaryOf(t, all)), 0); err != nil || !strings.Contains(got, "  "+want+" arrived with a mark\n") {
			t.Errorf("%d marks: got %s, %v", marks, got, err)
		}
	}
}

// A packet counts as marked at the switch that marks it, not at those after it, whatever becomes of others that arrive
// with a mark.
func TestHopsOfMarks(t *testing.T) {
	var all []core.Record
	add := func(seq int64, marked bool, event core.Event) {
		p := core.Packet{Kind: core.Data, Src: 0, Dst: 2, Seq: seq, Size: 1048, Payload: 1000, SrcPort: 1, DstPort: 2}
		if marked {
			p.Flags = core.CE
		}
		all = append(all, core.Record{At: core.AtNanos(int64(len(all))), Node: 3, Event: event, Packet: p})
	}
	add(0, true, core.EventRecv) // marked before
	add(0, true, core.EventDequeue)
	add(1000, false, core.EventRecv) // marked here
	add(1000, true, core.EventDequeue)
	add(2000, false, core.EventRecv)
	add(2000, false, core.EventDequeue)
	add(3000, true, core.EventRecv)
	add(3000, true, core.EventDrop)
	add(4000, true, core.EventRecv) // and still there at the end
	got, err := Hops(written(t, binaryOf(t, all)), 0)
	if want := "       3     0     0        5        3       0       1        0       1 "; err != nil || !strings.Contains(got, want) {
		t.Errorf("got\n%s, %v, want %s", got, err, want)
	}
}

// What remains of a trimmed packet has none of its bytes: neither it nor what it has overtaken was seen before.
func TestTrimmedPacketsAreNotSeenAgain(t *testing.T) {
	var all []core.Record
	for i, seq := range []int64{0, 3000, 1000, 2000, 3000, 3000} {
		p := core.Packet{Kind: core.Data, Src: 0, Dst: 2, Seq: seq, Size: 1048, Payload: 1000, SrcPort: 1, DstPort: 2, Prio: 3}
		if i == 1 {
			p.Size, p.Payload, p.Prio = 48, 0, 0
		}
		all = append(all, core.Record{At: core.AtNanos(int64(i)), Node: 3, Event: core.EventDequeue, Packet: p})
	}
	got, err := sightings(written(t, binaryOf(t, all)))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if again := v.Packet.Flags&core.Rtx != 0; again != (i == len(all)-1) {
			t.Errorf("packet %d, from %d on: again %v", i, v.Packet.Seq, again)
		}
	}
}

// The class of a flow is that in which its source sends, also where the first of its packets in the file is what remains of
// a trimmed one, which is of class 0.
func TestLifeThatBeginsWithATrimmedPacket(t *testing.T) {
	data := core.Packet{Kind: core.Data, Src: 0, Dst: 2, SrcPort: 1, DstPort: 2, Seq: 1000, Size: 1048, Payload: 1000, Prio: 3}
	cut := data
	cut.Seq, cut.Size, cut.Payload, cut.Prio = 0, 48, 0, 0
	pause := core.Packet{Kind: core.Pause, Src: 3, Size: 64, Aux: uint64(core.NewPause(3, 0, true))}
	all := []core.Record{
		{Node: 3, Event: core.EventRecv, Packet: cut},
		{At: core.AtNanos(500), Event: core.EventRecv, Packet: pause},
		{At: core.AtNanos(1000), Event: core.EventDequeue, Packet: data},
	}
	got, err := Life(written(t, binaryOf(t, all)), 0)
	if want := "the source, 50 % of the time"; err != nil || !strings.Contains(got, want) {
		t.Errorf("got\n%s, %v, want %s", got, err, want)
	}
}
