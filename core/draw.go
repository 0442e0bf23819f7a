package core

// Draw is a decision by chance that waits for its number, because this comes from a sequence that the whole
// run shares and it is not known yet which decisions come before it.
type Draw struct {
	Packet *Packet // is marked with congestion experienced if the number is below Chance; nil: the number is taken for nothing
	Chance float64
	Marked *int64 // counts then
}

// Take decides with the next number of a sequence.
func (d *Draw) Take(from Random) {
	if hit := from.Float64() < d.Chance; hit && d.Packet != nil {
		d.Packet.Flags |= CE
		*d.Marked++
	}
}
