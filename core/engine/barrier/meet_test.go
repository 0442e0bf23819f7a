package barrier

import (
	"runtime"
	"sync"
	"testing"
)

// No thread leaves a meeting before all have come, whether the early ones spin or sleep, and what they wrote before it
// is visible after it.
func TestAttend(t *testing.T) {
	for _, threads := range []int{1, 2, 3, runtime.GOMAXPROCS(0) + 5} {
		var b Barrier
		b.Init(threads)
		const meetings = 500
		came := make([]int, threads) // not guarded, so that the race detector can find a fault
		var all sync.WaitGroup
		for me := range threads {
			all.Go(func() {
				for meeting := 1; meeting <= meetings; meeting++ {
					came[me] = meeting
					b.Attend()
					for other, at := range came {
						if at != meeting {
							t.Errorf("%d threads: thread %d leaves meeting %d, thread %d is at %d", threads, me, meeting, other, at)
						}
					}
					b.Attend()
				}
			})
		}
		all.Wait()
		if held := b.held.Load(); held != 2*meetings {
			t.Errorf("%d threads: %d meetings, want %d", threads, held, 2*meetings)
		}
	}
}
