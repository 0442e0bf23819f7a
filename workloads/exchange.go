package workloads

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// exchange is what the pairs of a pattern send, or the sizes of collectives, which have no answers.
type exchange struct {
	sizes  []core.Bytes
	rounds int           // of every size; 0: one message, without an answer
	pause  core.Duration // before every round but the first, as for computing
}

// AnswerTag ends the tags of answers, which begin with those of their messages.
const AnswerTag = "-answer"

const (
	answerSize = 1
	mostRounds = 10_000
	// longestPause is that of traffic: a run ends before twice as much.
	longestPause = 640 * 3600 * core.Second
)

// parseExchange reads 1MB (one message), 1MB,10 (ten rounds), 1KB-1MB,10 (ten rounds of each
// size from 1 KB on that doubles and does not exceed 1 MB), and rounds with pauses between them, 1MB,10,1ms.
func parseExchange(s string) (e exchange, err error) {
	sizes, rounds, inRounds := strings.Cut(s, ",")
	first, last, sweep := strings.Cut(sizes, "-")
	from, err := positiveSize(first)
	if err != nil {
		return e, err
	}
	to := from
	if sweep {
		if to, err = positiveSize(last); err != nil {
			return e, err
		}
	}
	rounds, pause, pauses := strings.Cut(rounds, ",")
	if inRounds {
		e.rounds, err = strconv.Atoi(strings.TrimSpace(rounds))
		if err != nil || e.rounds < 1 || e.rounds > mostRounds {
			return e, fmt.Errorf("%q is not a number of rounds from 1 to %d", rounds, mostRounds)
		}
	}
	if pauses {
		if e.pause, err = parsePause(pause); err != nil {
			return e, fmt.Errorf("the pause %w", err)
		}
	}
	switch {
	case sweep && !inRounds:
		return e, fmt.Errorf("sizes from %s to %s need a number of rounds", first, last)
	case to < from:
		return e, fmt.Errorf("the sizes from %s to %s do not grow", first, last)
	}
	for size := from; size <= to && size > 0; size *= 2 {
		e.sizes = append(e.sizes, size)
	}
	return e, nil
}

// parsePause reads a time that passes before flows start.
func parsePause(text string) (core.Duration, error) {
	pause, err := core.ParseDuration(strings.TrimSpace(text))
	if err == nil && (pause < 0 || pause > longestPause) {
		err = fmt.Errorf("%v is not from 0s to %v", pause, longestPause)
	}
	return pause, err
}

// messages is the number of flows of a pair.
func (e *exchange) messages() int { return len(e.sizes) * max(1, 2*e.rounds) }

// turn is a round of a group: a message, or a collective with that many bytes, as its first flow is but for the ends, and
// the answer, which has no bytes if there is none.
type turn struct{ message, answer Flow }

// turns lists the rounds of a group whose first flow is like the given one.
func (e *exchange) turns(first Flow, tag func(round int) string) []turn {
	turns := make([]turn, e.collectives())
	for k := range turns {
		t := &turns[k]
		t.message = first
		t.message.Bytes, t.message.Tag = int64(e.sizes[k/max(1, e.rounds)]), tag(k)
		if k > 0 {
			t.message.Start = core.Time(e.pause)
		}
		if e.rounds > 0 {
			t.answer = t.message
			t.answer.Bytes, t.answer.Start = answerSize, 0
			t.answer.Tag += AnswerTag
		}
	}
	return turns
}

// addPair appends the flows of a pair, source and destination.
func addPair(flows []Flow, pair [2]core.NodeID, turns []turn) []Flow {
	for k, t := range turns {
		t.message.Src, t.message.Dst = pair[0], pair[1]
		if k > 0 {
			t.message.After = lastOf(flows)
		}
		flows = append(flows, t.message)
		if t.answer.Bytes > 0 {
			t.answer.Src, t.answer.Dst, t.answer.After = pair[1], pair[0], lastOf(flows)
			flows = append(flows, t.answer)
		}
	}
	return flows
}

// lastOf is what a flow waits for that waits for the last of a list.
func lastOf(flows []Flow) []int32 { return []int32{int32(len(flows) - 1)} }
