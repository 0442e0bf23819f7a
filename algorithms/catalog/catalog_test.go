package catalog

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

func TestNamesAreUniqueAndFound(t *testing.T) {
	seen := make(map[string]string)
	for _, e := range All() {
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			if other, ok := seen[normal(name)]; ok {
				t.Errorf("%q names both %s and %s", name, other, e.Name)
			}
			seen[normal(name)] = e.Name
			if got, ok := Find(strings.ToUpper(name)); !ok || got.Name != e.Name {
				t.Errorf("Find(%q) = %q, %v; want %s", strings.ToUpper(name), got.Name, ok, e.Name)
			}
		}
		if e.Doc == "" || e.Source == "" || strings.Contains(e.Doc, "\n") {
			t.Errorf("%s: doc %q, source %q; want one line each", e.Name, e.Doc, e.Source)
		}
	}
}

// Every scheme can be built from its defaults, reports its own name, and accepts the text of each
// of its parameters.
func TestEntriesBuild(t *testing.T) {
	for _, e := range All() {
		values := algorithms.ParamValues(e.NewParams())
		s, err := New(e.Name, values)
		if err != nil {
			t.Errorf("%s with its own defaults: %v", e.Name, err)
			continue
		}
		if got := s.Traits().Name; got != e.Name {
			t.Errorf("%s calls itself %s", e.Name, got)
		}
		if s.NewSender() == nil {
			t.Errorf("%s has no sender", e.Name)
		}
		for _, p := range e.Params() {
			if p.Doc == "" || p.Source == "" {
				t.Errorf("%s: parameter %s lacks doc or source", e.Name, p.Name)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		params map[string]string
		want   []string
	}{
		{"hpc", nil, []string{`no scheme "hpc"`, "hpcc"}},
		{"", nil, []string{`no scheme "": write none to do without congestion control`}},
		{"dctpc", nil, []string{"dctcp"}},
		{"hpcc", map[string]string{"targt": "1"}, []string{"scheme hpcc", `no parameter "targt"; did you mean "target"?`}},
		{"hpcc", map[string]string{"target": "-1"}, []string{"hpcc: target is -1"}},
		{"dcqcn", map[string]string{"alpha": "float"}, []string{"parameter alpha", "double|fixed10"}},
	} {
		_, err := New(c.name, c.params)
		if err == nil {
			t.Errorf("New(%s, %v): no error", c.name, c.params)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("New(%s, %v): %q lacks %q", c.name, c.params, err, want)
			}
		}
	}
}

// Thresholds that must not be beyond others may be equal to them.
func TestThresholdsInOrder(t *testing.T) {
	for _, c := range []struct{ scheme, other, param, equal, beyond string }{
		{"timely", "t_low=50us", "t_high", "50us", "49999ns"},
		{"timely-paper", "t_low=50us", "t_high", "50us", "49999ns"},
		{"timely-patched", "t_low=50us", "t_high", "50us", "49999ns"},
		{"dcqcn-plus", "cnp_hold=45us", "flow_hold", "45us", "44999ns"},
		{"vegas", "alpha=3", "beta", "3", "2.9"},
		{"ib-cc", "ccti_limit=20", "ccti_min", "20", "21"},
		{"qcn", "threshold=5", "hyper_after", "5", "4"},
		{"swift", "min_cwnd=2", "max_cwnd", "2", "1.9"},
		{"swift", "fs_min=2", "fs_max", "2.1", "2"},
	} {
		name, value, _ := strings.Cut(c.other, "=")
		if _, err := New(c.scheme, map[string]string{name: value, c.param: c.equal}); err != nil {
			t.Error(err)
		}
		_, err := New(c.scheme, map[string]string{name: value, c.param: c.beyond})
		if wrong, ok := errors.AsType[*algorithms.ParamError](err); !ok || wrong.Scheme != c.scheme || wrong.Param != c.param {
			t.Errorf("%s with %s and %s=%s: got %v", c.scheme, c.other, c.param, c.beyond, err)
		}
	}
}

// A scheme with a parameter window leaves the window to the host without it; profiles find the parameter.
func TestOwnWindows(t *testing.T) {
	found := 0
	for _, e := range All() {
		if !slices.ContainsFunc(e.Params(), func(p algorithms.Param) bool { return p.Name == "window" && p.Unit == "bool" }) {
			continue
		}
		found++
		for _, on := range []bool{false, true} {
			p := e.NewParams()
			own, ok := p.(algorithms.Windowed)
			if !ok {
				t.Fatalf("%s has a window of its own that profiles do not find", e.Name)
			}
			*own.OwnWindow() = on
			s, err := e.Build(p)
			if err != nil || algorithms.ParamValues(p)["window"] != strconv.FormatBool(on) {
				t.Fatalf("%s: %v, window is %s, want %v", e.Name, err, algorithms.ParamValues(p)["window"], on)
			}
			var c algorithms.Control
			s.NewSender().Start(0, &algorithms.Flow{
				Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 1000, INT: core.FullINT(5),
			}, &c)
			if want := map[bool]core.Bytes{false: core.Unlimited, true: 162_500}[on]; c.Window != want {
				t.Errorf("%s with window=%v begins with %v, want %v", e.Name, on, c.Window, want)
			}
		}
	}
	if found < 8 {
		t.Errorf("%d schemes have a parameter window, want at least 8", found)
	}
}

// A value out of range is refused by name.
func TestParametersOutOfRange(t *testing.T) {
	for scheme, bad := range map[string][]string{
		"hpcc":      {"target=0", "target=NaN", "mi_thresh=-1", "ai=-1Mbps", "min_rate=-1Mbps"},
		"hpcc-pint": {"target=3", "mi_thresh=-1", "ai=-1Mbps", "min_rate=-1Mbps", "log_base=1", "log_base=2.5", "probability=-0.1", "probability=1.5"},
		"dcqcn": {
			"alpha_timer=0", "decrease_timer=1ps", "increase_timer=-1us", "g=-0.1", "g=2", "fast_recovery=-1",
			"ai=-1Mbps", "hai=-1Mbps", "min_rate=-1Mbps", "first_rate=0",
		},
		"timely": {
			"t_low=-1us", "t_high=1us", "min_rtt=0", "ewma=0", "beta=2", "hai_after=-1",
			"ai=-1Mbps", "hai=-1Mbps", "min_rate=-1Mbps",
		},
		"dctcp": {"g=-0.1", "g=1.1", "ai=-1Mbps", "min_rate=-1Mbps"},
	} {
		for _, setting := range bad {
			name, value, _ := strings.Cut(setting, "=")
			_, err := New(scheme, map[string]string{name: value})
			if wrong, ok := errors.AsType[*algorithms.ParamError](err); !ok || wrong.Scheme != scheme || wrong.Param != name {
				t.Errorf("%s with %s: got %v, want an error of %s that names %s", scheme, setting, err, scheme, name)
			}
		}
	}
}

// No number of any scheme may be far below 0.
func TestNegativeParametersAreRefused(t *testing.T) {
	units := map[string]string{"rate": "Gbps", "duration": "s", "bytes": "KB"}
	for _, e := range All() {
		for _, p := range e.Params() {
			if p.Unit == "bool" || p.Unit == "text" || strings.HasPrefix(p.Unit, "choice") {
				continue
			}
			_, err := New(e.Name, map[string]string{p.Name: "-11" + units[p.Unit]})
			if wrong, ok := errors.AsType[*algorithms.ParamError](err); !ok || wrong.Scheme != e.Name || wrong.Param != p.Name {
				t.Errorf("%s with %s=-11%s: got %v", e.Name, p.Name, units[p.Unit], err)
			}
		}
	}
}
