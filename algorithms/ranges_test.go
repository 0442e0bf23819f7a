package algorithms

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

type rangedParams struct {
	Count  int           `qbb:"count"`
	Shift  int           `qbb:"shift" range:"[-10,10]"`
	Gain   float64       `qbb:"gain" range:"(0,1]"`
	Jitter float64       `qbb:"jitter" range:"[0,1)"`
	Factor float64       `qbb:"factor" range:"(0,1)"`
	Flows  float64       `qbb:"flows" range:"[1,)"`
	Gap    core.Duration `qbb:"gap" range:"(0,)"`
	Period core.Duration `qbb:"period" range:"[1ns,)" zero:"none"`
	Rate   core.Rate     `qbb:"rate" range:"[10Mbps,1Tbps]"`
	Step   core.Rate     `qbb:"step" zero:"line/10" none:"no step"`
	Room   core.Bytes    `qbb:"room" range:"[1KB,)" zero:"a BDP" none:"no room"`
	Least  core.Rate     `qbb:"least" zero:"line/100"`
	Share  float64       `qbb:"share" range:"(0,1]" zero:"all"`
	Form   string        `qbb:"form" choice:"one|two"`
	Free   string        `qbb:"free"`
	Own    int           // not a parameter
}

func TestCheckParams(t *testing.T) {
	defaults := rangedParams{Gain: 1, Factor: 0.5, Flows: 1, Gap: 1, Rate: 10 * core.Mbps, Form: "one", Own: -1}
	for _, c := range []struct {
		change func(*rangedParams)
		want   string // empty: accepted
	}{
		{func(*rangedParams) {}, ""},
		{func(p *rangedParams) { p.Count = math.MaxInt }, ""},
		{func(p *rangedParams) { p.Count = -1 }, "x: count is -1; it must be 0 or more"},
		{func(p *rangedParams) { p.Shift = -10 }, ""},
		{func(p *rangedParams) { p.Shift = -11 }, "x: shift is -11; it must be -10 to 10"},
		{func(p *rangedParams) { p.Shift = 11 }, "x: shift is 11; it must be -10 to 10"},
		{func(p *rangedParams) { p.Gain = 0 }, "x: gain is 0; it must be above 0 and at most 1"},
		{func(p *rangedParams) { p.Gain = math.NaN() }, "x: gain is NaN; it must be above 0 and at most 1"},
		{func(p *rangedParams) { p.Jitter = 1 }, "x: jitter is 1; it must be at least 0 and below 1"},
		{func(p *rangedParams) { p.Factor = 1 }, "x: factor is 1; it must be above 0 and below 1"},
		{func(p *rangedParams) { p.Flows = 0.5 }, "x: flows is 0.5; it must be at least 1"},
		{func(p *rangedParams) { p.Gap = 0 }, "x: gap is 0s; it must be above 0"},
		{func(p *rangedParams) { p.Period = core.Nanosecond }, ""},
		{func(p *rangedParams) { p.Period = core.Nanosecond - 1 }, "x: period is 999ps; it must be 0, or at least 1ns"},
		{func(p *rangedParams) { p.Rate = 1000 * core.Gbps }, ""},
		{func(p *rangedParams) { p.Rate = 10*core.Mbps - 1 }, "x: rate is 9999999bps; it must be 10Mbps to 1Tbps"},
		{func(p *rangedParams) { p.Step, p.Room = None, None }, ""},
		{func(p *rangedParams) { p.Step = -1 }, "x: step is -1bps; it must be 0 to 1000Tbps, or auto"},
		{func(p *rangedParams) { p.Step = 1000 * core.Tbps }, ""},
		{func(p *rangedParams) { p.Step = 1000*core.Tbps + 1 }, "x: step is 1000000000000001bps; it must be 0 to 1000Tbps, or auto"},
		{func(p *rangedParams) { p.Room = 999 }, "x: room is 999B; it must be at least 1KB, or auto"},
		{func(p *rangedParams) { p.Share = 2 }, "x: share is 2; it must be 0, or above 0 and at most 1"},
		{func(p *rangedParams) { p.Form = "three" }, `x: form is "three"; it must be one of one, two`},
		{func(p *rangedParams) { p.Free = "anything" }, ""},
	} {
		p := defaults
		c.change(&p)
		got := ""
		if err := CheckParams("x", &p); err != nil {
			got = err.Error()
			wrong, ok := errors.AsType[*ParamError](err)
			if !ok || wrong.Scheme != "x" || !strings.HasPrefix(got, "x: "+wrong.Param+" is ") {
				t.Errorf("%q is %#v", got, err)
			}
		}
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", p, got, c.want)
		}
	}
}

// Texts of parameters are decimal numbers: not all that Go takes for one.
func TestNumbersAreDecimal(t *testing.T) {
	for text, want := range map[string]string{"0.5": "", "5e-1": "", "0x1p-1": "not a number", "0_1": "not a number", "half": "not a number"} {
		var p rangedParams
		err := SetParam(&p, "gain", text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && p.Gain != 0.5 {
			t.Errorf("%s: gain is %v, %v", text, p.Gain, err)
		}
	}
}

// Users read what 0 means where it is not zero and there is no auto.
func TestMeaningOfZero(t *testing.T) {
	want := map[string]string{
		"count": "", "gain": "above 0 and at most 1", "step": "0 to 1000Tbps, or auto", "room": "at least 1KB, or auto",
		"period": "at least 1ns, 0 for none", "least": "0 to 1000Tbps, 0 for the default", "share": "above 0 and at most 1, 0 for all",
	}
	for _, p := range Params(&rangedParams{Period: core.Microsecond, Share: 0.5}) {
		if text, ok := want[p.Name]; ok && p.Range != text {
			t.Errorf("%s: %q, want %q", p.Name, p.Range, text)
		}
	}
}

// An invalid range is a mistake in the scheme.
func TestBadRange(t *testing.T) {
	for _, p := range []any{
		&struct {
			A int `qbb:"a" range:"0 to 1"`
		}{},
		&struct {
			A int `qbb:"a" range:"[,1]"`
		}{},
		&struct {
			A core.Duration `qbb:"a" range:"[0,1mile]"`
		}{},
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "algorithms: ") {
					t.Errorf("%T: %q", p, text)
				}
			}()
			_ = CheckParams("x", p)
		}()
	}
}
