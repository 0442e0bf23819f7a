package core

// Hop is one in-band telemetry record (INT), written by a switch when the packet leaves
// its queue. Times and counters are in the units of the INTFormat and wrap as it says.
type Hop struct {
	Line  Rate   // rate of the egress link
	At    uint64 // time stamp
	Tx    uint64 // bytes sent by the port before this packet
	Queue uint64 // bytes queued at the port after this packet left
	Flows uint32 // active flows in the queue, where the switch counts them
}

// INTFormat is the wire format of a hop record: its units, widths and number of records.
type INTFormat struct {
	TimeUnit  Duration // of Hop.At
	TxUnit    Bytes    // of Hop.Tx
	QueueUnit Bytes    // of Hop.Queue
	TimeMask  uint64   // At wraps to At&TimeMask
	TxMask    uint64
	QueueMask uint64
	MaxHops   int // records kept; record i is written at i modulo MaxHops
}

// FullINT keeps full resolution and never wraps: picoseconds and bytes.
func FullINT(maxHops int) INTFormat {
	return INTFormat{
		TimeUnit: Picosecond, TxUnit: 1, QueueUnit: 1,
		TimeMask: ^uint64(0), TxMask: ^uint64(0), QueueMask: ^uint64(0), MaxHops: maxHops,
	}
}

// Units of HPCC's record.
const (
	txUnit    = 128
	queueUnit = 80
)

// QuantisedINT is HPCC's 64-bit record: 24-bit nanoseconds, 20-bit counts of 128*multi
// bytes sent, 17-bit counts of 80*multi bytes queued, at most 5 records
// (Li et al., HPCC, SIGCOMM 2019, section 4).
func QuantisedINT(multi int) INTFormat {
	return INTFormat{
		TimeUnit: Nanosecond, TxUnit: Bytes(txUnit * multi), QueueUnit: Bytes(queueUnit * multi),
		TimeMask: 1<<24 - 1, TxMask: 1<<20 - 1, QueueMask: 1<<17 - 1, MaxHops: 5,
	}
}

// exact reports whether records count single picoseconds and bytes. No unit is 0.
func (f *INTFormat) exact() bool { return f.TimeUnit|Duration(f.TxUnit)|Duration(f.QueueUnit) == 1 }

// Records is how many records a packet has room for on a path of so many links: one for each switch between
// two of them. Coarser formats have a fixed size.
func (f *INTFormat) Records(links int) int {
	if f.exact() {
		return max(0, links-1)
	}
	return f.MaxHops
}

// Record makes the hop record of a packet that leaves at now.
func (f *INTFormat) Record(now Time, line Rate, tx, queue Bytes) (h Hop) {
	f.Stamp(&h, now, line, tx, queue)
	return h
}

// Stamp writes the hop record of a packet that leaves at now.
func (f *INTFormat) Stamp(h *Hop, now Time, line Rate, tx, queue Bytes) {
	h.Line, h.At, h.Tx, h.Queue, h.Flows = line, uint64(now), uint64(tx), uint64(queue), 0
	switch {
	case f.exact():
		h.At &= f.TimeMask
		h.Tx &= f.TxMask
		h.Queue &= f.QueueMask
	case f.TxUnit == txUnit && f.TimeUnit == Nanosecond && f.QueueUnit == queueUnit: // constants divide fast
		h.At = h.At / uint64(Nanosecond) & f.TimeMask
		h.Tx = h.Tx / txUnit & f.TxMask
		h.Queue = h.Queue / queueUnit & f.QueueMask
	default:
		h.At = h.At / uint64(f.TimeUnit) & f.TimeMask
		h.Tx = h.Tx / uint64(f.TxUnit) & f.TxMask
		h.Queue = h.Queue / uint64(f.QueueUnit) & f.QueueMask
	}
}

// Elapsed returns the time from old to h, allowing for one wrap of the stamp.
func (f *INTFormat) Elapsed(h, old *Hop) Duration {
	return Duration((h.At-old.At)&f.TimeMask) * f.TimeUnit
}

// TxBytes returns the bytes sent by the port from old to h, allowing for one wrap.
func (f *INTFormat) TxBytes(h, old *Hop) Bytes {
	return Bytes((h.Tx-old.Tx)&f.TxMask) * f.TxUnit
}

// QueueBytes returns the queue that h recorded.
func (f *INTFormat) QueueBytes(h *Hop) Bytes { return Bytes(h.Queue) * f.QueueUnit }
