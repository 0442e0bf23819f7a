package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// Run is the part of a finished run that a report needs.
type Run struct {
	Name     string // in the report
	dir      string // its folder, as it was given
	Summary  driver.Summary
	Settings []Setting            // of the scenario
	Flows    []Flow               // finished, by size
	missing  []Flow               // not finished: Bytes and Tag
	queues   []traces.QueueCDFRow // of all switch ports together; none: not sampled
	ports    []traces.PortRow
	PausedBy []*PauseTree       // which port paused which
	pauses   []float64          // pause frames received, in pauseBins equal parts of the run
	series   map[string][]track // by metric
	hosts    []*activity        // what those of its schedules did; none: schedule.parquet was not read
	tags     map[int32]string   // of flows that may have series, if they have different ones
	others   []*Run             // the same scenario with other seeds
}

// Flow is a finished flow.
type Flow struct {
	Bytes    int64
	Start    float64 // ns
	FCT      float64 // ns
	Slowdown float64
	Tag      string
	seed     int // index into Run.Seeds, where flows of several seeds are together
}

// pauseBins is the number of parts of a run in which pause frames are counted.
const pauseBins = 100

// Load reads the folders of finished runs, at most eight that differ in more than the seed, the
// most that a figure can distinguish. See [LoadFlows].
func Load(dirs []string) ([]*Run, error) { return few(loadAll(dirs, (*Run).load)) }

// few reports runs with more names than a figure can distinguish.
func few(runs []*Run, err error) ([]*Run, error) {
	if err == nil && len(runs) > figure.MaxNames {
		err = fmt.Errorf("%d runs that differ in more than the seed: a figure shows at most %d; qbb table and qbb plot trend take any number", len(runs), figure.MaxNames)
	}
	return runs, err
}

// LoadFlows reads what tables and [Trend] need of any number of finished runs: summary and flows. Runs that
// differ only in the seed become one, see [Run.Seeds]. Each gets its own name: that of the folder, or the path
// if folders have the same name, or what the names of a run's folders have in common, with the path if other
// runs have that too. An error says in one line which file is missing or wrong.
func LoadFlows(dirs []string) ([]*Run, error) { return loadAll(dirs, (*Run).loadTraffic) }

func loadAll(dirs []string, load func(r *Run, dir string) error) ([]*Run, error) {
	var runs []*Run
	seen := make(map[string]bool)
	for _, dir := range dirs {
		clean := filepath.Clean(dir)
		if seen[clean] {
			return nil, fmt.Errorf("%s: given twice", dir)
		}
		seen[clean] = true
		r, err := openRun(dir)
		if err == nil {
			err = load(r, dir)
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return join(runs), nil
}

// openRun returns a run that has the name of its folder, and nothing else yet.
func openRun(dir string) (*Run, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := CheckFolder(dir); err != nil {
		return nil, err
	}
	return &Run{Name: filepath.Base(abs), dir: dir}, nil
}

// CheckFolder reports that a path, which is to be the folder of a run, is not that of a folder.
func CheckFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such folder: give the folder of a finished run", dir)
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s: not a folder: give the folder of a finished run", dir)
	}
	return err
}

// part is a file of a run and the function that reads it.
type part struct {
	name string
	load func(path string) error
}

// traffic are the files of flows.
func (r *Run) traffic() []part {
	return []part{{"summary.json", r.loadSummary}, {"fct.parquet", r.loadFlows}}
}

// all are all files of a run, in the order in which they can be read.
func (r *Run) all() []part {
	return append(r.traffic(), part{"ports.parquet", r.loadPorts}, part{"queue_cdf.parquet", r.loadQueues}, part{"pfc.parquet", r.loadPauses}, part{"series.parquet", r.loadSeries},
		part{"schedule.parquet", r.loadActivities})
}

func (r *Run) load(dir string) error        { return read(dir, r.all()...) }
func (r *Run) loadTraffic(dir string) error { return read(dir, r.traffic()...) }

// Reads reports whether a name leads to a file of the runs in some folders that [Load] or a timeline reads.
func Reads(dirs []string, name string) bool {
	out, err := os.Stat(name)
	if err != nil {
		return false
	}
	for _, dir := range dirs {
		for _, p := range new(Run).all() {
			if in, err := os.Stat(filepath.Join(dir, p.name)); err == nil && os.SameFile(in, out) {
				return true
			}
		}
	}
	return false
}

func read(dir string, parts ...part) error {
	for _, p := range parts {
		err := p.load(filepath.Join(dir, p.name))
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: no %s: is this the folder of a finished run?", dir, p.name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) loadSummary(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &r.Summary); err != nil {
		return fmt.Errorf("%s: not the summary of a run: %w", path, err)
	}
	if r.Summary.Scenario == "" {
		return fmt.Errorf("%s: not the summary of a run: it holds no scenario", path)
	}
	r.Summary.Version = visible(r.Summary.Version)
	for i, note := range r.Summary.Notes {
		r.Summary.Notes[i] = visible(note)
	}
	if r.Settings, err = SettingsOf(r.Summary.Scenario); err != nil {
		return fmt.Errorf("%s: scenario: %w", path, err)
	}
	return nil
}

func (r *Run) loadFlows(path string) error {
	rows, err := tables.LoadFCT(path)
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		if !row.Finished {
			r.missing = append(r.missing, Flow{Bytes: row.SizeBytes, Tag: row.Tag})
		} else {
			r.Flows = append(r.Flows, Flow{Bytes: row.SizeBytes, Start: row.StartNs, FCT: row.FCTNs, Slowdown: row.Slowdown, Tag: row.Tag})
		}
	}
	slices.SortStableFunc(r.Flows, bySize)
	r.loadTags(rows)
	return nil
}

// loadTags keeps the tags of flows, if they tell some from others.
func (r *Run) loadTags(rows []traces.FCTRow) {
	if !r.wantsFlowSeries() || !slices.ContainsFunc(rows, func(row traces.FCTRow) bool { return row.Tag != rows[0].Tag }) {
		return
	}
	r.tags = make(map[int32]string)
	for i := range rows {
		r.tags[int32(rows[i].FlowID)] = rows[i].Tag
	}
}

func (r *Run) loadPorts(path string) error {
	return tables.Scan(path, func(rows []traces.PortRow) { r.ports = append(r.ports, rows...) })
}

// loadQueues reads the table only if the run sampled queues: one in the folder may be older.
func (r *Run) loadQueues(path string) error {
	if r.Summary.Queue == nil {
		return nil
	}
	return tables.Scan(path, func(rows []traces.QueueCDFRow) {
		for i := range rows {
			if rows[i].Node == traces.AllPorts {
				r.queues = append(r.queues, rows[i])
			}
		}
	})
}

// loadPauses counts pause frames by time, and grows the trees of pauses.
func (r *Run) loadPauses(path string) error {
	r.pauses = make([]float64, pauseBins)
	forest := newPauseForest(r.ports, r.pauseQuanta())
	forest.downs = linkDowns(r.Summary.Scenario, r.ports)
	err := tables.Scan(path, func(rows []traces.PFCRow) {
		for i := range rows {
			forest.add(&rows[i])
			if rows[i].Event == traces.EventPause {
				at := (rows[i].TimeNs - r.start()) / r.length()
				r.pauses[min(max(int(at*pauseBins), 0), pauseBins-1)]++
			}
		}
	})
	r.PausedBy = forest.end(r.Summary.EndNs)
	return err
}

// pauseQuanta is for how many quanta pauses last; 0: until a resume.
func (r *Run) pauseQuanta() uint16 {
	quanta, err := strconv.ParseUint(r.Setting("options.pause_quanta"), 10, 16)
	if err != nil {
		return 0 // the scenario of another version has no such key
	}
	return uint16(quanta)
}

// start is the start of the first flow in ns.
func (r *Run) start() float64 { return r.Summary.Traffic.FromNs }

// length is the time of traffic in ns, more than 0.
func (r *Run) length() float64 {
	t := &r.Summary.Traffic
	return max(t.ToNs-t.FromNs, traces.Nanos(core.Nanosecond))
}
