package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/workloads"
	"github.com/qbb-sim/qbb/workloads/chakra"
	"github.com/qbb-sim/qbb/workloads/goal"
)

// findSchedules completes the paths of the schedules, as those of other inputs.
func (sc *Scenario) findSchedules() error {
	there := func(path string) bool { return isSchedule(findInput(sc.file, path, isSchedule)) }
	for i, text := range sc.Schedule {
		j, err := workloads.ParseJob(text, there)
		if err != nil {
			return sc.wrong(sc.scheduleKey(i), err)
		}
		sc.Schedule[i] = findInput(sc.file, j.Path, isSchedule) + j.Keys
	}
	return nil
}

// scheduleKey is what errors call a schedule.
func (sc *Scenario) scheduleKey(i int) string {
	if len(sc.Schedule) == 1 {
		return "schedule"
	}
	return fmt.Sprintf("schedule.%d", i)
}

// schedules returns the files of all schedules. What is wrong with one is told by Setup.
func (sc *Scenario) schedules() (files []string) {
	for _, text := range sc.Schedule {
		if j, err := workloads.ParseJob(text, isSchedule); err == nil {
			list, _ := scheduleFiles(j.Path)
			files = append(files, list...)
		}
	}
	return files
}

// replay is a schedule that runs on some hosts.
type replay struct {
	number   int // among those of the run
	schedule *goal.Schedule
	hosts    []core.NodeID // by rank
	start    core.Duration
	tag      string
	flows    []int32 // by message
}

// readSchedules reads the schedules, and appends a flow for every message.
func (sc *Scenario) readSchedules(s *sim.Setup) (replays []*replay, err error) {
	taken, tagged := make(map[core.NodeID]string), make(map[string]bool)
	for i, text := range sc.Schedule {
		key := sc.scheduleKey(i)
		at, err := workloads.ParseJob(text, isSchedule)
		if err != nil {
			return nil, sc.wrong(key, err)
		}
		r, err := newReplay(i, &at, s.Topology)
		if err != nil {
			return nil, sc.blame(key, at.Path, err)
		}
		for _, host := range r.hosts {
			if other, ok := taken[host]; ok {
				return nil, sc.wrong(key, fmt.Errorf("node %d has a part in %s already: give each schedule hosts of its own, with hosts=", host, other))
			}
			taken[host] = at.Path
		}
		if tagged[r.tag] {
			return nil, sc.wrong(key, fmt.Errorf("a schedule before this one has the tag %q: give it another one, with tag=", r.tag))
		}
		tagged[r.tag] = true
		for i := range r.schedule.Messages {
			m := &r.schedule.Messages[i]
			s.Flows = append(s.Flows, sim.Flow{
				Src: r.hosts[m.Src], Dst: r.hosts[m.Dst], Bytes: int64(m.Bytes), Held: true, Prio: traces.DefaultPrio, DstPort: traces.DefaultDstPort, Tag: r.tag,
			})
		}
		replays = append(replays, r)
	}
	return replays, nil
}

// newReplay reads a schedule, and finds its hosts in a network.
func newReplay(number int, at *workloads.Job, t *topo.Topology) (*replay, error) {
	schedule, tag, err := loadSchedule(at.Path)
	if err != nil {
		return nil, err
	}
	hosts, err := at.Hosts(t, schedule.Ranks())
	return &replay{number, schedule, hosts, at.Start(), cmp.Or(at.Tag(), tag), make([]int32, len(schedule.Messages))}, err
}

// loadSchedule reads a file in GOAL, or the traces of all ranks that a path means, and returns the tag of the flows, too.
func loadSchedule(path string) (_ *goal.Schedule, tag string, err error) {
	switch name, rank, ok := chakra.RankOf(filepath.Base(path)); {
	case !isFile(path):
	case ok:
		return nil, "", fmt.Errorf("%s is the Chakra trace of rank %d alone: write %s for those of all ranks", path, rank, filepath.Join(filepath.Dir(path), name))
	case chakra.HasExtension(path):
		return nil, "", fmt.Errorf("%s has the name of a Chakra trace without a rank: name the traces NAME.0.et, NAME.1.et and so on, and write NAME", path)
	}
	files, err := scheduleFiles(path)
	switch info, statErr := os.Stat(path); {
	case err != nil:
		return nil, "", err
	case len(files) > 0 && files[0] != path:
		schedule, err := chakra.Read(files, traces.Open)
		return schedule, jobOf(files[0]), err
	case statErr == nil && info.IsDir():
		return nil, "", fmt.Errorf("%s has no Chakra traces, which are named NAME.RANK.et", path)
	}
	f, err := traces.Open(path)
	if err != nil {
		return nil, "", orTraces(err)
	}
	defer f.Close()
	schedule, err := goal.Read(path, f)
	return schedule, jobOf(path), err
}

// orTraces adds to the error of a file that is not there what else its name could mean.
func orTraces(err error) error {
	at, ok := errors.AsType[*fs.PathError](err)
	if !ok || !errors.Is(err, fs.ErrNotExist) || os.IsPathSeparator(at.Path[len(at.Path)-1]) || chakra.HasExtension(at.Path) {
		return err
	}
	return &fs.PathError{Op: at.Op, Path: at.Path, Err: fmt.Errorf("%w, nor are there Chakra traces %s.0%s and so on", at.Err, at.Path, chakra.Extension)}
}

// isSchedule reports whether a name is that of a file or of traces.
func isSchedule(name string) bool {
	files, err := scheduleFiles(name)
	return err != nil || len(files) > 0
}

// scheduleFiles returns the files of a schedule: itself, if it is one, or the traces of all ranks.
func scheduleFiles(path string) ([]string, error) {
	if isFile(path) {
		return []string{path}, nil
	}
	return chakra.Files(path)
}

// jobOf is the tag of the flows of a schedule: the name of its file up to the first dot, as far as it can be printed.
func jobOf(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, name)
}
