package scenario

import (
	"fmt"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// In a lossless network no flow times out, however long its queues are. Sixty flows without
// congestion control fill a switch's memory, which its port takes longer than the least time-out to
// send; a flow that comes then waits as long for its first acknowledgement.
func TestFullBuffersAreNoLoss(t *testing.T) {
	for _, spec := range [][]string{
		{"topology", "star:n=62,rate=10Gbps", "buffer", "12MB"},
		{"topology", "dumbbell:n=61,right=1,rate=10Gbps", "buffer", "12MB"},
		{"topology", "fat-tree:k=4,rate=10Gbps", "buffer", "12MB"},
		{"topology", "star:n=62,rate=2500Mbps", "buffer", "12MB"},
		{"topology", "star:n=62,rate=10Gbps", "flow_control", "credits", "credits.buffer", "128KiB"},
	} {
		t.Run(spec[1], func(t *testing.T) {
			t.Parallel()
			s := withFlows(t, nil, append([]string{"cc", "none", "queue_sampling.interval", "0s", "series.interval", "0s"}, spec...)...)
			hosts := s.Topology.Hosts()
			last := len(hosts) - 1
			for i := range 60 {
				s.Flows = append(s.Flows, sim.Flow{Src: hosts[1+i%(last-1)], Dst: hosts[last], Bytes: 500_000, Prio: 3, DstPort: 100})
			}
			const late = core.Time(6 * core.Millisecond)
			s.Flows = append(s.Flows, sim.Flow{Src: hosts[0], Dst: hosts[last], Bytes: 500_000, Prio: 3, DstPort: 100, Start: late})
			n, q := play(t, s)
			var resent, outs int64
			for i := range q.ends {
				r := &q.ends[i]
				resent, outs = resent+r.Retx, outs+r.Timeouts
			}
			if wait := n.Record(60).FCT; wait < 2*sim.LeastTimeout {
				t.Errorf("the late flow takes %v: the queues are too short to mean much", wait)
			}
			if len(q.ends) != 61 || outs != 0 || resent != 0 || n.Dropped() != 0 {
				t.Errorf("%d flows ended, %d packets dropped, %d time-outs, %d bytes sent again", len(q.ends), n.Dropped(), outs, resent)
			}
		})
	}
}

// Where links take more than a day to send a memory, the time-out is no longer than a clock can
// hold.
func TestTimeoutOfSlowLinks(t *testing.T) {
	s := withFlows(t, []sim.Flow{{Src: 0, Dst: 8, Bytes: 1, Prio: 3}}, "topology", "star:n=9,rate=1Kbps", "buffer", "2GB")
	n, _ := begin(t, s)
	const hour = 3600 * core.Second
	if got := n.LongestTimeout(); got < 12*hour || got > 13*hour {
		t.Errorf("%v, want half a day and a round trip", got)
	}
}

// Without a timer the time-outs that a scheme asks for never come.
func TestNoTimer(t *testing.T) {
	for rto, want := range map[string]bool{"0s": false, "1us": true} {
		s := withFlows(t, []sim.Flow{{Src: 0, Dst: 1, Bytes: 1_000_000, Prio: 3}}, "topology", "star:n=2", "cc", "reno", "options.rto", rto)
		n, _ := begin(t, s)
		n.Step(core.Time(50*core.Microsecond), 1<<20)
		if got := n.LongestTimeout(); got > core.Microsecond != want {
			t.Errorf("options.rto %s: %v", rto, got)
		}
	}
}

// The time-out fits memory, path and class, unless it is set.
func TestTimeoutFits(t *testing.T) {
	const usual = sim.LeastTimeout
	full := core.Exact.TxTime(12_000_000, 10*core.Gbps) // what a switch of 12 MB takes
	lanes := core.Exact.TxTime(9*64<<10, core.Gbps)     // nine ports' buffers for a lane
	for _, c := range []struct {
		set  []string
		most core.Duration // without the round trip of short links, which is below 0.1 ms
	}{
		{[]string{"topology", "star:n=9,rate=100Gbps", "buffer", "12MB"}, usual},
		{[]string{"topology", "star:n=9,rate=10Gbps", "buffer", "12MB"}, full},
		{[]string{"topology", "star:n=9,rate=10Gbps", "buffer", "12MB", "options.rto", "300us"}, 300 * core.Microsecond},
		{[]string{"topology", "star:n=9,rate=10Gbps", "buffer", "12MB", "options.rto", "0s"}, 0},
		{[]string{"topology", "star:n=9,rate=10Gbps", "buffer", "12MB", "profile", "ns3"}, 0},
		{[]string{"topology", "dumbbell:n=8,right=1,rate=100Gbps,bottleneck=10Gbps", "buffer", "12MB"}, 2 * full},
		{[]string{"topology", "dumbbell:n=8,right=1,rate=10Gbps", "buffer", "12MB", "flow_control", "none"}, usual},
		{[]string{"topology", "star:n=9,rate=10Gbps,delay=3ms", "buffer", "80MB", "flow_control", "none"}, 24 * ms},
		{[]string{"topology", "star:n=9,rate=10Gbps,delay=3ms", "buffer", "80MB"}, 12*ms + core.Exact.TxTime(80_000_000, 10*core.Gbps)},
		{[]string{"topology", "dumbbell:n=8,right=1,rate=10Gbps", "buffer", "1MB", "host.recovery", "selective"}, full / 12},
		{[]string{"topology", "dumbbell:n=8,right=1,rate=10Gbps", "buffer", "1MB", "host.recovery", "selective", "flow_control", "none"}, full / 24}, // a queue takes half
		{[]string{"topology", "dumbbell:n=8,right=1,rate=10Gbps", "buffer", "9MB", "host.recovery", "selective", "lossy", "3", "switch.lossy_shift", "3"}, full / 12},
		{[]string{"topology", "dumbbell:n=8,right=1,rate=10Gbps", "buffer", "12MB", "host.recovery", "selective", "flow_control", "none"}, usual},
		{[]string{"topology", "star:n=9,rate=1Gbps", "flow_control", "credits"}, max(usual, lanes)},
	} {
		s := withFlows(t, []sim.Flow{{Src: 0, Dst: 8, Bytes: 1, Prio: 3}}, c.set...)
		n, _ := begin(t, s)
		if got := n.LongestTimeout(); got < c.most || got > c.most+100*core.Microsecond {
			t.Errorf("%v: %v, want %v and a round trip", c.set, got, c.most)
		}
	}
	for text, want := range map[string]string{"auto": "auto", "300us": "300us", "0s": "0s"} {
		if got := of(t, "options.rto", text).Options.RTO.String(); got != want {
			t.Errorf("%s reads as %s", text, got)
		}
	}
	for _, text := range []string{"-1us", "automatic"} {
		if err := Default().Set("options.rto", text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

// TCP's time-outs follow the round trips (RFC 6298). Flows that share a slow link and a deep buffer wait in a queue for
// much longer than the least time-out, late ones from their first packet on, and none times out. With only the hosts'
// time-outs all of these runs have spurious ones.
func TestTCPWaitsForLongQueues(t *testing.T) {
	for _, rate := range []string{"100Mbps", "1Gbps"} {
		for _, cc := range []string{"reno", "cubic"} {
			for _, way := range []string{"go-back-n", "selective"} {
				t.Run(fmt.Sprint(rate, " ", cc, " ", way), func(t *testing.T) {
					t.Parallel()
					var flows []sim.Flow
					for i := range core.NodeID(8) {
						start := core.Time(i/4) * core.Time(20*ms)
						flows = append(flows, sim.Flow{Src: i, Dst: 8, Bytes: 5_000_000, Prio: 3, DstPort: 100, Start: start})
					}
					run := func(own bool) (outs, resent int64) {
						s := unsampled(t, flows, "topology", "dumbbell:n=8,right=1,rate="+rate, "cc", cc, "flow_control", "none", "buffer", "64MB",
							"host.recovery", way, "host.window", "off")
						if !own {
							s.Schemes[0] = patient{s.Schemes[0]}
						}
						n, q := play(t, s)
						for i := range q.ends {
							outs, resent = outs+q.ends[i].Timeouts, resent+q.ends[i].Retx
						}
						if own && len(q.ends) != len(flows) || n.Dropped() != 0 {
							t.Errorf("%d flows ended, %d packets dropped", len(q.ends), n.Dropped())
						}
						return outs, resent
					}
					if outs, resent := run(true); outs != 0 || resent != 0 {
						t.Errorf("%d time-outs, %d bytes sent again", outs, resent)
					}
					if outs, _ := run(false); outs < 20 {
						t.Errorf("%d time-outs by the hosts' own: this tests too little", outs)
					}
				})
			}
		}
	}
}

// patient is a scheme that leaves time-outs to the hosts.
type patient struct{ algorithms.Scheme }

func (p patient) NewSender() algorithms.Sender { return patientSender{p.Scheme.NewSender()} }

type patientSender struct{ algorithms.Sender }

func (p patientSender) Start(now core.Time, f *algorithms.Flow, c *algorithms.Control) {
	p.Sender.Start(now, f, c)
	c.Timeout = 0
}

func (p patientSender) Step(s *algorithms.Signal, c *algorithms.Control) {
	p.Sender.Step(s, c)
	c.Timeout = 0
}

// TCP on a slow link finds every loss, even of a last packet, by a time-out: with one packet in twenty lost each way
// all flows end, and soon.
func TestTCPRecoversTailsOnSlowLinks(t *testing.T) {
	for _, cc := range []string{"reno", "cubic", "vegas", "dctcp-window"} {
		for _, way := range []string{"go-back-n", "selective"} {
			t.Run(fmt.Sprint(cc, " ", way), func(t *testing.T) {
				t.Parallel()
				var flows []sim.Flow
				for i := range 200 {
					flows = append(flows, sim.Flow{Src: core.NodeID(i % 4), Dst: 4, Bytes: int64(1 + 1500*(i%5)), Prio: 3, DstPort: 100, Start: core.Time(i) * core.Time(10*ms)})
				}
				s := unsampled(t, flows, "topology", "star:n=5,rate=100Mbps", "cc", cc, "flow_control", "none", "buffer", "200KB",
					"host.recovery", way, "host.window", "off", "loss", "0.05")
				n, q := play(t, s)
				outs := int64(0)
				for i := range q.ends {
					r := &q.ends[i]
					outs += r.Timeouts
					if !r.Finished || r.FCT > 500*ms {
						t.Errorf("%+v", *r)
					}
				}
				if len(q.ends) != len(flows) || outs == 0 || n.Dropped() != 0 || n.Lost() == 0 {
					t.Errorf("%d flows ended, %d time-outs, %d packets dropped, %d lost", len(q.ends), outs, n.Dropped(), n.Lost())
				}
			})
		}
	}
}
