package main

import (
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
	text := fmt.Sprintf("%s  %d of %d flows  %s hops/s", simulated(core.Duration(p.Now).Nanos()), p.Ended, p.Total, count(p.HopsPerSecond))
	if left := remaining(p); left > 0 {
		text += "  about " + left.Round(time.Second).String() + " left"
	}
	return text
}

// remaining guesses how long the run will go on, by the flows that have ended or by the time to
// its end, whichever has come further; 0 if it is too early to tell.
func remaining(p driver.Progress) time.Duration {
	done := float64(p.Ended) / float64(max(1, p.Total))
	if p.Stop != core.Never && p.Stop > 0 {
		done = max(done, float64(p.Now)/float64(p.Stop))
	}
	const enough = 0.02
	if done < enough || done > 1 {
		return 0
	}
	return time.Duration(float64(p.Wall) * (1 - done) / done)
}
