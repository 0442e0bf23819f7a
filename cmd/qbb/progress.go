package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
)

// progressLine is the line on a terminal that says how far a run has come. Nil: no terminal.
type progressLine struct{ w io.Writer }

// newProgressLine returns nil if the writer is not a terminal.
func newProgressLine(w io.Writer) *progressLine {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return &progressLine{w}
}

// Control sequences (ECMA-48): to the start of the line, and erase to its end.
const lineStart, eraseLine = "\r", "\x1b[K"

func (l *progressLine) show(p driver.Progress) { l.text(progressText(p)) }

func (l *progressLine) text(s string) {
	if l != nil {
		fmt.Fprint(l.w, lineStart+s+eraseLine)
	}
}

// clear removes the line.
func (l *progressLine) clear() {
	if l != nil {
		fmt.Fprint(l.w, lineStart+eraseLine)
	}
}

func progressText(p driver.Progress) string {
	text := fmt.Sprintf("%s  %d of %d flows  %s hops/s  %s", simulated(core.Duration(p.Now).Nanos()), p.Ended, p.Total, count(p.HopsPerSecond), megabytes(p.Memory))
	if p.Remaining > 0 {
		text += "  about " + p.Remaining.Round(time.Second).String() + " left"
	}
	return text
}

func megabytes(bytes uint64) string { return fmt.Sprintf("%d MB", (bytes+500_000)/1_000_000) }

// progressRecord is a line of progress for programs: qbb run --json writes one every second to
// standard error.
type progressRecord struct {
	TimeNs           float64  `json:"time_ns"`
	StopNs           *float64 `json:"stop_ns"` // null: when all flows have ended
	FlowsStarted     int      `json:"flows_started"`
	FlowsEnded       int      `json:"flows_ended"`
	FlowsTotal       int      `json:"flows_total"`
	Hops             int64    `json:"hops"`
	HopsPerSecond    float64  `json:"hops_per_second"`
	WallSeconds      float64  `json:"wall_seconds"`
	RemainingSeconds *float64 `json:"remaining_seconds"` // null: too early to tell
	MemoryBytes      uint64   `json:"memory_bytes"`
}

// jsonEvery is the time between records.
const jsonEvery = time.Second

// progressRecords returns what writes a record, but for the end of a run: the summary follows.
func progressRecords(w io.Writer) func(driver.Progress) {
	told := time.Duration(0)
	encoder := json.NewEncoder(w)
	return func(p driver.Progress) {
		if p.Wall-told < jsonEvery {
			return
		}
		told = p.Wall
		r := progressRecord{
			TimeNs: core.Duration(p.Now).Nanos(), FlowsStarted: p.Started, FlowsEnded: p.Ended, FlowsTotal: p.Total,
			Hops: p.Hops, HopsPerSecond: p.HopsPerSecond, WallSeconds: p.Wall.Seconds(), MemoryBytes: p.Memory,
		}
		if p.Stop != core.Never {
			stop := core.Duration(p.Stop).Nanos()
			r.StopNs = &stop
		}
		if p.Remaining > 0 {
			left := p.Remaining.Seconds()
			r.RemainingSeconds = &left
		}
		encoder.Encode(r)
	}
}
