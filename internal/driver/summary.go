package driver

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/slowdown"
	"github.com/qbb-sim/qbb/internal/spelling"
	"github.com/qbb-sim/qbb/traces"
)

// Summary is the results of a run: summary.json. All except Machine depends only on the scenario.
type Summary struct {
	Version      string           `json:"version" doc:"version of the program"`
	Scenario     string           `json:"scenario" doc:"the scenario in force, as a file"`
	Profile      string           `json:"profile" doc:"native or ns3"`
	Seed         uint64           `json:"seed" doc:"seed of all random numbers"`
	StoppedEarly bool             `json:"stopped_early" doc:"the run was interrupted"`
	EndNs        float64          `json:"end_ns" unit:"ns" doc:"simulated time at the end"`
	Traffic      TrafficTime      `json:"traffic" doc:"the time of traffic, of which the shares below are parts"`
	Network      NetworkSize      `json:"network" doc:"size of the network"`
	Flows        FlowTotals       `json:"flows" doc:"what became of the flows"`
	Tags         []TagTime        `json:"tags,omitempty" doc:"the flows with each tag, by the first of them, such as those of a collective, with the time that they took together; left out if there are more than 64 tags"`
	Schedule     *ScheduleTotals  `json:"schedule,omitempty" doc:"what became of the schedule, or of all schedules together, if there are any"`
	Schedules    []ScheduleTotals `json:"schedules,omitempty" doc:"what became of each, if there are several"`
	Slowdown     []SlowdownRow    `json:"slowdown" doc:"slowdown of finished flows, by size; percentiles by nearest rank (NumPy: method inverted_cdf), 0 where no flow finished"`
	Queue        *QueueSummary    `json:"queue,omitempty" doc:"egress queues of all switch ports together, if they are sampled"`
	PFC          PFCTotals        `json:"pfc" doc:"priority flow control"`
	Credits      *CreditTotals    `json:"credits,omitempty" doc:"credit flow control, if it is used"`
	ConWeave     *WeaveTotals     `json:"conweave,omitempty" doc:"load balancing by ConWeave, if it is used"`
	Packets      PacketTotals     `json:"packets" doc:"what became of the packets"`
	Unfinished   []UnfinishedRow  `json:"unfinished" doc:"why flows did not finish"`
	Bottlenecks  []Bottleneck     `json:"bottlenecks" doc:"the busiest ports: those that sent, or were paused, for the largest share of the time"`
	Notes        []string         `json:"notes" doc:"what a reader should know of this run"`
	Machine      Machine          `json:"machine" doc:"the computer's part, which varies from run to run"`
	Files        []string         `json:"-"` // paths of what was written
	Removed      []string         `json:"-"` // paths of tables of an earlier run that this one has not written
}

// TrafficTime is the time from the first flow's start to the last one's end.
type TrafficTime struct {
	FromNs float64 `json:"from_ns" unit:"ns" doc:"start of the first flow"`
	ToNs   float64 `json:"to_ns" unit:"ns" doc:"end of the last flow; if some have not ended, end of the run, or of the last transmission or flow if no packet is left; if only pauses and credits are, which links repeat, and the run was stopped for that, when nothing else had moved any more"`
}

// NetworkSize is the size of the network.
type NetworkSize struct {
	Hosts    int `json:"hosts"`
	Switches int `json:"switches"`
	Links    int `json:"links"`
}

// FlowTotals count flows.
type FlowTotals struct {
	Total              int   `json:"total"`
	Started            int   `json:"started"`
	Finished           int   `json:"finished"`
	Failed             int   `json:"failed" doc:"given up after too many time-outs, or after as long without progress with go-back-0"`
	Unfinished         int   `json:"unfinished" doc:"all that did not finish"`
	Stuck              int   `json:"stuck" doc:"those unfinished that could not have finished in a longer run either"`
	RetransmittedBytes int64 `json:"retransmitted_bytes"`
	Timeouts           int64 `json:"timeouts"`
}

// SlowdownRow holds the slowdown of the flows of a range of sizes, which the label names.
type SlowdownRow struct {
	Label string  `json:"label"`
	Flows int     `json:"flows"`
	P50   float64 `json:"p50"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
}

// QueueSummary holds percentiles of the sampled queue depths: upper edges of histogram bins.
type QueueSummary struct {
	Samples uint64 `json:"samples"`
	P50     int64  `json:"p50_bytes"`
	P95     int64  `json:"p95_bytes"`
	P99     int64  `json:"p99_bytes"`
	Max     int64  `json:"max_bytes" doc:"the deepest at any time, not only when sampled"`
}

// PFCTotals count pauses.
type PFCTotals struct {
	PausesSent  int64   `json:"pauses_sent"`
	ResumesSent int64   `json:"resumes_sent"`
	PausedNs    float64 `json:"paused_ns" doc:"summed over all ports and priorities"`
	Storms      int64   `json:"storms" doc:"classes of ports for which watchdogs have found that pauses did not end (pfc_watchdog)"`
}

// CreditTotals sum up credit flow control and its manager.
type CreditTotals struct {
	WaitedNs float64 `json:"waited_ns" unit:"ns" doc:"time for which ports had something to send but no credits, summed over ports"`
	Settings int     `json:"settings" doc:"marking rates set by the congestion manager"`
}

// WeaveTotals count what ConWeave has done.
type WeaveTotals struct {
	Moves   int64 `json:"moves" doc:"how often a connection has left its path for another one"`
	GivenUp int64 `json:"given_up" doc:"moves of which the last packet on the old path did not come within conweave.resume of its estimated time: it came behind others, if at all"`
}

// PacketTotals count packets.
type PacketTotals struct {
	Hops     int64 `json:"hops" doc:"packets that have crossed a link, except those of flow control (PFC, credits)"`
	Events   int64 `json:"events"`
	Dropped  int64 `json:"dropped" doc:"dropped by devices: the sum of the next four"`
	NoBuffer int64 `json:"dropped_no_buffer" doc:"for lack of buffer"`
	NoRoute  int64 `json:"dropped_no_route" doc:"for lack of a route"`
	LinkDown int64 `json:"dropped_link_down" doc:"were waiting to be sent when their link failed"`
	Watchdog int64 `json:"dropped_watchdog" doc:"by PFC watchdogs: were waiting for a pause to end, or came while one did not"`
	Trimmed  int64 `json:"trimmed" doc:"went on without their payload for lack of buffer (switch.trim)"`
	Lost     int64 `json:"lost" doc:"lost by links; unlike hops, with those of flow control (PFC, credits)"`
	Marked   int64 `json:"ecn_marked"`
}

// UnfinishedRow gives a reason why flows did not finish.
type UnfinishedRow struct {
	Reason string `json:"reason"`
	Flows  int    `json:"flows"`
	First  string `json:"first" doc:"the first of them"`
}

// Machine says what the run took.
type Machine struct {
	SetupSeconds    float64 `json:"setup_seconds"`
	WallSeconds     float64 `json:"wall_seconds"`
	HopsPerSecond   float64 `json:"hops_per_second"`
	EventsPerSecond float64 `json:"events_per_second"`
	MemoryBytes     uint64  `json:"memory_bytes" doc:"obtained from the operating system"`
	BytesPerHost    uint64  `json:"memory_bytes_per_host"`
	Go              string  `json:"go"`
	CPUs            int     `json:"cpus"`
	Parts           int     `json:"parts" doc:"parts into which the network was cut, on one thread or several"`
}

// newSummary sums up a network at the end of its run.
func newSummary(sc *scenario.Scenario, n *sim.Network, stopped bool) *Summary {
	sum := &Summary{
		Version: scenario.Version(), Scenario: sc.Record(), Profile: sc.Profile, Seed: sc.Seed,
		StoppedEarly: stopped, EndNs: traces.Nanos(n.Engine.Now()),
		Unfinished: []UnfinishedRow{}, Bottlenecks: []Bottleneck{}, Notes: []string{},
		Flows:   FlowTotals{Total: len(n.Setup.Flows), Started: n.Started()},
		Packets: PacketTotals{Hops: n.Engine.Hops(), Events: n.Engine.Events(), Dropped: n.Dropped(), Lost: n.Lost()},
	}
	for _, kind := range n.Setup.Topology.Kinds {
		if kind == topo.Host {
			sum.Network.Hosts++
		} else {
			sum.Network.Switches++
		}
	}
	sum.Network.Links = len(n.Setup.Topology.Links)
	from, to := n.Traffic()
	sum.Traffic = TrafficTime{traces.Nanos(from), traces.Nanos(to)}
	if n.Setup.Credits != nil {
		sum.Credits = &CreditTotals{}
	}
	if c := n.WeaveCounters(); c != nil {
		sum.ConWeave = &WeaveTotals{Moves: c.Moves, GivenUp: c.GivenUp}
	}
	why := n.Why(stopped)
	sum.addFlows(n, why)
	sum.addTags(n)
	sum.addSchedules(n)
	deepest := sum.addPorts(n)
	if n.Setup.Sampling.Interval > 0 {
		sum.Queue = newQueueSummary(traces.SumQueues(scenario.Histograms(n)).Counts, n.Setup.Sampling.Bin)
		sum.Queue.Max = int64(deepest)
	}
	sum.addNotes(n, why.Deadlocked())
	return sum
}

// addFlows counts the flows and the reasons of those that did not finish.
func (sum *Summary) addFlows(n *sim.Network, why *sim.Why) {
	t := &sum.Flows
	for i := range n.Setup.Flows {
		r := n.Record(i)
		t.RetransmittedBytes += r.Retx
		t.Timeouts += r.Timeouts
		switch {
		case r.Finished:
			t.Finished++
			continue
		case r.Failed:
			t.Failed++
		}
		t.Unfinished++
		reason, stuck := why.Unfinished(&r)
		if stuck {
			t.Stuck++
		}
		sum.addUnfinished(reason, &r)
	}
}

func (sum *Summary) addUnfinished(reason string, r *sim.FlowRecord) {
	i := slices.IndexFunc(sum.Unfinished, func(u UnfinishedRow) bool { return u.Reason == reason })
	if i < 0 {
		i = len(sum.Unfinished)
		sum.Unfinished = append(sum.Unfinished, UnfinishedRow{
			Reason: reason,
			First:  fmt.Sprintf("flow %d, %d to %d, %d of %d bytes acknowledged", r.ID, r.Flow.Src, r.Flow.Dst, r.Acked, r.Flow.Bytes),
		})
	}
	sum.Unfinished[i].Flows++
}

// addPorts sums the counters and returns the deepest queue of a switch.
func (sum *Summary) addPorts(n *sim.Network) (deepest core.Bytes) {
	for id, ports := range n.Ports() {
		for i := range ports {
			c := n.Counters(core.NodeID(id), i)
			sum.PFC.PausesSent += c.PausesSent
			sum.PFC.ResumesSent += c.ResumesSent
			sum.PFC.PausedNs += traces.Nanos(c.PausedFor)
			sum.Packets.Marked += c.Marked
			sum.Packets.NoBuffer += c.DroppedPackets - c.NoRoute
			sum.Packets.NoRoute += c.NoRoute
			sum.Packets.LinkDown += c.Flushed
			sum.Packets.Trimmed += c.Trimmed
			if sum.Credits != nil {
				sum.Credits.WaitedNs += traces.Nanos(c.Waited)
			}
			if n.Setup.Topology.Kinds[id] == topo.Switch {
				deepest = max(deepest, c.MaxQueue)
			}
		}
	}
	if c := n.WatchdogCounters(); c != nil {
		sum.PFC.Storms, sum.Packets.Watchdog = c.Storms, c.Flushed+c.Refused
		sum.Packets.LinkDown -= c.Flushed
		sum.Packets.NoBuffer -= c.Refused
	}
	return deepest
}

// newQueueSummary returns percentiles of a histogram.
func newQueueSummary(counts []uint64, width core.Bytes) *QueueSummary {
	q := &QueueSummary{}
	for _, c := range counts {
		q.Samples += c
	}
	edge := func(percent uint64) int64 {
		sum := uint64(0)
		for i, c := range counts {
			if sum += c; c > 0 && float64(sum)*100 >= float64(percent)*float64(q.Samples) {
				return int64(i+1) * int64(width)
			}
		}
		return 0
	}
	q.P50, q.P95, q.P99 = edge(50), edge(95), edge(99)
	return q
}

func newSlowdowns(flows []slowdown.Flow) []SlowdownRow {
	var rows []SlowdownRow
	for _, b := range slowdown.Buckets(flows) {
		rows = append(rows, SlowdownRow{Label: b.Label(), Flows: b.Flows, P50: b.Values[0], P95: b.Values[1], P99: b.Values[2]})
	}
	return rows
}

// addNotes adds what never happened although the options ask for it, and what must not be
// overlooked.
func (sum *Summary) addNotes(n *sim.Network, deadlock bool) {
	sum.Notes = append(sum.Notes, n.Setup.Notes...)
	note := func(when bool, format string, args ...any) {
		if when {
			sum.Notes = append(sum.Notes, fmt.Sprintf(format, args...))
		}
	}
	note(sum.StoppedEarly, "interrupted after %.6g ms: the files are complete and hold what had happened", sum.EndNs/1e6)
	note(sum.Flows.Total == 0, "there were no flows")
	note(sum.Packets.NoBuffer > 0, "%s dropped for lack of buffer", spelling.Count(sum.Packets.NoBuffer, "packet was", "packets were"))
	note(sum.Packets.NoRoute > 0, "%s dropped for lack of a route", spelling.Count(sum.Packets.NoRoute, "packet was", "packets were"))
	note(sum.Packets.LinkDown > 0, "%s dropped", spelling.Count(sum.Packets.LinkDown, "packet waited to be sent when its link failed, and was", "packets waited to be sent when their link failed, and were"))
	early := sum.Flows.Timeouts > 0 && sum.Packets.Dropped+sum.Packets.Lost == 0 && !deadlock
	timeouts := spelling.Count(sum.Flows.Timeouts, "time-out", "time-outs")
	note(early && sum.Packets.Trimmed == 0, "%s, although no packet was lost: acknowledgements take longer than options.rto or host.rto_low", timeouts)
	note(early && sum.Packets.Trimmed > 0, "%s, although packets were only trimmed, which hosts are told: acknowledgements, or pulls, take longer than options.rto, host.rto_low or the scheme's rto", timeouts)
	for _, scheme := range n.Setup.Schemes {
		tr := scheme.Traits()
		deaf := tr.Needs&algorithms.ECN != 0 && sum.Packets.Marked == 0 && sum.Flows.Total > 0
		note(deaf && n.Setup.ECNOff, "%s heard no congestion: ecn is off", tr.Name)
		note(deaf && !n.Setup.ECNOff, "%s heard no congestion: no packet was marked", tr.Name)
	}
	missed := 0
	for _, ev := range n.Setup.Links {
		if ev.At > n.Engine.Now() {
			missed++
		}
	}
	note(missed > 0, "%s after the end of the run", spelling.Count(missed, "change of links lies", "changes of links lie"))
}

func newMachine(n *sim.Network, setup, wall time.Duration) Machine {
	m := Machine{
		SetupSeconds: setup.Seconds(), WallSeconds: wall.Seconds(),
		MemoryBytes: memory(), Go: runtime.Version(), CPUs: runtime.GOMAXPROCS(0), Parts: n.Parts(),
	}
	if s := wall.Seconds(); s > 0 {
		m.HopsPerSecond, m.EventsPerSecond = float64(n.Engine.Hops())/s, float64(n.Engine.Events())/s
	}
	m.BytesPerHost = m.MemoryBytes / uint64(max(1, len(n.Setup.Topology.Hosts())))
	return m
}
