// Package barrier is where the threads of a run wait for one another, and where it is found out whether that pays. It
// alone, of all that a simulation runs through, looks at the clock: how long a thread waits, or which thread does
// something, changes nothing of what is computed.
package barrier

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Barrier makes whoever attends a meeting wait for all. What was written before a meeting is seen by all
// after it. Init comes first.
type Barrier struct {
	all      int32
	most     int32        // the greatest patience
	patience atomic.Int32 // spins of an early one, before it gives its processor to others
	arrived  atomic.Int32
	_        [48]byte
	held     atomic.Uint32 // meetings so far
	lock     sync.Mutex
	changed  sync.Cond
}

// Spins of 0.2 ms and 1 us. With a sixteenth of the most, two threads took 10 % longer on processors of their
// own. Where other programs have the processors, whoever is late may be so for as long as these run: patience is
// halved then, which takes a third off the time.
const (
	mostSpins   = 1 << 18
	fewestSpins = 1 << 10
	outOfReach  = time.Millisecond // a sleep that no patience would have spared
)

// Init makes a barrier for a number of threads.
func (b *Barrier) Init(all int) {
	b.all = int32(all)
	b.changed.L = &b.lock
	if all <= runtime.GOMAXPROCS(0) {
		b.most = mostSpins
		b.patience.Store(mostSpins)
	}
}

// Attend waits until all have come.
func (b *Barrier) Attend() {
	held := b.held.Load()
	if b.arrived.Add(1) == b.all {
		b.arrived.Store(0)
		b.lock.Lock()
		b.held.Add(1)
		b.lock.Unlock()
		b.changed.Broadcast()
		return
	}
	if b.most > 0 && b.spin(held) {
		return
	}
	asleep := time.Now()
	b.lock.Lock()
	for b.held.Load() == held {
		b.changed.Wait()
	}
	b.lock.Unlock()
	b.woken(time.Since(asleep))
}

// spin waits as long as patience lasts for a meeting after those held, and reports whether it came.
func (b *Barrier) spin(held uint32) bool {
	patience := b.patience.Load()
	for range patience {
		if b.held.Load() == held {
			continue
		}
		if patience < b.most {
			b.patience.Store(min(b.most, 2*patience))
		}
		return true
	}
	return false
}

// woken learns from a sleep.
func (b *Barrier) woken(slept time.Duration) {
	if b.most > 0 && slept > outOfReach {
		b.patience.Store(max(b.patience.Load()/2, fewestSpins))
	}
}
