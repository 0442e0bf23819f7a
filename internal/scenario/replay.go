package scenario

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/workloads/goal"
)

// addPrograms gives hosts the programs of a schedule, whose first message is the given one of the flows that are not generated.
func (sc *Scenario) addPrograms(s *sim.Setup, schedule *goal.Schedule, first int) {
	of := &replay{schedule: schedule, messages: make([]int32, len(s.Flows)), flows: make([]int32, len(schedule.Messages))}
	for i := range of.messages {
		of.messages[i] = -1
	}
	for i := range schedule.Messages {
		flow := sc.PlaceOf(first + i)
		of.messages[flow], of.flows[i] = int32(i), int32(flow)
	}
	s.Programs = make([]sim.Program, len(s.Topology.Kinds))
	hosts := s.Topology.Hosts()
	for r := range schedule.Ranks() {
		s.Programs[hosts[r]] = &program{schedule.Program(r), of, r}
	}
}

// replay is a schedule whose messages are flows.
type replay struct {
	schedule *goal.Schedule
	messages []int32 // by flow; -1: it is none of them
	flows    []int32 // by message
}

// program is one rank of it.
type program struct {
	*goal.Program
	of   *replay
	rank int
}

// Run implements sim.Program.
func (p *program) Run(now core.Time, ended int, start []int) (_ []int, next core.Time) {
	if ended >= 0 && ended < len(p.of.messages) && p.of.messages[ended] >= 0 {
		if m := &p.of.schedule.Messages[p.of.messages[ended]]; m.Src == p.rank {
			p.Sent(m, now)
		} else {
			p.Received(m, now)
		}
	}
	before := len(start)
	start, next = p.Program.Run(now, start)
	for i, m := range start[before:] {
		start[before+i] = int(p.of.flows[m])
	}
	return start, next
}

// AppendSchedule appends the rows of a host in schedule.parquet as they now are: none if the host has no part in a schedule.
func AppendSchedule(rows []traces.ScheduleRow, n *sim.Network, host core.NodeID) []traces.ScheduleRow {
	p, ok := n.Setup.Programs[host].(*program)
	if !ok {
		return rows
	}
	hosts := n.Setup.Topology.Hosts()
	for o := range p.Operations() {
		row := traces.ScheduleRow{
			Host: host, Rank: int32(p.rank), Operation: o.Number, Name: o.Name, Kind: o.Kind.String(), CPU: int32(o.CPU),
			Peer: noPeer, FlowID: noFlow, BeginNs: since(o.Begin), EndNs: since(o.End),
		}
		if o.Peer >= 0 {
			row.Peer = hosts[o.Peer]
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

// since returns a time in ns; -1 if it has not come.
func since(at core.Time) float64 {
	if at == goal.Unset {
		return -1
	}
	return traces.Nanos(at)
}
