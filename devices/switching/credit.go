package switching

import "github.com/qbb-sim/qbb/core"

// lanes is the state of a port under credit flow control, beside the credits themselves. A class
// is a virtual lane; a lane of which the first packet lacks credits is in port.paused.
type lanes struct {
	*core.Credits
	starved uint8 // lanes that lacked credits when the port could have sent; until it is reported
}

func (s *Switch) addLanes(cfg *core.CreditConfig) {
	s.lanes = make([]lanes, len(s.ports))
	for i := range s.lanes {
		s.lanes[i].Credits = core.NewCredits(cfg, s.ports[i].rate)
	}
}

// laneSize is the buffer of a port for each lane; 0 without credit flow control.
func (s *Switch) laneSize() core.Bytes {
	if s.cfg.Credits == nil {
		return 0
	}
	return s.cfg.Credits.Lane
}

// takeIn accounts a packet that has arrived in the buffer of its lane, or reports that there is
// no room, as happens only after a link has lost packets.
func (s *Switch) takeIn(t *core.Turn, in int, p *core.Packet) bool {
	l := &s.lanes[in]
	if l.StartRefresh(t.Now) {
		s.arm(t, in)
	}
	return l.Accept(p.Prio, p.Size)
}

// gate stops or opens a lane of an egress port by what the packet at its head needs.
func (s *Switch) gate(out int, p *core.Packet) {
	o, bit := &s.ports[out], uint8(1)<<p.Prio
	if s.lanes[out].May(p.Prio, p.Size) {
		o.paused &^= bit
	} else {
		o.paused |= bit
	}
}

// giveOut accounts a packet that has left its queue to be sent: it takes credits of the port and
// makes room in the buffer that it came into.
func (s *Switch) giveOut(t *core.Turn, o *port, out int, p *core.Packet) {
	l := &s.lanes[out]
	l.starved |= o.active & o.paused
	l.Spend(p.Prio, p.Size)
	if l.StartRefresh(t.Now) {
		s.arm(t, out)
	}
	if head := o.queues[p.Prio].Front(); head != nil {
		s.gate(out, head)
	}
	s.giveBack(t, p)
}

// giveBack frees what a packet held of the buffer of its lane.
func (s *Switch) giveBack(t *core.Turn, p *core.Packet) {
	if in := int(p.InPort); s.lanes[in].Release(p.Prio, p.Size) {
		s.sendCredit(t, in, p.Prio)
	}
}

// sendCredit tells the neighbour on a port what it may send on a lane, through queue 0. No packet
// of the lane can overtake it, so what it says of the blocks sent is right when it leaves.
func (s *Switch) sendCredit(t *core.Turn, at int, lane uint8) {
	o := &s.ports[at]
	if !o.up {
		return
	}
	p := s.pool.New()
	p.Kind, p.Size, p.Src, p.Aux = core.Credit, core.CreditPacket, s.cfg.ID, uint64(s.lanes[at].Word(lane))
	o.enqueue(t, &s.cfg, at, p)
	s.trySend(t, at)
}

// receiveCredit obeys a flow-control packet.
func (s *Switch) receiveCredit(t *core.Turn, in int, p *core.Packet) {
	w := core.CreditWord(p.Aux)
	s.pool.Free(p)
	o, l := &s.ports[in], &s.lanes[in]
	lane := w.Lane() & 7
	if l.Obey(w) {
		s.sendCredit(t, in, lane)
	}
	if bit := uint8(1) << lane; o.active&o.paused&bit != 0 {
		if o.free < t.Now {
			l.starved |= bit
		}
		s.gate(in, o.queues[lane].Front())
		s.trySend(t, in)
	}
}

// passBy accounts a packet that has arrived and is dropped for lack of a route.
func (s *Switch) passBy(t *core.Turn, in int, p *core.Packet) {
	p.InPort = uint16(in)
	if p.Prio != 0 && s.takeIn(t, in, p) {
		s.giveBack(t, p)
	}
}

// takeStarved reports whether packets of a lane wait for credits alone, or have since the last
// departure that was reported.
func (s *Switch) takeStarved(now core.Time, out int, lane uint8, departure bool) bool {
	o, l, bit := &s.ports[out], &s.lanes[out], uint8(1)<<lane
	starved := l.starved&bit != 0 || o.free < now && o.paused&bit != 0
	if departure {
		l.starved &^= bit
	}
	return starved
}

// restartLanes resets the lanes of a port whose link has come back.
func (s *Switch) restartLanes(t *core.Turn, at int) {
	s.lanes[at].Restart()
	for lane := uint8(1); lane < numQueues; lane++ {
		if head := s.ports[at].queues[lane].Front(); head != nil {
			s.gate(at, head)
		}
		s.sendCredit(t, at, lane)
	}
}

// refreshCredits repeats the flow-control packets of a port that are due.
func (s *Switch) refreshCredits(t *core.Turn, at int) {
	due := s.lanes[at].Refresh(t.Now)
	for lane := uint8(1); lane < numQueues; lane++ {
		if due>>lane&1 != 0 {
			s.sendCredit(t, at, lane)
		}
	}
}
