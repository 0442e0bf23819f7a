package switching

import (
	"math"
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// BufferConfig describes the memory of a switch.
type BufferConfig struct {
	Total   core.Bytes // all memory; what MaxTotal leaves over is not used
	Reserve core.Bytes // what each ingress port and priority uses first, at most MaxUse; see Promised for what is set aside
	Resume  core.Bytes // a pause ends when the shared use is this much below the threshold
	// Lossy is the set of priorities, one bit each, that have no headroom and are never paused:
	// their packets are dropped when the egress queue would exceed what Sharing allows.
	Lossy      uint8
	LossyShift uint8
	FirstAlpha uint16 // ABM: alpha of packets before Config.FirstBytes of their message, those of its first round trip
	Sharing    Sharing
	// Trim cuts the payload of a data packet of a lossy priority that finds no room, instead of dropping it: see trim.go.
	Trim bool
	// Wrap32 computes the dynamic threshold in 32-bit unsigned arithmetic, in which a
	// negative rest of the memory counts as a large one, as the reference does.
	Wrap32 bool
	// KeepOnFlush keeps counting packets that were dropped because their link failed, as the
	// reference does: in the buffer, and in the samples of their queue until the link returns.
	KeepOnFlush bool
}

// buffer is the admission control of a shared memory with dynamic thresholds, accounted on
// the ingress side per port and priority (Choudhury and Hahne 1998; as in merchant switches
// with PFC headroom). Each (port, priority) fills, in this order, its reserve, the shared pool
// up to threshold = rest of the pool >> shift, and the port's headroom.
type buffer struct {
	cfg    BufferConfig
	rest   core.Bytes // Total less all headroom and reserves
	shared core.Bytes // of it, used
	shift  uint8      // the largest of all ports
	ample  bool       // the threshold of every port is above 0
}

// ingress is what a port uses of the buffer, and what has arrived on it.
type ingress struct {
	Headroom core.Bytes // of each priority, at most MaxUse
	Shift    uint8      // threshold = rest of the shared pool >> Shift
	paused   uint8      // priorities for which a pause is in force upstream
	packets  int64      // received
	bytes    int64
	use      [8]account
}

// account is the use of one ingress port and priority. MaxUse keeps it in range.
type account struct {
	bytes    uint32 // reserve and shared pool
	headroom uint32
}

// MaxUse is the most that one port and priority can use of its reserve and the shared pool together,
// and of its headroom.
const MaxUse core.Bytes = math.MaxUint32

// Promised returns what is set aside for a port: its headroom, and a reserve for the lossless
// priorities and for each lossy one.
func (c *BufferConfig) Promised(headroom core.Bytes) core.Bytes {
	return headroom + c.Reserve*core.Bytes(1+bits.OnesCount8(c.Lossy))
}

// MaxTotal returns the most memory that a switch can use, given what its ports are promised: with more,
// a port and priority could use more than MaxUse.
func (c *BufferConfig) MaxTotal(promised core.Bytes) core.Bytes { return promised + MaxUse - c.Reserve }

// newBuffer returns an empty buffer with the given ports, of which headroom and shift are set.
func newBuffer(cfg BufferConfig, ports ...*ingress) buffer {
	b := buffer{cfg: cfg}
	promised := core.Bytes(0)
	for _, in := range ports {
		in.Headroom = min(in.Headroom, MaxUse)
		promised += cfg.Promised(in.Headroom)
		b.shift = max(b.shift, in.Shift)
	}
	b.rest = min(cfg.Total, cfg.MaxTotal(promised)) - promised
	b.share(0)
	return b
}

// share makes the used part of the shared pool larger by n bytes, which may be negative.
func (b *buffer) share(n core.Bytes) {
	b.shared += n
	b.ample = b.free()>>(b.shift&63) > 0
}

// free is the unused part of the shared pool.
func (b *buffer) free() core.Bytes {
	free := b.rest - b.shared
	if b.cfg.Wrap32 {
		free = core.Bytes(uint32(free))
	}
	return max(free, 0)
}

// threshold is the most that a priority of the port may use of the shared pool now.
func (b *buffer) threshold(in *ingress) core.Bytes {
	return b.free() >> (in.Shift & 63)
}

func (b *buffer) sharedUse(a *account) core.Bytes { return max(0, core.Bytes(a.bytes)-b.cfg.Reserve) }

// untouched reports whether admitting a packet and releasing it again at once would, for sure,
// leave the buffer as it is, without a drop or a pause.
func (b *buffer) untouched(in *ingress, prio uint8, n core.Bytes) bool {
	a, bit := &in.use[prio&7], uint8(1)<<(prio&7)
	return prio == 0 || core.Bytes(a.bytes)+n <= b.cfg.Reserve && a.headroom == 0 &&
		(n <= in.Headroom || b.cfg.Lossy&bit != 0) && in.paused&bit == 0 && b.ample
}

// admit accounts a packet of n bytes that arrived on the port with priority prio, or reports
// that there is no room.
func (b *buffer) admit(in *ingress, prio uint8, n core.Bytes) bool {
	a := &in.use[prio&7]
	if after := core.Bytes(a.bytes) + n; after <= b.cfg.Reserve && a.headroom == 0 && n <= in.Headroom {
		a.bytes = uint32(after) // within its reserve: nothing else is touched
		return true
	}
	return b.admitShared(in, a, n)
}

// admitShared is admit where the shared pool and the headroom count too.
func (b *buffer) admitShared(in *ingress, a *account, n core.Bytes) bool {
	limit := b.threshold(in)
	if n+core.Bytes(a.headroom) > in.Headroom && n+b.sharedUse(a) > limit {
		return false
	}
	switch after := core.Bytes(a.bytes) + n; {
	case after <= b.cfg.Reserve:
		a.bytes = uint32(after)
	case after-b.cfg.Reserve > limit:
		a.headroom += uint32(n)
	default:
		a.bytes = uint32(after)
		b.share(min(n, after-b.cfg.Reserve))
	}
	return true
}

// unused is what is left of the shared pool, without Wrap32.
func (b *buffer) unused() core.Bytes { return max(b.rest-b.shared, 0) }

// admitLossy is admit for a lossy priority, whose egress queue holds some bytes and may hold limit bytes.
func (b *buffer) admitLossy(in *ingress, prio uint8, n, queue, limit core.Bytes) bool {
	a := &in.use[prio&7]
	after := core.Bytes(a.bytes) + n
	if after > b.cfg.Reserve {
		taken := min(n, after-b.cfg.Reserve)
		if queue+n > limit || taken > b.unused() {
			return false
		}
		b.share(taken)
	}
	a.bytes = uint32(after)
	return true
}

// release gives back what admit accounted.
func (b *buffer) release(in *ingress, prio uint8, n core.Bytes) {
	a := &in.use[prio&7]
	if core.Bytes(a.bytes) <= b.cfg.Reserve && a.headroom == 0 {
		a.bytes -= uint32(n)
		return
	}
	b.releaseShared(a, n)
}

// releaseShared is release where more than the reserve may be in use.
func (b *buffer) releaseShared(a *account, n core.Bytes) {
	fromHeadroom := min(core.Bytes(a.headroom), n)
	fromShared := min(n-fromHeadroom, b.sharedUse(a))
	a.headroom -= uint32(fromHeadroom)
	a.bytes -= uint32(n - fromHeadroom)
	b.share(-fromShared)
}

// mustPause reports whether the port and priority should be paused and is not, and records
// that it now is.
func (b *buffer) mustPause(in *ingress, prio uint8) bool {
	a := &in.use[prio&7]
	if in.paused>>(prio&7)&1 != 0 || a.headroom == 0 && b.sharedUse(a) < b.threshold(in) {
		return false
	}
	in.paused |= 1 << (prio & 7)
	return true
}

// mayResume reports whether a pause that is in force may end, and records that it has.
func (b *buffer) mayResume(in *ingress, prio uint8) bool {
	return in.paused>>(prio&7)&1 != 0 && b.endPause(in, prio)
}

// endPause ends the pause of the port and priority if their use allows it, and reports whether it has.
func (b *buffer) endPause(in *ingress, prio uint8) bool {
	a := &in.use[prio&7]
	if a.headroom != 0 {
		return false
	}
	if use := b.sharedUse(a); use != 0 && use > b.threshold(in)-b.cfg.Resume {
		return false
	}
	in.paused &^= 1 << (prio & 7)
	return true
}
