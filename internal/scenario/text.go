package scenario

import (
	"io"
	"math"
	"math/bits"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// TextWriter is an Observer that writes the reference's text files. A file whose writer is nil is
// left out; the writers keep errors of writing. Begin comes before the first event.
type TextWriter struct {
	FCT, PFC, Queues   io.Writer
	Events, EventsText io.Writer
	encoder            *traces.EventEncoder // of Events
	line               []byte
}

// Begin writes the header of mix.tr, where that is wanted.
func (w *TextWriter) Begin(sc *Scenario, n *sim.Network) error {
	if w.Events == nil {
		return nil
	}
	window := uint32(min(int64(n.MaxBDP()), math.MaxUint32))
	// The reference's INT header is a time stamp with TIMELY, and hop records otherwise.
	stamped := !n.Setup.Profile.ShortINT || sc.CC.Name == "timely"
	encoder, err := traces.NewEventEncoder(n.Setup.Topology, window, stamped)
	if err != nil {
		return err
	}
	w.encoder = encoder
	_, err = w.Events.Write(encoder.AppendHeader(nil))
	return err
}

// FlowEnded implements Observer: a line of fct.txt for a flow that has finished.
func (w *TextWriter) FlowEnded(r *sim.FlowRecord) {
	if w.FCT == nil || !r.Finished {
		return
	}
	row := FCTRow(r, "")
	w.line = traces.AppendFCT(w.line[:0], &row)
	w.FCT.Write(w.line)
}

// PauseReceived implements Observer: a line of pfc.txt.
func (w *TextWriter) PauseReceived(r *sim.PauseRecord) {
	if w.PFC == nil {
		return
	}
	row := PFCRow(r)
	w.line = traces.AppendPFC(w.line[:0], &row)
	w.PFC.Write(w.line)
}

// QueueDump implements Observer: a block of qlen.txt.
func (w *TextWriter) QueueDump(at core.Time, n *sim.Network) {
	if w.Queues == nil {
		return
	}
	w.line = traces.AppendQueues(w.line[:0], at, Histograms(n))
	w.Queues.Write(w.line)
}

// Records implements Observer: records of mix.tr, and lines of its text form.
func (w *TextWriter) Records(records []core.Record) {
	if w.Events != nil {
		w.line = w.line[:0]
		for i := range records {
			w.line = w.encoder.Append(w.line, &records[i])
		}
		w.Events.Write(w.line)
	}
	if w.EventsText != nil {
		w.line = w.line[:0]
		for i := range records {
			w.line = traces.AppendEventText(w.line, &records[i])
		}
		w.EventsText.Write(w.line)
	}
}

// unknownStart stands for the start of a flow that waited in vain for another one.
const unknownStart = -1

// FCTRow is the row of a flow in fct.parquet.
func FCTRow(r *sim.FlowRecord, scheme string) traces.FCTRow {
	row := traces.FCTRow{
		FlowID: int64(r.ID), Src: r.Flow.Src, Dst: r.Flow.Dst, SrcPort: int32(r.SrcPort), DstPort: int32(r.Flow.DstPort),
		Priority: int32(r.Flow.Prio), Tag: r.Flow.Tag, Scheme: scheme, SizeBytes: r.Flow.Bytes,
		StartNs: traces.Nanos(r.Start), IdealFCTNs: traces.Nanos(r.Ideal),
		RetransmittedBytes: r.Retx, ECNMarkedPackets: r.Marked, Finished: r.Finished,
	}
	if r.Start == core.Never {
		row.StartNs = unknownStart
	}
	if r.Finished {
		row.FCTNs = traces.Nanos(r.FCT)
		row.Slowdown = r.Slowdown()
	}
	return row
}

// PFCRow is the row of a PFC frame in pfc.parquet.
func PFCRow(r *sim.PauseRecord) traces.PFCRow {
	row := traces.PFCRow{
		TimeNs: traces.Nanos(r.At), Node: r.Node, NodeKind: traces.KindHost, Port: int32(r.Port),
		Priority: int32(firstClass(r.Classes)), Event: traces.EventResume,
	}
	if r.Switch {
		row.NodeKind = traces.KindSwitch
	}
	if r.Pause {
		row.Event = traces.EventPause
	}
	return row
}

// Histograms returns the queue-depth histograms of all switch ports so far, by switch and port.
func Histograms(n *sim.Network) []traces.QueueHist {
	var list []traces.QueueHist
	for id, kind := range n.Setup.Topology.Kinds {
		if kind != topo.Switch {
			continue
		}
		for port := range n.Ports()[id] {
			list = append(list, traces.QueueHist{Node: core.NodeID(id), Port: int32(port), Counts: n.Histogram(core.NodeID(id), port)})
		}
	}
	return list
}

func firstClass(classes uint8) int { return bits.TrailingZeros8(classes) & 7 }
