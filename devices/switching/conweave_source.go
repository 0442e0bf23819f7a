package switching

import "github.com/qbb-sim/qbb/core"

// source is a connection at its source ToR. Epochs, in each of which it moves at most once, are numbered over
// all connections of the switch, so that one that has been forgotten meanwhile goes on with a later number.
type source struct {
	tor   core.NodeID // of the destination
	paths int         // to it; 0: not known, or no longer
	path  uint16
	epoch uint32    // 0: there was none
	over  bool      // the epoch: the next packet begins another
	moved bool      // TAIL has gone on the old path
	since core.Time // RTT_REQUEST of the epoch, or its TAIL, has left
	tail  uint32    // time stamp of TAIL
	last  core.Time // packet
}

// fabricPath is a path to a destination ToR.
type fabricPath struct {
	to   core.NodeID
	path uint16
}

// samples is how many other paths are looked at before a connection moves: cautious rerouting.
const samples = 2

// writeLabel writes the label of a packet that comes from its host, if there are several paths. A connection begins on a random
// one; after a time without packets it stays on its path, on which some may have been held up.
func (s *Switch) writeLabel(now core.Time, p *core.Packet) {
	w := s.weaver
	e := w.source(now, connection{p.Src, p.SrcQP})
	if e.paths == 0 {
		e.tor = w.Fabric.ToR(p.Dst)
		e.paths = w.pathsTo(e.tor, s.cfg.ID, p.Dst)
		if e.paths > 1 && (e.epoch == 0 || int(e.path) >= e.paths) {
			e.path = uint16(s.draw(e.paths))
		}
	}
	if e.paths == 1 {
		return
	}
	idle := now.Sub(e.last) > w.Inactive || e.moved && now.Sub(e.since) > w.Inactive
	e.last = now
	flags, path, stamp := label(0), e.path, uint32(now.Nanos())
	switch {
	case e.over || idle:
		w.epoch = (w.epoch + 1) & (1<<epochBits - 1)
		flags, e.epoch, e.over, e.moved, e.since = request, w.epoch, false, false, now
	case e.moved:
		flags, stamp = rerouted, e.tail
	case now.Sub(e.since) > w.Reply && s.leavePath(now, e):
		flags, e.moved, e.since, e.tail = tail, true, now, stamp
	}
	p.Sack, p.HostNanos = int64(newLabel(flags, path, e.epoch)), stamp
}

// source returns the state of a connection.
func (w *weaver) source(now core.Time, c connection) *source {
	e := w.sources[c]
	if e == nil {
		sweep(w.sources, &w.manySources, func(e *source) bool { return now.Sub(e.last)/memory > w.Inactive })
		e = &source{last: now, over: true}
		w.sources[c] = e
	}
	return e
}

// leavePath moves a connection to another path, unless all that are looked at are busy: then it stays, and its next packet tries
// again.
func (s *Switch) leavePath(now core.Time, e *source) bool {
	for range samples {
		to := uint16(s.draw(e.paths - 1))
		if to >= e.path {
			to++
		}
		if s.weaver.busy[fabricPath{e.tor, to}] <= now {
			e.path = to
			s.weaver.count.Moves++
			return true
		}
	}
	return false
}

// heed takes an answer of a destination ToR. One that belongs to an epoch that is over, or that comes when the connection has
// moved all the same, says nothing.
func (s *Switch) heed(now core.Time, m *core.Packet) {
	w, l := s.weaver, label(m.Aux)
	if l&pathBusy != 0 {
		w.avoid(now, fabricPath{m.Src, l.path()})
	} else if e := w.sources[connection{m.Dst, m.DstQP}]; e != nil && e.epoch == l.epoch() && e.moved == (l&allClear != 0) {
		e.over = true
	}
	s.pool.Free(m)
}

// avoid keeps connections from moving to a path for a time.
func (w *weaver) avoid(now core.Time, path fabricPath) {
	sweep(w.busy, &w.manyBusy, func(until core.Time) bool { return until <= now })
	w.busy[path] = now.Add(w.Busy)
}

// forgetPaths makes connections ask again how many paths there are, when the routes have changed.
func (w *weaver) forgetPaths() {
	for _, e := range w.sources {
		e.paths = 0
	}
	clear(w.paths)
}

// pathsTo returns the number of paths from a switch to a host, which is at a ToR.
func (w *weaver) pathsTo(tor, from, host core.NodeID) int {
	n, known := w.paths[tor]
	if !known {
		n = w.Fabric.Paths(from, host)
		w.paths[tor] = n
	}
	return n
}
