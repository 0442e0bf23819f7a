package timeline

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/qbb-sim/qbb/core"
)

// event is an object of the Trace Event Format.
type event struct {
	Name      string      `json:"name"`
	Phase     phase       `json:"ph"`
	Node      core.NodeID `json:"pid"`
	Thread    int32       `json:"tid"`
	At        micros      `json:"ts"`
	Lasts     *micros     `json:"dur,omitempty"` // of what is complete
	Arguments *arguments  `json:"args"`
}

// phase is the type of an event.
type phase string

const (
	complete phase = "X"
	counter  phase = "C"
	metadata phase = "M"
)

// arguments are what a viewer shows of an event, or needs to know.
type arguments struct {
	Name      string       `json:"name,omitempty"`
	Order     *int64       `json:"sort_index,omitempty"`
	Value     *float64     `json:"value,omitempty"`
	Operation *int64       `json:"operation,omitempty"`
	Flow      *int64       `json:"flow_id,omitempty"`
	To        *core.NodeID `json:"to,omitempty"`
	Bytes     int64        `json:"bytes,omitempty"`
	Slowdown  float64      `json:"slowdown,omitempty"`
}

// micros is a time in ns, written in us with all digits of ps.
type micros float64

// MarshalJSON implements json.Marshaler.
func (m micros) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(m)/1000, 'f', 6, 64), nil
}

// events writes events as JSON, one in a line.
type events struct {
	w     io.Writer // which keeps its first error
	count int
}

func (e *events) start() { io.WriteString(e.w, `{"displayTimeUnit":"ns","traceEvents":[`) }

func (e *events) finish() { io.WriteString(e.w, "\n]}\n") }

func (e *events) add(ev event) {
	text, err := json.Marshal(&ev)
	if err != nil {
		panic(err) // tables.Scan lets only finite numbers through
	}
	separator := ",\n"
	if e.count == 0 {
		separator = "\n"
	}
	e.count++
	io.WriteString(e.w, separator)
	e.w.Write(text)
}
