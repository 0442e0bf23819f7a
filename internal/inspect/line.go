package inspect

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Head names the columns of Line.
const Head = "      time (us)  node:port  event    kind    flow    from > to           seq   size    queue  marks"

var eventNames = [...]string{core.EventRecv: "recv", core.EventEnqueue: "enqueue", core.EventDequeue: "send", core.EventDrop: "drop"}

// Line writes a sighting as a line of text.
func Line(v *traces.Sighting) string {
	p := &v.Packet
	kind := kindName(p)
	line := fmt.Sprintf("%15s  %-9s  %-7s  %-6s", micros(v.At), placeName(v), eventNames[v.Event], kind)
	if p.Kind == core.Pause {
		return line + "  " + pauseText(core.PauseWord(p.Aux))
	}
	if p.Kind == core.Credit { // which goes no further than its link
		return strings.TrimRight(line, " ")
	}
	flow := "-"
	if v.Flow >= 0 {
		flow = fmt.Sprint(v.Flow)
	}
	line += fmt.Sprintf("%*s  %6d > %-6d %10d %6d %8d", min(6, 12-len(kind)), flow, p.Src, p.Dst, p.Seq, p.Size, v.Depth)
	return strings.TrimRight(line+"  "+flagText(p.Flags), " ")
}

// micros writes a time in microseconds with all its digits.
func micros(t core.Time) string {
	return fmt.Sprintf("%d.%06d", t/core.Time(core.Microsecond), t%core.Time(core.Microsecond))
}

func placeName(v *traces.Sighting) string { return fmt.Sprintf("%d:%d", v.Node, v.Port) }

func kindName(p *core.Packet) string {
	if p.Kind == core.Pause && core.PauseWord(p.Aux).Resume() {
		return "resume"
	}
	return p.Kind.String()
}

// pauseText describes the request of a PFC frame.
func pauseText(w core.PauseWord) string {
	var classes []string
	for c := range 8 {
		if w.Classes()>>c&1 != 0 {
			classes = append(classes, fmt.Sprint(c))
		}
	}
	text := "class " + strings.Join(classes, ",")
	switch {
	case w.Resume():
		return text
	case w.Forever():
		return text + " until resumed"
	}
	return fmt.Sprintf("%s for %d quanta", text, w.Quanta())
}

// flagText names the flags of a packet, except for the usual one.
func flagText(f core.Flags) string {
	var words []string
	for _, x := range [...]struct {
		flag core.Flags
		name string
	}{{core.CE, "ce"}, {core.ECE, "ece"}, {core.Last, "last"}, {core.Rtx, "rtx"}, {core.Trimmed, "trimmed"}} {
		if f&x.flag != 0 {
			words = append(words, x.name)
		}
	}
	return strings.Join(words, " ")
}
