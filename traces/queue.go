package traces

import (
	"strconv"

	"github.com/qbb-sim/qbb/core"
)

// QueueHist is the histogram of a port's queue length: Counts[i] samples were in
// [i*w, (i+1)*w) bytes, w being the width of a bin.
type QueueHist struct {
	Node   core.NodeID
	Port   int32 // from 0
	Counts []uint64
}

// QueueBin is the width of the bins of qlen.txt.
const QueueBin core.Bytes = 1000

// AppendQueues appends a block of qlen.txt: the histograms so far, in the order given,
// which in the reference is by switch and port.
func AppendQueues(dst []byte, now core.Time, ports []QueueHist) []byte {
	dst = append(dst, "time: "...)
	dst = strconv.AppendInt(dst, now.Nanos(), 10)
	dst = append(dst, '\n')
	for i := range ports {
		h := &ports[i]
		dst = strconv.AppendInt(dst, int64(h.Node), 10)
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(h.Port)+1, 10)
		for _, n := range h.Counts {
			dst = append(dst, ' ')
			dst = strconv.AppendUint(dst, n, 10)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// QueueCDFRow is one step of the distribution of a queue's length: a row of queue_cdf.parquet.
type QueueCDFRow struct {
	Node       core.NodeID `parquet:"node" unit:"node id" doc:"switch; -1: all switch ports together"`
	Port       int32       `parquet:"port" unit:"port, from 0" doc:"egress port; -1: all switch ports together"`
	UpperBytes int64       `parquet:"upper_bytes" unit:"B" doc:"upper edge of the bin; samples are below it"`
	Samples    int64       `parquet:"samples" unit:"samples" doc:"samples in the bin"`
	Cumulative float64     `parquet:"cumulative" unit:"fraction" doc:"fraction of the port's samples that are below the upper edge"`
}

// AllPorts is the node and port of rows that sum all switch ports.
const AllPorts = -1

// AppendQueueCDF appends the rows of one histogram with bins of the given width. Empty bins are
// left out.
func AppendQueueCDF(rows []QueueCDFRow, h *QueueHist, width core.Bytes) []QueueCDFRow {
	var total, sum uint64
	for _, n := range h.Counts {
		total += n
	}
	for i, n := range h.Counts {
		if n == 0 {
			continue
		}
		sum += n
		rows = append(rows, QueueCDFRow{
			Node: h.Node, Port: h.Port,
			UpperBytes: int64(i+1) * int64(width),
			Samples:    int64(n),
			Cumulative: float64(sum) / float64(total),
		})
	}
	return rows
}

// SumQueues returns the histogram of all ports together.
func SumQueues(ports []QueueHist) QueueHist {
	all := QueueHist{Node: AllPorts, Port: AllPorts}
	for _, h := range ports {
		for len(all.Counts) < len(h.Counts) {
			all.Counts = append(all.Counts, 0)
		}
		for i, n := range h.Counts {
			all.Counts[i] += n
		}
	}
	return all
}
