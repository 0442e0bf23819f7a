package native

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// flowRow is a flow before a run: a row of flow.csv.
type flowRow struct {
	Src     core.NodeID `parquet:"src" unit:"node id" doc:"source host"`
	Dst     core.NodeID `parquet:"dst" unit:"node id" doc:"destination host"`
	Bytes   int64       `parquet:"bytes" unit:"B" doc:"size of the message"`
	StartNs float64     `parquet:"start_ns" unit:"ns" doc:"start; with after, counted from the end of the last of these flows as the source knows it"`
	Prio    int32       `parquet:"prio" unit:"1 to 7" doc:"traffic class"`
	SrcPort int32       `parquet:"src_port" unit:"port" doc:"source port; 0: the host chooses"`
	DstPort int32       `parquet:"dst_port" unit:"port" doc:"destination port"`
	Tag     string      `parquet:"tag" doc:"tag of the flow file or generator"`
	Scheme  string      `parquet:"scheme" doc:"congestion control of the flow; empty: that of the run, whichever it is"`
	After   string      `parquet:"after" unit:"flow" doc:"numbers of the flows that must finish first, with blanks between them; empty: none"`
}

// Flows returns the flows that a run would have, in its order.
func (s *Scenario) Flows() (t *Table, err error) {
	defer guard(&err)
	setup, err := s.copy().Setup()
	if err != nil {
		return nil, err
	}
	t = tableOf[flowRow]("flows")
	rows := make([]flowRow, len(setup.Flows))
	for i := range setup.Flows {
		rows[i] = flowRowOf(&setup.Flows[i], setup)
	}
	add(t, rows)
	return t, nil
}

// FlowIDs returns the numbers that the flows of SetFlows have in a run, in the order of the table: int32 in the machine's
// byte order.
func (s *Scenario) FlowIDs() (data []byte, err error) {
	defer guard(&err)
	sc := s.copy()
	if _, err := sc.Setup(); err != nil {
		return nil, err
	}
	for i := range sc.Added {
		data = binary.NativeEndian.AppendUint32(data, uint32(sc.PlaceOfAdded(i)))
	}
	return data, nil
}

func flowRowOf(f *sim.Flow, s *sim.Setup) flowRow {
	scheme := ""
	if f.Scheme != 0 { // 0 is the run's
		scheme = s.Schemes[f.Scheme].Traits().Name
	}
	return flowRow{
		Src: f.Src, Dst: f.Dst, Bytes: f.Bytes, StartNs: traces.Nanos(f.Start), Prio: int32(f.Prio),
		SrcPort: int32(f.SrcPort), DstPort: int32(f.DstPort), Tag: f.Tag,
		Scheme: scheme, After: strings.Trim(fmt.Sprint(f.After), "[]"),
	}
}
