package reproduce

import "testing"

// The target rate is "the sending rate just before the arrival of the last feedback frame" (section 2.2, equation 2):
// of two decreases without a cycle between them the second moves it, too.
func TestModelTargetIsTheRateBeforeTheLastFeedback(t *testing.T) {
	m := newQCNModel(1, usualStep, []float64{0.8e9})
	for range 3 {
		before := m.senders[0].rate
		m.queue += 100e3
		m.sample(before)
		if s := m.senders[0]; s.target != before || s.rate >= before {
			t.Errorf("from %v bit/s the rate falls to %v, and the target is %v", before, s.rate, s.target)
		}
	}
}

// All experiments follow equation 2 of QCN's paper, while the standard keeps the target of the first of several decreases
// within a byte cycle.
func TestTargetOfTheExperiments(t *testing.T) {
	seen := false
	for _, e := range Experiments() {
		for _, c := range e.Cases(false) {
			sc, err := c.Scenario()
			if err != nil {
				t.Fatal(err)
			}
			if sc.CC.Name != "qcn" {
				continue
			}
			if seen = true; sc.CC.Params["target"] != "always" {
				t.Errorf("%s, %s: target=%q", e.Name, c.Name, sc.CC.Params["target"])
			}
		}
	}
	if !seen {
		t.Error("no experiment runs QCN")
	}
}
