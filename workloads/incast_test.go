package workloads

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

func TestParseIncast(t *testing.T) {
	for _, c := range []struct {
		text string
		want Incast
	}{
		{"8x300KB", Incast{Fan: 8, Size: 300_000}},
		{"8x300KB@1ms", Incast{Fan: 8, Size: 300_000, Period: core.Millisecond}},
		{" 60x500KiB@2.5% ", Incast{Fan: 60, Size: 500 << 10, Load: 0.025}},
		{"1x1B@100%", Incast{Fan: 1, Size: 1, Load: 1}},
		{"2x1KB@1us,hosts=0-3,to=7", Incast{Fan: 2, Size: 1000, Period: core.Microsecond, Ends: ends(t, "hosts=0-3,to=7")}},
	} {
		if got, err := ParseIncast(c.text); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: got %+v, %v, want %+v", c.text, got, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", "there is no x"},
		{"8", "there is no x"},
		{"0x1KB", `"0" is not a number of senders`},
		{"ax1KB", `"a" is not a number of senders`},
		{"8x", `"" is not a size`},
		{"8x0", `the size "0" must be positive`},
		{"8x1KB@", `"" is not a duration`},
		{"8x1KB@0", `the period "0" must be positive`},
		{"8x1KB@-1ms", `the period "-1ms" must be positive`},
		{"8x1KB@0%", `the load "0%" is not a percentage above 0 and at most 100`},
		{"8x1KB@0x1p5%", `the load "0x1p5%" is not a percentage above 0 and at most 100`},
		{"8x1KB@101%", `the load "101%" is not a percentage above 0 and at most 100`},
		{"8x1KB@NaN%", `the load "NaN%"`},
		{"8x1KB,start=1ms", `unknown key "start"; known: hosts, to`},
		{"hosts=0-3", "there is no x"},
	} {
		if _, err := ParseIncast(c.text); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "; write 8x300KB") {
			t.Errorf("%q: got %v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzParseIncast(f *testing.F) {
	for _, seed := range []string{"8x300KB", "8x300KB@1ms", "8x300KB@5%", "x@", "1x1@1s%", "2x1KB,hosts=0-3,to=5,7"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseIncast(text)
		if err == nil && (c.Fan < 1 || c.Size < 1 || c.Period < 0 || c.Load < 0 || c.Load > 1) {
			t.Fatalf("%q gives %+v", text, c)
		}
	})
}

func incastFlows(t *testing.T, c Incast, spec string, seed uint64) []Flow {
	t.Helper()
	flows, err := c.Flows(network(t, spec), seed)
	if err != nil {
		t.Fatal(err)
	}
	return flows
}

func TestIncastRounds(t *testing.T) {
	c := Incast{Fan: 8, Size: 300_000, Period: core.Millisecond, From: second, To: second + second/10, Prio: 3}
	flows := incastFlows(t, c, "fat-tree:thesis", 1)
	if len(flows) != 100*8 {
		t.Fatalf("%d flows, want 100 rounds of 8", len(flows))
	}
	for round := range 100 {
		part := flows[8*round : 8*round+8]
		for i, f := range part {
			want := Flow{Src: f.Src, Dst: part[0].Dst, Bytes: 300_000, Start: second.Add(core.Duration(round) * core.Millisecond), Prio: 3, Tag: TagIncast}
			if !equal([]Flow{f}, []Flow{want}) || f.Src == f.Dst || i > 0 && f.Src <= part[i-1].Src { // distinct, in order
				t.Fatalf("round %d: %+v", round, part)
			}
		}
	}
}

// Every host is equally likely to be a receiver or a sender: chi-square with 15 degrees of freedom,
// one in a million. (The senders of a round are distinct, so they vary less.)
func TestIncastChoosesUniformly(t *testing.T) {
	const rounds = 4000
	var receiver, sender [16]float64
	for i, f := range incastFlows(t, Incast{Fan: 4, Size: 1, Period: 1, To: rounds}, "star:n=16", 1) {
		sender[f.Src]++
		if i%4 == 0 {
			receiver[f.Dst]++
		}
	}
	for _, c := range []struct {
		what   string
		counts [16]float64
		mean   float64
	}{{"receivers", receiver, rounds / 16}, {"senders", sender, rounds * 4 / 16}} {
		chi := 0.0
		for _, n := range c.counts {
			chi += (n - c.mean) * (n - c.mean) / c.mean
		}
		if chi > 56.5 {
			t.Errorf("%s %v: chi-square %v", c.what, c.counts, chi)
		}
	}
}

// A round is the same however many follow.
func TestIncastRoundsAreIndependent(t *testing.T) {
	short := Incast{Fan: 15, Size: 1, Period: core.Millisecond, To: second / 100}
	long := short
	long.To = second / 50
	a, b := incastFlows(t, short, "star:n=16", 3), incastFlows(t, long, "star:n=16", 3)
	if len(b) != 2*len(a) || !equal(a, b[:len(a)]) {
		t.Error("the first rounds depend on the length of the run")
	}
}

func TestIncastPeriodFromLoad(t *testing.T) {
	// 8 flows of 300 KB are 19.2 Mbit. 16 hosts of 100 Gb/s: 2 % are 32 Gb/s, 600 us a round.
	c := Incast{Fan: 8, Size: 300_000, To: second / 100}
	if got := len(incastFlows(t, c, "fat-tree:thesis", 1)) / 8; got != 17 {
		t.Errorf("default load: %d rounds in 10 ms, want 17", got)
	}
	c.Load = 0.12 // 100 us, give or take a picosecond
	if got := len(incastFlows(t, c, "fat-tree:thesis", 1)) / 8; got < 100 || got > 101 {
		t.Errorf("12 %%: %d rounds in 10 ms, want 100", got)
	}
}

// At a low load the time between rounds may be more than a clock can hold.
func TestIncastOfLargeFlows(t *testing.T) {
	c := Incast{Fan: 8, Size: 1e12, To: second}
	if got := len(incastFlows(t, c, "star:n=9,rate=10Mbps", 1)); got != 8 {
		t.Errorf("%d flows, want one round of 8", got)
	}
}

// The rates of all hosts together may be more than a Rate can hold.
func TestIncastAtHighestRates(t *testing.T) {
	// 10,000 hosts of 1000 Tb/s: 2 % are 2*10^17 bit/s, and 8 flows of 300 MB 96 ns.
	c := Incast{Fan: 8, Size: 300_000_000}
	rates := slices.Repeat([]core.Rate{1000 * core.Tbps}, 10_000)
	if got := c.period(rates); got != 96*core.Nanosecond {
		t.Errorf("%v from round to round, want 96 ns", got)
	}
}

// One sender is an incast too, and what matters is the duration, not the start.
func TestSmallestIncast(t *testing.T) {
	c := Incast{Fan: 1, Size: 1, Period: core.Microsecond, From: 1_000_000 * second, To: (1_000_000 * second).Add(2 * core.Microsecond)}
	if flows := incastFlows(t, c, "star:n=2", 1); len(flows) != 2 {
		t.Errorf("%+v", flows)
	}
}

func TestIncastErrors(t *testing.T) {
	for _, c := range []struct {
		c    Incast
		want string
	}{
		{Incast{Size: 1, To: second}, "incast of 0 senders and a receiver: the topology has 4 hosts"},
		{Incast{Fan: 4, Size: 1, To: second}, "incast of 4 senders and a receiver: the topology has 4 hosts"},
		{Incast{Fan: 3, Size: 1, Period: 1, To: second}, "incast of 3 senders every 1ps: this would make about 3e+12 flows"},
	} {
		if _, err := c.c.Flows(network(t, "star:n=4"), 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// A round is drawn from all hosts in their order, whatever the rounds before it have drawn.
func TestIncastDraws(t *testing.T) {
	flows := incastFlows(t, Incast{Fan: 2, Size: 1, Period: core.Microsecond, To: core.Time(9 * core.Microsecond)}, "star:n=6", 4)
	for round := range 9 {
		stream, hosts := core.NewStream(4, core.StreamIncast, uint64(round)), []core.NodeID{0, 1, 2, 3, 4, 5}
		var want []core.NodeID
		for left := 6; left > 3; left-- {
			k := stream.IntN(left)
			want = append(want, hosts[k])
			hosts[k] = hosts[0] // the first takes the place of the one that is drawn
			hosts = hosts[1:]
		}
		got := flows[2*round : 2*round+2]
		slices.Sort(want[1:])
		if got[0].Dst != want[0] || got[1].Dst != want[0] || got[0].Src != want[1] || got[1].Src != want[2] {
			t.Errorf("round %d: %+v, want %v to %d", round, got, want[1:], want[0])
		}
	}
}
