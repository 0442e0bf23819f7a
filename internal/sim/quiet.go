package sim

import "slices"

// quiet keeps a long time at the end, in which nothing is sent, from displacing what was recorded
// before: flows that wait for ever, as in profile ns3 after a loss, leave the run empty up to its end.
// PFC frames and credits do not count: those that are repeated may never end.
type quiet struct {
	hops   int64     // at the last check
	since  int64     // tick at which hops first had this value
	before *recorder // what was recorded when the quiet had lasted as long as the time before it; nil: it has not
}

// noteQuiet checks whether something has been sent. It is called when ports or fairness are sampled: other looks
// depend on the number of parts.
func (r *recorder) noteQuiet() {
	q := &r.quiet
	if hops := r.n.Engine.Hops(); hops != q.hops {
		*q = quiet{hops: hops, since: r.tick}
		return
	}
	if q.before == nil && q.hops > 0 && r.tick > 2*q.since {
		q.before = r.copy()
	}
}

// quietEnd returns what had been recorded before a long time, up to now, in which nothing was sent; nil if there was
// none.
func (r *recorder) quietEnd() *recorder {
	if r.quiet.hops != r.n.Engine.Hops() {
		return nil
	}
	return r.quiet.before
}

// copy copies what has been recorded.
func (r *recorder) copy() *recorder {
	c := *r
	c.ports, c.flows = slices.Clone(r.ports), slices.Clone(r.flows)
	for i := range c.ports {
		c.ports[i].track = c.ports[i].track.Clone()
	}
	for i := range c.flows {
		c.flows[i].track = c.flows[i].track.Clone()
	}
	c.fair.track = r.fair.track.Clone()
	return &c
}
