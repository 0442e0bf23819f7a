package scenario

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// recordsOf runs patterns on a star of eight hosts, and returns the records of the flows by tag, in the order of the flows.
func recordsOf(t *testing.T, patterns ...string) (*sim.Setup, map[string][]sim.FlowRecord) {
	t.Helper()
	keys := []string{"topology", "star:n=8", "cc", "dctcp"}
	for _, p := range patterns {
		keys = append(keys, "patterns", p)
	}
	s, err := of(t, keys...).Setup()
	if err != nil {
		t.Fatal(err)
	}
	_, q := play(t, s)
	slices.SortFunc(q.ends, func(a, b sim.FlowRecord) int { return a.ID - b.ID })
	records := make(map[string][]sim.FlowRecord)
	for _, r := range q.ends {
		records[r.Flow.Tag] = append(records[r.Flow.Tag], r)
	}
	return s, records
}

// A job takes the same course whenever it starts, while others use links of their own.
func TestJobsThatStartLater(t *testing.T) {
	const by = 5 * core.Millisecond
	for _, job := range []string{"all-to-all:30KB", "ring-all-reduce:100KB,3,2us", "one-many:50KB,2", "long-and-short:1MB,30KB,5us"} {
		_, records := recordsOf(t, job+",hosts=0-3,tag=a", "all-to-all:1MB,hosts=4-7,tag=b,start=1us", job+",hosts=0-3,start=5ms,tag=c")
		compared := 0
		for _, part := range []string{"", "-answer", "-long", "-short"} {
			first, second := records["a"+part], records["c"+part]
			if len(first) != len(second) {
				t.Fatalf("%s%s: %d flows, later %d", job, part, len(first), len(second))
			}
			for i := range first {
				a, b := &first[i], &second[i]
				if a.Flow.Src != b.Flow.Src || a.Flow.Dst != b.Flow.Dst || b.Start.Sub(a.Start) != by || a.FCT != b.FCT {
					t.Errorf("%s: %d to %d at %v takes %v, later %d to %d at %v %v", job, a.Flow.Src, a.Flow.Dst, a.Start, a.FCT, b.Flow.Src, b.Flow.Dst, b.Start, b.FCT)
				}
				compared++
			}
		}
		if compared == 0 {
			t.Errorf("%s: no flows", job)
		}
	}
}

// A host begins the next phase when the last acknowledgement of what it has sent comes, or in collectives with the last
// byte of what it receives, which is an acknowledgement's way earlier; and the time that the phase has as its start later.
func TestPhases(t *testing.T) {
	for _, c := range []struct {
		before   string
		received bool
	}{{"one-one:300KB", false}, {"all-to-all:300KB", false}, {"permutation:300KB", false}, {"ring-all-gather:600KB", true}, {"halving-doubling:300KB", true}} {
		s, records := recordsOf(t, c.before+",hosts=0-1,tag=a", "one-one:50KB,hosts=0-1,tag=b,after=a,start=3us", "all-to-all:1KB,hosts=0-2,after=b")
		link := s.Topology.Links[0]
		back := 2 * (s.Profile.Timing.TxTime(max(s.MinPacket, s.AckHeader), link.Rate) + link.Delay)
		next := &records["b"][0]
		var end core.Time
		for _, r := range records["a"] {
			if r.Flow.Src == next.Flow.Src && !c.received || r.Flow.Dst == next.Flow.Src && c.received {
				end = max(end, r.Start.Add(r.FCT))
			}
		}
		if c.received {
			end = end.Add(-back)
		}
		if want := end.Add(3 * core.Microsecond); len(records["b"]) != 1 || next.Start != want {
			t.Errorf("%s: the next phase begins at %v, want %v", c.before, next.Start, want)
		}
		for _, r := range records["all-to-all"] { // the receiver knows earlier than the sender, a third host does not wait
			want := next.Start.Add(next.FCT)
			switch r.Flow.Src {
			case next.Flow.Dst:
				want = want.Add(-back)
			case 2:
				want = 0
			}
			if r.Start != want {
				t.Errorf("%s: %d to %d begins at %v, want %v", c.before, r.Flow.Src, r.Flow.Dst, r.Start, want)
			}
		}
	}
}

// The flows of a host in a phase wait for the same ones in the same memory, also when flows that are added move them.
func TestWaitsStayInProportion(t *testing.T) {
	sc := of(t, "topology", "star:n=20", "patterns", "all-to-all:1KB,tag=a", "patterns", "all-to-all:1KB,after=a")
	both := []int32{0, 1}
	for i := range 10 {
		f := traces.Flow{Src: 1, Dst: 2, Bytes: 300, Start: core.Time(i), Prio: 3}
		if i > 1 {
			f.After = both
		}
		sc.Added = append(sc.Added, f)
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	waits, numbers := 0, make(map[*int32]bool)
	for _, f := range s.Flows {
		waits += len(f.After)
		for k := range f.After {
			numbers[&f.After[k]] = true
		}
	}
	if want := 20*2*19 + 2; waits != 20*19*2*19+2*8 || len(numbers) != want {
		t.Errorf("%d flows have %d waits, %d of them in memory, want %d", len(s.Flows), waits, len(numbers), want)
	}
}
