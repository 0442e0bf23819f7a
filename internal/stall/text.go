package stall

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// Notes says, a line each, why a run has ended before its flows, and what [Blocks] says.
func (w *Watch) Notes() (notes []string) {
	switch {
	case w.reason != "":
		notes = append(notes, w.reason)
	case w.n.Now() >= sim.MostTime:
		notes = append(notes, fmt.Sprintf("stopped at %s: no run is longer", instant(sim.MostTime)))
	}
	return append(notes, Blocks(w.n)...)
}

// Blocks says which ports block which: in a deadlock, or, while flows have not ended, by pauses or for want of credits.
func Blocks(n *sim.Network) []string {
	if cycle, stuck := n.Deadlock(); len(cycle) > 0 {
		return []string{deadlockText(cycle, len(stuck)) + remedy(n)}
	}
	if blocked := n.Blocked(); len(blocked) > 0 && n.Ended() < len(n.Setup.Flows) {
		return []string{blockedText(blocked)}
	}
	return nil
}

// remedy says what would end a deadlock of pauses that expire unless they are repeated, if nothing does.
func remedy(n *sim.Network) string {
	if n.Credits() != nil || n.Setup.Profile.PauseQuanta == 0 || n.Setup.Watchdog.Detection > 0 {
		return ""
	}
	return "; watchdogs of switches (pfc_watchdog.detection) would end it by losses"
}

// mostBlocked is the most queues that a note names.
const mostBlocked = 4

// blockedText names the first of some queues that wait.
func blockedText(blocked []sim.Blocked) string {
	text := spelling.Count(len(blocked), "queue of a switch waits", "queues of switches wait")
	if blocked[0].Since == core.Never {
		text += " for credits:"
	} else {
		text += " for a pause to end:"
	}
	for i, b := range blocked {
		if i == mostBlocked {
			text += " and others"
			break
		}
		text += " " + queueText(&b)
		if b.Since != core.Never {
			text += ", since " + instant(b.Since)
		}
		text += ";"
	}
	return strings.TrimSuffix(text, ";")
}

// deadlockText prints a cycle of queues with its ports.
func deadlockText(cycle []sim.Blocked, stuck int) string {
	var names []string
	formed := core.Time(0)
	for i := range cycle {
		formed = max(formed, cycle[i].Since)
		names = append(names, queueText(&cycle[i]))
	}
	kind := "PFC deadlock since " + instant(formed)
	if formed == core.Never {
		kind = "credit deadlock"
	}
	text := fmt.Sprintf("%s: %d queues wait for one another, each for the next and the last for the first: %s",
		kind, len(cycle), strings.Join(names, ", "))
	if more := stuck - len(cycle); more > 0 {
		text += fmt.Sprintf("; %d more wait for them", more)
	}
	return text
}

func queueText(b *sim.Blocked) string {
	held := "paused by"
	if b.Since == core.Never {
		held = "without credits of"
	}
	return fmt.Sprintf("switch %d port %d (%s node %d port %d, class %d, %v)", b.Node, b.Port, held, b.Peer.Node, b.Peer.Port, b.Class, rounded(b.Bytes))
}

// rounded makes a size of a kilobyte or more a whole number of kilobytes.
func rounded(b core.Bytes) core.Bytes {
	if b < 1000 {
		return b
	}
	return (b + 500) / 1000 * 1000
}

// instant writes a time with six digits.
func instant(t core.Time) string {
	switch {
	case t < core.Time(core.Millisecond):
		return fmt.Sprintf("%.6g us", t.Seconds()*1e6)
	case t < core.Time(core.Second):
		return fmt.Sprintf("%.6g ms", t.Seconds()*1e3)
	}
	return fmt.Sprintf("%.6g s", t.Seconds())
}
