package algotest

import (
	"math/rand/v2"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// history makes the signals that one flow might hear from a tape of bytes, four per signal, so
// that a fuzzer's input and random bytes both give runs that no host could refuse: time and
// counters grow, and Acked <= Next.
type history struct {
	tape  []byte
	kinds []algorithms.SignalKind
	flow  *algorithms.Flow
	now   core.Time
	acked int64
	next  int64
	tx    [5]core.Bytes
	hops  []core.Hop
}

const bytesPerSignal = 4

func newHistory(tape []byte, traits algorithms.Traits, f *algorithms.Flow) *history {
	h := &history{tape: tape, flow: f, now: start, hops: make([]core.Hop, 5)}
	for k := algorithms.Sent; k <= algorithms.Path; k++ {
		if traits.Hears.Has(k) {
			h.kinds = append(h.kinds, k)
		}
	}
	if len(h.kinds) == 0 {
		h.kinds = []algorithms.SignalKind{algorithms.Timer}
	}
	return h
}

// randomTape returns the bytes of n signals.
func randomTape(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	tape := make([]byte, n*bytesPerSignal)
	for i := range tape {
		tape[i] = byte(r.Uint32())
	}
	return tape
}

// read fills s with the next signal; false at the end of the tape.
func (h *history) read(s *algorithms.Signal) bool {
	if len(h.tape) < bytesPerSignal {
		return false
	}
	what, when, a, b := h.tape[0], h.tape[1], h.tape[2], h.tape[3]
	h.tape = h.tape[bytesPerSignal:]
	step := h.advance(when)
	*s = algorithms.Signal{
		Instant:  core.Instant{Now: h.now, Born: core.Never},
		Kind:     h.kinds[int(what>>3)%len(h.kinds)],
		Aux:      word(b, what&0x80 != 0),
		Feedback: int32(b & 63),
	}
	if what&1 != 0 {
		s.Flags |= algorithms.ECE
	}
	h.transport(s, what&6 == 6, a, b)
	s.RTT = h.flow.BaseRTT + core.Duration(a)*core.Microsecond
	s.SentAt = s.Now - core.Time(s.RTT)
	s.HostTime = core.Duration(b) * core.Nanosecond
	if s.Kind == algorithms.Ack {
		s.Hops = h.telemetry(step, a, b)
	}
	return true
}

// word is a byte as a number, or in all the bytes of one.
func word(b byte, everywhere bool) uint64 {
	if everywhere {
		return uint64(b) * 0x0101010101010101
	}
	return uint64(b)
}

// advance moves the time by 8 ns to 0.5 ms, or now and then by 50 ms.
func (h *history) advance(when byte) core.Duration {
	step := core.Duration(when&15+8) << (when >> 4) * core.Nanosecond
	if when == 0xff {
		step = 50 * core.Millisecond
	}
	h.now = h.now.Add(step)
	return step
}

func (h *history) transport(s *algorithms.Signal, nack bool, a, b byte) {
	h.next += int64(a&15) * 1000
	acked := min(h.acked+int64(b&15)*1000, h.next)
	s.Bytes = core.Bytes(acked - h.acked)
	h.acked = acked
	switch {
	case s.Kind == algorithms.Sent:
		s.Bytes = 1048
	case s.Kind == algorithms.Ack && nack:
		s.Flags |= algorithms.IsNack
		h.next = h.acked
	}
	if s.Flags&algorithms.ECE != 0 {
		s.Marked = s.Bytes
	}
	s.Acked, s.Next, s.InFlight = h.acked, h.next, core.Bytes(h.next-h.acked)
}

func (h *history) telemetry(step core.Duration, a, b byte) []core.Hop {
	for i := range h.hops {
		load := float64(b) / 255 / float64(1+i)
		h.tx[i] += core.Bytes(load * step.Seconds() * float64(h.flow.Line) / 8)
		queue := core.Bytes(a) * 1000 * core.Bytes(i)
		at := h.now.Add(-core.Duration(len(h.hops)-i) * 100 * core.Nanosecond)
		h.hops[i] = h.flow.INT.Record(at, h.flow.Line, h.tx[i], queue)
		h.hops[i].Flows = uint32(b) >> i
	}
	return h.hops
}
