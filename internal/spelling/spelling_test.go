package spelling

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"hpcc", "hpcc", 0}, {"hpc", "hpcc", 1}, {"laod", "load", 1}, {"ca", "abc", 3}, {"SRC", "src", 0}, {"RateBound", "RATE_BOUND", 1}} {
		if got, back := Distance(c.a, c.b), Distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("Distance(%q, %q) = %d, and %d back, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range []string{"0 packets", "1 packet", "2 packets"} {
		if got := Count(n, "packet", "packets"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"run", "compare", "report", "rum"} // of two as near, the first counts
	for given, want := range map[string]string{"runn": "run", "comapre": "compare", "reprot": "report", "": "run", "REPORT": "report"} {
		if got := Nearest(given, words); got != want {
			t.Errorf("Nearest(%q) is %q, want %q", given, got, want)
		}
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("nearest of no words is %q", got)
	}
}

func TestSuggest(t *testing.T) {
	for given, want := range map[string]string{
		"targt": `; did you mean "target"? known: ai, target`, "trgt": `; did you mean "target"? known: ai, target`, "trg": `; known: ai, target`, "AI": `; did you mean "ai"? known: ai, target`,
	} {
		if got := Suggest(given, []string{"ai", "target"}); got != want {
			t.Errorf("Suggest(%q) is %q, want %q", given, got, want)
		}
	}
	if got := Suggest("x", nil); got != "; there is none" {
		t.Errorf("Suggest without words is %q", got)
	}
}
