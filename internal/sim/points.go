package sim

import "github.com/qbb-sim/qbb/algorithms"

// Points numbers those of a network's schemes that have congestion points in the switches, and those that have
// notification points in the hosts: packets carry these numbers.
type Points struct {
	Markers   []algorithms.Scheme // with congestion points
	Receivers []algorithms.Scheme // with notification points

	marker   []uint8 // by scheme: 1 + index into Markers; 0: has no congestion points
	receiver []uint8 // by scheme: 1 + index into Receivers; 0: has no notification points
}

// Add numbers the next scheme.
func (p *Points) Add(s algorithms.Scheme) {
	var marker, receiver uint8
	if s.NewMarker() != nil {
		p.Markers = append(p.Markers, s)
		marker = uint8(len(p.Markers))
	}
	if s.NewReceiver() != nil {
		p.Receivers = append(p.Receivers, s)
		receiver = uint8(len(p.Receivers))
	}
	p.marker, p.receiver = append(p.marker, marker), append(p.receiver, receiver)
}

// Of returns the numbers of a scheme, given by its index among all: core.Packet.Marker and Scheme of the packets of its
// flows.
func (p *Points) Of(scheme int) (marker, receiver uint8) { return p.marker[scheme], p.receiver[scheme] }
