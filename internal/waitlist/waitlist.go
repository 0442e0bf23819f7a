// Package waitlist works on the lists of flows that others wait for. All flows of a host in a phase wait for the same ones, and if
// several phases have one tag, in each for those of the one before and more. Then their lists are one slice, or slices that begin
// at one address: if every flow had its own, n hosts that send to each other would have n^3 waits. Whoever changes the numbers
// in them makes new ones, by [Renumber].
package waitlist

// Renumber gives each list, which after finds in a flow, the numbers that to returns, in new memory. What lists share they
// share there, too, except for lists of one number.
func Renumber[Flow any](flows []Flow, after func(*Flow) *[]int32, to func(int32) int32) {
	longest := make(map[*int32][]int32) // by the first number
	for i := range flows {
		if list := *after(&flows[i]); len(list) > 1 && len(list) > len(longest[&list[0]]) {
			longest[&list[0]] = list
		}
	}
	made := make(map[*int32][]int32)
	var room []int32
	for i := range flows {
		list := after(&flows[i])
		n := len(*list)
		if n == 0 {
			continue
		}
		first := &(*list)[0]
		if n > 1 && made[first] == nil {
			made[first], room = renumbered(longest[first], room, to)
		}
		if n > 1 {
			*list = made[first][:n:n]
		} else {
			*list, room = renumbered(*list, room, to)
		}
	}
}

// roomFor is how many numbers have memory together.
const roomFor = 1024

// renumbered makes the list, of which no one may append to any part, and returns the room that is left.
func renumbered(list, room []int32, to func(int32) int32) (made, left []int32) {
	n := len(list)
	if len(room) < n {
		room = make([]int32, max(n, roomFor))
	}
	for k, earlier := range list {
		room[k] = to(earlier)
	}
	return room[:n:n], room[n:]
}

// Latest finds the last flow of a list by an order, and of equal ones the first.
type Latest struct {
	Compare func(a, b int32) int
	found   map[*int32]found // by the first number
}

// found is the last of so many flows of the lists that begin at one address.
type found struct {
	of   int
	flow int32
}

// Of returns the last flow of a list that is not empty. It looks at the same flows once, however many lists share them.
func (l *Latest) Of(list []int32) int32 {
	if len(list) == 1 {
		return list[0]
	}
	last := l.found[&list[0]]
	if last.of == 0 || last.of > len(list) {
		last = found{1, list[0]}
	}
	for ; last.of < len(list); last.of++ {
		if flow := list[last.of]; l.Compare(last.flow, flow) < 0 {
			last.flow = flow
		}
	}
	if l.found == nil {
		l.found = make(map[*int32]found)
	}
	l.found[&list[0]] = last
	return last.flow
}
