package scenario

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/workloads/goal"
)

// addPrograms gives hosts the programs of schedules, whose first message is the given one of the flows that are not generated.
func (sc *Scenario) addPrograms(s *sim.Setup, replays []*replay, first int) {
	messages := make([]int32, len(s.Flows))
	for i := range messages {
		messages[i] = -1
	}
	s.Programs = make([]sim.Program, len(s.Topology.Kinds))
	for _, r := range replays {
		for i := range r.flows {
			flow := sc.PlaceOf(first)
			messages[flow], r.flows[i] = int32(i), int32(flow)
			first++
		}
		for rank, host := range r.hosts {
			s.Programs[host] = &program{Program: r.schedule.Program(rank), of: r, rank: rank, messages: messages}
		}
	}
}

// program is a rank of a schedule, whose time begins when that starts.
type program struct {
	*goal.Program
	of       *replay
	rank     int
	messages []int32 // by flow: of the schedule of its hosts; -1: it is none of one
	begun    bool
}

// Run implements sim.Program.
func (p *program) Run(now core.Time, ended int, start []int) (_ []int, next core.Time) {
	begin := core.Time(0).Add(p.of.start)
	if now < begin {
		return start, begin
	}
	p.begun = true
	local := core.Time(now.Sub(begin))
	if ended >= 0 && ended < len(p.messages) && p.messages[ended] >= 0 {
		if m := &p.of.schedule.Messages[p.messages[ended]]; m.Src == p.rank {
			p.Sent(m, local)
		} else {
			p.Received(m, local)
		}
	}
	before := len(start)
	start, next = p.Program.Run(local, start)
	for i, m := range start[before:] {
		start[before+i] = int(p.of.flows[m])
	}
	return start, next.Add(p.of.start)
}

// Done implements sim.Program.
func (p *program) Done() (at core.Time, done bool) {
	at, done = p.Program.Done()
	return at.Add(p.of.start), done && p.begun
}

// Spent implements sim.Program.
func (p *program) Spent(until core.Time) (computing, waiting core.Duration) {
	last, done := p.Program.Done()
	if !done {
		last = core.Time(max(0, until.Sub(0)-p.of.start))
	}
	computing = p.Computed(last)
	return computing, last.Sub(0) - computing
}

// AppendSchedule appends the rows of a host in schedule.parquet as they now are: none if the host has no part in a schedule.
func AppendSchedule(rows []traces.ScheduleRow, n *sim.Network, host core.NodeID) []traces.ScheduleRow {
	p, ok := n.Setup.Programs[host].(*program)
	if !ok {
		return rows
	}
	for o := range p.Operations() {
		row := traces.ScheduleRow{
			Host: host, Tag: p.of.tag, Rank: int32(p.rank), Operation: o.Number, Name: o.Name, Kind: o.Kind.String(), CPU: int32(o.CPU),
			Peer: noPeer, FlowID: noFlow, BeginNs: p.since(o.Begin), EndNs: p.since(o.End),
		}
		if o.Peer >= 0 {
			row.Peer = p.of.hosts[o.Peer]
		}
		if o.Message >= 0 {
			row.FlowID, row.SizeBytes = int64(p.of.flows[o.Message]), int64(p.of.schedule.Messages[o.Message].Bytes)
		}
		rows = append(rows, row)
	}
	return rows
}

// What stands for the flow and the other end of an operation that has none.
const (
	noFlow = -1
	noPeer = -1
)

// since returns a time of the schedule in ns of the run; -1 if it has not come.
func (p *program) since(at core.Time) float64 {
	if at == goal.Unset {
		return -1
	}
	return traces.Nanos(at.Add(p.of.start))
}

// ScheduleOf returns the number of the schedule of which a program is a part, in the order in which they were given, and the
// tag of its flows.
func ScheduleOf(p sim.Program) (number int, tag string) {
	of := p.(*program).of
	return of.number, of.tag
}
