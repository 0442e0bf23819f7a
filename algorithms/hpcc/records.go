package hpcc

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// records are the hop records of the last ACK, and which ACKs say something new.
type records struct {
	last  int64 // an ACK beyond it makes a full update; 0 before the first ACK
	stale int64 // ACKs up to it may be from a former path
	hops  []core.Hop
}

// reset empties the records and makes room for n hops.
func (r *records) reset(n int) { *r = records{stale: -1, hops: zeroed(r.hops, n)} }

// changePath forgets a path; ACKs of what was sent before next may still be from it.
func (r *records) changePath(next int64) { r.last, r.stale = 0, next }

// take returns the hops of an ACK that calls for an update, and whether that is a full one; no
// hops if it calls for none. The first ACK is only recorded. fast admits updates between full ones.
func (r *records) take(sig *algorithms.Signal, fast bool) (hops []core.Hop, full bool) {
	full = sig.Acked > r.last
	hops = sig.Hops[:min(len(sig.Hops), len(r.hops))]
	switch {
	case !full && !fast || sig.Acked <= r.stale:
		return nil, false
	case r.last == 0:
		copy(r.hops, hops)
		r.last = sig.Next
		return nil, false
	}
	return hops, full
}

// updated notes that a full update has been made.
func (r *records) updated(next int64) { r.last = max(r.last, next) }
