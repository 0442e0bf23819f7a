package workloads

import (
	"errors"
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Job is a schedule with where and when it runs, written as in job.goal,hosts=0-31,start=5ms,tag=a.
type Job struct {
	Path string // of the schedule
	Keys string // as they were written, with the comma before the first; empty: none
	placement
}

var jobKeys = []string{"hosts", "start", "tag"}

// ParseJob reads a job, where known reports that a text is a path: it may have any signs then.
func ParseJob(text string, known func(path string) bool) (Job, error) {
	path, words := cutKeys(text, known)
	p, err := parsePlacement(words, jobKeys)
	switch {
	case err != nil:
		return Job{}, err
	case path == "":
		return Job{}, errors.New("there is no path: write that of a schedule first")
	case strings.ContainsAny(p.tag, "{}"):
		return Job{}, fmt.Errorf("tag: %q has braces, and a schedule neither groups nor rounds", p.tag)
	}
	return Job{path, text[len(path):], p}, nil
}

// Hosts returns the hosts of a network that have a part in a schedule with some ranks, in the order of these.
func (j *Job) Hosts(t *topo.Topology, ranks int) ([]core.NodeID, error) {
	hosts, err := j.senders(t)
	if err != nil {
		return nil, err
	}
	if ranks > len(hosts) {
		of := "the network"
		if j.hosts != nil {
			of = "the list"
		}
		return nil, fmt.Errorf("%s has %d ranks, and %s %d hosts: choose a larger one", j.Path, ranks, of, len(hosts))
	}
	return hosts[:ranks], nil
}

// Start returns when the schedule starts.
func (j *Job) Start() core.Duration { return j.start }

// Tag returns the chosen tag of the flows; empty: none is.
func (j *Job) Tag() string { return j.tag }
