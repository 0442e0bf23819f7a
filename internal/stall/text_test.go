package stall

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// The bytes of a queue are given in whole kilobytes, however many.
func TestBlockedBytes(t *testing.T) {
	for bytes, want := range map[core.Bytes]string{
		64: "64B", 999: "999B", 1000: "1KB", 1062: "1KB", 1499: "1KB", 1500: "2KB", 18_492_160: "18492KB", 3_400_000_400: "3400MB",
	} {
		b := sim.Blocked{PortRef: sim.PortRef{Node: 22}, Class: 3, Bytes: bytes, Peer: sim.PortRef{Node: 18, Port: 4}}
		if got := queueText(&b); got != "switch 22 port 0 (paused by node 18 port 4, class 3, "+want+")" {
			t.Errorf("%d bytes: %s", bytes, got)
		}
	}
}

// Times are given in the unit in which they are at least 1, or in microseconds, with six digits.
func TestInstants(t *testing.T) {
	for nanos, want := range map[int64]string{
		0: "0 us", 250: "0.25 us", 999_999: "999.999 us", 1e6: "1 ms", 1_234_567: "1.23457 ms", 999_999_000: "999.999 ms", 1e9: "1 s", 61_500_000_000: "61.5 s",
	} {
		if got := instant(core.AtNanos(nanos)); got != want {
			t.Errorf("%d ns: %s, want %s", nanos, got, want)
		}
	}
}

// waiting makes so many queues that wait, since 1 us, 2 us and so on, or for credits.
func waiting(n int, credits bool) (list []sim.Blocked) {
	for i := range n {
		b := sim.Blocked{PortRef: sim.PortRef{Node: core.NodeID(10 + i), Port: 1}, Class: 3, Bytes: 5000, Peer: sim.PortRef{Node: core.NodeID(11 + i), Port: 2}, Since: core.AtNanos(int64(1000 * (i + 1)))}
		if credits {
			b.Since = core.Never
		}
		list = append(list, b)
	}
	return list
}

// Of queues that wait the first four are named, with the times since when they do.
func TestTextOfBlockedQueues(t *testing.T) {
	const credits = "switch 10 port 1 (without credits of node 11 port 2, class 3, 5KB)"
	names := []string{
		"switch 10 port 1 (paused by node 11 port 2, class 3, 5KB), since 1 us", "switch 11 port 1 (paused by node 12 port 2, class 3, 5KB), since 2 us",
		"switch 12 port 1 (paused by node 13 port 2, class 3, 5KB), since 3 us", "switch 13 port 1 (paused by node 14 port 2, class 3, 5KB), since 4 us",
	}
	for _, c := range []struct{ got, want string }{
		{blockedText(waiting(1, false)), "1 queue of a switch waits for a pause to end: " + names[0]},
		{blockedText(waiting(4, false)), "4 queues of switches wait for a pause to end: " + strings.Join(names, "; ")},
		{blockedText(waiting(5, false)), "5 queues of switches wait for a pause to end: " + strings.Join(names, "; ") + "; and others"},
		{blockedText(waiting(1, true)), "1 queue of a switch waits for credits: " + credits},
	} {
		if c.got != c.want {
			t.Errorf("got\n%s\nwant\n%s", c.got, c.want)
		}
	}
}

// A deadlock is there since the last of its queues has waited. It may hold up others.
func TestTextOfDeadlock(t *testing.T) {
	const held = "2 queues wait for one another, each for the next and the last for the first: "
	const paused = "switch 11 port 1 (paused by node 12 port 2, class 3, 5KB), switch 10 port 1 (paused by node 11 port 2, class 3, 5KB)"
	const credits = "switch 10 port 1 (without credits of node 11 port 2, class 3, 5KB), switch 11 port 1 (without credits of node 12 port 2, class 3, 5KB)"
	two := waiting(2, false)
	two[0], two[1] = two[1], two[0]
	for _, c := range []struct{ got, want string }{
		{deadlockText(two, 2), "PFC deadlock since 2 us: " + held + paused},
		{deadlockText(two, 3), "PFC deadlock since 2 us: " + held + paused + "; 1 more wait for them"},
		{deadlockText(waiting(2, true), 2), "credit deadlock: " + held + credits},
	} {
		if c.got != c.want {
			t.Errorf("got\n%s\nwant\n%s", c.got, c.want)
		}
	}
}
