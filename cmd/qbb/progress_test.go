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
		HopsPerSecond: 9.87e6, Wall: 10 * time.Second, Remaining: 30 * time.Second, Memory: 37_600_000,
	}
	if got, want := progressText(p), "1.23 ms  25 of 100 flows  9.87 M hops/s  38 MB  about 30s left"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// When a program reads it, progress is a line of JSON a second.
func TestProgressRecords(t *testing.T) {
	var b bytes.Buffer
	tell := progressRecords(&b)
	p := driver.Progress{Now: core.Time(1500 * core.Nanosecond), Stop: core.Time(core.Millisecond), Started: 3, Ended: 2, Total: 5, Hops: 7, HopsPerSecond: 3.5, Memory: 9}
	for _, wall := range []time.Duration{500 * time.Millisecond, time.Second, 1900 * time.Millisecond} {
		p.Wall = wall
		tell(p)
	}
	p.Stop, p.Remaining, p.Wall = core.Never, 90*time.Second, 2*time.Second
	tell(p)
	const want = `{"time_ns":1500,"stop_ns":1000000,"flows_started":3,"flows_ended":2,"flows_total":5,"hops":7,"hops_per_second":3.5,"wall_seconds":1,"remaining_seconds":null,"memory_bytes":9}
{"time_ns":1500,"stop_ns":null,"flows_started":3,"flows_ended":2,"flows_total":5,"hops":7,"hops_per_second":3.5,"wall_seconds":2,"remaining_seconds":90,"memory_bytes":9}
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
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
	if got, want := b.String(), "\r0.00 us  0 of 7 flows  0 hops/s  0 MB\x1b[K\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
