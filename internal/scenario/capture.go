package scenario

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces/capture"
	"github.com/qbb-sim/qbb/traces/filter"
)

// CaptureSpec says which packets are captured, as they would be on the wire.
type CaptureSpec struct {
	File        string     `yaml:"file" doc:"capture in pcapng for tshark, Wireshark and qbb inspect; empty: none"`
	Filter      string     `yaml:"filter" doc:"packets to capture, such as node==5 && time>2us && kind==pfc; see qbb help expressions"`
	Ring        string     `yaml:"ring" doc:"keep only the last packets: their number, such as 100000, or their size, such as 64MB"`
	Snap        core.Bytes `yaml:"snap" doc:"most bytes kept of a frame, such as 96B, which holds all headers; 0B: all. Tshark 4.0 calls cut RoCEv2 packets malformed"`
	Nanoseconds bool       `yaml:"nanoseconds" doc:"time stamps are truncated to nanoseconds, for runs of more than 18.4 ms, where tshark misreads picoseconds"`
	Write       bool       `yaml:"write" doc:"messages are shown as RDMA WRITEs, whose first packet has their length in a RETH, instead of SENDs"`
}

// checkCapture compiles what can be.
func (sc *Scenario) checkCapture() error {
	if _, err := filter.Parse(sc.Pcap.Filter); err != nil {
		return sc.wrong("pcap.filter", err)
	}
	if _, err := capture.ParseRing(sc.Pcap.Ring); err != nil {
		return sc.wrong("pcap.ring", err)
	}
	if 0 < sc.Pcap.Snap && sc.Pcap.Snap < capture.LeastSnap {
		return sc.wrong("pcap.snap", fmt.Errorf("%v cuts headers off, so that nothing can read the packets: keep %v or more, or all with 0B", sc.Pcap.Snap, core.Bytes(capture.LeastSnap)))
	}
	return nil
}
