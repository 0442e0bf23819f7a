package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Flows of a closed loop have the schemes and classes that flows of a file would have; the run has room for every class,
// and keys of tags wait for flows to come.
func TestFlowOfClosedLoop(t *testing.T) {
	sc := Default()
	sc.ClosedLoop = true
	for _, kv := range [][2]string{
		{"topology", "star:n=4"}, {"workload", "none"}, {"patterns", "permutation:1KB"}, {"cc", "hpcc"}, {"cc_by_tag.bulk", "cubic"},
		{"cc_by_tag.rpc", "{name: dcqcn, params: {ai: 50Mbps}}"}, {"class_by_cc", "{cubic: 1}"}, {"class_by_tag", "{rpc: 2}"},
		{"flow_control", "none"},
	} {
		if err := sc.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	if s.Lossy != 0xfe || !s.ClosedLoop {
		t.Errorf("lossy classes are %08b, closed loop: %v", s.Lossy, s.ClosedLoop)
	}
	for _, c := range []struct {
		f      traces.Flow
		scheme string
		class  uint8
		err    string
	}{
		{traces.Flow{Prio: 3}, "hpcc", 3, ""},
		{traces.Flow{Prio: 3, Tag: "bulk"}, "cubic", 1, ""},
		{traces.Flow{Prio: 3, Tag: "rpc"}, "dcqcn", 2, ""},
		{traces.Flow{Prio: 5, Scheme: "DCQCN"}, "dcqcn", 5, ""},
		{traces.Flow{Prio: 5, Tag: "rpc", Scheme: "cubic"}, "cubic", 2, ""},
		{traces.Flow{Prio: 3, Scheme: "swift"}, "", 0, `flow 7: the run has no scheme "swift", but hpcc, cubic, dcqcn: cc_by_tag gives more to tags`},
		{traces.Flow{Prio: 3, Dst: 4}, "", 0, `flow 7: flow end is a switch: "4": flows run between hosts; the network has 4 hosts, the first is 0, the last 3`},
		{traces.Flow{Prio: 3, Start: 8}, "", 0, "flow 7: it starts at 8ps, and it is 9ps now"},
		{traces.Flow{Prio: 3, After: []int32{0}}, "", 0, "flow 7: a flow that waits for others is added when they have ended"},
	} {
		f := c.f
		if f.Bytes = 1000; f.Dst == 0 {
			f.Dst = 1
		}
		if f.Start == 0 {
			f.Start = 9
		}
		got, err := sc.FlowOf("flow 7", &f, s, core.Time(9))
		switch {
		case c.err != "":
			if err == nil || err.Error() != c.err {
				t.Errorf("%+v: error %v, want %q", c.f, err, c.err)
			}
		case err != nil:
			t.Error(err)
		case s.Schemes[got.Scheme].Traits().Name != c.scheme || got.Prio != c.class || got.Start != 9 || got.Bytes != 1000:
			t.Errorf("%+v: got %+v, want %s of class %d", c.f, got, c.scheme, c.class)
		}
	}
}
