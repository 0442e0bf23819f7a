package switching

import (
	"math/bits"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// CONGA (Alizadeh et al., SIGCOMM 2014). The switch of a source host, its leaf, chooses a link to other switches for
// every flowlet: that with the least congestion, which is the larger one of what the leaf measures on the link and of what
// the leaf of the destination has told of the path behind it. A packet names the link by which it has left its leaf, collects
// the congestion of its path, and brings one value of the opposite direction back.
//
// The paper's networks have two tiers. In others the path behind a link is one of several, among which other switches choose
// by hash: leaves know less, which the paper still expects to be better than hashing at leaves, too.
//
// Differs from the paper in: flowlets end after the gap (500 us there), not at the second look at an age bit; what is fed back
// ages as well, lest it look new for ever.

// MostUplinks is how many links to other switches a leaf may have: LBTag has 4 bits (section 3.1).
const MostUplinks = 16

// Parameters: sections 3.2 and 3.6 for the number of bits and tau = dreTick/alpha; that alpha is 1/8 is our choice.
const (
	congaBits  = 3
	dreTau     = 160 * core.Microsecond
	dreShift   = 3 // alpha = 1/8
	dreTick    = dreTau >> dreShift
	congaTrust = 10 * core.Millisecond // after which a value that has not been renewed begins to decay (section 3.3)
)

// dre is a discounting rate estimator: bytes sent, of which the part alpha is forgotten at every multiple of dreTick. At a steady
// rate there are as many as are sent in tau.
type dre struct {
	bytes int64
	due   core.Time  // of the next decay
	full  core.Bytes // what the link sends in tau
}

// add counts what is sent, and measure returns the share of the link's rate in eighths, at most 7.
func (d *dre) add(now core.Time, n core.Bytes) {
	d.decay(now)
	d.bytes += int64(n)
}

func (d *dre) measure(now core.Time) uint8 {
	d.decay(now)
	return uint8(min(d.bytes<<congaBits/int64(d.full), 1<<congaBits-1))
}

func (d *dre) decay(now core.Time) {
	if now < d.due {
		return
	}
	ticks := now.Sub(d.due)/dreTick + 1
	d.due = d.due.Add(ticks * dreTick)
	for ; ticks > 0 && d.bytes > 0; ticks-- {
		d.bytes -= max(1, d.bytes>>dreShift)
	}
}

// reading is the congestion of a path, and when it was heard of.
type reading struct {
	value uint8
	at    core.Time
}

// now is a reading's value, one less for every congaTrust that has passed since: a path that is not used is tried again.
func (r reading) now(now core.Time) uint8 {
	age := now.Sub(r.at)
	if age < congaTrust {
		return r.value
	}
	return uint8(max(0, core.Duration(r.value)-age/congaTrust))
}

// opposite is what a leaf knows of the paths to another leaf and from it, by link of the leaf where they begin.
type opposite struct {
	to, from [MostUplinks]reading
	told     [MostUplinks]uint8 // last values of from that it was told
	known    uint16             // bits of from
	last     int                // of from that it was told
}

// feedback takes the next value to tell: of those that have changed since they were told, else of all, in turn. False: there
// is none.
func (o *opposite) feedback(now core.Time) (tag, value uint8, ok bool) {
	if o.known == 0 {
		return 0, 0, false
	}
	choice := o.known
	changed := uint16(0)
	for m := o.known; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros16(m); o.from[i].now(now) != o.told[i] {
			changed |= 1 << i
		}
	}
	if changed != 0 {
		choice = changed
	}
	turned := bits.RotateLeft16(choice, -(o.last + 1))
	o.last = (o.last + 1 + bits.TrailingZeros16(turned)) % MostUplinks
	o.told[o.last] = o.from[o.last].now(now)
	return uint8(o.last), o.told[o.last], true
}

// conga is what a switch remembers.
type conga struct {
	leaf   []int32     // BalanceConfig.Leaves
	own    int32       // number of this leaf; -1: it is none
	dres   []dre       // by port; full is 0 for ports to hosts
	tags   []uint8     // by port to a switch: its LBTag
	others []*opposite // by leaf; nil: nothing is known
}

func newConga(cfg *Config) *conga {
	leaves := cfg.Balance.Leaves
	c := &conga{leaf: leaves, own: leaves[cfg.ID], dres: make([]dre, len(cfg.Ports)), tags: make([]uint8, len(cfg.Ports))}
	uplinks := uint8(0)
	for i := range cfg.Ports {
		if p := &cfg.Ports[i]; !p.ToHost {
			c.dres[i].full = max(1, p.Rate.BytesIn(dreTau))
			c.tags[i] = uplinks
			uplinks++
		}
	}
	if c.own >= 0 && uplinks > MostUplinks {
		panic("switching: a leaf has more links to other switches than LBTag can name")
	}
	return c
}

// other is what the leaf knows of another one.
func (c *conga) other(leaf int32) *opposite {
	for int(leaf) >= len(c.others) {
		c.others = append(c.others, nil)
	}
	if c.others[leaf] == nil {
		c.others[leaf] = new(opposite)
	}
	return c.others[leaf]
}

// leave counts a packet that a port sends, and raises the congestion that it has met.
func (c *conga) leave(now core.Time, out int, p *core.Packet) {
	if d := &c.dres[out]; d.full != 0 {
		d.add(now, core.Bytes(p.Size))
		p.Fabric = uint16(congaHeader(p.Fabric).meet(d.measure(now)))
	}
}

// congaPort chooses a port for a packet, and at a leaf begins or ends what the packet carries.
func (s *Switch) congaPort(now core.Time, p *core.Packet, ports []uint16) uint16 {
	c := s.conga
	from, to := c.leaf[p.Src], c.leaf[p.Dst]
	if c.own >= 0 && from == c.own && to >= 0 && to != c.own {
		other := c.other(to)
		out := s.flowletPort(now, p, ports)
		h := congaHeader(c.tags[out])
		if tag, value, ok := other.feedback(now); ok {
			h = h.tell(tag, value)
		}
		p.Fabric = uint16(h)
		return out
	}
	if c.own >= 0 && to == c.own && from >= 0 && from != c.own {
		other := c.other(from)
		h := congaHeader(p.Fabric)
		tag, met := h.path()
		other.from[tag] = reading{met, now}
		other.known |= 1 << tag
		if tag, value, ok := h.told(); ok {
			other.to[tag] = reading{value, now}
		}
	}
	out, _ := core.ECMPPort(ports, p, s.cfg.ID, s.cfg.ECMPSeed)
	return uint16(out)
}

// leastCongested returns the port of the least congestion to a leaf: old, if it is one of them, else one of them at random.
func (s *Switch) leastCongested(now core.Time, to int32, ports []uint16, old int) uint16 {
	c, other := s.conga, s.conga.other(to)
	var equal [MostUplinks]uint16
	least, n := uint8(255), 0
	for _, port := range ports {
		value := max(c.dres[port].measure(now), other.to[c.tags[port]].now(now))
		if value < least {
			least, n = value, 0
		}
		if value == least {
			equal[n] = port
			n++
		}
	}
	if old >= 0 && slices.Contains(equal[:n], uint16(old)) {
		return uint16(old)
	}
	return equal[s.draw(n)]
}

// congaHeader is what a packet carries between leaves (section 3.1): LBTag in bits 0 to 3, CE in 4 to 6, FB_LBTag in 8 to 11,
// FB_Metric in 12 to 14; bit 15 says that there are the latter two.
type congaHeader uint16

// meet raises CE to the congestion of a link.
func (h congaHeader) meet(value uint8) congaHeader {
	return h&^(7<<4) | max(h&(7<<4), congaHeader(value)<<4)
}

// tell adds what the leaf at the other end is told.
func (h congaHeader) tell(tag, value uint8) congaHeader {
	return h | congaHeader(tag)<<8 | congaHeader(value)<<12 | 1<<15
}

// path returns LBTag and CE.
func (h congaHeader) path() (tag, value uint8) { return uint8(h & 15), uint8(h >> 4 & 7) }

// told returns FB_LBTag and FB_Metric, if there are any.
func (h congaHeader) told() (tag, value uint8, ok bool) {
	return uint8(h >> 8 & 15), uint8(h >> 12 & 7), h>>15 != 0
}
