package switching

import "github.com/qbb-sim/qbb/core"

// BufferConfig describes the memory of a switch.
type BufferConfig struct {
	Total   core.Bytes // all memory
	Reserve core.Bytes // guaranteed to each ingress port and priority
	Resume  core.Bytes // a pause ends when the shared use is this much below the threshold
	// Wrap32 computes the dynamic threshold in 32-bit unsigned arithmetic, in which a
	// negative rest of the memory counts as a large one, as the reference does.
	Wrap32 bool
	// KeepOnFlush keeps what packets held that were thrown away because their link failed,
	// as the reference does.
	KeepOnFlush bool
}

// Buffer is the admission control of a shared memory with dynamic thresholds, accounted on
// the ingress side per port and priority (Choudhury and Hahne 1998; as in merchant switches
// with PFC headroom). Each (port, priority) fills, in this order, its reserve, the shared pool
// up to threshold = rest of the pool >> shift, and the port's headroom.
type Buffer struct {
	cfg     BufferConfig
	rest    core.Bytes // Total less all headroom and reserves
	shared  core.Bytes // of it, used
	ports   []ingress
	ingress [][8]account
}

type ingress struct {
	headroom core.Bytes
	shift    uint8
}

// account is the use of one ingress port and priority.
type account struct {
	bytes    core.Bytes // reserve and shared pool
	headroom core.Bytes
	paused   bool // a pause is in force upstream
}

// NewBuffer returns an empty buffer. headroom (bytes) and shift (threshold = rest >> shift)
// are given per port.
func NewBuffer(cfg BufferConfig, headroom []core.Bytes, shift []uint8) *Buffer {
	b := &Buffer{cfg: cfg, rest: cfg.Total, ports: make([]ingress, len(headroom)), ingress: make([][8]account, len(headroom))}
	for i, h := range headroom {
		b.ports[i] = ingress{headroom: h, shift: shift[i]}
		b.rest -= h + cfg.Reserve
	}
	return b
}

// threshold is the most that a port and priority may use of the shared pool now.
func (b *Buffer) threshold(port int) core.Bytes {
	free := b.rest - b.shared
	if b.cfg.Wrap32 {
		free = core.Bytes(uint32(free))
	}
	return max(free, 0) >> b.ports[port].shift
}

func (b *Buffer) sharedUse(a *account) core.Bytes { return max(0, a.bytes-b.cfg.Reserve) }

// Admit accounts a packet of n bytes that arrived on port with priority prio, or reports that
// there is no room.
func (b *Buffer) Admit(port int, prio uint8, n core.Bytes) bool {
	a := &b.ingress[port][prio]
	limit := b.threshold(port)
	if n+a.headroom > b.ports[port].headroom && n+b.sharedUse(a) > limit {
		return false
	}
	switch after := a.bytes + n; {
	case after <= b.cfg.Reserve:
		a.bytes = after
	case after-b.cfg.Reserve > limit:
		a.headroom += n
	default:
		a.bytes = after
		b.shared += min(n, after-b.cfg.Reserve)
	}
	return true
}

// Release gives back what Admit accounted.
func (b *Buffer) Release(port int, prio uint8, n core.Bytes) {
	a := &b.ingress[port][prio]
	fromHeadroom := min(a.headroom, n)
	fromShared := min(n-fromHeadroom, b.sharedUse(a))
	a.headroom -= fromHeadroom
	a.bytes -= n - fromHeadroom
	b.shared -= fromShared
}

// MustPause reports whether the port and priority should be paused and is not, and records
// that it now is.
func (b *Buffer) MustPause(port int, prio uint8) bool {
	a := &b.ingress[port][prio]
	if a.paused || a.headroom == 0 && b.sharedUse(a) < b.threshold(port) {
		return false
	}
	a.paused = true
	return true
}

// MayResume reports whether a pause that is in force may end, and records that it has.
func (b *Buffer) MayResume(port int, prio uint8) bool {
	a := &b.ingress[port][prio]
	if !a.paused || a.headroom != 0 {
		return false
	}
	if use := b.sharedUse(a); use != 0 && use+b.cfg.Resume > b.threshold(port) {
		return false
	}
	a.paused = false
	return true
}

// Paused reports whether a pause is in force for the port and priority.
func (b *Buffer) Paused(port int, prio uint8) bool { return b.ingress[port][prio].paused }

// Used returns the bytes held on behalf of the port and priority.
func (b *Buffer) Used(port int, prio uint8) core.Bytes {
	a := &b.ingress[port][prio]
	return a.bytes + a.headroom
}
