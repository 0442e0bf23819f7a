package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
)

func TestProgressText(t *testing.T) {
	p := driver.Progress{
		Now: core.Time(1234 * core.Microsecond), Stop: core.Never, Started: 30, Ended: 25, Total: 100,
		HopsPerSecond: 9.87e6, Wall: 10 * time.Second,
	}
	if got, want := progressText(p), "1.23 ms  25 of 100 flows  9.87 M hops/s  about 30s left"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Stop = core.Time(2468 * core.Microsecond)
	if got, want := remaining(p), 10*time.Second; got != want {
		t.Errorf("half way to the end after 10 s: got %v, want %v", got, want)
	}
	for _, p := range []driver.Progress{{Stop: core.Never}, {Stop: core.Never, Ended: 1, Total: 100, Wall: time.Second}, {Stop: 1, Now: 5}} {
		if got := remaining(p); got != 0 {
			t.Errorf("%+v: too early to tell, got %v", p, got)
		}
	}
}

// There is a progress line on terminals only.
func TestProgressLine(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if newProgressLine(f) != nil || newProgressLine(new(bytes.Buffer)) != nil {
		t.Error("a progress line on a file")
	}
	var b bytes.Buffer
	line := &progressLine{&b}
	line.show(driver.Progress{Stop: core.Never, Total: 7})
	line.clear()
	if got, want := b.String(), "\r0.00 us  0 of 7 flows  0 hops/s\x1b[K\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
