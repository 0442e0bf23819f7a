package scenario

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces/capture"
	"github.com/qbb-sim/qbb/traces/filter"
)

// CaptureSpec says which packets are captured, as they would be on the wire.
type CaptureSpec struct {
	File        string     `yaml:"file" doc:"capture in pcapng for tshark, Wireshark and qbb inspect; empty: none"`
	Filter      string     `yaml:"filter" doc:"which packets, such as node==5 && time>2us && kind==pfc; see qbb help expressions"`
	Ring        string     `yaml:"ring" doc:"keep the last packets only: their number, such as 100000, or their size, such as 64MB"`
	Snap        core.Bytes `yaml:"snap" doc:"most bytes kept of a frame, such as 96B, which holds all headers; 0B: all. Tshark 4.0 calls RoCEv2 packets malformed that are cut"`
	Nanoseconds bool       `yaml:"nanoseconds" doc:"time stamps are cut to nanoseconds: for runs of more than 18.4 ms, where tshark misreads picoseconds"`
	Write       bool       `yaml:"write" doc:"messages are shown as RDMA WRITEs, whose first packet tells their length in a RETH, not as SENDs"`
}

// checkCapture compiles what can be.
func (sc *Scenario) checkCapture() error {
	if _, err := filter.Parse(sc.Pcap.Filter); err != nil {
		return sc.wrong("pcap.filter", err)
	}
	if _, err := capture.ParseRing(sc.Pcap.Ring); err != nil {
		return sc.wrong("pcap.ring", err)
	}
	return nil
}
