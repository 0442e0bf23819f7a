package report

import (
	"fmt"

	"github.com/qbb-sim/qbb/internal/results"
)

// forest holds the pause trees of a run.
type forest struct {
	Run   string
	Trees []branch
	More  int // roots that are left out
}

// branch is a node of a pause tree as text.
type branch struct {
	Text   string
	Open   bool // the branches are shown at first
	Inside []branch
	More   int // branches that are left out
}

// Limits of the pause trees shown.
const (
	mostRoots    = 8
	mostBranches = 10
	deepest      = 6 // levels
	shown        = 2 // levels shown at first
)

// forests lists the pause trees of the runs that have some.
func forests(runs []*results.Run) []forest {
	var all []forest
	for _, r := range runs {
		f := forest{Run: r.Name, More: max(0, len(r.PausedBy)-mostRoots)}
		for _, t := range r.PausedBy[:min(len(r.PausedBy), mostRoots)] {
			b := branches(t, deepest)
			b.Text = fmt.Sprintf("node %d paused others %s, %s", t.Node, times(t.Times), timeText(t.Ns))
			f.Trees = append(f.Trees, b)
		}
		if len(f.Trees) > 0 {
			all = append(all, f)
		}
	}
	return all
}

func branches(t *results.PauseTree, levels int) branch {
	b := branch{Text: fmt.Sprintf("%s paused %s, %s", results.PortName(t.Node, int(t.Port), t.Peer), times(t.Times), timeText(t.Ns))}
	if levels == 0 {
		b.More = len(t.Paused)
		return b
	}
	b.Open = levels > deepest-shown
	for _, c := range t.Paused[:min(len(t.Paused), mostBranches)] {
		b.Inside = append(b.Inside, branches(c, levels-1))
	}
	b.More = len(t.Paused) - len(b.Inside)
	return b
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
