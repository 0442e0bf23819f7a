package driver

import (
	"testing"
	"time"

	"github.com/qbb-sim/qbb/core"
)

func TestRemaining(t *testing.T) {
	p := Progress{Now: core.Time(1234 * core.Microsecond), Stop: core.Never, Ended: 25, Total: 100, Wall: 10 * time.Second}
	if got, want := remaining(&p), 30*time.Second; got != want {
		t.Errorf("a quarter of the flows after 10 s: got %v, want %v", got, want)
	}
	p.Stop = core.Time(2468 * core.Microsecond)
	if got, want := remaining(&p), 10*time.Second; got != want {
		t.Errorf("half way to the end after 10 s: got %v, want %v", got, want)
	}
	for _, p := range []Progress{{Stop: core.Never}, {Stop: core.Never, Ended: 1, Total: 100, Wall: time.Second}, {Stop: 1, Now: 5}} {
		if got := remaining(&p); got != 0 {
			t.Errorf("%+v: too early to tell, got %v", p, got)
		}
	}
}
