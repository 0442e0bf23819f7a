package goal

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// wire is a network in which a message takes a nanosecond per byte, and its acknowledgement as long: messages do not meet.
type wire struct {
	s        *Schedule
	programs []*Program
	events   events
	left     [][2]int64 // by message: when it left, in ns, and how often
	begins   [][]int64  // by rank and operation, in ns; -1: it has not begun
	ends     [][]int64
}

type event struct {
	at   core.Time
	kind int // 0: arrival, 1: acknowledgement, 2: the time at which a program is to run
	of   int // message or rank
}

type events []event

func (e events) Len() int      { return len(e) }
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	x := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return x
}
func (e events) Less(i, j int) bool {
	a, b := e[i], e[j]
	return a.at < b.at || a.at == b.at && (a.kind < b.kind || a.kind == b.kind && a.of < b.of)
}

// replay runs a schedule to its end.
func replay(s *Schedule) *wire {
	w := &wire{s: s, left: make([][2]int64, len(s.Messages))}
	for r := range s.Ranks() {
		p := s.Program(r)
		w.programs = append(w.programs, p)
		w.begins, w.ends = append(w.begins, slices.Repeat([]int64{-1}, len(p.ends))), append(w.ends, slices.Repeat([]int64{-1}, len(p.ends)))
	}
	for r := range w.programs {
		w.run(r, 0)
	}
	for len(w.events) > 0 {
		e := heap.Pop(&w.events).(event)
		switch e.kind {
		case 0:
			m := &s.Messages[e.of]
			w.programs[m.Dst].Received(m, e.at)
			w.run(m.Dst, e.at)
		case 1:
			m := &s.Messages[e.of]
			w.programs[m.Src].Sent(m, e.at)
			w.run(m.Src, e.at)
		default:
			w.run(e.of, e.at)
		}
	}
	return w
}

func (w *wire) run(r int, now core.Time) {
	sent, next := w.programs[r].Run(now, nil)
	for i := range w.begins[r] {
		if w.programs[r].begun(i) && w.begins[r][i] < 0 {
			w.begins[r][i] = now.Nanos()
		}
		if w.programs[r].ended(i) && w.ends[r][i] < 0 {
			w.ends[r][i] = now.Nanos()
		}
	}
	for _, i := range sent {
		takes := core.Duration(w.s.Messages[i].Bytes) * core.Nanosecond
		w.left[i][0], w.left[i][1] = now.Nanos(), w.left[i][1]+1
		heap.Push(&w.events, event{now.Add(takes), 0, i})
		heap.Push(&w.events, event{now.Add(2 * takes), 1, i})
	}
	if next != core.Never {
		heap.Push(&w.events, event{next, 2, r})
	}
}

// done returns when the ranks were done, in ns; -1: not all operations have ended.
func (w *wire) done() (ns []int64) {
	for _, p := range w.programs {
		at, done := p.Done()
		if ns = append(ns, at.Nanos()); !done {
			ns[len(ns)-1] = -1
		}
	}
	return ns
}

func mustRead(t *testing.T, text string) *Schedule {
	t.Helper()
	s, err := Read("a.goal", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Times by hand.
func TestReplay(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []int64
	}{
		{"calc, then a message, then calc", "num_ranks 2 rank 0 { a: calc 50 b: send 10b to 1 b requires a } rank 1 { a: recv 10b from 0 b: calc 7 b requires a }", []int64{70, 67}},
		{"a message of no bytes has one", "num_ranks 2 rank 0 { send 0b to 1 } rank 1 { recv 0b from 0 }", []int64{2, 1}},
		{"one at a time on a cpu", "num_ranks 1 rank 0 { calc 5 calc 6 calc 7 cpu 0 }", []int64{18}},
		{"cpus at the same time", "num_ranks 1 rank 0 { calc 5 calc 6 cpu 1 calc 7 cpu 2 }", []int64{7}},
		{"the first that can begin", "num_ranks 1 rank 0 { a: calc 10 b: calc 3 cpu 1 c: calc 4 d: calc 5 c requires a d requires b e: calc 1 cpu 1 e requires d }", []int64{19}},
		{"irequires: with the beginning", "num_ranks 1 rank 0 { a: calc 10 b: calc 3 cpu 1 b irequires a }", []int64{10}},
		{"irequires: a calc begins when its cpu is free", "num_ranks 1 rank 0 { a: calc 10 b: calc 4 c: calc 3 cpu 1 c irequires b }", []int64{14}},
		{"the last of several", "num_ranks 3 rank 0 { a: send 5b to 2 } rank 1 { a: calc 9 b: send 1b to 2 b requires a } rank 2 { a: recv 5b from 0 b: recv 1b from 1 c: calc 100 c requires a c requires b }", []int64{10, 11, 110}},
		{"a recv that begins late", "num_ranks 2 rank 0 { send 5b to 1 } rank 1 { a: calc 50 b: recv 5b from 0 b requires a c: calc 1 c requires b }", []int64{10, 51}},
		{"order of matching, by tag", "num_ranks 2 rank 0 { send 100b to 1 tag 1 send 10b to 1 tag 2 send 20b to 1 tag 2 } rank 1 { recv 1b from 0 tag 2 a: recv 1b from 0 tag 2 recv 1b from 0 tag 1 b: calc 1000 b requires a }", []int64{200, 1020}},
		{"to itself", "num_ranks 1 rank 0 { a: recv 5b from 0 b: calc 9 c: send 5b to 0 c requires b d: calc 1 d requires a }", []int64{10}},
		{"ranks in any order, and without operations", "num_ranks 3 rank 2 { recv 5b from 0 } rank 0 { send 5b to 2 }", []int64{10, 0, 5}},
		{"labels that come later, comments", "num_ranks 1 # here\nrank 0 { // and\n a : calc 5 nic 0 /* here\n */ a requires b b: calc 6 cpu 1 }", []int64{11}},
		{"a byte order mark", "\ufeffnum_ranks 1 rank 0 { calc 1 }", []int64{1}},
		{"a/b is a label", "num_ranks 1 rank 0 { a/b: calc 1 c#: calc 2 c# requires a/b }", []int64{3}},
	} {
		if got := replay(mustRead(t, c.text)).done(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A schedule may last longer than a clock can count, 106 days: it can be read.
func TestLongSchedule(t *testing.T) {
	mustRead(t, "num_ranks 2 rank 0 {"+strings.Repeat(" calc 1000000000000000", 12)+" a: calc 1 b: send 1b to 1 b requires a } rank 1 { recv 1b from 0 }")
}

// A message is sent once, with its size, from rank to rank.
func TestMessages(t *testing.T) {
	s := mustRead(t, "num_ranks 3 rank 2 { send 5b to 0 tag 7 nic 1 cpu 0 recv 6b from 1 } rank 1 { send 6b to 2 } rank 0 { recv 5b from 2 tag 7 }")
	var got []string
	for i, m := range s.Messages {
		got = append(got, fmt.Sprintf("%d-%d %d %d", m.Src, m.Dst, m.Bytes, replay(s).left[i][1]))
	}
	if want := []string{"1-2 6 1", "2-0 5 1"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if s.Ranks() != 3 {
		t.Errorf("%d ranks", s.Ranks())
	}
}

// Mistakes are told in one line.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":      "a.goal:1: the end of the file, where a schedule in text begins with num_ranks; a binary one (txt2bin) is not read",
		"hello": `a.goal:1: "hello", where a schedule in text begins with num_ranks; a binary one (txt2bin) is not read`,
		"\x00\x00" + strings.Repeat("\x01", 5000): "a.goal:1: a word of more than 4096 bytes; is this a text file?",

		"num_ranks 0":                                           "a.goal:1: there are no ranks",
		"num_ranks\n-1":                                         `a.goal:2: "-1" is no number of ranks: write a whole number such as 8`,
		"num_ranks 1048577":                                     `a.goal:1: "1048577": a number of ranks is at most 1048576`,
		"num_ranks 2\nrank 2 {}":                                `a.goal:2: "2": a rank is at most 1`,
		"num_ranks 2\n\nrang 1 {}":                              `a.goal:3: "rang" instead of rank: write rank 0 { ... }`,
		"num_ranks 2\nrank 1\ncalc 5":                           `a.goal:3: "calc" instead of {: write rank 0 { ... }`,
		"num_ranks 2\nrank 0 {}\nrank 0 {}":                     "a.goal:3: rank 0 has been given before",
		"num_ranks 1\nrank 0 {\ncalc 10\n":                      "a.goal:2: rank 0 has no end: write }",
		"num_ranks 1\nrank 0 {\na: cal 10}":                     `a.goal:3: "cal" is no operation: write send, recv or calc`,
		"num_ranks 1\nrank 0 {\na: }":                           `a.goal:3: "}" is no operation: write send, recv or calc`,
		"num_ranks 1\nrank 0 {\na calc 10}":                     `a.goal:3: "a" is no statement: write an operation (send, recv, calc), perhaps behind a label and a colon, or label requires label`,
		"num_ranks 1\nrank 0 {\ncalc ten}":                      `a.goal:3: "ten" is no time in nanoseconds: write a whole number such as 8`,
		"num_ranks 1\nrank 0 {\ncalc 1.5}":                      `a.goal:3: "1.5" is no time in nanoseconds: write a whole number such as 8`,
		"num_ranks 1\nrank 0 {\ncalc\n}":                        `a.goal:4: "}" is no time in nanoseconds: write a whole number such as 8`,
		"num_ranks 1 rank 0 { calc 1" + strings.Repeat("0", 30): `a.goal:1: "1` + strings.Repeat("0", 30) + `": a time in nanoseconds is at most 1000000000000000`,

		"num_ranks 2 rank 0 { send 10 to 1 }":                                                `a.goal:1: "10" is no size: write a whole number such as 8b`,
		"num_ranks 2 rank 0 {\n send 10b 1 }":                                                `a.goal:2: "1" instead of to: write send 8192b to 1 tag 0`,
		"num_ranks 2 rank 0 {\n recv 10b to 1 }":                                             `a.goal:2: "to" instead of from: write recv 8192b from 0 tag 0`,
		"num_ranks 2 rank 0 {\n recv 10b from 2 }":                                           `a.goal:2: "2": a rank is at most 1`,
		"num_ranks 1 rank 0 { calc 5 cpu 65536 }":                                            `a.goal:1: "65536": a cpu is at most 65535`,
		"num_ranks 1 rank 0 {\n a: calc 5\n a: calc 6 }":                                     "a.goal:3: rank 0 has had the label a before",
		"num_ranks 1 rank 0 {\n a: calc 5\n b requires a }":                                  "a.goal:3: rank 0 has no label b so far",
		"num_ranks 1 rank 0 {\n a: calc 5\n a requires b\n }":                                "a.goal:3: rank 0 has no label b",
		"num_ranks 1 rank 0 {\n a: calc 5\n a requires }":                                    `a.goal:3: "}" is no label`,
		"num_ranks 1 rank 0 {\n /* calc 5\n a requires }":                                    "a.goal:2: a comment has no end: write */",
		"num_ranks 2 rank 0 {\n send 10b to 1 tag 4 }":                                       "a.goal:2: rank 1 has too few recv from 0 with tag 4: none is left for this send",
		"num_ranks 2 rank 0 {\n recv 10b from 1 tag 4 }":                                     "a.goal:2: rank 1 has too few send to 0 with tag 4: none is left for this recv",
		"num_ranks 2 rank 0 { send 1b to 1\n send 1b to 1 tag 2 } rank 1 { recv 1b from 0 }": "a.goal:2: rank 1 has too few recv from 0 with tag 2: none is left for this send",
		"num_ranks 1 rank 0 {\n a: calc 5\n a requires a }":                                  "a.goal:2: this operation of rank 0 can never end: it waits for line 2",
		"num_ranks 1 rank 0 {\n c: calc 1\n a: calc 5\n b: calc 6\n a requires c a irequires b b requires a\n d: calc 7 d requires a }":                "a.goal:3: this operation of rank 0 can never end: it waits for line 4, and that for line 3",
		"num_ranks 1 rank 0 {\n a: recv 5b from 0\n b: send 5b to 0\n b requires a }":                                                                  "a.goal:2: this operation of rank 0 can never end: it waits for line 3, and that for line 2",
		"num_ranks 2 rank 0 {\n a: send 1b to 1\n b: recv 1b from 1\n a requires b }\nrank 1 {\n a: send 1b to 0\n b: recv 1b from 0\n a requires b }": "a.goal:2: this operation of rank 0 can never end: it waits for line 3, and that for line 6, and that for line 7, and that for line 2",
		"num_ranks 1 rank 0 {" + ring(12) + "}": "a.goal:2: this operation of rank 0 can never end: it waits for line 13, and that for line 12, and that for line 11, and that for line 10, and that for line 9, and that for line 8, and that for line 7, and that for line 6, and that for others, and the last for line 2",
	} {
		if _, err := Read("a.goal", strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%.80q: %v, want %s", text, err, want)
		}
	}
}

// ring is operations on lines from 2 on, each of which waits for the one before, and the first for the last.
func ring(n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf("\n l%d: calc 1", i)
	}
	for i := range n {
		text += fmt.Sprintf("\n l%d requires l%d", i, (i+n-1)%n)
	}
	return text
}

// random is a schedule that can be replayed: its operations wait for earlier ones only, in an order that all ranks share.
func random(r *rand.Rand) string {
	ranks := 1 + r.IntN(4)
	texts, labels := make([]string, ranks), make([]int, ranks)
	add := func(rank int, op string) {
		label := labels[rank]
		labels[rank]++
		texts[rank] += fmt.Sprintf("l%d: %s\n", label, op)
		for before := range label {
			if r.IntN(4) == 0 {
				texts[rank] += fmt.Sprintf("l%d %srequires l%d\n", label, [...]string{"", "i"}[r.IntN(2)], before)
			}
		}
	}
	for range r.IntN(25) {
		a, b, tag := r.IntN(ranks), r.IntN(ranks), r.IntN(2)
		if r.IntN(2) == 0 {
			add(a, fmt.Sprintf("calc %d cpu %d", r.IntN(20), r.IntN(2)))
			continue
		}
		add(a, fmt.Sprintf("send %db to %d tag %d", 1+r.IntN(20), b, tag))
		add(b, fmt.Sprintf("recv 1b from %d tag %d", a, tag))
	}
	text := fmt.Sprintf("num_ranks %d\n", ranks)
	for rank := range ranks {
		text += fmt.Sprintf("rank %d {\n%s}\n", rank, texts[rank])
	}
	return text
}

// In random schedules every operation begins and ends as the package says.
func TestLaws(t *testing.T) {
	for seed := range uint64(500) {
		text := random(rand.New(rand.NewPCG(seed, 0)))
		s := mustRead(t, text)
		w := replay(s)
		for r := range s.ranks {
			if err := w.check(r); err != "" {
				t.Fatalf("seed %d, rank %d: %s in\n%s", seed, r, err, text)
			}
			if got, want := w.programs[r].Computed(core.Never).Nanos(), float64(w.computed(r)); got != want {
				t.Fatalf("seed %d: rank %d has computed for %v ns, not %v, in\n%s", seed, r, got, want, text)
			}
		}
	}
}

// check returns what a rank has done wrong.
func (w *wire) check(r int) string {
	ops, begins, ends := w.s.ranks[r].ops, w.begins[r], w.ends[r]
	ready := make([]int64, len(begins))
	for i := range begins {
		for k, next := range w.s.ranks[r].next[ops[i].first:ops[i+1].first] {
			if int32(k) < ops[i].ended-ops[i].first {
				ready[next] = max(ready[next], begins[i])
			} else {
				ready[next] = max(ready[next], ends[i])
			}
		}
	}
	arrives := make([]int64, len(begins))
	for i := range w.s.Messages {
		if m := &w.s.Messages[i]; m.Dst == r {
			arrives[m.recv] = w.begins[m.Src][m.send] + int64(m.Bytes)
		}
	}
	for i, o := range ops[:len(begins)] {
		if o.kind == send && o.of < 0 {
			arrives[^o.of] = begins[i]
		}
	}
	for i, o := range ops[:len(begins)] {
		end := begins[i]
		switch o.kind {
		case calc:
			end += int64(o.takes / core.Nanosecond)
		case recv:
			end = max(end, arrives[i])
		case send:
			if o.of >= 0 {
				end += 2 * int64(w.s.Messages[o.of].Bytes)
			}
		}
		switch {
		case begins[i] < ready[i], o.kind != calc && begins[i] != ready[i]:
			return fmt.Sprintf("operation %d can begin at %d and begins at %d", i, ready[i], begins[i])
		case ends[i] != end:
			return fmt.Sprintf("operation %d, which begins at %d, ends at %d, not %d", i, begins[i], ends[i], end)
		}
		if err := w.checkCPU(r, i, ready); o.kind == calc && err != "" {
			return err
		}
	}
	return ""
}

// computed counts the nanoseconds in which a calc of a rank runs.
func (w *wire) computed(r int) (ns int64) {
	var busy []bool
	for i, begin := range w.begins[r] {
		if w.s.ranks[r].ops[i].kind == calc {
			for at := begin; at < w.ends[r][i]; at++ {
				busy = append(busy, make([]bool, max(0, int(at)+1-len(busy)))...)
				busy[at] = true
			}
		}
	}
	for _, b := range busy {
		if b {
			ns++
		}
	}
	return ns
}

// checkCPU returns what is wrong with a calc beside the others of its cpu.
func (w *wire) checkCPU(r, i int, ready []int64) string {
	ops, begins, ends := w.s.ranks[r].ops, w.begins[r], w.ends[r]
	waited := begins[i] == ready[i]
	for k := range begins {
		switch {
		case k == i || ops[k].kind != calc || ops[k].of != ops[i].of:
		case begins[k] < ends[i] && begins[i] < ends[k]:
			return fmt.Sprintf("calcs %d and %d overlap", i, k)
		case ready[k] < ready[i] && begins[k] > begins[i]:
			return fmt.Sprintf("calc %d can begin before %d, and begins later", k, i)
		default:
			waited = waited || ends[k] == begins[i]
		}
	}
	if !waited {
		return fmt.Sprintf("calc %d waits for a free cpu", i)
	}
	return ""
}

// FuzzRead: whatever the text, there is a line of error, or a schedule all of whose operations end.
func FuzzRead(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(random(rand.New(rand.NewPCG(seed, 1))))
	}
	f.Add("num_ranks 1 rank 0{0 requires")
	f.Add("num_ranks 2 rank 0 { send 0b to 1 /* */ } # x\n rank 1 { a: recv 0b from 0 b: calc 5 cpu 3 b irequires a }")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read("a", strings.NewReader(text))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if s.Ranks() > 1000 {
			return
		}
		for r, at := range replay(s).done() {
			if at < 0 {
				t.Errorf("rank %d does not end", r)
			}
		}
	})
}
