package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/devices/nic"
)

// Complete fills in what is left blank and checks what can be checked without a network. An
// error is one line and names the key, and the file and line that set it.
func (sc *Scenario) Complete() error {
	if sc.Workload == "" {
		sc.Workload = "websearch"
		if sc.Flows != "" || len(sc.Schedule) > 0 || sc.Added != nil || len(sc.Patterns) > 0 {
			sc.Workload = noWorkload
		}
	}
	if sc.Incast == "none" {
		sc.Incast = ""
	}
	switch events := sc.Files.Events != "" || sc.Files.EventsText != ""; {
	case sc.Trace != "" && !events:
		sc.Files.Events = "mix.tr"
	case sc.Trace == "" && events:
		sc.Trace = allNodes
	}
	if err := sc.completeSchemes(); err != nil {
		return err
	}
	if len(sc.ECN.Thresholds) == 0 && sc.ECN.Scale {
		sc.ECN.Thresholds = []Threshold{sc.usualMarks()}
	}
	for _, in := range [...]struct {
		file *string
		word string // that is no file
	}{{&sc.Topology, ""}, {&sc.Flows, ""}, {&sc.Trace, allNodes}} {
		if *in.file != in.word {
			*in.file = findInput(sc.file, *in.file, isFile)
		}
	}
	if err := sc.findWorkload(); err != nil {
		return err
	}
	if err := sc.findSchedules(); err != nil {
		return err
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
			if name, key, ok := strings.Cut(tag, ".params."); ok {
				err = fmt.Errorf("%w; a parameter stands beside its scheme, as in cc_by_tag.%s={name: hpcc, params: {%s: %s}}", err, name, key, cc.Name)
			}
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

// completeScheme gives a scheme, which a key names, its full name and all parameters. It reports whether the scheme limits the
// bytes in flight by default.
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

// check reports the first option that is out of range.
func (sc *Scenario) check() error {
	for _, r := range slices.Concat(sc.ranges(), sc.conflicts(), sc.outputs()) {
		if r.broken {
			if r.value == "" {
				r.value = `""`
			}
			return sc.wrong(r.key, fmt.Errorf("%v %s", r.value, r.want))
		}
	}
	if err := CheckFolder(sc.Out); err != nil {
		return sc.wrong("out", err)
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
