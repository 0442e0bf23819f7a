package sim

import "iter"

// rows are flows in line: those from one host that wait for lists of flows that begin at one address, as package waitlist
// describes it, and of which none is shorter than that of the flow before. What is known of a list is known of its beginning.
type rows struct {
	head []int32 // by flow: the first of its row, which may be itself
	next []int32 // by flow: the next of its row; 0: none
}

func rowsOf(flows []Flow) rows {
	r := rows{head: make([]int32, len(flows)), next: make([]int32, len(flows))}
	last := make(map[*int32]int32) // of a row, by the first number of its lists
	for i := range flows {
		f, flow := &flows[i], int32(i)
		r.head[i] = flow
		if len(f.After) < 2 { // of one number, no list is shared
			continue
		}
		list := &f.After[0]
		if before, ok := last[list]; ok && flows[before].Src == f.Src && len(flows[before].After) <= len(f.After) {
			r.head[i], r.next[before] = r.head[before], flow
		}
		last[list] = flow
	}
	return r
}

// waits lists which flow waits for which earlier one. Of a row it is the first flow that does: those behind it do, too.
func (r *rows) waits(flows []Flow) iter.Seq2[int32, int32] {
	return func(yield func(flow, earlier int32) bool) {
		for i := range flows {
			if r.head[i] != int32(i) {
				continue
			}
			f, done := int32(i), 0
			for more := true; more; f, more = r.next[f], r.next[f] != 0 {
				after := flows[f].After
				for _, earlier := range after[done:] {
					if !yield(f, earlier) {
						return
					}
				}
				done = len(after)
			}
		}
	}
}
