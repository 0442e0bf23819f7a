package traces

import (
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// PFCRow is a PFC frame that a device received: a row of pfc.parquet, or a line of pfc.txt.
type PFCRow struct {
	TimeNs   float64     `parquet:"time_ns" unit:"ns" doc:"arrival"`
	Node     core.NodeID `parquet:"node" unit:"node id" doc:"the device that received the frame"`
	NodeKind string      `parquet:"node_kind" doc:"host or switch"`
	Port     int32       `parquet:"port" unit:"port, from 0" doc:"the port that received it"`
	Priority int32       `parquet:"priority" unit:"0 to 7" doc:"traffic class that stops or goes on"`
	Event    string      `parquet:"event" doc:"pause or resume"`
}

// Events and kinds of node in a PFCRow.
const (
	EventPause  = "pause"
	EventResume = "resume"
	KindHost    = "host"
	KindSwitch  = "switch"
)

// KindName returns what a PFCRow calls a kind of node.
func KindName(k topo.Kind) string {
	if k == topo.Switch {
		return KindSwitch
	}
	return KindHost
}

// AppendPFC appends the line of pfc.txt. The time is cut to nanoseconds.
func AppendPFC(dst []byte, r *PFCRow) []byte {
	kind, event := int64(0), int64(0)
	if r.NodeKind == KindSwitch {
		kind = 1
	}
	if r.Event == EventPause {
		event = 1
	}
	dst = strconv.AppendInt(dst, int64(r.TimeNs), 10)
	for _, v := range [...]int64{int64(r.Node), kind, int64(r.Port) + 1, event} {
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, v, 10)
	}
	return append(dst, '\n')
}
