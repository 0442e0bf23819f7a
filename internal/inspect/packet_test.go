package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Acknowledgements are cumulative: that of a packet is the first that covers it, whatever more it covers.
func TestAcknowledgementOfAPacket(t *testing.T) {
	for name, c := range map[string]struct {
		seen   string // kinds and offsets, in order; each packet is seen at the source, the switch and the destination
		offset int64
		want   string // of them, those that are followed
	}{
		"at once":         {"data 0, ack 1000, data 1000, ack 2000", 0, "data 0, ack 1000"},
		"delayed":         {"data 0, data 1000, data 2000, ack 3000, data 3000, ack 4000", 0, "data 0, ack 3000"},
		"filled hole":     {"data 1000, nack 0, data 2000, data 0, ack 3000, data 3000, ack 4000", 500, "nack 0, data 0, ack 3000"},
		"beyond the hole": {"data 1000, nack 0, data 0, ack 2000, ack 3000", 1000, "data 1000, ack 2000"},
		"covered by NACK": {"data 0, data 2000, nack 1000, data 1000, ack 3000", 0, "data 0, nack 1000"},
		"lost at first":   {"data 0, ack 1000, data 2000, nack 1000, data 1000, ack 2000, data 2000, ack 3000", 1000, "nack 1000, data 1000, ack 2000"},
		"not yet":         {"data 0, ack 1000, data 1000", 1000, "data 1000"},
		"ends before it":  {"data 0, data 1000, ack 1000, ack 2000", 1000, "data 1000, ack 2000"},
		"not of the file": {"ack 1000, data 2000, ack 2000, data 1000, ack 3000", 1000, "data 1000, ack 3000"},
	} {
		var records []core.Record
		var all []traces.Sighting
		for packet := range strings.SplitSeq(c.seen, ", ") {
			for _, node := range []core.NodeID{0, 3, 2} {
				v := traces.Sighting{Record: core.Record{At: core.AtNanos(int64(100 * len(all))), Node: node, Event: core.EventDequeue, Packet: answerOrData(t, packet)}}
				records, all = append(records, v.Record), append(all, v)
			}
		}
		for form, content := range map[string][]byte{"mix.tr": binaryOf(t, records), "capture": captured(t, all)} {
			text, err := Packet(written(t, content), 0, c.offset)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for line := range strings.Lines(text) {
				if words := strings.Fields(line); words[2] == "send" {
					got = append(got, words[3]+" "+words[8])
				}
			}
			if len(got) != 3*strings.Count(c.want+",", ",") || strings.Join(slices.Compact(got), ", ") != c.want {
				t.Errorf("%s, %s: got %q, want %s, each three times", name, form, got, c.want)
			}
		}
	}
}

// answerOrData is a packet from host 0 to host 2, or back, of a kind and offset.
func answerOrData(t *testing.T, text string) core.Packet {
	t.Helper()
	kinds := map[string]core.Kind{"data": core.Data, "ack": core.Ack, "nack": core.Nack}
	p := core.Packet{Src: 2, Dst: 0, Size: 70, SrcPort: 2, DstPort: 1, Prio: 3}
	var kind string
	if _, err := fmt.Sscan(text, &kind, &p.Seq); err != nil {
		t.Fatal(err)
	}
	if p.Kind = kinds[kind]; p.Kind == core.Data {
		p.Src, p.Dst, p.SrcPort, p.DstPort, p.Size, p.Payload = 0, 2, 1, 2, 1048, 1000
	}
	return p
}
