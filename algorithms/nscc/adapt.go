package nscc

import "github.com/qbb-sim/qbb/core"

// adaption is the state of quick adapt: what has arrived in a period of a round trip, and how much of what was in
// flight at the last one is still to be ignored.
type adaption struct {
	achieved float64 // bytes
	trigger  bool    // a loss since the last one
	end      core.Time
	running  bool // end is set
	ignore   float64
	ignored  float64 // bytes that have arrived or been lost since
}

func (a *adaption) heard(n float64) {
	a.achieved += n
	a.ignored += n
}

// quickAdapt sets the window to what has arrived in the period that ends now, if that is little and packets were lost
// or waited long. It reports whether the packet that has just been heard of is to change nothing: because it has, or
// because its mark tells of the time before. inFlight is what has been sent and not arrived.
func (s *sender) quickAdapt(now core.Time, inFlight float64, marked bool, delay core.Duration) bool {
	a := &s.adapt
	if s.DisableQA {
		return false
	}
	if a.ignored < a.ignore && marked {
		s.restart()
		return true
	}
	if a.running && now < a.end {
		return false
	}
	little := a.achieved < s.most/float64(uint64(1)<<s.QAGate)
	adapts := a.running && little && (a.trigger || delay > s.extreme)
	if adapts {
		s.cwnd = max(a.achieved, s.mtu)
		a.ignore, a.ignored, a.trigger = inFlight, 0, false
		s.restart()
	}
	a.achieved, a.running, a.end = 0, true, now.Add(s.baseRTT+s.target)
	return adapts
}
