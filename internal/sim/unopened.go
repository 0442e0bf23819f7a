package sim

import (
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// unopened is what hosts have to send of flows that their programs have not started. It is known if there are several parts.
type unopened struct {
	bytes    []int64       // by node
	patience core.Duration // none of the flows is given up sooner after its start
}

// chooseUnopened notes what all programs have to send.
func (n *Network) chooseUnopened() {
	if len(n.parts) == 1 {
		return
	}
	u := unopened{make([]int64, len(n.hosts)), math.MaxInt64}
	for i := range n.Setup.Flows {
		if f := &n.Setup.Flows[i]; f.Held {
			u.bytes[f.Src] += f.Bytes
			u.patience = min(u.patience, nic.Patience(n.Timeout(i), n.Setup.RTOLow, n.Setup.Profile.Retries))
		}
	}
	n.unopened = u
}

// opened notes that a flow has started.
func (u *unopened) opened(f *Flow) {
	if f.Held && u.bytes != nil {
		u.bytes[f.Src] -= f.Bytes
	}
}

// unopenedLast returns a time that it takes at least to send all of it.
func (n *Network) unopenedLast() (longest core.Duration) {
	for host, bytes := range n.unopened.bytes {
		if bytes > 0 {
			longest = max(longest, n.Setup.Profile.Timing.TxTime(core.Bytes(bytes), n.rateOf(core.NodeID(host))))
		}
	}
	return min(longest, n.unopened.patience)
}
