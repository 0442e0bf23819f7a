package timeline

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// Write writes the timeline of the run in a folder. An error says which of its files is missing or wrong, or is one of w.
func Write(w io.Writer, dir string) error {
	buffer := bufio.NewWriterSize(w, 1<<20)
	l := &line{
		events: events{w: buffer},
		kinds:  make(map[core.NodeID]string), senders: make(map[int32]core.NodeID), operations: make(map[int64]string),
		named: make(map[track]bool), lane: make(map[core.NodeID]int32),
	}
	l.start()
	for _, part := range []struct {
		file     string
		optional bool
		read     func(path string) error
	}{
		{"summary.json", false, l.summary},
		{"ports.parquet", false, l.nodes},
		{"schedule.parquet", true, l.schedule},
		{"fct.parquet", false, l.flows},
		{"series.parquet", true, l.series},
	} {
		switch err := part.read(filepath.Join(dir, part.file)); {
		case errors.Is(err, fs.ErrNotExist) && part.optional:
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%s: no %s: is this the folder of a finished run?", dir, part.file)
		case err != nil:
			return err
		}
	}
	l.finish()
	return buffer.Flush()
}

// line is a timeline that is being written.
type line struct {
	events
	end        float64                // of the run, ns
	kinds      map[core.NodeID]string // host or switch
	senders    map[int32]core.NodeID  // by flow
	operations map[int64]string       // by flow: what the schedule calls it
	named      map[track]bool
	lane       map[core.NodeID]int32 // the first thread that is neither a cpu nor a lane
}

// track is a thread of a node, from 1 on, or 0, the node itself.
type track struct {
	node   core.NodeID
	thread int32
}

// number is that of the thread for viewers, which take one with the number of its process for something special.
func (t track) number() int32 {
	if t.thread > 0 && t.thread >= int32(t.node) {
		return t.thread + 1
	}
	return t.thread
}

// summary reads when the run ended.
func (l *line) summary(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var s struct {
		EndNs float64 `json:"end_ns"`
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	l.end = s.EndNs
	return nil
}

// nodes reads what the nodes are.
func (l *line) nodes(path string) error {
	return tables.Scan(path, func(rows []traces.PortRow) {
		for i := range rows {
			l.kinds[rows[i].Node] = rows[i].NodeKind
		}
	})
}

// network is the number of what belongs to no node: the next one, since viewers want none below 0.
func (l *line) network() core.NodeID { return core.NodeID(len(l.kinds)) }

// schedule writes what hosts compute, and their collectives.
func (l *line) schedule(path string) error {
	collectives := make(map[group][]slice)
	err := tables.Scan(path, func(rows []traces.ScheduleRow) {
		for i := range rows {
			r := rows[i] // a copy: Scan uses rows again
			name := r.Name
			if name == "" {
				name = fmt.Sprintf("%s %d", r.Kind, r.Operation)
			}
			s := slice{name, r.BeginNs, l.until(r.EndNs), arguments{Operation: &r.Operation}}
			switch {
			case r.Kind == "send":
				l.operations[r.FlowID] = name
			case r.BeginNs < 0:
			case r.Kind == "collective":
				g := group{r.Host, "collectives"}
				collectives[g] = append(collectives[g], s)
			case r.Kind == "calc":
				l.lane[r.Host] = max(l.lane[r.Host], r.CPU+2)
				l.complete(track{r.Host, r.CPU + 1}, "cpu "+strconv.Itoa(int(r.CPU)), &s)
			}
		}
	})
	l.lanes(collectives)
	return err
}

// until returns an end, or that of the run for what has none.
func (l *line) until(end float64) float64 {
	if end < 0 {
		return l.end
	}
	return end
}

// flows writes the flows that have started.
func (l *line) flows(path string) error {
	groups := make(map[group][]slice)
	err := tables.Scan(path, func(rows []traces.FCTRow) {
		for i := range rows {
			r := rows[i] // a copy: Scan uses rows again
			l.senders[int32(r.FlowID)] = r.Src
			if r.StartNs < 0 {
				continue
			}
			tag := r.Tag
			if tag == "" {
				tag = "flows"
			}
			name, ok := l.operations[r.FlowID]
			if !ok {
				name = fmt.Sprintf("to %d", r.Dst)
			}
			s := slice{name, r.StartNs, l.end, arguments{Flow: &r.FlowID, To: &r.Dst, Bytes: r.SizeBytes, Slowdown: r.Slowdown}}
			if r.Finished {
				s.end = r.StartNs + r.FCTNs
			}
			g := group{r.Src, tag}
			groups[g] = append(groups[g], s)
		}
	})
	l.lanes(groups)
	return err
}

// complete writes a slice on a track.
func (l *line) complete(t track, name string, s *slice) {
	l.name(t, name)
	lasts := micros(s.end - s.begin)
	l.add(event{Phase: complete, Name: s.name, Node: t.node, Thread: t.number(), At: micros(s.begin), Lasts: &lasts, Arguments: &s.arguments})
}

// name names a track, and its node, before the first event there.
func (l *line) name(t track, name string) {
	if l.named[t] {
		return
	}
	l.named[t] = true
	if t.thread > 0 {
		l.name(track{t.node, 0}, "")
		l.add(event{Phase: metadata, Name: "thread_name", Node: t.node, Thread: t.number(), Arguments: &arguments{Name: name}})
		return
	}
	of, order := "network", int64(t.node)
	if t.node != l.network() {
		of = l.kinds[t.node]
	}
	l.add(event{Phase: metadata, Name: "process_name", Node: t.node, Arguments: &arguments{Name: of}})
	l.add(event{Phase: metadata, Name: "process_sort_index", Node: t.node, Arguments: &arguments{Order: &order}})
}
