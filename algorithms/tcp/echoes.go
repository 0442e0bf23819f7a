package tcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// echoes is DCTCP's receiver: delayed ACKs that show exactly which packets were marked
// (Alizadeh et al., SIGCOMM 2010, figure 10; RFC 8257, section 3.2).
type echoes struct {
	p     *DCTCPParams
	pairs []echo // by queue pair
	held  core.Ring[deadline]
}

// deadline is a deadline of a queue pair, in the order of time; void if the pair has another one or none.
type deadline struct {
	qp int32
	at core.Time
}

// echo is the state of one queue pair.
type echo struct {
	ce      bool      // of the packets that wait for their ACK, and of those before
	waiting int       // packets not acknowledged yet
	due     core.Time // when to acknowledge them
}

func (e *echoes) Start(_ core.Time, _ *algorithms.Port, r *algorithms.Reply) {
	clear(e.pairs)
	e.held.Clear()
	*r = algorithms.Reply{Wake: core.Never}
}

func (e *echoes) Step(a *algorithms.Arrival, r *algorithms.Reply) {
	if a.Timer {
		e.onTimer(a.Now, r)
		return
	}
	for int(a.QP) >= len(e.pairs) {
		e.pairs = append(e.pairs, echo{})
	}
	q := &e.pairs[a.QP]
	turned := q.ce != a.CE
	r.QP = a.QP
	r.Release = turned && q.waiting > 0 && e.p.AckForm == "two"
	q.ce = a.CE
	if q.waiting++; turned || q.waiting >= e.p.AckEvery || a.Packet.Flags&core.Last != 0 {
		q.waiting = 0
		return
	}
	r.Hold = true
	if q.waiting == 1 {
		q.due = a.Now.Add(e.p.AckDelay)
		e.held.Push(deadline{a.QP, q.due})
		r.Wake = min(r.Wake, q.due)
	}
}

// onTimer acknowledges the packets of one queue pair that have waited long enough, and finds out
// when the next ones will have. Wake is the least deadline or an earlier time: a deadline whose
// packets have been acknowledged since is not looked for until it comes.
func (e *echoes) onTimer(now core.Time, r *algorithms.Reply) {
	r.Wake = core.Never
	for e.held.Len() > 0 {
		d := e.held.Front()
		switch q := &e.pairs[d.qp]; {
		case q.waiting == 0 || q.due != d.at: // void
		case d.at <= now && !r.Release:
			r.Release, r.QP, q.waiting = true, d.qp, 0
		default:
			r.Wake = d.at
			return
		}
		e.held.Pop()
	}
}
