package sim

import (
	"cmp"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// news is something for the recorder and the observer. Parts that run in parallel keep it until they meet; then it is heard in
// the order of events, except that flows which start at one time are heard of in any order, since processes start them,
// whose places differ from part to part.
type news struct {
	at     core.Time
	place  uint64 // of the event, among those of its time
	kind   newsKind
	record FlowRecord // its ID alone of a flow that has started
	pause  PauseRecord
}

type newsKind uint8

const (
	flowStarted newsKind = iota
	flowEnded
	pauseReceived
)

// tell delivers news to the recorder and the observer, now or when the parts meet.
func (p *part) tell(x *news) {
	if len(p.n.parts) == 1 {
		p.n.hear(x)
		return
	}
	x.place = p.engine.Place()
	p.news = append(p.news, *x)
	p.engine.Tell()
}

// merged is called between two windows in the order of scheduling, if a part has asked for it (engine.Engine.Tell). Until
// then the place of an event is known in its part alone; final returns that among the events of all parts.
func (n *Network) merged(final func(part int, place uint64) uint64) {
	for k, p := range n.parts {
		for ; p.placed < len(p.news); p.placed++ {
			x := &p.news[p.placed]
			x.place = final(k, x.place)
		}
		for _, i := range p.forgotten {
			n.forget(int(i))
		}
		p.forgotten = p.forgotten[:0]
	}
}

// meet delivers, in the order of events, the news that the parts have kept from before a time that all of them
// have reached.
func (n *Network) meet(before core.Time) {
	if len(n.parts) == 1 {
		return
	}
	n.met = before
	for _, p := range n.parts {
		n.news = append(n.news, p.news...)
		p.news, p.placed = p.news[:0], 0
	}
	slices.SortStableFunc(n.news, func(a, b news) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.place, b.place))
	})
	told := 0
	for told < len(n.news) && n.news[told].at < before {
		n.hear(&n.news[told])
		told++
	}
	n.news = slices.Delete(n.news, 0, told)
}

func (n *Network) hear(x *news) {
	switch x.kind {
	case flowStarted:
		if n.recorder != nil {
			n.recorder.started(x.record.ID, x.at)
		}
	case flowEnded:
		if n.recorder != nil {
			n.recorder.ended(x.record.ID)
		}
		n.observer.FlowEnded(&x.record)
	case pauseReceived:
		n.observer.PauseReceived(&x.pause)
	}
}
