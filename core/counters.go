package core

// Counters are what a port has done and suffered since the start.
type Counters struct {
	TxBytes         int64
	TxPackets       int64
	LinkBytes       int64 // of TxBytes, in packets of the link itself: PFC, credits
	RxBytes         int64
	RxPackets       int64
	MaxQueue        Bytes // largest queue
	Marked          int64 // packets marked with congestion experienced on leaving
	DroppedPackets  int64 // arrivals on the port for which there was no buffer or no route
	DroppedBytes    int64
	NoRoute         int64 // of DroppedPackets, those for which there was no route
	Flushed         int64 // packets thrown away while they waited: the port's link failed, or a PFC watchdog gave up waiting
	Trimmed         int64 // arrivals on the port whose payload was cut off for want of buffer
	PausesSent      int64
	ResumesSent     int64
	PausesReceived  int64
	ResumesReceived int64
	PausedFor       Duration // time that classes of the port were paused, summed over classes
	Waited          Duration // time with something to send, none of which might be sent
	Congested       Duration // time of congestion, where congestion points keep it (algorithms.Managed)
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
	if p.Kind == Pause || p.Kind == Credit {
		c.SentByLink(p)
	}
}

// SentByLink counts a packet of the link itself.
func (c *Counters) SentByLink(p *Packet) {
	c.LinkBytes += int64(p.Size)
	if p.Kind == Pause {
		c.pauseSent(PauseWord(p.Aux))
	}
}

// pauseSent counts a PFC frame sent.
func (c *Counters) pauseSent(w PauseWord) {
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

// Data is what was sent in packets other than the link's own, in bytes.
func (c *Counters) Data() int64 { return c.TxBytes - c.LinkBytes }

// XmitWait is InfiniBand's PortXmitWait: the time with something to send and no credits for it, in
// ticks.
func (c *Counters) XmitWait(tick Duration) int64 { return int64(c.Waited / tick) }

// XmitCongTime is InfiniBand's PortXmitCongTime: the time in the congestion state, in ticks.
func (c *Counters) XmitCongTime(tick Duration) int64 { return int64(c.Congested / tick) }

// XmitData is InfiniBand's PortXmitData: what was sent in packets other than the link's own, in
// words of 32 bits.
func (c *Counters) XmitData() int64 { return c.Data() / 4 }

// Gauge is what a port shows at an instant, for time series.
type Gauge struct {
	Queue     Bytes // bytes queued, as in Counters.MaxQueue
	Peak      Bytes // largest queue since the last look
	TxBytes   int64
	Marked    int64
	PausedFor Duration // as in Counters
	Waited    Duration
}
