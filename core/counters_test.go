package core

import "testing"

// Every packet counts once in each direction; frames of the link itself are also counted as such.
func TestCounters(t *testing.T) {
	pause, resume := uint64(NewPause(3, 9, false)), uint64(NewPause(3, 0, false))
	var c Counters
	for _, p := range []Packet{
		{Size: 1000}, {Kind: Pause, Size: 64, Aux: pause}, {Kind: Pause, Size: 64, Aux: pause}, {Kind: Pause, Size: 64, Aux: resume}, {Kind: Credit, Size: 30},
	} {
		c.Received(&p)
		c.Sent(&p)
	}
	want := Counters{
		RxPackets: 5, RxBytes: 1222, TxPackets: 5, TxBytes: 1222, LinkBytes: 222,
		PausesSent: 2, ResumesSent: 1, PausesReceived: 2, ResumesReceived: 1,
	}
	if c != want {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}
