package core

// CreditBlock is the unit of InfiniBand's link-level flow control (IBTA volume 1, 7.9).
const CreditBlock Bytes = 64

const (
	creditMask = 1<<12 - 1 // FCTBS, FCCL and ABR count modulo 4096
	// maxGrant is the most blocks that may be granted beyond what has been received: half of
	// the counters' range, so that the two ends cannot mistake the order of two values.
	maxGrant = 2048
)

// MaxLane is the largest buffer of a virtual lane: more than its credits can speak of.
const MaxLane = maxGrant * CreditBlock

// creditBlocks returns the blocks that a packet of n bytes takes.
func creditBlocks(n int32) int32 { return (n + int32(CreditBlock) - 1) / int32(CreditBlock) }

// creditLane is one virtual lane at one end of a link: what it may send, and the buffer for what
// it receives.
type creditLane struct {
	sent     uint16 // FCTBS: blocks sent since the link came up, modulo 4096
	limit    uint16 // FCCL as received: blocks that may be sent
	received uint16 // ABR: blocks received since the link came up, modulo 4096
	told     uint16 // FCCL as last sent
	free     int32  // blocks of the buffer
}

// may reports whether so many blocks may be sent (IBTA volume 1, 7.9.4.2).
func (l *creditLane) may(blocks int32) bool {
	return (l.limit-l.sent-uint16(blocks))&creditMask <= maxGrant
}

// grant is FCCL: ABR plus what is free.
func (l *creditLane) grant() uint16 { return (l.received + uint16(l.free)) & creditMask }

// untold returns the blocks that have become free since the last flow-control packet.
func (l *creditLane) untold() int32 { return int32((l.grant() - l.told) & creditMask) }

// CreditConfig describes credit flow control.
type CreditConfig struct {
	Lane Bytes // buffer of a port for each virtual lane, at most MaxLane
	// Update is what must have become free before the neighbour is told. Less than Lane by at
	// least a full packet, or the neighbour may wait for ever.
	Update Bytes
	// Refresh repeats the flow-control packets of lanes in use every 65,536 symbol times, which
	// only links that lose packets need.
	Refresh bool
}

// Credits is the credit flow control of one port (IBTA volume 1, 7.9): what it may send and what
// it has room for, by virtual lane. Lane 0 stands for the management lane, VL 15, which has no
// flow control: it may always send, and nothing of it is accounted.
type Credits struct {
	lanes   [8]creditLane
	update  int32
	used    uint8    // lanes on which something was sent or has come
	every   Duration // between refreshes; 0: there are none
	refresh Time     // of the next one; Never
}

// NewCredits returns the state of a port of the given rate whose link has just come up. Both of
// its ends have the same configuration.
func NewCredits(cfg *CreditConfig, rate Rate) *Credits {
	blocks := int32(min(cfg.Lane, MaxLane) / CreditBlock)
	c := &Credits{update: max(1, int32(cfg.Update/CreditBlock)), refresh: Never}
	for i := range c.lanes {
		c.lanes[i] = creditLane{limit: uint16(blocks), told: uint16(blocks), free: blocks}
	}
	if cfg.Refresh {
		// A symbol is 8 bits of one of the link's four physical lanes.
		c.every = exactTxTime(65536*4, rate)
	}
	return c
}

// May reports whether a packet of n bytes may be sent.
func (c *Credits) May(lane uint8, n int32) bool {
	return lane == 0 || c.lanes[lane&7].may(creditBlocks(n))
}

// Starved reports whether a packet of n bytes may not be sent even when everything that the other end of the
// link has told has arrived; where flow-control packets are repeated, everything that it could tell. While packets are
// under way there, which may free what they take, that is not known.
func (c *Credits) Starved(other *Credits, lane uint8, n int32) bool {
	l, there := c.lanes[lane&7], &other.lanes[lane&7]
	switch {
	case lane == 0 || l.sent != there.received:
		return false
	case c.every > 0:
		return there.free < creditBlocks(n)
	}
	l.limit = there.told
	return !l.may(creditBlocks(n))
}

// Spend accounts a packet of n bytes that is sent.
func (c *Credits) Spend(lane uint8, n int32) {
	l := &c.lanes[lane&7]
	l.sent = (l.sent + uint16(creditBlocks(n))) & creditMask
	c.used |= 1 << lane
}

// Accept accounts a packet of n bytes that has arrived, or reports that there is no room.
func (c *Credits) Accept(lane uint8, n int32) bool {
	l, blocks := &c.lanes[lane&7], creditBlocks(n)
	l.received = (l.received + uint16(blocks)) & creditMask
	c.used |= 1 << lane
	if blocks > l.free {
		return false
	}
	l.free -= blocks
	return true
}

// Release gives back what Accept accounted, and reports whether the neighbour should be told.
func (c *Credits) Release(lane uint8, n int32) (tell bool) {
	l := &c.lanes[lane&7]
	l.free += creditBlocks(n)
	return l.untold() >= c.update
}

// Word returns the content of a flow-control packet, which is sent now.
func (c *Credits) Word(lane uint8) CreditWord {
	l := &c.lanes[lane&7]
	l.told = l.grant()
	return CreditWord(l.sent)<<16 | CreditWord(lane&15)<<12 | CreditWord(l.told)
}

// Obey takes over what a flow-control packet says, and reports whether it should be answered:
// what the link has lost gives room that the neighbour does not know of.
func (c *Credits) Obey(w CreditWord) (answer bool) {
	l := &c.lanes[w.Lane()&7]
	l.limit, l.received = w.Limit(), w.Sent()
	return l.untold() >= c.update
}

// Restart forgets what was sent and received when the link comes back up. The buffer keeps what it
// holds, and nothing may be sent until the neighbour's first flow-control packets.
func (c *Credits) Restart() {
	for i := range c.lanes {
		l := &c.lanes[i]
		l.sent, l.limit, l.received = 0, 0, 0
	}
}

// StartRefresh starts the refreshes of a port in use, if there are to be any, and reports
// whether it did.
func (c *Credits) StartRefresh(now Time) bool {
	if c.every == 0 || c.refresh != Never {
		return false
	}
	c.refresh = now.Add(c.every)
	return true
}

// Refresh returns the lanes whose flow-control packets are due to be repeated.
func (c *Credits) Refresh(now Time) (lanes uint8) {
	if now < c.refresh {
		return 0
	}
	c.refresh = now.Add(c.every)
	return c.used &^ 1
}

// Next returns when the next refresh is due, or Never.
func (c *Credits) Next() Time { return c.refresh }

// CreditWord is the content of a flow-control packet (IBTA volume 1, 7.9.4): operand, FCTBS,
// virtual lane and FCCL, of 4, 12, 4 and 12 bits.
type CreditWord uint32

// Sent returns FCTBS: the blocks sent on the lane by the packet's sender, modulo 4096.
func (w CreditWord) Sent() uint16 { return uint16(w>>16) & creditMask }

// Lane returns the virtual lane.
func (w CreditWord) Lane() uint8 { return uint8(w>>12) & 15 }

// Limit returns FCCL: the blocks that may be sent on the lane to the packet's sender.
func (w CreditWord) Limit() uint16 { return uint16(w) & creditMask }

// CreditPacket is the size of a flow-control packet with its delimiters, in bytes.
const CreditPacket = 8
