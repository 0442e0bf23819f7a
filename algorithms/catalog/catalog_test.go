package catalog

import (
	"errors"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
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

// Thresholds that must not be below others may be equal to them.
func TestEqualThresholds(t *testing.T) {
	for scheme, params := range map[string]map[string]string{
		"timely":         {"t_low": "50us", "t_high": "50us"},
		"timely-paper":   {"t_low": "50us", "t_high": "50us"},
		"timely-patched": {"t_low": "50us", "t_high": "50us"},
		"dcqcn-plus":     {"cnp_hold": "45us", "flow_hold": "45us"},
		"vegas":          {"alpha": "3", "beta": "3"},
		"ib-cc":          {"ccti_limit": "20", "ccti_min": "20"},
		"qcn":            {"threshold": "5", "hyper_after": "5"},
	} {
		if _, err := New(scheme, params); err != nil {
			t.Error(err)
		}
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
