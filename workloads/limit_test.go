package workloads

import (
	"os"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

func TestTooManyFlows(t *testing.T) {
	for _, c := range []struct {
		flows        float64
		each, memory core.Bytes
		want         string // empty: no error
	}{
		{20e6, flowBytes, 8e9, ""},
		{20.1e6, flowBytes, 8e9, "about 2.01e+07 flows, which take 8.04 GB of a memory of 8 GB; send less"},
		{20e6, flowBytes + 1, 8e9, "about 2e+07 flows, which take 8.02 GB of a memory of 8 GB; send less"},
		{900e6, flowBytes, 1e12, ""},
		{1.1e9, flowBytes, 1e12, "about 1.1e+09 flows, the limit is 1e+09; send less"},
	} {
		err := tooManyFor(c.flows, c.each, c.memory, "send less")
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%g flows in %v: %v, want %q", c.flows, c.memory, err, c.want)
		}
	}
}

func TestMemoryIn(t *testing.T) {
	for _, c := range []struct {
		text string
		want core.Bytes
	}{
		{"MemTotal:       24617284 kB\nMemFree:         100 kB\n", 24617284 << 10},
		{"MemFree:         100 kB\nMemTotal: 8 kB\n", 8 << 10},
		{"MemTotal: many kB\n", usualMemory},
		{"", usualMemory},
	} {
		if got := memoryIn(c.text); got != c.want {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
}

// Where the system reports its memory, that value is used.
func TestMachineMemory(t *testing.T) {
	want := usualMemory
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		want = memoryIn(string(text))
	}
	if got := machineMemory(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
