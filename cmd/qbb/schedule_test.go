package main

import (
	"strings"
	"testing"
)

// The summary tells how far a schedule has come. A packet of 1062 B takes 2169.92 ns over two links of 100 Gb/s and 1 us each, its
// acknowledgement of 66 B 2010.56 ns.
func TestSummaryOfSchedule(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "job.goal", "num_ranks 2 rank 0 { a: calc 5000 b: send 1000b to 1 b requires a } rank 1 { a: recv 1000b from 0 b: calc 10000 b requires a }")
	run := []string{"run", "--topology", "star:n=4", "--cc", "none", "--schedule", "job.goal"}
	for stop, want := range map[string]string{
		"never": "Flows         1 of 1 finished\nSchedule      done on 2 hosts after 17.2 us: 7.50 us of computing and 5.68 us of\n              exposed communication on average\nTook          job 4.18 us\n",
		"16us":  "Flows         1 of 1 finished\nSchedule      done on 1 of 2 hosts, after 9.18 us\nTook          job 4.18 us\n",
		"4us":   "Schedule      done on none of 2 hosts\n",
	} {
		if summary := mustQBB(t, with(run, "--stop", stop)...); !strings.Contains(summary, want) {
			t.Errorf("%s: want %s in\n%s", stop, want, summary)
		}
	}
	two := mustQBB(t, with(run, "--schedule", "job.goal,hosts=3,2,start=20us,tag=b", "--stop", "25us")...)
	if want := "Schedules     job done on 2 hosts after 17.2 us: 7.50 us of computing and 5.68\n              us of exposed communication on average\n              b done on none of 2 hosts\n"; !strings.Contains(two, want) {
		t.Errorf("want %s in\n%s", want, two)
	}
	if summary := mustQBB(t, with(run, "--stop", "4us")...); !strings.Contains(summary, "1 not finished: its schedule had not come so far at the end of the\n") {
		t.Errorf("got\n%s", summary)
	}
}
