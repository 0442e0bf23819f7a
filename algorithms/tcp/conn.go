package tcp

import (
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// conn is what all TCPs have: a window, slow start, the reaction to loss, and the time-out.
type conn struct {
	trips          trips
	cwnd, ssthresh float64 // packets
	mss            float64 // bytes
	perAck         float64 // packets that its receiver acknowledges at once
	high           int64   // highest byte known to have been sent
	recover        int64   // a loss is news only if the ACK passes this byte
	expired        int64   // first unacknowledged byte at the last time-out

	// full: the window limited the flow when the last ACK came, so that it may grow: it was full but for less than a
	// packet. In slow start, where it may double before the flow can follow, it is enough that half of it was full in
	// this round trip or the one before.
	full         bool
	peak, before float64 // most bytes in flight in this round trip and in the one before
	turn         int64   // an ACK beyond it ends the round trip
}

const (
	leastWindow = 2 // after a loss, packets: RFC 5681, eq. 4
	firstWindow = 10
)

// start begins a flow with a window of first packets, and an ACK for perAck packets.
func (k *conn) start(first float64, perAck int, f *algorithms.Flow, c *algorithms.Control) {
	*k = conn{
		trips: trips{first: f.Timeout}, cwnd: first, ssthresh: math.Inf(1),
		mss: float64(max(1, f.MTU)), perAck: float64(perAck), recover: -1, expired: -1,
	}
	*c = algorithms.Control{Rate: f.Line, Wake: core.Never}
	k.answer(c)
}

// hear notes what an ACK says of the flight, and returns the packets by which the window may grow. Most of what an ACK
// acknowledges that fills a hole had come before (RFC 5681, eq. 2; RFC 3465, section 2.3).
func (k *conn) hear(s *algorithms.Signal) (n float64) {
	k.high = max(k.high, s.Next)
	flight := float64(s.InFlight + s.Bytes)
	if s.Acked > k.turn {
		k.turn, k.before, k.peak = s.Next, k.peak, 0
	}
	k.peak = max(k.peak, flight)
	k.full = flight+k.mss > k.cwnd*k.mss || k.cwnd < k.ssthresh && k.cwnd*k.mss < 2*max(k.peak, k.before)
	return min(float64(s.Bytes)/k.mss, k.perAck)
}

// unused reports whether the window has not been full in this round trip, nor in the one before.
func (k *conn) unused() bool { return max(k.peak, k.before)+k.mss <= k.cwnd*k.mss }

// grow is slow start and Reno's congestion avoidance (RFC 5681, eqs. 2 and 3).
func (k *conn) grow(n float64) {
	if k.cwnd < k.ssthresh {
		k.cwnd = min(k.cwnd+n, k.ssthresh)
		return
	}
	k.cwnd += n / k.cwnd
}

// lost reports whether a signal reports a loss, known or not.
func lost(s *algorithms.Signal) bool {
	return s.Kind == algorithms.Loss || s.Kind == algorithms.Ack && s.Flags&algorithms.IsNack != 0
}

// news reports whether a loss is the first of its window, and begins recovery. A time-out always is, but
// when the packet has been sent again after one already (RFC 5681, section 3.1): cwnd is 1 then.
func (k *conn) news(s *algorithms.Signal) bool {
	k.high = max(k.high, s.Next)
	last := k.recover
	if s.Flags&algorithms.Timeout != 0 {
		last, k.expired = k.expired, s.Acked
	}
	if s.Acked <= last {
		return false
	}
	k.recover = k.high
	return true
}

// reduce sets the window after a loss to part of it (RFC 5681, eq. 4), or to one packet after a
// time-out.
func (k *conn) reduce(s *algorithms.Signal, part float64) {
	k.ssthresh = max(k.cwnd*part, leastWindow)
	k.cwnd = k.ssthresh
	if s.Flags&algorithms.Timeout != 0 {
		k.cwnd = 1
	}
}

// answer gives window and time-out to the host.
func (k *conn) answer(c *algorithms.Control) {
	c.Window, c.Timeout = max(1, core.Bytes(k.cwnd*k.mss)), k.trips.timeout()
}
