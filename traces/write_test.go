package traces

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

func TestTopologyComesBack(t *testing.T) {
	for _, spec := range []string{
		"fat-tree:thesis", "fat-tree:k=4", "leaf-spine:leaves=2,spines=3,hosts=2,fabric=1.6Tbps", "dumbbell:n=2,rate=2Tbps",
		"star:n=3,rate=10Mbps,delay=1500ps", "star:n=2,rate=1234567bps,delay=0",
	} {
		want, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		want.Links[0].Loss = 0.001
		got, _, err := ReadTopology("f", bytes.NewReader(AppendTopology(nil, want)), core.Exact)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		if !slices.Equal(got.Kinds, want.Kinds) || !slices.Equal(got.Links, want.Links) {
			t.Errorf("%s: got %v %v, want %v %v", spec, got.Kinds, got.Links, want.Kinds, want.Links)
		}
	}
}

func TestAppendTopologyText(t *testing.T) {
	net, err := topo.Parse("dumbbell:n=1,right=1,bottleneck=2Tbps,delay=1us")
	if err != nil {
		t.Fatal(err)
	}
	const want = "4 2 3\n2 3\n0 2 100Gbps 1000ns 0\n2 3 2000Gbps 1000ns 0\n3 1 100Gbps 1000ns 0\n"
	if got := string(AppendTopology(nil, net)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Rates are written in a unit that the reference knows, with all their digits.
func TestAppendRate(t *testing.T) {
	for want, r := range map[string]core.Rate{"100Gbps": 100 * core.Gbps, "2500Mbps": 2500 * core.Mbps, "1500000001bps": 1_500_000_001, "2000Gbps": 2000 * core.Gbps} {
		if got := string(appendRate(nil, r)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestFlowsComeBack(t *testing.T) {
	want := []Flow{
		{Src: 0, Dst: 1, Bytes: 1, Prio: 3, DstPort: 100},
		{Src: 1, Dst: 0, Bytes: 300_000, Prio: 1, DstPort: 4791, Start: core.Time(2*core.Second + 11337*core.Nanosecond)},
		{Src: 2, Dst: 5, Bytes: 1 << 40, Prio: 7, DstPort: 100, Start: core.Time(2*core.Second + 11337*core.Nanosecond + 1)},
		{Src: 2, Dst: 5, Bytes: 7, Prio: 7, DstPort: 100, Start: core.Time(1234567*core.Second + 987_654_321_098)},
	}
	text := string(AppendFlows(nil, want))
	if !strings.HasPrefix(text, "4\n0 1 3 100 1 0.000000000\n1 0 1 4791 300000 2.000011337\n2 5 7 100 1099511627776 2.000011337001\n") {
		t.Errorf("got %q", text)
	}
	got, err := ReadFlows("f", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i].Line, got[i].StartNanos = 0, 0
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestFlowTableComesBack(t *testing.T) {
	plain := Flow{Src: 0, Dst: 1, Bytes: 1, Prio: DefaultPrio, DstPort: DefaultDstPort}
	for _, c := range []struct {
		text  string
		flows []Flow
	}{
		{"src,dst,bytes,start_ns\n", nil},
		{"src,dst,bytes,start_ns\n0,1,1,0\n", []Flow{plain}},
		{"src,dst,bytes,start_ns,prio,src_port,dst_port,tag,scheme,after\n" +
			"0,1,1,0,,,,,,\n" +
			"1,0,300000,2000000000.500,1,7,4791,incast,dcqcn,\n" +
			"2,1048575,1125899906842624,8999999999999999.999,7,65535,0,\"a, \"\"b\"\"\",,0\n" +
			"2,5,7,0.001,,,,\" x\u00a0\",,1 0 2\n",
			[]Flow{
				plain,
				{Src: 1, Dst: 0, Bytes: 300_000, Prio: 1, SrcPort: 7, DstPort: 4791, Start: core.Time(2*core.Second + 500), Tag: "incast", Scheme: "dcqcn"},
				{Src: 2, Dst: maxNodes - 1, Bytes: maxFlowBytes, Prio: 7, SrcPort: 65535, Start: core.Time(maxSeconds*core.Second - 1), Tag: `a, "b"`, After: []int32{0}},
				{Src: 2, Dst: 5, Bytes: 7, Prio: DefaultPrio, DstPort: DefaultDstPort, Start: 1, Tag: " x\u00a0", After: []int32{1, 0, 2}},
			}},
	} {
		text := string(AppendFlowTable(nil, c.flows))
		if text != c.text {
			t.Errorf("got %q, want %q", text, c.text)
		}
		got, err := ReadFlows("f", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, c.flows, sameFlow) {
			t.Errorf("got %+v, want %+v", got, c.flows)
		}
	}
}

// sameFlow compares everything in a file except its lines and the reference's arithmetic of time.
func sameFlow(a, b Flow) bool {
	a.Line, b.Line, a.StartNanos, b.StartNanos = 0, 0, 0, 0
	return reflect.DeepEqual(a, b)
}
