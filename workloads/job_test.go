package workloads

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// A job is a path with keys, or a path alone, whatever signs it has.
func TestParseJob(t *testing.T) {
	star, err := topo.Parse("star:n=6")
	if err != nil {
		t.Fatal(err)
	}
	known := func(path string) bool {
		return slices.Contains([]string{"", "job", "runs/a=1,b=2/job", "job,hosts=2.goal"}, path)
	}
	for text, want := range map[string]string{
		"job.goal":                              "job.goal  [0 1] 0s ",
		"runs/a=1,b=2/job":                      "runs/a=1,b=2/job  [0 1] 0s ",
		"runs/a=1,b=2/job,tag=x,hosts=1-2":      "runs/a=1,b=2/job ,tag=x,hosts=1-2 [1 2] 0s x",
		"job,hosts=2.goal":                      "job,hosts=2.goal  [0 1] 0s ",
		"job,hosts=2.goal,start=1s":             "job,hosts=2.goal ,start=1s [0 1] 1s ",
		"job,b.goal,tag=x":                      "job,b.goal ,tag=x [0 1] 0s x",
		"a,b.goal,hosts=4,0-2,start=5ms,tag= x": "a,b.goal ,hosts=4,0-2,start=5ms,tag= x [4 0] 5ms x",
		"job, hosts=5-1":                        "hosts: the range 5-1 goes down",
		"job,hosts=7":                           "hosts: there is no node 7: the network has 6 hosts, the first is 0, the last 5",
		"job,hosts=3":                           "job has 2 ranks, and the list 1 hosts: choose a larger one",
		"job,group=2":                           `unknown key "group"; known: hosts, start, tag`,
		"job,hots=2":                            `unknown key "hots"; did you mean "hosts"? known: hosts, start, tag`,
		"job,tag=a,b":                           `"b" stands behind tag=, which has one value: what has no key comes first`,
		"job,tag=a,tag=b":                       "tag is given twice",
		"job,start=-1s":                         "start: -1s is not from 0s to 2304000s",
		"job,tag=a{group}":                      `tag: "a{group}" has braces, and a schedule neither groups nor rounds`,
		",hosts=1-2":                            "there is no path: write that of a schedule first",
		"":                                      "there is no path: write that of a schedule first",
	} {
		j, err := ParseJob(text, known)
		var hosts []core.NodeID
		if err == nil {
			hosts, err = j.Hosts(star, 2)
		}
		got := fmt.Sprint(j.Path, " ", j.Keys, " ", hosts, " ", j.Start(), " ", j.Tag())
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if _, err := (&Job{Path: "job"}).Hosts(star, 7); err == nil || err.Error() != "job has 7 ranks, and the network 6 hosts: choose a larger one" {
		t.Error(err)
	}
}
