package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/timeline"
)

func timelineCommand() command {
	return command{
		name: "timeline", args: "DIR", brief: "what happened when in a run, for a viewer of timelines", maxArgs: 1,
		about: `DIR is the folder of a finished run. The timeline is JSON in the Trace Event Format, which viewers of timelines open, such as https://ui.perfetto.dev. Every node is a process there. A host has the flows that it sends, from start to last acknowledgement, and with a schedule what it computes on each of its cpus, and its collectives; flows then have the names of their operations. Time series (qbb help run) are counters, at the nodes of their ports or at the hosts that send their flows, with the means of their points, and of queues the largest values. What has not begun is left out, and what has not ended lasts until the end of the run.

Examples:

  qbb run --topology star:n=4 --schedule testdata/training.goal
  qbb timeline out`,
		define: func(fs *pflag.FlagSet) action {
			out := fs.StringP("out", "o", "timeline.json", usage("FILE", "the timeline, .json"))
			return func(c *call) error { return makeTimeline(c, *out) }
		},
	}
}

func makeTimeline(c *call, out string) error {
	if len(c.args) == 0 {
		return mistakef("which run? give its folder: qbb timeline DIR")
	}
	if !strings.EqualFold(filepath.Ext(out), ".json") {
		return mistakef("%s: the name must end with .json", out)
	}
	if err := spares(out, c.args); err != nil {
		return err
	}
	if err := results.CheckFolder(c.args[0]); err != nil {
		return mistake(err)
	}
	err := writeWith(out, func(w io.Writer) error { return mistake(timeline.Write(w, c.args[0])) })
	if err == nil {
		_, err = fmt.Fprintln(c.stdout, out)
	}
	return err
}
