package switching

import (
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// A PFC watchdog ends what pauses that do not end would do to a network, a deadlock or a PFC storm, at the price of losses (Guo
// et al., "RDMA over Commodity Ethernet at Scale", SIGCOMM 2016, section 4.3; SONiC, "PFC Watchdog Design", with action drop).
// It looks at a class of an egress port that is paused once every Detection, like those of switches: if the class has not been
// free to send since the last look, and held packets then as now, it is in a storm. These packets are thrown away, and all that
// come for it, until no pause has been received for Restoration. Pauses are then obeyed as before.

// WatchdogConfig has the times of PFC watchdogs. A storm is found after twice Detection at the latest.
type WatchdogConfig struct {
	Detection   core.Duration // between looks at a paused class; 0: there are no watchdogs
	Restoration core.Duration
}

// WatchdogCounters count what the PFC watchdogs of a switch have done.
type WatchdogCounters struct {
	Storms  int64 // that have been found
	Flushed int64 // packets that waited then: of Counters.Flushed
	Refused int64 // packets that came while they lasted: of Counters.DroppedPackets
}

// WatchdogCounters returns what the PFC watchdogs have done so far.
func (s *Switch) WatchdogCounters() WatchdogCounters { return s.watchdogs }

// watchdog is that of a port.
type watchdog struct {
	due  [numQueues]core.Time // the next look at a class, or the end of its storm; core.Never: it is neither paused nor in a storm
	held uint8                // classes that held packets at the last look
}

// newWatchdog returns nil if there is to be none.
func newWatchdog(cfg *WatchdogConfig) *watchdog {
	if cfg.Detection == 0 {
		return nil
	}
	d := new(watchdog)
	d.rest(^uint8(0))
	return d
}

// rest makes the watchdog forget some classes.
func (d *watchdog) rest(classes uint8) {
	for m := classes; m != 0; m &= m - 1 {
		d.due[bits.TrailingZeros8(m)] = core.Never
	}
}

// next is when the watchdog looks next.
func (d *watchdog) next() core.Time {
	next := core.Never
	for _, due := range d.due {
		next = min(next, due)
	}
	return next
}

// hear tells the watchdog of a port of a PFC frame.
func (s *Switch) hear(t *core.Turn, at int, w core.PauseWord) {
	o := &s.ports[at]
	d, classes := o.watchdog, w.Classes()&^1
	if w.Resume() {
		d.rest(classes &^ o.storm)
		return
	}
	for m := classes; m != 0; m &= m - 1 {
		switch c := bits.TrailingZeros8(m); {
		case o.storm>>c&1 != 0:
			d.due[c] = t.Now.Add(s.cfg.Watchdog.Restoration)
		case d.due[c] == core.Never:
			s.look(t, o, c)
		}
	}
	s.arm(t, at)
}

// look notes whether a paused class holds packets.
func (s *Switch) look(t *core.Turn, o *port, class int) {
	o.watchdog.held = o.watchdog.held&^(1<<class) | o.active&(1<<class)
	o.watchdog.due[class] = t.Now.Add(s.cfg.Watchdog.Detection)
}

// patrol does what the watchdog of a port has to do now.
func (s *Switch) patrol(t *core.Turn, at int) {
	o := &s.ports[at]
	d := o.watchdog
	for c := range d.due {
		bit := uint8(1) << c
		switch {
		case d.due[c] > t.Now:
		case o.storm&bit != 0:
			o.storm &^= bit
			s.storming--
			o.obey()
			d.rest(bit)
			if o.paused&bit != 0 {
				s.look(t, o, c)
			}
			s.trySend(t, at) // what ConWeave had held has not been dropped
		case d.held&bit != 0: // and still does, since it has not been free to send
			o.storm |= bit
			s.storming++
			s.watchdogs.Storms++
			d.due[c] = t.Now.Add(s.cfg.Watchdog.Restoration)
			s.discard(t, at, c)
		default:
			s.look(t, o, c)
		}
	}
}

// restPort makes the watchdog of a port whose link has failed forget everything.
func (s *Switch) restPort(o *port) {
	s.storming -= int32(bits.OnesCount8(o.storm))
	o.storm = 0
	o.watchdog.rest(^uint8(0))
}

// discard throws away what a class of a port holds.
func (s *Switch) discard(t *core.Turn, at, class int) {
	o := &s.ports[at]
	o.meter.change(t.Now, o.depth)
	o.depth -= o.queues[class].bytes
	o.active &^= 1 << class
	for p := o.pop(class); p != nil; p = o.pop(class) {
		s.watchdogs.Flushed++
		s.flush(t, at, class, p, true)
	}
	s.setCongested(o, uint8(class), false)
	if o.shares != nil {
		o.shares.deficit[class] = 0
	}
	if o.active == 0 {
		o.waited(t.Now)
	}
	if o.depth == 0 {
		s.clearMarkers(t.Now, at)
	}
}
