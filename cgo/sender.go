//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import (
	"sync"
	"unsafe"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// sender is a reaction point with the answer and the scratch space that its host owes it.
type sender struct {
	mu      sync.Mutex
	scheme  *scheme
	machine algorithms.Sender
	control algorithms.Control
	signal  algorithms.Signal
	maxHops uint32
	now     core.Time
	started bool
	broken  bool // the machine has panicked
}

//export qbb_sender_new
func qbb_sender_new(handle C.qbb_scheme, out *C.qbb_sender) (code C.int) {
	defer guard(&code)
	s, f := lookup[scheme](C.uint64_t(handle), "scheme")
	if f != nil {
		return report(f)
	}
	if out == nil {
		return report(null("sender"))
	}
	return report(keep(&sender{scheme: s, machine: s.NewSender()}, (*C.uint64_t)(out)))
}

//export qbb_sender_start
func qbb_sender_start(handle C.qbb_sender, now C.int64_t, flow *C.qbb_flow, out *C.qbb_control) (code C.int) {
	defer guard(&code)
	s, f := lookup[sender](C.uint64_t(handle), "sender")
	if f != nil {
		return report(f)
	}
	return report(s.start(now, flow, out))
}

func (s *sender) start(now C.int64_t, in *C.qbb_flow, out *C.qbb_control) *failure {
	if in == nil {
		return null("flow")
	}
	if out == nil {
		return null("control")
	}
	at, f := instant(now, now, 0)
	if f != nil {
		return f
	}
	flow, f := flowOf(in)
	if f != nil {
		return f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken {
		return s.lost()
	}
	s.broken = true
	s.machine.Start(at.Now, flow, &s.control)
	s.broken = false
	s.started, s.now, s.maxHops = true, at.Now, uint32(flow.INT.MaxHops)
	s.answer(out)
	return nil
}

// flowOf checks and copies what a sender must know of its flow.
func flowOf(in *C.qbb_flow) (*algorithms.Flow, *failure) {
	if f := checkSize("qbb_flow", in.size, C.sizeof_qbb_flow); f != nil {
		return nil, f
	}
	if f := inRange(
		limits{"line", int64(in.line), 1, maxRate},
		limits{"min_rate", int64(in.min_rate), 0, maxRate},
		limits{"base_rtt", int64(in.base_rtt), 1, maxTime},
		limits{"window", int64(in.window), 0, maxBytes},
		limits{"mtu", int64(in.mtu), 1, maxFrame},
		limits{"bytes", int64(in.bytes), 0, maxBytes},
		limits{"hops", int64(in.hops), 0, C.QBB_MAX_HOPS},
		limits{"timing", int64(in.timing), 0, 1},
		limits{"timeout", int64(in.timeout), 0, maxTime},
	); f != nil {
		return nil, f
	}
	format, f := formatOf(&in.format)
	if f != nil {
		return nil, f
	}
	stream := core.NewStream(uint64(in.seed), core.StreamFlow, uint64(uint32(in.id)))
	return &algorithms.Flow{
		ID: int32(in.id), Line: core.Rate(in.line), MinRate: core.Rate(in.min_rate),
		BaseRTT: core.Duration(in.base_rtt), Window: core.Bytes(in.window), MTU: core.Bytes(in.mtu),
		Size: core.Bytes(in.bytes), Hops: int(in.hops), INT: format, Timing: core.Timing(in.timing),
		Random: stream, Shared: stream, Timeout: core.Duration(in.timeout),
	}, nil
}

//export qbb_sender_step
func qbb_sender_step(handle C.qbb_sender, signal *C.qbb_signal, out *C.qbb_control) (code C.int) {
	defer guard(&code)
	return report(step(C.uint64_t(handle), signal, out))
}

func step(handle C.uint64_t, in *C.qbb_signal, out *C.qbb_control) *failure {
	s, f := lookup[sender](handle, "sender")
	switch {
	case f != nil:
		return f
	case in == nil:
		return null("signal")
	case out == nil:
		return null("control")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.step(in, out)
}

// step digests a signal. The caller holds the lock.
func (s *sender) step(in *C.qbb_signal, out *C.qbb_control) *failure {
	switch {
	case s.broken:
		return s.lost()
	case !s.started:
		return failf(C.QBB_E_STATE, "the sender has not been started")
	}
	if f := s.read(in); f != nil {
		return f
	}
	s.now = s.signal.Now
	if s.scheme.traits.Hears.Has(s.signal.Kind) {
		s.broken = true
		s.machine.Step(&s.signal, &s.control)
		s.broken = false
	}
	s.signal.Hops = nil
	s.answer(out)
	return nil
}

func (s *sender) lost() *failure {
	return failf(C.QBB_E_BROKEN, "the sender of scheme %s has failed before; free it", s.scheme.traits.Name)
}

// read checks a signal and copies it into the scratch space. Its hops are looked at in place.
func (s *sender) read(in *C.qbb_signal) *failure {
	at, f := instant(in.now, in.born, s.now)
	switch {
	case f != nil:
		return f
	case in.kind < C.QBB_TIMER || in.kind > C.QBB_PATH:
		return failf(C.QBB_E_RANGE, "kind is %d; it must be one of enum qbb_signal_kind", in.kind)
	case uint32(in.n_hops) > s.maxHops:
		return failf(C.QBB_E_RANGE, "n_hops is %d; the flow's format has at most %d", in.n_hops, s.maxHops)
	case in.n_hops > 0 && in.hops == nil:
		return null("hops")
	}
	if outside(in.bytes) || outside(in.marked) || outside(in.acked) || outside(in.next) || outside(in.in_flight) {
		return failf(C.QBB_E_RANGE, "bytes, marked, acked, next and in_flight are %d, %d, %d, %d, %d; each must be 0 to %d",
			in.bytes, in.marked, in.acked, in.next, in.in_flight, maxBytes)
	}
	if in.sent_at < 0 || in.sent_at > in.now || in.rtt < 0 || in.rtt > in.now || in.host_time < 0 || in.host_time > in.now {
		return failf(C.QBB_E_RANGE, "sent_at, rtt and host_time are %d, %d, %d; each must be 0 to now, which is %d",
			in.sent_at, in.rtt, in.host_time, in.now)
	}
	to := &s.signal // field by field: a composite literal would be made elsewhere and copied
	to.Instant, to.Kind, to.Flags = at, algorithms.SignalKind(in.kind), algorithms.SignalFlags(in.flags)
	to.Bytes, to.Marked = core.Bytes(in.bytes), core.Bytes(in.marked)
	to.Acked, to.Next, to.InFlight = int64(in.acked), int64(in.next), core.Bytes(in.in_flight)
	to.SentAt, to.RTT, to.HostTime = core.Time(in.sent_at), core.Duration(in.rtt), core.Duration(in.host_time)
	to.Feedback, to.Aux = int32(in.feedback), uint64(in.aux)
	if in.n_hops > 0 {
		to.Hops = unsafe.Slice((*core.Hop)(unsafe.Pointer(in.hops)), int(in.n_hops))
	}
	return nil
}

func outside(n C.int64_t) bool { return n < 0 || int64(n) > maxBytes }

// answer hands the answer over, and with it the one-shot orders.
func (s *sender) answer(out *C.qbb_control) {
	c := &s.control
	out.window, out.rate, out.gap, out.wake = C.int64_t(c.Window), C.int64_t(c.Rate), C.int64_t(c.Gap), C.int64_t(c.Wake)
	out.stamp, out.timeout, out.orders, out.reserved = C.uint64_t(c.Stamp), C.int64_t(c.Timeout), C.uint32_t(c.Do), 0
	c.Do = 0
}

func controlOf(c *algorithms.Control) C.qbb_control {
	return C.qbb_control{
		window: C.int64_t(c.Window), rate: C.int64_t(c.Rate), gap: C.int64_t(c.Gap),
		wake: C.int64_t(c.Wake), stamp: C.uint64_t(c.Stamp), timeout: C.int64_t(c.Timeout), orders: C.uint32_t(c.Do),
	}
}

//export qbb_sender_step_batch
func qbb_sender_step_batch(handles *C.qbb_sender, signals *C.qbb_signal, out *C.qbb_control, n C.size_t, done *C.size_t) (code C.int) {
	digested := C.size_t(0)
	defer func() {
		if done != nil {
			*done = digested
		}
	}()
	defer guard(&code)
	switch {
	case n == 0:
		return 0
	case n > 1<<32:
		return report(failf(C.QBB_E_RANGE, "n is %d; it must be 0 to %d", n, uint64(1<<32)))
	case handles == nil:
		return report(null("senders"))
	case signals == nil:
		return report(null("signals"))
	case out == nil:
		return report(null("controls"))
	}
	who, heard, answers := unsafe.Slice(handles, n), unsafe.Slice(signals, n), unsafe.Slice(out, n)
	for ; digested < n; digested++ {
		if f := step(C.uint64_t(who[digested]), &heard[digested], &answers[digested]); f != nil {
			return report(f)
		}
	}
	return 0
}

//export qbb_sender_free
func qbb_sender_free(handle C.qbb_sender) (code C.int) {
	defer guard(&code)
	return report(release[sender](C.uint64_t(handle), "sender"))
}
