package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/workloads/chakra"
	"github.com/qbb-sim/qbb/workloads/goal"
)

// readSchedule reads the schedule, whose ranks are the hosts in their order, and appends a flow for every message. It is nil if
// there is none.
func (sc *Scenario) readSchedule(s *sim.Setup) (*goal.Schedule, error) {
	if sc.Schedule == "" {
		return nil, nil
	}
	schedule, tag, err := loadSchedule(sc.Schedule)
	if err != nil {
		return nil, sc.blame("schedule", sc.Schedule, err)
	}
	hosts := s.Topology.Hosts()
	if n := schedule.Ranks(); n > len(hosts) {
		return nil, sc.wrong("schedule", fmt.Errorf("%s has %d ranks, and the network %d hosts: choose a larger one", sc.Schedule, n, len(hosts)))
	}
	for i := range schedule.Messages {
		m := &schedule.Messages[i]
		s.Flows = append(s.Flows, sim.Flow{
			Src: hosts[m.Src], Dst: hosts[m.Dst], Bytes: int64(m.Bytes), Held: true, Prio: traces.DefaultPrio, DstPort: traces.DefaultDstPort, Tag: tag,
		})
	}
	return schedule, nil
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
	if path == "" || isFile(path) {
		return []string{path}, nil
	}
	return chakra.Files(path)
}

// jobOf is the tag of the flows of a schedule: the name of its file up to the first dot.
func jobOf(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	return name
}
