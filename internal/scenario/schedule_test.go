package scenario

import "testing"

// The tag that a schedule's file gives is a text that tables and lines can hold.
func TestJobOf(t *testing.T) {
	for file, want := range map[string]string{
		"a/job.x.goal": "job", "a b,c=1.0.et": "a b,c=1", "日本.goal": "日本", ".goal": "", "\xff\n\x01b.goal": "\uFFFD\uFFFD\uFFFDb",
	} {
		if got := jobOf(file); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
}
