package core

// Counters are what a port has done and suffered since the start.
type Counters struct {
	TxBytes         int64
	TxPackets       int64
	RxBytes         int64
	RxPackets       int64
	MaxQueue        Bytes // largest queue
	Marked          int64 // packets marked with congestion experienced on leaving
	DroppedPackets  int64 // arrivals on the port for which there was no buffer or no route
	DroppedBytes    int64
	PausesSent      int64
	ResumesSent     int64
	PausesReceived  int64
	ResumesReceived int64
	PausedFor       Duration // time that classes of the port were paused, summed over classes
	Waited          Duration // time with something to send, none of which might be sent
}

// Received counts an arrival.
func (c *Counters) Received(p *Packet) {
	c.RxPackets++
	c.RxBytes += int64(p.Size)
	if p.Kind == Pause {
		c.PauseReceived(PauseWord(p.Aux))
	}
}

// PauseReceived counts a PFC frame received.
func (c *Counters) PauseReceived(w PauseWord) {
	if w.Resume() {
		c.ResumesReceived++
	} else {
		c.PausesReceived++
	}
}

// Sent counts a departure.
func (c *Counters) Sent(p *Packet) {
	c.TxPackets++
	c.TxBytes += int64(p.Size)
	if p.Kind == Pause {
		c.PauseSent(PauseWord(p.Aux))
	}
}

// PauseSent counts a PFC frame sent.
func (c *Counters) PauseSent(w PauseWord) {
	if w.Resume() {
		c.ResumesSent++
	} else {
		c.PausesSent++
	}
}

// Dropped counts a packet thrown away.
func (c *Counters) Dropped(p *Packet) {
	c.DroppedPackets++
	c.DroppedBytes += int64(p.Size)
}

// Gauge is what a port shows at an instant, for time series.
type Gauge struct {
	Queue     Bytes // bytes queued, as in Counters.MaxQueue
	Peak      Bytes // largest queue since the last look
	TxBytes   int64
	Marked    int64
	PausedFor Duration
}
