package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/sim"
)

func TestSet(t *testing.T) {
	sc := Default()
	for _, c := range [][2]string{
		{"load", "0.6"}, {"cc.params.target", "0.9"}, {"options.rto", "1ms"}, {"patterns", "one-many:1KB"}, {"patterns", "one-one:2KB"},
		{"links", "{at: 1ms, down: 0-16}"}, {"links", "{at: 2ms, up: 0-16}"}, {"ecn", "off"}, {"cc_by_tag.incast", "dcqcn"},
		{"cc_by_tag.background", "{name: timely, params: {beta: 0.5}}"}, {"stop", "5ms"}, {"seed", "9"}, {"queue_sampling.interval", "1us"},
		{"ecn.thresholds", "{rate: 25Gbps, kmin: 50KB, kmax: 200KB, pmax: 0.2}"}, {"loss", "0.5%"},
		{"link_loss", "{link: 0-16, loss: 0.1}"}, {"link_loss", "[{link: 1-16, loss: 1%}, {link: 2-16, loss: 2%}]"},
	} {
		if err := sc.Set(c[0], c[1]); err != nil {
			t.Errorf("Set(%s, %s): %v", c[0], c[1], err)
		}
	}
	if sc.Load != 0.6 || sc.CC.Params["target"] != "0.9" || sc.Options.RTO.String() != "1ms" || len(sc.Patterns) != 2 || len(sc.Links) != 2 ||
		sc.ECN.Mark != "off" || !sc.ECN.Scale || sc.CCByTag["incast"].Name != "dcqcn" || sc.CCByTag["background"].Params["beta"] != "0.5" {
		t.Errorf("got %+v", sc)
	}
	if len(sc.ECN.Thresholds) != 1 || sc.ECN.Thresholds[0].KMin != 50e3 || sc.Loss != 0.005 || !slices.Equal(sc.LinkLoss, []LinkLoss{{"1-16", 0.01}, {"2-16", 0.02}}) {
		t.Errorf("got thresholds %v, loss %v, %v", sc.ECN.Thresholds, sc.Loss, sc.LinkLoss)
	}
	for text, want := range map[string][]string{
		"[]": {}, " ['ring-all-reduce:1MB,group=4,tag=x', one-one:1KB]": {"ring-all-reduce:1MB,group=4,tag=x", "one-one:1KB"}, "[one-one:1MB]": {"one-one:1MB"},
	} {
		if err := sc.Set("patterns", text); err != nil || !slices.Equal(sc.Patterns, want) {
			t.Errorf("patterns %s: got %q, %v", text, sc.Patterns, err)
		}
	}
	if err := sc.Set("cc", "dcqcn"); err != nil || sc.CC.Name != "dcqcn" || len(sc.CC.Params) != 0 {
		t.Errorf("another scheme keeps parameters: %+v, %v", sc.CC, err)
	}
	if err := sc.Set("profile", "ns3"); err != nil || sc.Options != sim.NS3() || sc.Host.Header != refHeader {
		t.Errorf("profile ns3: %v", err)
	}
	for _, c := range []struct{ key, text, want string }{
		{"lod", "1", `unknown key "lod"`},
		{"load.x", "1", `load is not a section`},
		{"load", "x", `load: "x" is not a number`},
		{"options.rot", "1ms", `unknown key "rot": did you mean rto?`},
		{"rto", "1ms", `unknown key "rto": did you mean options.rto?`},
		{"dcqcn.alpha_timer", "1us", `unknown key "dcqcn": did you mean `},
		{"host.rto", "1ms", `unknown key "rto": did you mean options.rto?`},
		{"switch.buffer", "1MB", `unknown key "buffer": did you mean buffer (of no section)?`},
		{"alpha_timer", "1us", `unknown key "alpha_timer": did you mean cc.params.alpha_timer?`},
		{"cc.target", "0.9", `unknown key "target": did you mean cc.params.target?`},
		{"link_down", "1ms:0-1", `unknown key "link_down": did you mean links?`},
		{"no-pfc", "true", `unknown key "no-pfc": did you mean flow_control?`},
		{"ecn.kmin", "5KB", `unknown key "kmin": did you mean ecn.thresholds?`},
		{"mark", "off", `unknown key "mark": did you mean ecn.mark?`},
		{"profile", "x", `profile "x" is not known`},
		{"links", "{at: x}", `links.at: "x" is not a duration`},
		{"links", "", `links has no value`},
		{"host", "5", `host needs keys and values`},
		{"links", "[{at: 1ms", `links: "[{at: 1ms": not YAML: `},
		{"switch.weights.1", "{", `switch.weights.1: "{": not YAML: `},
		{"links", "---\na\n---\nb", `links: "---\na\n---\nb": a second document`},
		{"links", strings.Repeat("[", 100), `links: "` + strings.Repeat("[", 60) + `": nested too deeply`},
	} {
		if err := sc.Set(c.key, c.text); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("Set(%s, %s): got %v, want %s", c.key, c.text, err, c.want)
		}
	}
}

// A flag that overrides a key clears the file's line: an error no longer names it, nor the line of the section around it.
func TestSetForgetsTheLine(t *testing.T) {
	for key, c := range map[string]struct{ text, value, want string }{
		"topology":         {"load: 0.5\ntopology: star:n=4\n", "star:n=1", `topology "star:n=1": n=1 is out of range`},
		"cc.params.target": {"cc:\n  name: hpcc\n  params: {target: 0.9}\n", "-1", "cc.params.target: hpcc: target is -1"},
		"series.ports":     {"topology: star:n=4\nseries:\n  ports: all\n", "9:9", "series.ports: "},
	} {
		sc, err := Read("s.yaml", []byte("workload: none\n"+c.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := sc.Set(key, c.value); err != nil {
			t.Fatal(err)
		}
		if _, err := sc.Setup(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", key, err, c.want)
		}
	}
}
