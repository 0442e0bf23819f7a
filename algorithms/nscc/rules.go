package nscc

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// rules are the parameters of one flow, with what follows from its path.
type rules struct {
	*Params
	mtu      float64
	base     core.Duration // config_base_rtt
	target   core.Duration
	zero     core.Duration
	period   core.Duration
	extreme  core.Duration // qa_threshold
	batch    float64       // adjust_bytes_threshold
	alpha    float64       // bytes/s
	fi, eta  float64       // bytes
	fiScale  float64
	mostEver float64 // MaxWnd
}

// The reference network, by which the constants are scaled (htsim): 100 Gb/s and 12 us.
const (
	refRTT = 12 * core.Microsecond
	refBDP = 150e3 // bytes
)

func newRules(p *Params, f *algorithms.Flow) rules {
	mtu, base := float64(max(1, f.MTU)), max(1, f.BaseRTT)
	bdp := float64(f.Line) * base.Seconds() / 8
	target := cmp.Or(p.TargetQDelay, base)
	a, b := bdp/refBDP, float64(target)/float64(refRTT)
	return rules{
		Params: p, mtu: mtu, base: base, target: target,
		zero:     cmp.Or(p.ZeroQDelay, base/12),
		period:   cmp.Or(p.AdjustPeriod, base),
		extreme:  cmp.Or(p.QAThreshold, 4*target),
		batch:    cmp.Or(float64(p.AdjustBytes), 8*mtu),
		alpha:    cmp.Or(p.Alpha, 4*a*b*mtu/target.Seconds()),
		fi:       cmp.Or(float64(p.FI), 5*a*mtu),
		eta:      cmp.Or(float64(p.Eta), 0.15*a*mtu),
		fiScale:  cmp.Or(p.FIScale, 0.25*a),
		mostEver: max(mtu, cmp.Or(float64(p.MaxWnd), 1.5*bdp)),
	}
}
