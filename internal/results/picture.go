package results

import (
	"fmt"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Picture is a drawing of a network and of what its links did over time. Nodes are in rows: hosts
// in row 0, every switch one above the nearest row that it has a link to.
type Picture struct {
	Nodes []PictureNode `json:"nodes"`
	Links []PictureLink `json:"links"`
	Rows  int           `json:"rows"`
	// Steps is the number of equal parts of each run's time of traffic; 0: nothing was recorded over
	// time.
	Steps int          `json:"steps"`
	Runs  []PictureRun `json:"runs"`
	Tops  []float64    `json:"tops"` // by quantity: the value of the top level
}

// PictureNode is a node: its number, whether it is a host, and its place; x from 0 to 1.
type PictureNode struct {
	ID   core.NodeID `json:"id"`
	Host bool        `json:"host,omitempty"`
	X    float64     `json:"x"`
	Row  int         `json:"row"`
}

// PictureLink is one direction of a link: the port at A sends to B.
type PictureLink struct {
	A    int   `json:"a"` // index into Nodes
	B    int   `json:"b"`
	Port int32 `json:"port"`
}

// PictureRun holds what the links did in a run.
type PictureRun struct {
	Ns float64 `json:"ns"` // of traffic
	// Levels has a text for every quantity: for every link a letter for the whole run, then one for
	// each step.
	Levels []string `json:"levels"`
}

// Quantities of a picture, in the order of Tops and Levels.
const (
	pictureUse   = iota // share of the rate
	pictureQueue        // bytes: deepest queue
	pictureWait         // share of the time with something to send but paused or without credits
	pictureCount
)

const (
	mostPictureLinks = 2400 // directions; more cannot be told apart on a screen
	pictureSteps     = 60
	letters          = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" // levels 0 to 63
)

// NewPicture draws the network of the runs, or says why it does not.
func NewPicture(runs []*Run) (picture *Picture, empty string) {
	rows := runs[0].ports
	if len(rows) == 0 {
		return nil, "There are no ports."
	}
	if len(rows) > mostPictureLinks {
		return nil, fmt.Sprintf("It has %d ports; a picture shows at most %d.", len(rows), mostPictureLinks)
	}
	for _, r := range runs[1:] {
		if !slices.EqualFunc(r.ports, rows, func(a, b traces.PortRow) bool {
			return a.Node == b.Node && a.Port == b.Port && a.Peer == b.Peer && a.RateBps == b.RateBps
		}) {
			return nil, "The runs have different networks."
		}
	}
	p := &Picture{Tops: make([]float64, pictureCount)}
	index := p.place(rows)
	for i := range rows {
		p.Links = append(p.Links, PictureLink{index[rows[i].Node], index[rows[i].Peer], rows[i].Port})
	}
	if !slices.ContainsFunc(runs, func(r *Run) bool { return !r.hasAllPorts() }) {
		p.Steps = pictureSteps
	}
	var values [][][]float64
	for _, r := range runs {
		values = append(values, r.pictureValues(p.Steps))
	}
	p.scale(values)
	for i, r := range runs {
		run := PictureRun{Ns: r.length()}
		for q := range pictureCount {
			run.Levels = append(run.Levels, encode(values[i][q], p.Tops[q]))
		}
		p.Runs = append(p.Runs, run)
	}
	return p, ""
}

// scale chooses the value of the top level of each quantity.
func (p *Picture) scale(values [][][]float64) {
	p.Tops[pictureUse], p.Tops[pictureWait] = 1, 1
	for _, run := range values {
		p.Tops[pictureQueue] = max(p.Tops[pictureQueue], slices.Max(run[pictureQueue]))
	}
	p.Tops[pictureQueue] = max(p.Tops[pictureQueue], 1)
}

// encode writes levels: 0 for 0, and for negative values, which no run has.
func encode(values []float64, top float64) string {
	text := make([]byte, len(values))
	for i, v := range values {
		level := math.Ceil(float64(v/top*float64(len(letters)-1)) - 1e-9)
		text[i] = letters[int(min(max(level, 0), float64(len(letters)-1)))]
	}
	return string(text)
}

// pictureValues returns the picture's values by quantity, link and time.
func (r *Run) pictureValues(steps int) [][]float64 {
	values := make([][]float64, pictureCount)
	all := r.length()
	part := all / float64(max(steps, 1))
	for i := range r.ports {
		p := &r.ports[i]
		values[pictureUse] = append(values[pictureUse], r.utilisation(p))
		depth := float64(p.MaxQueueBytes)
		if p.NodeKind == traces.KindHost {
			depth = 0
		}
		values[pictureQueue] = append(values[pictureQueue], depth)
		values[pictureWait] = append(values[pictureWait], p.TxWaitNs/all)
		of := subject{p.Node, p.Port, -1}
		for q, metric := range [...]string{traces.MetricThroughput, traces.MetricQueue, traces.MetricWait} {
			t := r.track(metric, of)
			for k := range steps {
				v := 0.0
				if t != nil {
					mean, high := t.over(r.start()+float64(part*float64(k)), r.start()+float64(part*float64(k+1)))
					v = [...]float64{mean / float64(max(p.RateBps, 1)), high, mean}[q]
				}
				values[q] = append(values[q], v)
			}
		}
	}
	return values
}
