package stall

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// The bytes of a queue are given in whole kilobytes, however many.
func TestBlockedBytes(t *testing.T) {
	for bytes, want := range map[core.Bytes]string{64: "64B", 999: "999B", 1062: "1KB", 18_492_160: "18492KB", 3_400_000_400: "3400MB"} {
		b := sim.Blocked{PortRef: sim.PortRef{Node: 22}, Class: 3, Bytes: bytes, Peer: sim.PortRef{Node: 18, Port: 4}}
		if got := queueText(&b); got != "switch 22 port 0 (paused by node 18 port 4, class 3, "+want+")" {
			t.Errorf("%d bytes: %s", bytes, got)
		}
	}
}
