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

// All experiments follow the equations of their papers where these differ from a scheme's defaults: equation 2 of QCN's,
// while the standard keeps the target of the first of several decreases within a byte cycle; and eq. 2.2 of MPCC's, to
// which appendix A.2 refers, for the RTT.
func TestSchemesOfTheExperiments(t *testing.T) {
	want := map[string][2]string{"qcn": {"target", "always"}, "mpcc": {"dt_uses_queue", "true"}}
	seen := make(map[string]bool)
	for _, e := range Experiments() {
		for _, c := range e.Cases(false) {
			sc, err := c.scenario()
			if err != nil {
				t.Fatal(err)
			}
			param, ok := want[sc.CC.Name]
			if ok && sc.CC.Params[param[0]] != param[1] {
				t.Fatalf("%s, %s: %s=%q", e.Name, c.Name, param[0], sc.CC.Params[param[0]])
			}
			seen[sc.CC.Name] = true
		}
	}
	for scheme := range want {
		if !seen[scheme] {
			t.Errorf("no experiment runs %s", scheme)
		}
	}
}
