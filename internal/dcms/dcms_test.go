package dcms

import (
	"reflect"
	"testing"
)

// Ports of the paper's testbed (figure 2): two switches and the link between them.
const (
	s1p15 = iota // S1 to S2
	s2p20        // S2 to S1
	s2p23        // S2 to D
	s1p12        // S1 to A
	testbedPorts
)

func testbed(sweeps int) *Manager {
	return New(Params{CongTime: 8e6, Wait: 27.4e6, Data: 5e7, Sweeps: sweeps, Default: 128},
		[]Port{s1p15: {0, s2p20}, s2p20: {1, s1p15}, s2p23: {1, -1}, s1p12: {0, -1}})
}

// sweep gives the manager counters that have grown by the given amounts.
func sweep(m *Manager, growth map[int]Counters) []Action {
	now := make([]Counters, testbedPorts)
	for i := range now {
		c, g := m.State(i).Counters, growth[i]
		now[i] = Counters{c.Wait + g.Wait, c.Data + g.Data, c.CongTime + g.CongTime}
	}
	return m.Sweep(now)
}

func want(t *testing.T, what string, got []Action, actions ...Action) {
	t.Helper()
	if len(got) != len(actions) || len(got) > 0 && !reflect.DeepEqual(got, actions) {
		t.Errorf("%s: %v, want %v", what, got, actions)
	}
}

var low = Action{s2p23, 0, VictimFound, s1p15}

// Check cases 12.1, 12.2 and 12.3: congestion without a victim, the victim, its recovery, its end (Mizero
// et al. 2016, algorithms 1 to 3).
func TestEpisode(t *testing.T) {
	m := testbed(12)
	want(t, "dC = 6M", sweep(m, map[int]Counters{s2p23: {CongTime: 6e6}, s1p15: {Data: 2.7e8}}))
	want(t, "dC = 9M, dW = 28M", sweep(m, map[int]Counters{s2p23: {CongTime: 9e6}, s1p15: {Wait: 28e6, Data: 1.8e8}}), low)
	if st := m.State(s2p23); !st.Low || st.Sweeps != 1 || !reflect.DeepEqual(st.Victims, []int{s1p15}) {
		t.Errorf("after the victim: %+v", st)
	}
	want(t, "dD from 180M to 310M", sweep(m, map[int]Counters{s1p15: {Data: 3.1e8}}))
	if st := m.State(s2p23); !st.Low || st.Sweeps != 2 {
		t.Errorf("while the victim recovers: %+v", st)
	}
	want(t, "dD from 310M to 91M", sweep(m, map[int]Counters{s1p15: {Data: 0.91e8}}), Action{s2p23, 128, VictimsGone, -1})
	if st := m.State(s2p23); st.Low || len(st.Victims) != 0 {
		t.Errorf("after the end: %+v", st)
	}
}

// Check case 12.4: a port that leads to a host and waits for credits is congested; one that leads to
// a switch is not (algorithm 2).
func TestWaitingPortOfAHost(t *testing.T) {
	m := testbed(12)
	want(t, "waits for a host", sweep(m, map[int]Counters{s2p23: {CongTime: 5e6, Wait: 30e6}, s1p15: {Wait: 28e6}}), low)
	m = testbed(12)
	want(t, "waits for a switch", sweep(m, map[int]Counters{s2p20: {CongTime: 5e6, Wait: 30e6}, s1p15: {Wait: 28e6}}))
}

// All thresholds must be exceeded, not only reached (algorithms 2 and 3).
func TestThresholdsAreExclusive(t *testing.T) {
	m := testbed(12)
	for range 2 { // only growth counts
		want(t, "dC = T_C", sweep(m, map[int]Counters{s2p23: {CongTime: 8e6}, s1p15: {Wait: 28e6}}))
	}
	want(t, "dW = T_W at the host's port", sweep(m, map[int]Counters{s2p23: {Wait: 27.4e6}, s1p15: {Wait: 28e6}}))
	want(t, "dW = T_W", sweep(m, map[int]Counters{s2p23: {CongTime: 9e6}, s1p15: {Wait: 27.4e6}}))
	want(t, "above", sweep(m, map[int]Counters{s2p23: {CongTime: 8e6 + 1}, s1p15: {Wait: 27.4e6 + 1, Data: 1e8}}), low)
	want(t, "dD falls by T_D", sweep(m, map[int]Counters{s1p15: {Data: 5e7}}))
	want(t, "and by more", sweep(m, map[int]Counters{s1p15: {Data: -1}}), Action{s2p23, 128, VictimsGone, -1})
}

// The low marking rate ends with the T_I-th sweep (algorithm 3), and the same victim can make it low again.
func TestTimeIsUp(t *testing.T) {
	for _, sweeps := range []int{1, 2, 6} {
		m := testbed(sweeps)
		congested := map[int]Counters{s2p23: {CongTime: 9e6}, s1p15: {Wait: 28e6, Data: 1e8}}
		calm := map[int]Counters{s1p15: {Data: 1e8}}
		want(t, "first", sweep(m, congested), low)
		for range sweeps - 2 {
			want(t, "low", sweep(m, calm))
		}
		want(t, "last", sweep(m, calm), Action{s2p23, 128, TimeIsUp, -1})
		want(t, "calm", sweep(m, calm))
		want(t, "again", sweep(m, congested), low)
	}
}

// If victims disappear in the T_I-th sweep, that is the reason given (algorithm 3: I <= T_I).
func TestVictimsGoAtTheEnd(t *testing.T) {
	m := testbed(2)
	want(t, "first", sweep(m, map[int]Counters{s2p23: {CongTime: 9e6}, s1p15: {Wait: 28e6, Data: 3e8}}), low)
	want(t, "last", sweep(m, map[int]Counters{s1p15: {Data: 1e8}}), Action{s2p23, 128, VictimsGone, -1})
}

// A second victim is added without another setting, and each ends by itself.
func TestSeveralVictims(t *testing.T) {
	m := New(Params{CongTime: 10, Wait: 10, Data: 10, Sweeps: 9, Default: 128, Low: 4}, []Port{
		{0, -1}, {0, 3}, {0, 4}, {1, 1}, {2, 2},
	})
	step := func(c ...Counters) []Action {
		for i := range c {
			s := m.State(i).Counters
			c[i] = Counters{s.Wait + c[i].Wait, s.Data + c[i].Data, s.CongTime + c[i].CongTime}
		}
		return m.Sweep(c)
	}
	congested := Counters{CongTime: 11}
	want(t, "first", step(congested, Counters{}, Counters{}, Counters{Wait: 11, Data: 100}, Counters{Data: 100}), Action{0, 4, VictimFound, 3})
	want(t, "second", step(congested, Counters{}, Counters{}, Counters{Data: 100}, Counters{Wait: 11, Data: 100}))
	if v := m.State(0).Victims; !reflect.DeepEqual(v, []int{3, 4}) {
		t.Errorf("victims %v, want 3 and 4", v)
	}
	want(t, "one goes", step(Counters{}, Counters{}, Counters{}, Counters{}, Counters{Data: 100}))
	want(t, "the other goes", step(Counters{}, Counters{}, Counters{}, Counters{}, Counters{}), Action{0, 128, VictimsGone, -1})
}

func TestValidate(t *testing.T) {
	ok := Params{Sweeps: 1}
	if err := ok.Validate(); err != nil {
		t.Error(err)
	}
	for _, p := range []Params{{CongTime: -1, Sweeps: 1}, {Sweeps: 0}, {Sweeps: 1, Default: 65536}, {Sweeps: 1, Low: -1}} {
		if p.Validate() == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}
