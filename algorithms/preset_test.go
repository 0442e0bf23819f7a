package algorithms

import "testing"

type presetParams struct {
	Alpha  int    `qbb:"alpha"`
	Beta   int    `qbb:"beta"`
	Preset string `qbb:"preset" choice:"small|large"`
	Zeta   int    `qbb:"zeta"`
}

func (p *presetParams) UsePreset() {
	p.Alpha, p.Beta, p.Zeta = 1, 1, 1
	if p.Preset == "large" {
		p.Alpha, p.Beta, p.Zeta = 100, 100, 100
	}
}

// A preset comes before the parameters that it sets, whatever their names, and gives the others their values.
func TestPresetIsSetFirst(t *testing.T) {
	var p presetParams
	if err := SetParams(&p, map[string]string{"zeta": "7", "preset": "large", "alpha": "3"}); err != nil {
		t.Fatal(err)
	}
	if want := (presetParams{3, 100, "large", 7}); p != want {
		t.Errorf("got %+v, want %+v", p, want)
	}
	var again presetParams
	if err := SetParams(&again, ParamValues(&p)); err != nil || again != p {
		t.Errorf("the values give back %+v (%v), want %+v", again, err, p)
	}
	if err := SetParam(&p, "preset", "huge"); err == nil || p.Alpha != 3 {
		t.Errorf("unknown preset: error %v, params %+v", err, p)
	}
}
