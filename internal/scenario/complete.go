package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Complete fills in what is left blank and checks what can be checked without a network. An
// error is one line and names the key, and the file and line that set it.
func (sc *Scenario) Complete() error {
	if sc.Workload == "" {
		sc.Workload = "websearch"
		if sc.Flows != "" || len(sc.Patterns) > 0 {
			sc.Workload = "none"
		}
	}
	switch events := sc.Files.Events != "" || sc.Files.EventsText != ""; {
	case sc.Trace != "" && !events:
		sc.Files.Events = "mix.tr"
	case sc.Trace == "" && events:
		sc.Trace = "all"
	}
	if err := sc.completeSchemes(); err != nil {
		return err
	}
	if len(sc.ECN.Thresholds) == 0 && sc.ECN.Scale {
		sc.ECN.Thresholds = []Threshold{sc.usualMarks()}
	}
	for _, file := range []*string{&sc.Topology, &sc.Workload, &sc.Flows, &sc.Trace} {
		*file = findInput(sc.file, *file)
	}
	return sc.check()
}

// completeSchemes gives every scheme its full name and all parameters.
func (sc *Scenario) completeSchemes() error {
	windows, err := sc.completeScheme(&sc.CC, "cc")
	if err != nil {
		return err
	}
	for _, tag := range slices.Sorted(maps.Keys(sc.CCByTag)) {
		cc := sc.CCByTag[tag]
		if _, err := sc.completeScheme(&cc, "cc_by_tag."+tag); err != nil {
			return err
		}
		sc.CCByTag[tag] = cc
	}
	sc.forgetRefWindow(windows)
	if sc.Host.Window == "" {
		sc.Host.Window = "off"
		if windows && sc.Options.HostWindow || sc.Host.Recovery == nic.Selective {
			sc.Host.Window = "on"
		}
	}
	return nil
}

// forgetRefWindow lets the scheme decide whether flows have a window, and whether that shrinks with the rate, if a
// config.txt is run with another scheme than its own. Its HAS_WIN and VAR_WIN are choices for its own scheme, as in
// the HPCC authors' settings: HPCC without a window divides by zero.
func (sc *Scenario) forgetRefWindow(windows bool) {
	if sc.ref == nil || sc.CC.Name == sc.refCC {
		return
	}
	if !sc.overridden("host.window") {
		sc.Host.Window = ""
	}
	if !sc.overridden("host.scale_window") {
		sc.Host.ScaleWindow = windows
	}
}

// completeScheme reports whether the scheme limits the bytes in flight by default.
func (sc *Scenario) completeScheme(cc *CC, key string) (windows bool, err error) {
	e, ok := catalog.Find(cc.Name)
	if !ok {
		_, err := catalog.New(cc.Name, nil)
		if strings.ContainsAny(cc.Name, ":=") && key != "" {
			err = fmt.Errorf("%w (parameters belong in %s.params)", err, key)
		}
		return false, sc.wrong(key, err)
	}
	p := e.NewParams()
	if w, ok := p.(algorithms.Windowed); ok {
		windows = *w.OwnWindow()
		*w.OwnWindow() = windows && !sc.Options.HostWindow
	}
	for _, name := range algorithms.ParamOrder(cc.Params) {
		if err := algorithms.SetParam(p, name, cc.Params[name]); err != nil {
			return false, sc.wrong(key+".params."+name, err)
		}
	}
	if _, err := e.Build(p); err != nil {
		if wrong, ok := errors.AsType[*algorithms.ParamError](err); ok {
			key += ".params." + wrong.Param
		}
		return false, sc.wrong(key, err)
	}
	cc.Name, cc.Params = e.Name, algorithms.ParamValues(p)
	return windows, nil
}

// markedScheme is the scheme that switches mark for by default: that of most flows or, if it ignores marks, the
// first of a tag that does not. All are known.
func (sc *Scenario) markedScheme() algorithms.Traits {
	list := []CC{sc.CC}
	for _, tag := range slices.Sorted(maps.Keys(sc.CCByTag)) {
		list = append(list, sc.CCByTag[tag])
	}
	var traits []algorithms.Traits
	for _, cc := range list {
		scheme, err := catalog.New(cc.Name, cc.Params)
		if err != nil {
			panic(err) // completeScheme has made it
		}
		traits = append(traits, scheme.Traits())
	}
	i := slices.IndexFunc(traits, func(t algorithms.Traits) bool { return t.Needs&algorithms.ECN != 0 })
	return traits[max(i, 0)]
}

// usualMarks are the thresholds of the scheme that switches mark for.
func (sc *Scenario) usualMarks() Threshold {
	marked := sc.markedScheme()
	return Threshold(marked.Marking())
}

// mostRecorded bounds packets that mix.tr or a capture, whose lengths have 16 bits, is to hold. The rest
// is for what a scheme adds, such as INT of 50 hops.
const mostRecorded core.Bytes = 65_100

// check reports the first option that is out of range.
func (sc *Scenario) check() error {
	const mostBytes = 1 << 16
	const mostWait = sim.Timeout(topo.MaxDelay)
	const mostReordering = 1e6
	const mostLoad = 2 // no network carries more than 1; a load of 50 is meant in percent
	h, s, q := &sc.Host, &sc.Switch, &sc.Sampling
	tooLong := fmt.Sprintf("holds packets of at most %v, without what a scheme adds: mtu with host.header, host.ack_header or host.min_packet is more", mostRecorded)
	long := max(sc.MTU+h.Header, h.AckHeader, h.MinPacket) > mostRecorded
	for _, c := range []struct {
		key   string
		bad   bool
		value any
		want  string
	}{
		{"load", sc.Workload != noWorkload && !(sc.Load > 0 && sc.Load <= mostLoad), sc.Load, "must be above 0 and at most 2, such as 0.5 for 50 %"},
		{"stop", sc.Stop == 0 && (sc.ref == nil || sc.overridden("stop")), sc.Stop, "would run nothing: write a time such as 5ms, or never for the end of all flows"},
		{"duration", sc.Duration > core.Duration(core.Never)/4, sc.Duration, "is too long: write at most 640h"},
		{"mtu", sc.MTU < 1 || sc.MTU > mostBytes, sc.MTU, "must be 1B to 64KiB"},
		{"loss", sc.Loss > 1, sc.Loss, "must be 0 to 1"},
		{"flow_control", !slices.Contains(flowControls, sc.FlowControl), sc.FlowControl, "is not known: use " + oneOf(flowControls)},
		{"credits.tick", sc.Credits.Tick < 1, sc.Credits.Tick, "must be above 0"},
		{"queue_sampling.bin", q.Bin < 1, q.Bin, "must be at least 1B"},
		{"queue_sampling.end", q.Events && q.Interval > 0 && q.End == core.Never, q.End, "does not go with events: true: give an end"},
		{"files.queues", sc.Files.Queues != "" && q.Dump == 0, sc.Files.Queues, "needs queue_sampling.events and queue_sampling.dump"},
		{"files.events", sc.Files.Events != "" && long, sc.Files.Events, tooLong},
		{"pcap.file", sc.Pcap.File != "" && long, sc.Pcap.File, tooLong},
		{"queue_sampling.dump", q.Dump > 0 && !q.Events, q.Dump, "needs queue_sampling.events: true"},
		{"series.points", sc.Series.Points < 2 || sc.Series.Points > 1<<16, sc.Series.Points, "must be 2 to 65536"},
		{"host.header", h.Header > mostBytes, h.Header, "must be at most 64KiB"},
		{"host.ack_header", h.AckHeader > mostBytes, h.AckHeader, "must be at most 64KiB"},
		{"host.min_packet", h.MinPacket < 1 || h.MinPacket > mostBytes, h.MinPacket, "must be 1B to 64KiB"},
		{"host.window", h.Window != "on" && h.Window != "off", h.Window, "must be on or off"},
		{"host.delay", h.Delay > topo.MaxDelay, h.Delay, "must be at most 1h"},
		{"host.service", h.Service > topo.MaxDelay, h.Service, "must be at most 1h"},
		{"host.reordering", h.Reordering > mostReordering, h.Reordering, "must be at most 1000000"},
		{"host.chunk", h.Chunk < 1, h.Chunk, "must be at least 1"},
		{"switch.reserve", s.Reserve > switching.MaxUse, s.Reserve, "must be at most 4294967295B"},
		{"switch.lossy_shift", s.LossyShift > 62, s.LossyShift, "must be at most 62"},
		{"switch.alpha_shift", s.AlphaShift > 62, s.AlphaShift, "must be at most 62"},
		{"switch.int_multi", s.INTMulti < 1 || s.INTMulti > 1<<20, s.INTMulti, "must be 1 to 1048576"},
		{"options.rto", sc.Options.RTO > mostWait, sc.Options.RTO, "must be at most 1h"},
		{"options.ack_class", sc.Options.AckClass > 7, sc.Options.AckClass, "must be 0 to 7"},
		{"options.pause_size", sc.Options.PauseSize < 1 || sc.Options.PauseSize > mostBytes, sc.Options.PauseSize, "must be 1 to 65536"},
	} {
		if c.bad {
			return sc.wrong(c.key, fmt.Errorf("%v %s", c.value, c.want))
		}
	}
	if m := sc.manager(); m.Sweep > 0 {
		if err := m.Validate(); err != nil {
			return sc.wrong("dcms", err)
		}
	}
	if _, err := sc.recoveries(); err != nil {
		return err
	}
	if _, err := sc.weights(); err != nil {
		return err
	}
	if err := sc.checkCapture(); err != nil {
		return err
	}
	return sc.checkECN()
}

func (sc *Scenario) checkECN() error {
	if !slices.Contains(ecnMarks, sc.ECN.Mark) {
		return sc.wrong("ecn.mark", fmt.Errorf("%q is not known: use %s", sc.ECN.Mark, oneOf(ecnMarks)))
	}
	for i, t := range sc.ECN.Thresholds {
		var err error
		switch {
		case t.Rate <= 0:
			err = errors.New("needs a rate above 0")
		case t.KMin > t.KMax:
			err = fmt.Errorf("kmin %v exceeds kmax %v", t.KMin, t.KMax)
		case t.PMax > 1:
			err = fmt.Errorf("pmax %v is not a probability", t.PMax)
		case slices.ContainsFunc(sc.ECN.Thresholds[:i], func(o Threshold) bool { return o.Rate == t.Rate }):
			err = fmt.Errorf("the rate %v is given twice", t.Rate)
		default:
			continue
		}
		return sc.wrong(fmt.Sprintf("ecn.thresholds.%d", i), err)
	}
	return nil
}
