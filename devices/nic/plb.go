package nic

import "github.com/qbb-sim/qbb/core"

// Protective load balancing (Qureshi et al., SIGCOMM 2022): a flow keeps to one path, that of its source port, and draws
// another port when the path stays congested, or has lost what a time-out is for. Packets sent before may then be
// overtaken, which is why congestion has to last longer while some are in flight.

// PLB holds the parameters of Protective, as Linux has them for TCP (Documentation/networking/ip-sysctl.rst).
type PLB struct {
	Threshold float64 // share of marked acknowledgements from which on a round trip is congested: K, tcp_plb_cong_thresh
	Rounds    int     // congested round trips in a row after which a flow changes its path: N, tcp_plb_rehash_rounds
}

// DefaultPLB returns Linux's values.
func DefaultPLB() PLB { return PLB{Threshold: 0.5, Rounds: 12} }

// idleRounds is how many are enough if nothing is in flight: M of the paper, tcp_plb_idle_rehash_rounds.
const idleRounds = 3

// protection is what a flow with Protective knows of its path. Linux' pause after a time-out (tcp_plb_suspend_rto_sec,
// 60 s), lest a flow come back to a broken path, is left out: routes are mended at once here.
type protection struct {
	port      uint16
	end       int64 // the round trip lasts until this byte has been acknowledged
	heard     int64 // acknowledgements in it
	marked    int64 // of them, with the echo of a mark, or of trimmed packets
	congested int   // round trips in a row
}

// judge counts an acknowledgement of a flow with Protective, and changes its path at the end of a round trip if need be.
func (h *Host) judge(s *sender, ack *core.Packet) {
	k := &s.paths.protection
	k.heard++
	if ack.Flags&(core.ECE|core.Trimmed) != 0 {
		k.marked++
	}
	if s.base+s.una < k.end {
		return
	}
	k.congested++
	if float64(k.marked) < h.cfg.PLB.Threshold*float64(k.heard) {
		k.congested = 0
	}
	k.end, k.heard, k.marked = s.reached(), 0, 0
	if k.congested >= h.cfg.PLB.Rounds || k.congested >= idleRounds && h.allAcked(s) {
		h.repath(s)
	}
}

// repath gives a flow with Protective another source port, at random, and begins anew with what is sent from now on.
func (h *Host) repath(s *sender) {
	s.paths.protection = protection{port: h.draw(), end: s.reached()}
}
