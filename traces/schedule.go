package traces

import "github.com/qbb-sim/qbb/core"

// ScheduleRow is what has become of an operation of a schedule: a row of schedule.parquet.
type ScheduleRow struct {
	Host      core.NodeID `parquet:"host" unit:"node id" doc:"whose operation it is"`
	Tag       string      `parquet:"tag" doc:"of the flows of the schedule"`
	Rank      int32       `parquet:"rank" doc:"of the host in the schedule"`
	Operation int64       `parquet:"operation" doc:"its line in GOAL; the id of its node in a Chakra trace, which all messages of a collective have"`
	Name      string      `parquet:"name" doc:"its label in GOAL, the name of its node in a Chakra trace; empty if it has none"`
	Kind      string      `parquet:"kind" doc:"calc, send, recv, or collective, which ends when its messages to the host are there and, of ALL_TO_ALL and BROADCAST, those from it acknowledged"`
	CPU       int32       `parquet:"cpu" doc:"of a calc; in a Chakra trace 0 the processor, 1 the accelerator, 2 the memory; -1 of others"`
	Peer      core.NodeID `parquet:"peer" unit:"node id" doc:"the host at the other end of a message; -1 of others"`
	FlowID    int64       `parquet:"flow_id" doc:"the flow of a message, in fct.parquet; -1 of others, and of messages of a host to itself"`
	SizeBytes int64       `parquet:"size_bytes" unit:"B" doc:"of this flow"`
	BeginNs   float64     `parquet:"begin_ns" unit:"ns" doc:"when a calc has its cpu, a send leaves, or a recv waits for its message; -1 if the run ended before"`
	EndNs     float64     `parquet:"end_ns" unit:"ns" doc:"when a calc is over, a send acknowledged, or a recv has its message; -1 if the run ended before"`
}
