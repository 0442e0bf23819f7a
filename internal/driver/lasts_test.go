package driver

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
)

// lastsAsSaid runs a scenario in parts, some events at a time, and checks that no flow ends the run before it was sure to end. It
// reports whether there was something to check.
func lastsAsSaid(t *testing.T, name any, sc *scenario.Scenario) bool {
	s, err := Setup(sc)
	if err != nil || s.Stop != core.Never {
		return false
	}
	s.Threads = 2
	r, err := Start(sc, s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	n, latest, at := r.Network, core.Time(0), core.Time(0)
	for more := n.Parts() > 1; more; {
		if until, _ := n.Engine.Lasts(); until > latest {
			latest, at = until, n.Now()
		}
		if more, err = r.Step(core.Never, 20); err != nil {
			t.Fatal(err)
		}
	}
	if n.Ended() == len(s.Flows) && n.Now() < latest {
		t.Errorf("%v: at %v the run was to last beyond %v, and ended at %v", name, at, latest, n.Now())
	}
	return n.Parts() > 1 && latest > 0
}

// gathering makes a schedule in which a rank receives a message from each of the others, and then does one more thing, which
// another may wait for.
func gathering(t *testing.T, last, answer string) string {
	t.Helper()
	zero, others := "num_ranks 8\nrank 0 {\nlast: "+last+"\n", "rank 1 {\nsend 100000b to 0\n"+answer+"}\n"
	for r := 1; r < 8; r++ {
		zero += fmt.Sprintf("r%d: recv 1b from %d\nlast requires r%d\n", r, r, r)
		if r > 1 {
			others += fmt.Sprintf("rank %d {\nsend 100000b to 0\n}\n", r)
		}
	}
	file := filepath.Join(t.TempDir(), "job.goal")
	write(t, file, zero+"}\n"+others)
	return file
}

// A run that parts run in parallel lasts at least as long as it says on its way.
func TestLasts(t *testing.T) {
	hopeless := filepath.Join(t.TempDir(), "job.goal")
	write(t, hopeless, "num_ranks 2\nrank 0 {\na: calc 1000\nb: send 10000000b to 1\nb requires a\n}\nrank 1 {\nrecv 1b from 0\n}\n")
	// The acknowledgement of flow 2 is behind flows 0 and 1 when the flow that waited for it is over.
	late := filepath.Join(t.TempDir(), "flows.csv")
	write(t, late, "src,dst,bytes,start_ns,after\n2,0,800000,0,\n3,0,800000,0,\n0,1,1000,60000,\n1,2,1000,30000,2\n")
	for name, keys := range map[string][]string{
		"an answer":     {"schedule", gathering(t, "send 300000b to 1", "recv 1b from 0\n")},
		"a computation": {"schedule", gathering(t, "calc 90000", "")},
		"late":          {"flows", late, "cc", "none"},
		"given up":      {"schedule", hopeless, "loss", "1", "options.rto", "30us", "options.retries", "1"},
	} {
		if !lastsAsSaid(t, name, of(t, append(keys, "topology", "star:n=8")...)) {
			t.Errorf("%s: nothing to check", name)
		}
	}
	checked := 0
	for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
		if sc := draw(t, t.TempDir(), seed); sc != nil && sc.Set("stop", "never") == nil && lastsAsSaid(t, seed, sc) {
			checked++
		}
	}
	t.Logf("%d of %d scenarios", checked, *seeds)
	if uint64(checked) < *seeds/4 {
		t.Error("this tests too little")
	}
}
