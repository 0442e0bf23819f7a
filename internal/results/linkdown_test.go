package results

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/traces"
)

// A failure is found at the ports of both ends, whichever comes first in its name, and of parallel links at those of the one
// named. Returns are none, nor is what never happens; of others no port may be known.
func TestLinkDowns(t *testing.T) {
	ports := []traces.PortRow{
		{Node: 0, Port: 0, Peer: 2}, {Node: 1, Port: 0, Peer: 2}, {Node: 1, Port: 1, Peer: 2},
		{Node: 2, Port: 0, Peer: 1}, {Node: 2, Port: 1, Peer: 0}, {Node: 2, Port: 2, Peer: 1},
	}
	end := func(row int) portKey { return portKey{ports[row].Node, ports[row].Port} }
	unknown := portKey{node: -1}
	const text = "links: [{at: 1us, down: 2 - 0}, {at: 2us, down: 1-2/2}, {at: 3us, up: 1-2/2}, {at: 4us, down: 2-1/1}, {at: 5us, down: 0-1}, {at: never, down: 0-2}]"
	want := []linkDown{
		{1000, [2]portKey{end(4), end(0)}}, {2000, [2]portKey{end(2), end(5)}},
		{4000, [2]portKey{end(3), end(1)}}, {5000, [2]portKey{unknown, unknown}},
	}
	if got := linkDowns(text, ports); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, unknown := range []string{"links: later", "links: [{at: later, down: 0-2}]"} {
		if got := linkDowns(unknown, ports); got != nil {
			t.Errorf("%s: got %v", unknown, got)
		}
	}
}

// A port forgets its pauses when its link fails, at either end, and so do its trees; those of other ports of its node go on.
func TestPausesEndWithLinks(t *testing.T) {
	const pause, resume = traces.EventPause, traces.EventResume
	frames := []traces.PFCRow{
		frame(10, 11, 1, pause), frame(12, 11, 0, pause), frame(15, 1, 0, pause),
		frame(60, 11, 1, resume), frame(70, 11, 1, pause), frame(80, 1, 0, pause), frame(90, 1, 0, resume), frame(95, 11, 0, resume),
	}
	f := newPauseForest(chain, 0)
	f.downs = linkDowns("links: [{at: 30ns, down: 12-11}, {at: 40ns, down: 1-11}, {at: 85ns, down: 11-12}, {at: 200ns, down: 10-11}]", chain)
	for i := range frames {
		f.add(&frames[i])
	}
	const want = "10:-1 1x 83 [11:0 1x 83 [1:0 1x 10]]; 12:-1 2x 35 [11:1 2x 35 [1:0 1x 25]]"
	if got := text(f.end(100)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
