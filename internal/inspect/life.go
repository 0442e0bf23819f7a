package inspect

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/spelling"
	"github.com/qbb-sim/qbb/traces"
)

// life is what a file records of a flow.
type life struct {
	flow     int64
	rate     func(node core.NodeID, port int32) core.Rate
	source   core.NodeID
	dest     core.NodeID
	prio     uint8 // of what the source sends: a trimmed packet has another
	known    bool  // a data packet was seen
	sent     []moment
	marks    []moment // data packets marked at the destination
	trims    []moment // data packets without their payload at the destination
	again    []moment
	drops    []moment
	pauses   []pause // of all nodes: the source may not be known yet
	payload  int64   // message bytes sent for the first time
	from, to core.Time
}

// moment is an event and the number of bytes that it concerned.
type moment struct {
	at    core.Time
	bytes int64
}

// pause is a PFC frame that a node has received.
type pause struct {
	at   core.Time
	node core.NodeID
	port int32
	word core.PauseWord
}

// Life shows a flow on a screen: the rate at which its source sent over time, and when packets were
// marked, trimmed, retransmitted or dropped and the source was paused.
func Life(path string, flow int64) (string, error) {
	s, err := open(path)
	if err != nil {
		return "", err
	}
	defer s.close()
	l := &life{flow: flow, rate: s.rate}
	if err := s.each(func(v *traces.Sighting) bool { l.see(v); return true }); err != nil {
		return "", err
	}
	switch {
	case !l.known:
		return "", noFlow(path, flow)
	case len(l.sent) == 0:
		return "", fmt.Errorf("%s: no packet of flow %d that leaves its source, node %d, which a life shows: see qbb inspect %s --hops %d", path, flow, l.source, path, flow)
	}
	return l.screen(), nil
}

func (l *life) see(v *traces.Sighting) {
	p := &v.Packet
	if p.Kind == core.Pause && v.Event == core.EventRecv {
		l.pauses = append(l.pauses, pause{v.At, v.Node, v.Port, core.PauseWord(p.Aux)})
	}
	if v.Flow != l.flow {
		return
	}
	switch {
	case v.Event == core.EventDrop:
		l.drops = append(l.drops, moment{v.At, int64(p.Size)})
	case p.Kind == core.Data:
		l.seeData(v)
	case v.Event == core.EventRecv && v.Node == l.source && (p.Kind == core.Ack || p.Kind == core.Nack):
		l.to = v.At
	}
}

func (l *life) seeData(v *traces.Sighting) {
	p := &v.Packet
	if !l.known {
		l.known, l.source, l.dest, l.from = true, p.Src, p.Dst, v.At
	}
	l.to = v.At
	switch {
	case v.Event == core.EventDequeue && v.Node == p.Src:
		l.sent, l.prio = append(l.sent, moment{v.At, int64(p.Size)}), p.Prio
		if p.Flags&core.Rtx != 0 {
			l.again = append(l.again, moment{v.At, int64(p.Size)})
		} else {
			l.payload += int64(p.Payload)
		}
	case v.Event == core.EventRecv && v.Node == p.Dst:
		if p.Flags&core.CE != 0 {
			l.marks = append(l.marks, moment{v.At, int64(p.Size)})
		}
		if trimmed(p) {
			l.trims = append(l.trims, moment{v.At, int64(p.Size)})
		}
	}
}

// Size of the plot, in characters.
const (
	columns = 64
	rows    = 8
)

func (l *life) screen() string {
	var b strings.Builder
	span := l.to.Sub(l.from)
	fmt.Fprintf(&b, "flow %d: %d to %d, %s in %s, from %s to %s us (%s us)\n\n",
		l.flow, l.source, l.dest, spelling.Count(l.payload, "message byte", "message bytes"), packets(l.sent), micros(l.from), micros(l.to), micros(core.Time(span)))
	if span == 0 {
		b.WriteString("All that the file tells of it is of one instant: there is no rate to draw.\n")
		return b.String()
	}
	plotRate(&b, l.perColumn(l.sent), columnSeconds(span))
	fmt.Fprintf(&b, "%9s └%s\n%9s  %-*s%s us\n", "", strings.Repeat("─", columns), "", columns-len(micros(l.to)), micros(l.from), micros(l.to))
	paused, share := l.pausedColumns(span)
	l.lane(&b, "marked", counts(l.perColumn(l.marks)), packets(l.marks)+" arrived with a mark")
	l.lane(&b, "paused", paused, fmt.Sprintf("the source, %.3g %% of the time", 100*share))
	l.lane(&b, "again", counts(l.perColumn(l.again)), packets(l.again)+" sent again")
	l.lane(&b, "trimmed", counts(l.perColumn(l.trims)), packets(l.trims)+" arrived without payload")
	l.lane(&b, "dropped", counts(l.perColumn(l.drops)), packets(l.drops))
	return b.String()
}

func packets(list []moment) string { return spelling.Count(len(list), "packet", "packets") }

func columnSeconds(span core.Duration) float64 { return span.Seconds() / columns }

// column returns the column of a time.
func (l *life) column(at core.Time) int {
	return max(0, min(columns-1, int(float64(at.Sub(l.from))/float64(l.to.Sub(l.from))*columns)))
}

// perColumn sums bytes by column.
func (l *life) perColumn(list []moment) (sums [columns]int64) {
	for _, m := range list {
		sums[l.column(m.at)] += m.bytes
	}
	return sums
}

// counts is a lane that shows where there is something.
func counts(sums [columns]int64) (lane [columns]bool) {
	for i, n := range sums {
		lane[i] = n > 0
	}
	return lane
}

// pausedColumns returns the columns in which the flow's class was paused at its source, by the
// frames it has received, and the share of the time that it was paused. Where the file does not tell a port's rate, a pause
// lasts until the source is told to resume.
func (l *life) pausedColumns(span core.Duration) (lane [columns]bool, share float64) {
	var total core.Duration
	since, until := core.Never, core.Never
	end := func(at core.Time) {
		begin, at := max(since, l.from), min(at, until)
		since, until = core.Never, core.Never
		if begin >= at {
			return
		}
		total += at.Sub(begin)
		for c := l.column(begin); c <= l.column(at); c++ {
			lane[c] = true
		}
	}
	rates := make(map[int32]core.Rate) // of the source's ports: to find one takes as long as the file has ports
	for _, p := range l.pauses {
		if p.node != l.source || p.word.Classes()>>l.prio&1 == 0 || p.at > l.to {
			continue
		}
		begins := !p.word.Resume()
		if !begins || until <= p.at {
			end(p.at)
		}
		if !begins {
			continue
		}
		rate, known := rates[p.port]
		if !known {
			rate = l.rate(p.node, p.port)
			rates[p.port] = rate
		}
		since, until = min(since, p.at), core.Never
		if rate > 0 {
			until = p.at.Add(p.word.Lasts(rate))
		}
	}
	end(l.to)
	return lane, float64(total) / float64(span)
}

func (l *life) lane(b *strings.Builder, name string, lane [columns]bool, text string) {
	fmt.Fprintf(b, "%9s  ", name)
	for _, on := range lane {
		if on {
			b.WriteRune('█')
		} else {
			b.WriteRune('·')
		}
	}
	b.WriteString("  " + text + "\n")
}
