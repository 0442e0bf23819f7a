package switching

import "github.com/qbb-sim/qbb/core"

// MeterConfig says when queue depths are sampled for the histograms.
type MeterConfig struct {
	Interval core.Duration // between samples; 0: none are taken
	Start    core.Time     // of the first sample
	End      core.Time     // no sample after this time
	Bin      core.Bytes    // width of a histogram bin
	// Taken, if set, counts the samples taken so far, and Start, End and Interval are not
	// used: the host takes a sample by adding 1, at a place in the order of events of its
	// choosing.
	Taken *int64
}

// meter is the histogram of one port's queue depth at the sampling instants. It costs no
// events: a depth counts for all the samples that fell into the time it lasted. A sample sees
// the depth before the events of its own instant.
type meter struct {
	cfg    *MeterConfig
	taken  *int64
	seen   int64      // samples accounted for
	next   core.Time  // instant of the next sample; with Taken, unused
	kept   core.Bytes // lost with the link and counted all the same, see BufferConfig.KeepOnFlush
	counts []uint64
}

func newMeter(cfg *MeterConfig) meter {
	m := meter{cfg: cfg, taken: cfg.Taken, next: core.Never}
	if cfg.Interval > 0 {
		m.next = cfg.Start
	}
	return m
}

// change must be called before the depth changes.
func (m *meter) change(now core.Time, depth core.Bytes) {
	if m.taken != nil {
		if n := *m.taken; n != m.seen {
			m.add(depth, n-m.seen)
			m.seen = n
		}
		return
	}
	if now < m.next {
		return
	}
	span := min(now, m.cfg.End).Sub(m.cfg.Start)
	if span < 0 {
		m.next = core.Never
		return
	}
	n := int64(span/m.cfg.Interval) + 1
	m.add(depth, n-m.seen)
	m.seen = n
	m.next = m.cfg.Start.Add(core.Duration(n) * m.cfg.Interval)
	if m.next > m.cfg.End {
		m.next = core.Never
	}
}

func (m *meter) add(depth core.Bytes, n int64) {
	bin := 0
	depth += m.kept
	if width := m.cfg.Bin; (depth|width)>>32 == 0 {
		bin = int(uint32(depth) / uint32(width)) // half the time of 64 bits
	} else {
		bin = int(depth / width)
	}
	for len(m.counts) <= bin {
		m.counts = append(m.counts, 0)
	}
	m.counts[bin] += uint64(n)
}
