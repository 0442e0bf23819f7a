package scenario

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/traces"
)

// Apply changes only the keys that it is given: lists and schemes are replaced, sections keep their
// other keys, a profile comes first.
func TestApply(t *testing.T) {
	sc := Default()
	sc.CC.Params = map[string]string{"target": "0.9"}
	sc.Patterns = []string{"permutation:1MB"}
	text := `{"patterns": ["one-one:2KB"], "host": {"chunk": 8000}, "profile": "ns3", "cc": "dcqcn", "ecn": {"mark": "off"}, "load": 0.25}`
	if err := sc.Apply([]byte(text)); err != nil {
		t.Fatal(err)
	}
	want := Default()
	if err := want.setProfile("ns3"); err != nil {
		t.Fatal(err)
	}
	want.Patterns, want.Host.Chunk, want.CC.Name, want.ECN.Mark, want.Load = []string{"one-one:2KB"}, 8000, "dcqcn", "off", 0.25
	if string(sc.text()) != string(want.text()) {
		t.Errorf("got\n%swant\n%s", sc.text(), want.text())
	}
	for text, want := range map[string]string{
		`{"load": "x"}`:        `load: "x" is not a number of at least 0`,
		`{"profile": "x"}`:     `profile "x" is not known: use native or ns3`,
		`{"cc": null}`:         "cc has no value: write none to do without congestion control",
		`{"cc": {"nam": "x"}}`: `unknown key "nam": did you mean name? known: name, params`,
	} {
		if err := sc.Apply([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// One item of a list may stand alone.
func TestListOfOne(t *testing.T) {
	alone, listed := Default(), Default()
	for sc, text := range map[*Scenario]string{
		alone:  "patterns: permutation:1MB\nlinks: {at: 5us, down: 0-16}\nhost: {window: on}\n",
		listed: "patterns: [permutation:1MB]\nlinks: [{at: 5us, down: 0-16}]\nhost: {window: on}\n",
	} {
		if err := sc.Apply([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if len(alone.Patterns) != 1 || len(alone.Links) != 1 || string(alone.text()) != string(listed.text()) {
		t.Errorf("got\n%swant\n%s", alone.text(), listed.text())
	}
}

// Parameters without a name are those of the scheme that is there, as in a file that names none, and replace its others.
func TestParametersWithoutAName(t *testing.T) {
	for how, change := range map[string]func(*Scenario) error{
		"apply": func(sc *Scenario) error { return sc.Apply([]byte(`{"cc": {"params": {"target": 0.8}}}`)) },
		"set":   func(sc *Scenario) error { return sc.Set("cc", "{params: {target: 0.8}}") },
	} {
		sc := Default()
		sc.CC.Params = map[string]string{"ai": "50Mbps"}
		if err := change(sc); err != nil {
			t.Fatal(err)
		}
		if sc.CC.Name != "hpcc" || len(sc.CC.Params) != 1 || sc.CC.Params["target"] != "0.8" {
			t.Errorf("%s: %v", how, sc.CC)
		}
	}
}

// A file as Windows editors save it, with a byte order mark and CRLF, reads the same.
func TestReadByteOrderMark(t *testing.T) {
	sc, err := Read("x.yaml", []byte("\ufeffseed: 7\r\ncc:\r\n  name: dctcp\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if sc.Seed != 7 || sc.CC.Name != "dctcp" {
		t.Errorf("seed %d, scheme %q", sc.Seed, sc.CC.Name)
	}
}

// Nor does a byte order mark before a comment make a scenario a config.txt, or an empty file a scenario.
func TestLoadByteOrderMark(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.yaml")
	for text, want := range map[string]string{"\ufeff# a study\r\nseed: 7\r\n": "", "\ufeff\r\n": file + ":1: the file is empty: write a scenario, or a config.txt"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sc, err := Load(file)
		if got := fmt.Sprint(err); want == "" && (err != nil || sc.Seed != 7) || want != "" && got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// A printed scenario reads back the same, with tables of every kind.
func TestPrintTables(t *testing.T) {
	text := "lossy: 1,2\ncc_by_tag: {a: dcqcn, b: {name: cubic}}\nclass_by_cc: {cubic: 1}\nclass_by_tag: {c: 2, a: 0}\n" +
		"recovery_by_class: {2: go-back-0, 1: selective}\nwindow_by_class: {2: on, 1: off}\nswitch: {weights: {3: 9, 1: 1}}\n"
	sc, err := Read("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read("again.yaml", sc.text())
	if err != nil {
		t.Fatalf("%v\n%s", err, sc.text())
	}
	if !maps.Equal(again.ClassByCC, map[string]uint8{"cubic": 1}) || !maps.Equal(again.ClassByTag, map[string]uint8{"a": 0, "c": 2}) ||
		!maps.Equal(again.RecoveryByClass, map[string]nic.Recovery{"1": nic.Selective, "2": nic.GoBack0}) ||
		!maps.Equal(again.WindowByClass, map[string]string{"1": "off", "2": "on"}) || !maps.Equal(again.Switch.Weights, map[string]uint8{"1": 1, "3": 9}) || again.CCByTag["a"].Name != "dcqcn" || again.CCByTag["b"].Name != "cubic" {
		t.Errorf("got\n%s", again.text())
	}
}

// A printed scenario has a line for every key, and none between: also where lists and tables are empty.
func TestPrintHasNoBlankLines(t *testing.T) {
	text := string(Default().text())
	if strings.Contains(text, "\n\n") || !strings.Contains(text, "\ncc_by_tag: {}\nmtu: 1KB\n") || !strings.Contains(text, "\npatterns: []\nflows: ") {
		t.Errorf("got\n%s", text)
	}
}

// A scenario is recorded the same in every folder.
func TestRecord(t *testing.T) {
	sc := Default()
	sc.Seed, sc.Out = 7, "elsewhere"
	record := sc.Record()
	again, err := Read("record.yaml", []byte(record))
	if err != nil || again.Seed != 7 || again.Out != Default().Out || again.Record() != record || sc.Out != "elsewhere" {
		t.Errorf("%v, %q:\n%s", err, sc.Out, record)
	}
}

// No change of a clone shows in the original, even in place, but for added flows, which are not changed in place.
func TestClone(t *testing.T) {
	sc, err := Read("x.yaml", []byte("cc: {name: hpcc, params: {target: 0.9}}\npatterns: [permutation:1MB]\nschedule: job\ncc_by_tag: {incast: dcqcn}\n"+
		"links: [{at: 1ms, down: 16-20}]\nlink_loss: [{link: 16-20, loss: 0.1}]\necn: {thresholds: [{rate: 1Gbps, kmin: 1KB, kmax: 2KB, pmax: 1}]}\nswitch: {weights: {1: 2}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	sc.Added = append(make([]traces.Flow, 0, 2), traces.Flow{Bytes: 1})
	sc.reset = append(make([]string, 0, 2), "host.delay")
	before, origin := string(sc.text()), len(sc.origin)
	c := sc.Clone()
	c.CC.Params["target"], c.Patterns[0], c.CCByTag["incast"] = "0.8", "x", CC{Name: "timely"}
	c.Links[0].Down, c.LinkLoss[0].Loss, c.ECN.Thresholds[0].PMax = "1-2", 1, 0
	c.Switch.Weights["1"], c.Schedule[0] = 3, "y"
	sc.Added, c.Added = append(sc.Added, traces.Flow{Bytes: 2}), append(c.Added, traces.Flow{Bytes: 3})
	c.forgetOrigin("links")
	c.forgetSections(Default())
	if string(sc.text()) != before || len(sc.origin) != origin || sc.Added[1].Bytes != 2 || sc.reset[:2][1] != "" {
		t.Error("a change of the clone shows in the original")
	}
	// A new list or map in Scenario needs a line in Clone, and here.
	for f := range reflect.TypeFor[Scenario]().Fields() {
		if k := f.Type.Kind(); (k == reflect.Slice || k == reflect.Map) && !map[string]bool{
			"Patterns": true, "Schedule": true, "CCByTag": true, "LinkLoss": true, "Links": true, "origin": true, "tagged": true, "places": true, "reset": true,
			"ClassByCC": true, "ClassByTag": true, "RecoveryByClass": true, "WindowByClass": true, "Added": true,
		}[f.Name] {
			t.Errorf("Scenario.%s is not cloned", f.Name)
		}
	}
}

// A scenario's incast can be taken away, by a flag or in some runs of a sweep.
func TestNoIncast(t *testing.T) {
	sc, err := Read("x.yaml", []byte("incast: 8x300KB\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := cmp.Or(sc.Set("incast", "none"), sc.Complete()); err != nil || sc.Incast != "" {
		t.Errorf("incast %q, %v", sc.Incast, err)
	}
}
