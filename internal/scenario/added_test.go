package scenario

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Flows that a program adds are those of a file with the same rows, in any order, with schemes, tags and classes, with
// patterns beside them or not, in both profiles.
func TestAddedFlows(t *testing.T) {
	rows := []traces.Flow{
		{Src: 0, Dst: 1, Bytes: 1000, Start: 30 * core.Time(core.Nanosecond), StartNanos: 30, Prio: 2, SrcPort: 7, DstPort: 8, Tag: "a"},
		{Src: 1, Dst: 2, Bytes: 2000, Start: 40 * core.Time(core.Nanosecond), StartNanos: 40, Prio: 3, Scheme: "dctcp", Tag: "b"},
		{Src: 2, Dst: 1, Bytes: 3000, Start: 5 * core.Time(core.Nanosecond), StartNanos: 5, Prio: 3, After: []int32{0, 1}},
	}
	file := filepath.Join(t.TempDir(), "flows.csv")
	write(t, file, string(traces.AppendFlowTable(nil, rows)))
	for _, profile := range []string{"native", "ns3"} {
		for _, more := range [][]string{nil, {"patterns", "one-one:5KB"}} {
			keys := append([]string{"profile", profile, "topology", "star:n=4", "cc_by_tag.a", "timely", "class_by_tag", "{b: 5}"}, more...)
			want, err := of(t, append(keys, "flows", file)...).Setup()
			if err != nil {
				t.Fatal(err)
			}
			sc := of(t, keys...)
			sc.Added = rows
			got, err := sc.Setup()
			if err != nil || !reflect.DeepEqual(got.Flows, want.Flows) || len(got.Schemes) != 3 {
				t.Errorf("%s %v: %v, %d schemes\ngot  %+v\nwant %+v", profile, more, err, len(got.Schemes), got.Flows, want.Flows)
			}
			for i := range rows {
				if place := sc.PlaceOfAdded(i); got.Flows[place].Bytes != int64(rows[i].Bytes) {
					t.Errorf("%s %v: flow %d has place %d of %+v", profile, more, i, place, got.Flows)
				}
			}
		}
	}
}

// Beside the flows of a file those of a program wait for each other by their own numbers, and have places of their own.
func TestFlowsAddedToThoseOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flows.csv")
	write(t, file, "src,dst,bytes,start_ns\n0,1,100,0\n0,1,200,30\n")
	sc := of(t, "topology", "star:n=4", "flows", file)
	sc.Added = []traces.Flow{
		{Src: 1, Dst: 2, Bytes: 300, Start: 20 * core.Time(core.Nanosecond), Prio: 3}, {Src: 1, Dst: 2, Bytes: 400, Prio: 3, After: []int32{0}},
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int64
	for _, f := range s.Flows {
		sizes = append(sizes, f.Bytes)
	}
	if !reflect.DeepEqual(sizes, []int64{100, 300, 400, 200}) || !reflect.DeepEqual(s.Flows[2].After, []int32{1}) {
		t.Errorf("got %+v", s.Flows)
	}
	if places := [...]int{sc.PlaceOf(0), sc.PlaceOf(1), sc.PlaceOfAdded(0), sc.PlaceOfAdded(1)}; places != [...]int{0, 3, 1, 2} {
		t.Errorf("places %v", places)
	}
	if text := string(sc.text()); !strings.Contains(text, "\nflows: \"added by the program\"\n") || sc.Flows != file {
		t.Errorf("flows %q:\n%s", sc.Flows, text)
	}
}

// Errors name added flows by their number. A list of none is no other flows either.
func TestWrongAddedFlows(t *testing.T) {
	for _, c := range []struct {
		flow traces.Flow
		want string
	}{
		{traces.Flow{Dst: 9, Line: 5}, `added flow 1: flow end is no node "9": nodes are numbered from 0 to 3`},
		{traces.Flow{Dst: 3}, `added flow 1: flow end is a switch: "3": flows run between hosts`},
		{traces.Flow{Dst: 1, Scheme: "hpc"}, `added flow 1: no scheme "hpc"; did you mean hpcc`},
	} {
		sc := of(t, "topology", "star:n=3")
		sc.Added = []traces.Flow{{Dst: 1, Bytes: 1, Prio: 3}, c.flow}
		if _, err := sc.Setup(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	sc := of(t, "topology", "star:n=3")
	sc.Added = []traces.Flow{}
	if s, err := sc.Setup(); err != nil || len(s.Flows) != 0 || sc.Workload != noWorkload {
		t.Errorf("%v, workload %s", err, sc.Workload)
	}
}
