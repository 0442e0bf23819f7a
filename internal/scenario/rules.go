package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// rule is what the value of a key must be.
type rule struct {
	key    string
	broken bool
	value  any
	want   string // follows the value in a message
}

// ranges are the bounds of single keys, beside those of their types.
func (sc *Scenario) ranges() []rule {
	const mostBytes = 1 << 16
	const mostWait = sim.Timeout(topo.MaxDelay)
	const mostPackets = 1e6
	const mostLoad = 2                      // no network carries more than 1; a load of 50 is meant in percent
	const leastLook = 100 * core.Nanosecond // else looks would be most of the events
	h, s, w := &sc.Host, &sc.Switch, &sc.Watchdog
	return []rule{
		{"load", sc.Workload != noWorkload && !(sc.Load > 0 && sc.Load <= mostLoad), sc.Load, "must be above 0 and at most 2, such as 0.5 for 50 %"},
		{"duration", sc.Duration > core.Duration(core.Never)/4, sc.Duration, "must be at most 640h"},
		{"mtu", sc.MTU < 1 || sc.MTU > mostBytes, sc.MTU, "must be 1B to 64KiB"},
		{"loss", sc.Loss > 1, sc.Loss, "must be 0 to 1"},
		{"credits.tick", sc.Credits.Tick < 1, sc.Credits.Tick, "must be above 0"},
		{"pfc_watchdog.detection", w.Detection != 0 && w.Detection < leastLook || w.Detection > topo.MaxDelay, w.Detection, "must be 100ns to 1h, or 0s"},
		{"pfc_watchdog.restoration", w.Restoration > topo.MaxDelay, w.Restoration, "must be at most 1h"},
		{"queue_sampling.bin", sc.Sampling.Bin < 1, sc.Sampling.Bin, "must be at least 1B"},
		{"series.points", sc.Series.Points < 2 || sc.Series.Points > 1<<16, sc.Series.Points, "must be 2 to 65536"},
		{"host.header", h.Header > mostBytes, h.Header, "must be at most 64KiB"},
		{"host.ack_header", h.AckHeader > mostBytes, h.AckHeader, "must be at most 64KiB"},
		{"host.min_packet", h.MinPacket < 1 || h.MinPacket > mostBytes, h.MinPacket, "must be 1B to 64KiB"},
		{"host.window", h.Window != "on" && h.Window != "off", h.Window, "must be on or off"},
		{"host.ack_every", h.AckEvery < 1 || h.AckEvery > mostPackets, h.AckEvery, "must be 1 to 1000000"},
		{"host.delay", h.Delay > topo.MaxDelay, h.Delay, "must be at most 1h"},
		{"host.service", h.Service > topo.MaxDelay, h.Service, "must be at most 1h"},
		{"host.reordering", h.Reordering > mostPackets, h.Reordering, "must be at most 1000000"},
		{"host.plb_threshold", !(h.PLBThresh > 0 && h.PLBThresh <= 1), h.PLBThresh, "must be above 0 and at most 1, such as 0.5"},
		{"host.plb_rounds", h.PLBRounds < 1 || h.PLBRounds > mostPackets, h.PLBRounds, "must be 1 to 1000000"},
		{"host.connections", h.Connections > sourcePorts, h.Connections, "must be 0 to 55536"},
		{"host.chunk", h.Chunk < 1, h.Chunk, "must be at least 1"},
		{"switch.reserve", s.Reserve > switching.MaxUse, s.Reserve, "must be at most 4294967295B"},
		{"switch.lossy_shift", s.LossyShift > 62, s.LossyShift, "must be at most 62"},
		{"switch.first_alpha", s.FirstAlpha < 1, s.FirstAlpha, "must be 1 to 65535"},
		{"switch.alpha_shift", s.AlphaShift > 62, s.AlphaShift, "must be at most 62"},
		{"switch.int_multi", s.INTMulti < 1 || s.INTMulti > 1<<20, s.INTMulti, "must be 1 to 1048576"},
		{"options.rto", sc.Options.RTO > mostWait, sc.Options.RTO, "must be at most 1h"},
		{"options.ack_class", sc.Options.AckClass > 7, sc.Options.AckClass, "must be 0 to 7"},
		{"options.pause_size", sc.Options.PauseSize < 1 || sc.Options.PauseSize > mostBytes, sc.Options.PauseSize, "must be 1 to 65536"},
	}
}

// mostRecorded bounds packets that mix.tr or a capture, whose lengths have 16 bits, is to hold. The rest
// is for what a scheme adds, such as INT of 50 hops.
const mostRecorded core.Bytes = 65_100

// conflicts are rules that depend on other keys, or on a list of names.
func (sc *Scenario) conflicts() []rule {
	q, coalesced := &sc.Sampling, sc.Host.AckEvery > 1
	tooLong := fmt.Sprintf("holds packets of at most %v, without what a scheme adds: mtu with host.header, host.ack_header or host.min_packet is more", mostRecorded)
	long := max(sc.MTU+sc.Host.Header, sc.Host.AckHeader, sc.Host.MinPacket) > mostRecorded
	return []rule{
		{"stop", sc.Stop == 0 && (sc.ref == nil || sc.overridden("stop")), sc.Stop, "would run nothing: write a time such as 5ms, or never for the end of all flows"},
		{"flow_control", !slices.Contains(flowControls, sc.FlowControl), sc.FlowControl, "is not known: use " + oneOf(flowControls)},
		{"host.ack_every", coalesced && sc.Options.RTO == 0, sc.Host.AckEvery, "needs a time-out: set options.rto"},
		{"host.ack_every", coalesced && !sc.Options.AckDuplicates, sc.Host.AckEvery, "needs options.ack_duplicates: true: an acknowledgement that is lost is asked for again"},
		{"host.connections", sc.Host.Connections > 0 && (!sc.Options.SkipAcked || sc.Options.KeepOrder), sc.Host.Connections,
			"needs options.skip_acked: true and options.keep_order: false, as in profile native: the reference has a queue pair for every message"},
		{"pfc_watchdog.detection", sc.watchdog().Detection > 0 && sc.Options.PauseQuanta == 0, sc.Watchdog.Detection,
			"needs pauses that expire unless they are repeated: options.pause_quanta above 0, as in profile native"},
		{"queue_sampling.end", q.Events && q.Interval > 0 && q.End == core.Never, q.End, "does not go with events: true: give an end"},
		{"queue_sampling.end", q.Interval > 0 && q.End < q.Start && (sc.ref == nil || sc.overridden("queue_sampling.start") || sc.overridden("queue_sampling.end")), q.End,
			fmt.Sprintf("is before queue_sampling.start, which is %v: no queue would be sampled", q.Start)},
		{"files.queues", sc.Files.Queues != "" && q.Dump == 0, sc.Files.Queues, "needs queue_sampling.events and queue_sampling.dump"},
		{"files.events", sc.Files.Events != "" && long, sc.Files.Events, tooLong},
		{"pcap.file", sc.Pcap.File != "" && long, sc.Pcap.File, tooLong},
		{"queue_sampling.dump", q.Dump > 0 && !q.Events, q.Dump, "needs queue_sampling.events: true"},
	}
}

// outputs are rules for the paths of output files. Other programs take - for the standard output; a name of blanks cannot be seen.
func (sc *Scenario) outputs() (list []rule) {
	f := &sc.Files
	for _, o := range [...]struct{ key, path string }{
		{"files.fct", f.FCT}, {"files.pfc", f.PFC}, {"files.queues", f.Queues}, {"files.events", f.Events},
		{"files.events_text", f.EventsText}, {"pcap.file", sc.Pcap.File},
	} {
		list = append(list, rule{o.key, o.path == "-", o.path, "is not the standard output here: write /dev/stdout, or ./- for a file of that name"},
			rule{o.key, blank(o.path), strconv.Quote(o.path), "is blank: give it a name"})
	}
	return list
}

func blank(path string) bool { return path != "" && strings.TrimSpace(path) == "" }

// CheckFolder reports what is wrong with the path of a folder for outputs, whether it exists or not.
func CheckFolder(path string) error {
	switch {
	case path == "-":
		return errors.New("- is a folder, not the standard output: write ./- for one of that name")
	case blank(path):
		return fmt.Errorf("%q is blank: give it a name", path)
	}
	return nil
}
