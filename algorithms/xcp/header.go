package xcp

import "math"

// header is XCP's congestion header. A packet carries it in the 64 bits of core.Packet.Aux: from
// the top a window of 16 bits, a round trip of 16 and a feedback of 32.
type header struct {
	cwnd     float64 // of the sender, bytes on the wire
	rtt      float64 // of the sender, s
	feedback float64 // change of the window when the ACK is back, bytes
}

const (
	// headerBytes are three fields of 32 bits.
	headerBytes = 12
	second      = 1e9 // in units of the round trip
)

// pack returns the word that carries h.
func (h *header) pack() uint64 {
	return uint64(shorten(h.cwnd))<<48 | uint64(shorten(float64(h.rtt*second)))<<32 | uint64(math.Float32bits(float32(h.feedback)))
}

// unpack reads a word. A word without a window or a round trip is no header.
func unpack(word uint64) (h header, ok bool) {
	cwnd, rtt := short(word>>48), short(word>>32)
	return header{cwnd.value(), rtt.value() / second, feedback(word)}, cwnd != 0 && rtt != 0
}

// feedback reads only the feedback of a word.
func feedback(word uint64) float64 { return float64(math.Float32frombits(uint32(word))) }

// withFeedback returns the word with another feedback.
func withFeedback(word uint64, bytes float64) uint64 {
	return word>>32<<32 | uint64(math.Float32bits(float32(bytes)))
}

// short is a whole number below 2^42 in 16 bits: an exponent of 5 and a fraction of 11. Numbers
// below 4096 are exact, others are rounded to 12 binary digits, to within 1/4096 of themselves.
// Greater numbers have greater or equal codes.
type short uint16

const mostShort = 4095 << 30

// shorten rounds to the nearest; what is out of range goes to the nearer end of it.
func shorten(v float64) short {
	switch {
	case !(v > 0):
		return 0
	case v < 2048:
		return short(v + 0.5)
	case v >= mostShort:
		return math.MaxUint16
	}
	const cut, bias = 52 - 11, 1023 + 10 // fraction and exponent of IEEE 754's 64 bits
	return short((math.Float64bits(v)+1<<(cut-1))>>cut - bias<<11)
}

func (s short) value() float64 {
	shift := max(1, s>>11) - 1
	return float64(uint64(s-shift<<11) << shift)
}
